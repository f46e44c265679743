package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong late = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private boolean failed;
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
      dropped.incrementAndGet();
    }
  }

  long bytes() {
    return bytes.get();
  }

  long late() {
    return late.get();
  }

  /** Returns the fragments that were not sent, because too many waited or they failed. */
  long dropped() {
    return dropped.get();
  }

  private void feed() {
    try {
      SocketChannel connection = session.tcp() ? connect() : null;
      for (Waiting next = queue.take(); !closed; next = queue.take()) {
        if (System.nanoTime() - next.since() > session.deadlineNanos()) {
          late.incrementAndGet();
        } else {
          byte[] fragment = fragment(next.ticket());
          if (fragment != null) {
            send(next.ticket(), fragment, connection);
          }
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

  /** Returns a fragment; null if it cannot be sent, which is no fault of others. */
  private byte @Nullable [] fragment(EventTicket ticket) {
    String problem;
    try {
      byte[] fragment = Objects.requireNonNull(fragments).fragment(ticket.event());
      if (fragment.length <= EventDatagram.MOST_PAYLOAD) {
        return fragment;
      }
      problem =
          "it is longer than a datagram: bytes="
              + fragment.length
              + ", at most "
              + EventDatagram.MOST_PAYLOAD;
    } catch (IOException | RuntimeException e) {
      problem = String.valueOf(e.getMessage());
    }
    dropped.incrementAndGet();
    if (!failed) {
      failed = true;
      settings
          .log()
          .warn(
              "a fragment is not sent to "
                  + builder.name()
                  + ", and others that fail are only counted: event="
                  + (ticket.event() + 1)
                  + ", "
                  + problem);
    }
    return null;
  }

  private void send(EventTicket ticket, byte[] fragment, @Nullable SocketChannel connection)
      throws IOException, InterruptedException {
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
    // Before it is sent, so that no builder has counted more.
    bytes.addAndGet(fragment.length);
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
  }

  /** Lets the thread end. It is not interrupted: that would close the socket of all sessions. */
  @Override
  public void close() throws IOException {
    closed = true;
    queue.clear();
    boolean unused = queue.offer(new Waiting(new EventTicket(0, 0, 0), 0));
    SocketChannel connection = tcp;
    if (connection != null) {
      connection.close();
    }
  }

  /** Waits until the thread has ended, and returns whether it has. */
  boolean await(long untilNanos) {
    try {
      long millis = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
      thread.join(Math.max(1, millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      settings.log().warn("a fragment is still read, or sent to " + builder.name());
    }
    return !thread.isAlive();
  }
}
