package org.kblake.record.channelaccess;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.kblake.record.channelaccess.message.Requests;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the repeater of this machine for the beacons of servers, again and again, because a repeater
 * may start later. This client is no repeater itself and does not take its port. Without one,
 * searches are repeated at their own times.
 */
final class Repeater {

  private static final Logger LOG = LoggerFactory.getLogger(Repeater.class);

  private static final long PERIOD_NANOS = 15_000_000_000L;
  private static final int MOST_UNANSWERED = 2;

  private final DatagramChannel socket;
  private final InetSocketAddress address;
  private int unanswered;
  private long dueNanos;

  Repeater(DatagramChannel socket, int port, long nowNanos) {
    this.socket = socket;
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    dueNanos = nowNanos;
  }

  /** Notes an answer. */
  void confirmed() {
    unanswered = 0;
  }

  /** Asks if it is time to. Warns once where nobody answers. */
  void ask(long nowNanos) {
    if (nowNanos - dueNanos < 0) {
      return;
    }
    dueNanos = nowNanos + PERIOD_NANOS;
    if (unanswered++ == MOST_UNANSWERED) {
      LOG.warn(
          "no repeater of beacons at {}: servers that start or restart are noticed late;"
              + " start caRepeater of EPICS base on this machine",
          address);
    }
    ByteBuffer request = ByteBuffer.allocate(Requests.LARGEST);
    int loopback = ByteBuffer.wrap(address.getAddress().getAddress()).getInt();
    Requests.registerAtRepeater(request, loopback);
    try {
      socket.send(request.flip(), address);
    } catch (IOException e) {
      LOG.debug("the repeater of beacons cannot be asked: {}", e.getMessage());
    }
  }
}
