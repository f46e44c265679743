package org.kblake.record.channelaccess;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.kblake.record.channelaccess.message.MalformedMessageException;
import org.kblake.record.channelaccess.message.Message;
import org.kblake.record.channelaccess.message.MessageCommand;
import org.kblake.record.channelaccess.message.MessageParser;
import org.kblake.record.channelaccess.message.ServerAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads datagrams: answers to searches, and beacons. The receiver's thread alone uses it. */
final class SearchAnswers {

  private static final Logger LOG = LoggerFactory.getLogger(SearchAnswers.class);

  private static final int LARGEST_DATAGRAM = 1 << 16;
  private static final int DATAGRAMS_OF_TURN = 64;

  private final DatagramChannel socket;
  private final ReceiverTasks tasks;
  private final int serverPort;
  private final MessageParser parser = new MessageParser(this::take);
  private final ByteBuffer datagram = ByteBuffer.allocateDirect(LARGEST_DATAGRAM);
  private InetSocketAddress sender = new InetSocketAddress(0);

  /**
   * Creates a reader.
   *
   * @param serverPort the port of servers whose beacons do not state theirs
   */
  SearchAnswers(DatagramChannel socket, ReceiverTasks tasks, int serverPort) {
    this.socket = socket;
    this.tasks = tasks;
    this.serverPort = serverPort;
  }

  /** Reads the datagrams that wait. */
  void read() {
    for (int i = 0; i < DATAGRAMS_OF_TURN; i++) {
      try {
        datagram.clear();
        if (!(socket.receive(datagram) instanceof InetSocketAddress from)) {
          return;
        }
        sender = from;
        parser.parse(datagram.flip(), LARGEST_DATAGRAM);
      } catch (MalformedMessageException | IOException e) {
        // Such as an answer that the port of an address is closed. Each datagram is for itself.
        LOG.debug("{}: {}", sender, e.getMessage());
      }
    }
  }

  private void take(Message message) {
    switch (message.command()) {
      case MessageCommand.SEARCH ->
          tasks.found(message.second(), ServerAddress.found(message, sender));
      case MessageCommand.BEACON ->
          tasks.beacon(ServerAddress.ofBeacon(message, sender, serverPort), message.first());
      case MessageCommand.REPEATER_CONFIRM -> tasks.repeaterConfirmed();
      default -> {
        // Versions.
      }
    }
  }
}
