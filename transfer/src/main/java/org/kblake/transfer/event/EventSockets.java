package org.kblake.transfer.event;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Selector;
import java.nio.channels.UnresolvedAddressException;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.EventMessage;
import org.kblake.transfer.message.EventMessage.Hello;
import org.kblake.transfer.message.EventMessage.Refused;

/** What collectors and builders do with sockets. */
final class EventSockets {

  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final int MOST_TOLD = 100;
  private static final long LONGEST_PAUSE_MILLIS = 500;

  private EventSockets() {}

  /** Works on a connection to the manager until it ends. */
  @FunctionalInterface
  interface Work {
    void on(EventLine line) throws IOException, InterruptedException;
  }

  /** Connects to the manager, again and again, until the thread is interrupted. */
  static void serve(EventSettings settings, boolean builds, int port, Work work)
      throws InterruptedException {
    long pause = FIRST_PAUSE_MILLIS;
    Set<String> told = new HashSet<>();
    while (true) {
      long begun = System.nanoTime();
      try (EventLine line =
          new EventLine(Line.connect(settings.manager(), null, settings.timeout()))) {
        line.send(new Hello(builds, settings.name(), port));
        work.on(line);
      } catch (IOException | RuntimeException e) {
        Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
        String message =
            "does not work with the manager at "
                + settings.manager()
                + ": "
                + (cause == null ? e : cause).getMessage();
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedException();
        }
        if (told.size() < MOST_TOLD && told.add(message)) {
          settings.log().warn(message);
        }
      }
      boolean worked = System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(1);
      pause = worked ? FIRST_PAUSE_MILLIS : Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
      Thread.sleep(pause);
    }
  }

  /** Starts a thread that reads the messages of a connection, until it ends. */
  static Thread read(EventLine line, Queue<EventMessage> to, Selector selector) {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (true) {
                  to.add(line.read());
                  selector.wakeup();
                }
              } catch (IOException e) {
                to.add(new Refused(String.valueOf(e.getMessage())));
              } finally {
                line.closeQuietly();
                selector.wakeup();
              }
            },
            "kblake-event-messages");
    reader.setDaemon(true);
    reader.start();
    return reader;
  }

  static DatagramChannel datagrams(InetSocketAddress address, int bytes) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, bytes);
      channel.setOption(StandardSocketOptions.SO_SNDBUF, bytes);
      return channel.bind(address);
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  /** Sends a datagram. What the kernel refuses is lost, as what the network loses. */
  static void send(DatagramChannel channel, ByteBuffer bytes, InetSocketAddress to) {
    try {
      channel.send(bytes, to);
    } catch (IOException | UnresolvedAddressException e) {
      // Such as a full queue of the interface, or a builder that has just ended.
    }
  }
}
