package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.message.EventDatagram;
import org.kblake.transfer.message.EventMessage;
import org.kblake.transfer.message.EventMessage.Assign;
import org.kblake.transfer.message.EventMessage.Begin;
import org.kblake.transfer.message.EventMessage.End;
import org.kblake.transfer.message.EventMessage.Instants;
import org.kblake.transfer.message.EventMessage.Ready;
import org.kblake.transfer.message.EventMessage.Refused;
import org.kblake.transfer.message.EventTicket;
import org.kblake.transfer.message.ProtocolException;

/**
 * A collector of events: sends its fragments to builders. It serves one session after the other, of
 * any manager at its address.
 */
public final class EventCollector implements Closeable {

  /** What is asked of the kernel for its socket; it may give less. */
  private static final int BUFFER_BYTES = 1 << 20;

  /** Few, so that what is asked for again waits in the feed, which knows it. */
  private static final int SENDING_BYTES = 1 << 16;

  /** The rules of the network know fragments by this class of service (AF11). */
  private static final int MARK = 0x28;

  private final EventSettings settings;
  private final FragmentSource source;
  private final DatagramChannel datagrams;
  private volatile @Nullable CollectorEvents events;

  /** Listens for requests. */
  public EventCollector(EventSettings settings, FragmentSource source) throws IOException {
    this.settings = settings;
    this.source = source;
    datagrams = EventSockets.datagrams(settings.data(), BUFFER_BYTES);
    datagrams.setOption(StandardSocketOptions.IP_TOS, MARK);
    datagrams.setOption(StandardSocketOptions.SO_SNDBUF, SENDING_BYTES);
  }

  /** Returns where it takes requests. */
  public InetSocketAddress address() throws IOException {
    return (InetSocketAddress) datagrams.getLocalAddress();
  }

  /** Sends until the thread is interrupted. */
  public void run() throws InterruptedException, IOException {
    Thread requests = new Thread(this::takeRequests, "kblake-event-requests");
    requests.setDaemon(true);
    requests.start();
    try {
      EventSockets.serve(settings, false, address().getPort(), this::work);
    } finally {
      datagrams.close();
      requests.join();
    }
  }

  private void takeRequests() {
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    while (datagrams.isOpen()) {
      try {
        datagrams.receive(buffer.clear());
        EventDatagram request = EventDatagram.read(buffer.flip());
        CollectorEvents of = events;
        if (of != null) {
          of.asked(request);
        }
      } catch (IOException e) {
        // The channel was closed, or the kernel tells that a builder has ended.
      }
    }
  }

  private void work(EventLine line) throws IOException {
    try {
      while (true) {
        EventMessage message = line.read();
        CollectorEvents of = events;
        if (message instanceof Refused refused) {
          throw new ProtocolException(refused.reason());
        } else if (message instanceof Begin begin) {
          end();
          events = new CollectorEvents(begin.session(), datagrams, settings);
        } else if (message instanceof Instants instants && of != null) {
          if (of.addInstants(instants.nanos())) {
            ready(line, of);
          }
        } else if (message instanceof Assign assign && of != null) {
          for (EventTicket each : assign.tickets()) {
            of.send(each);
          }
        } else if (message instanceof End && of != null) {
          line.send(of.tally());
          end();
        }
      }
    } finally {
      end();
    }
  }

  private void ready(EventLine line, CollectorEvents of) throws IOException {
    try {
      line.send(new Ready(of.own(), of.open(source)));
    } catch (IOException e) {
      line.send(new Refused(settings.name() + ": " + e.getMessage()));
      throw e;
    }
  }

  private void end() throws IOException {
    CollectorEvents of = events;
    events = null;
    if (of != null) {
      of.close();
    }
  }

  @Override
  public void close() throws IOException {
    datagrams.close();
  }
}
