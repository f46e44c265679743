package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.event.FragmentSource.Fragments;
import org.kblake.transfer.message.EventDatagram;
import org.kblake.transfer.message.EventMessage.Tally;
import org.kblake.transfer.message.EventPeer;
import org.kblake.transfer.message.EventSession;
import org.kblake.transfer.message.EventTicket;
import org.kblake.transfer.message.ProtocolException;
import org.kblake.transfer.shape.BitRate;
import org.kblake.transfer.shape.SendingRate;

/** A session at a collector: a feed for each builder, so that a slow one holds no other up. */
final class CollectorEvents implements Closeable {

  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final EventSession session;
  private final EventSettings settings;
  private final List<FragmentFeed> feeds = new ArrayList<>();
  private final List<Long> nanos = new ArrayList<>();
  private final AtomicLong strange = new AtomicLong();
  private @Nullable Fragments fragments;

  CollectorEvents(EventSession session, DatagramChannel datagrams, EventSettings settings) {
    this.session = session;
    this.settings = settings;
    BitRate most = settings.limits().all();
    SendingRate all = most == null ? null : new SendingRate(most, EventDatagram.MOST_BYTES);
    for (EventPeer builder : session.builders()) {
      feeds.add(new FragmentFeed(session, builder, datagrams, settings, all));
    }
  }

  int own() {
    return session.own();
  }

  /** Adds the times of events, and returns whether all are there. */
  boolean addInstants(List<Long> more) throws ProtocolException {
    nanos.addAll(more);
    if (nanos.size() > session.events()) {
      throw new ProtocolException("the manager sends more instants than it announced");
    }
    return nanos.size() == session.events();
  }

  /** Opens the fragments, and returns the head of their cells. */
  String open(FragmentSource source) throws IOException {
    Fragments opened = source.open(session.channels(), List.copyOf(nanos));
    fragments = opened;
    if (opened.columns().isEmpty()) {
      throw new ProtocolException("no channel of " + settings.name() + " is asked for");
    }
    for (FragmentFeed feed : feeds) {
      feed.start(opened);
    }
    return opened.columns();
  }

  /** Sends the fragment of an event that a builder gets, if builders do not ask. */
  void send(EventTicket ticket) throws ProtocolException {
    if (session.pulls() || fragments == null || ticket.event() >= nanos.size()) {
      throw new ProtocolException("the manager assigns an unknown event: " + ticket.event());
    }
    if (ticket.builder() < feeds.size()) {
      feeds.get(ticket.builder()).add(ticket);
    }
  }

  /** Takes a request; null for a datagram that is none. */
  void asked(@Nullable EventDatagram request) {
    if (request == null
        || !request.request()
        || request.session() != session.key()
        || request.sender() >= feeds.size()
        || request.event() >= nanos.size()
        || !session.pulls()) {
      strange.incrementAndGet();
      return;
    }
    feeds
        .get(request.sender())
        .add(new EventTicket(request.ticket(), request.event(), request.sender()));
  }

  Tally tally() {
    long bytes = 0;
    long late = 0;
    long dropped = 0;
    for (FragmentFeed each : feeds) {
      bytes += each.bytes();
      late += each.late();
      dropped += each.dropped();
    }
    return new Tally(bytes, late, 0, strange.get(), dropped, 0);
  }

  @Override
  public void close() throws IOException {
    for (FragmentFeed feed : feeds) {
      feed.close();
    }
    long until = System.nanoTime() + END_NANOS;
    boolean ended = true;
    for (FragmentFeed feed : feeds) {
      ended &= feed.await(until);
    }
    // A feed that still reads keeps them.
    if (ended && fragments != null) {
      fragments.close();
    }
  }
}
