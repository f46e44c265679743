package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.event.FragmentSource.Fragments;
import org.kblake.transfer.message.EventDatagram;
import org.kblake.transfer.message.EventPeer;
import org.kblake.transfer.message.EventSession;
import org.kblake.transfer.message.EventTicket;
import org.kblake.transfer.shape.BitRate;
import org.kblake.transfer.shape.SendingRate;

/** Sends fragments to one builder, on a thread of its own. What is too late is not sent. */
final class FragmentFeed implements Closeable {

  private static final int QUEUED = 4096;

  private record Waiting(EventTicket ticket, long since) {}

  private final EventSession session;
  private final EventPeer builder;
  private final DatagramChannel datagrams;
  private final EventSettings settings;
  private final @Nullable SendingRate all;
  private final @Nullable SendingRate own;

  /** The numbers of the tickets that wait: a builder may ask again. */
  private final Set<Long> numbers = ConcurrentHashMap.newKeySet();

  private final BlockingQueue<Waiting> queue = new ArrayBlockingQueue<>(QUEUED);
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(Integer.BYTES + EventDatagram.MOST_BYTES);
  private final Thread thread = new Thread(this::feed, "kblake-event-feed");
  private volatile @Nullable Fragments fragments;
  private volatile long bytes;
  private volatile long late;
  private volatile boolean closed;
  private volatile @Nullable SocketChannel tcp;

  /**
   * @param all the limit of all feeds together; null for none
   */
  FragmentFeed(
      EventSession session,
      EventPeer builder,
      DatagramChannel datagrams,
      EventSettings settings,
      @Nullable SendingRate all) {
    this.session = session;
    this.builder = builder;
    this.datagrams = datagrams;
    this.settings = settings;
    this.all = all;
    BitRate most = settings.limits().builder();
    own = most == null ? null : new SendingRate(most, EventDatagram.MOST_BYTES);
    thread.setDaemon(true);
  }

  void start(Fragments of) {
    fragments = of;
    thread.start();
  }

  /** Lets a fragment be sent, unless it waits already. If too many wait, it is lost. */
  void add(EventTicket ticket) {
    if (numbers.add(ticket.number()) && !queue.offer(new Waiting(ticket, System.nanoTime()))) {
      numbers.remove(ticket.number());
    }
  }

  long bytes() {
    return bytes;
  }

  long late() {
    return late;
  }

  private void feed() {
    try {
      SocketChannel connection = session.tcp() ? connect() : null;
      for (Waiting next = queue.take(); !closed; next = queue.take()) {
        if (System.nanoTime() - next.since() > session.deadlineNanos()) {
          late++;
        } else {
          send(next.ticket(), connection);
        }
        numbers.remove(next.ticket().number());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (!closed) {
        settings.log().warn("nothing more is sent to " + builder.name() + ": " + e.getMessage());
      }
    }
  }

  private SocketChannel connect() throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(builder.host(), builder.port()));
    tcp = channel;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel;
  }

  private void send(EventTicket ticket, @Nullable SocketChannel connection)
      throws IOException, InterruptedException {
    Fragments of = fragments;
    byte[] fragment = of == null ? new byte[0] : of.fragment(ticket.event());
    if (fragment.length > EventDatagram.MOST_PAYLOAD) {
      throw new IOException(
          "the fragment of an event is longer than a datagram: event="
              + (ticket.event() + 1)
              + ", bytes="
              + fragment.length
              + ", at most "
              + EventDatagram.MOST_PAYLOAD);
    }
    EventDatagram datagram =
        new EventDatagram(
            session.key(),
            false,
            session.own(),
            ticket.number(),
            ticket.event(),
            ByteBuffer.wrap(fragment));
    datagram.put(buffer.clear().position(Integer.BYTES));
    buffer.flip().putInt(0, buffer.limit() - Integer.BYTES);
    for (SendingRate rate : new SendingRate[] {own, all}) {
      if (rate != null) {
        rate.await(buffer.limit());
      }
    }
    if (connection == null) {
      EventSockets.send(
          datagrams,
          buffer.position(Integer.BYTES),
          new InetSocketAddress(builder.host(), builder.port()));
    } else {
      while (buffer.hasRemaining()) {
        connection.write(buffer);
      }
    }
    bytes += fragment.length;
  }

  /** Ends the thread. It is not interrupted: that would close the socket of all sessions. */
  @Override
  public void close() throws IOException {
    closed = true;
    queue.clear();
    add(new EventTicket(0, 0, 0));
    SocketChannel connection = tcp;
    if (connection != null) {
      connection.close();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
