package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.kblake.transfer.message.EventDatagram;
import org.kblake.transfer.message.EventMessage;

/**
 * A builder of events: takes fragments, and passes whole events on. It serves one session after the
 * other, of any manager at its address.
 */
public final class EventBuilder implements Closeable {

  /** What is asked of the kernel for each socket; it may give less. */
  private static final int BUFFER_BYTES = 4 << 20;

  /** The most connections of collectors, some of which may be of others. */
  private static final int MOST_STREAMS = 2 * EventMessage.MOST_PEERS;

  private static final int LOOK_MILLIS = 2;
  private static final int AT_ONCE = 64;

  private final EventSettings settings;
  private final EventSink sink;
  private final Selector selector = Selector.open();
  private final DatagramChannel datagrams;
  private final ServerSocketChannel accepting;
  private final SelectionKey admission;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);

  /**
   * Listens.
   *
   * @param sink takes the events, on the thread of {@link #run}
   */
  public EventBuilder(EventSettings settings, EventSink sink) throws IOException {
    this.settings = settings;
    this.sink = sink;
    // A free port for TCP is rarely taken for datagrams; the reverse is often.
    accepting = ServerSocketChannel.open().bind(settings.data());
    datagrams =
        EventSockets.datagrams((InetSocketAddress) accepting.getLocalAddress(), BUFFER_BYTES);
    accepting.configureBlocking(false);
    admission = accepting.register(selector, 0);
    datagrams.configureBlocking(false);
    datagrams.register(selector, SelectionKey.OP_READ);
  }

  /** Returns where it takes datagrams. */
  public InetSocketAddress address() throws IOException {
    return (InetSocketAddress) datagrams.getLocalAddress();
  }

  /** Returns the bytes that the kernel keeps of datagrams at most. */
  public int bufferBytes() throws IOException {
    return datagrams.getOption(StandardSocketOptions.SO_RCVBUF);
  }

  /** Builds until the thread is interrupted. */
  public void run() throws InterruptedException, IOException {
    EventSockets.serve(settings, true, address().getPort(), this::work);
  }

  private void work(EventLine line) throws IOException, InterruptedException {
    Queue<EventMessage> messages = new ConcurrentLinkedQueue<>();
    Thread reader = EventSockets.read(line, messages, selector);
    try (BuilderSessions sessions = new BuilderSessions(line, datagrams, sink, settings.log())) {
      while (reader.isAlive() || !messages.isEmpty()) {
        admit(sessions.takesStreams());
        selector.select(LOOK_MILLIS);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        // What was sent before a message is taken before it.
        List<EventMessage> taken = new ArrayList<>();
        for (EventMessage m = messages.poll(); m != null; m = messages.poll()) {
          taken.add(m);
        }
        take(sessions);
        for (EventMessage each : taken) {
          sessions.take(each);
        }
        sessions.look();
      }
    } finally {
      line.close();
      reader.join();
    }
  }

  /** Lets collectors connect while a session needs it; others wait in the kernel. */
  private void admit(boolean streams) throws IOException {
    for (SelectionKey key : selector.keys()) {
      if (!streams && key.attachment() instanceof FragmentStream stream) {
        stream.close();
      }
    }
    boolean free = selector.keys().size() < 2 + MOST_STREAMS;
    admission.interestOps(streams && free ? SelectionKey.OP_ACCEPT : 0);
  }

  private void take(BuilderSessions sessions) throws IOException {
    for (SelectionKey key : selector.selectedKeys()) {
      if (!key.isValid()) {
        continue;
      }
      if (datagrams.equals(key.channel())) {
        takeDatagrams(sessions);
      } else if (accepting.equals(key.channel())) {
        SocketChannel peer = accepting.accept();
        if (peer != null) {
          peer.configureBlocking(false);
          peer.register(selector, SelectionKey.OP_READ, new FragmentStream(peer));
        }
      } else if (key.attachment() instanceof FragmentStream stream && !stream.read(sessions)) {
        stream.close();
      }
    }
    selector.selectedKeys().clear();
  }

  private void takeDatagrams(BuilderSessions sessions) throws IOException {
    for (int i = 0; i < AT_ONCE && datagrams.receive(buffer.clear()) != null; i++) {
      sessions.takeDatagram(EventDatagram.read(buffer.flip()));
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
