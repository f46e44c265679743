package org.kblake.transfer.event;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.message.EventDatagram;
import org.kblake.transfer.message.EventMessage;
import org.kblake.transfer.message.EventMessage.Assign;
import org.kblake.transfer.message.EventMessage.Begin;
import org.kblake.transfer.message.EventMessage.End;
import org.kblake.transfer.message.EventMessage.Instants;
import org.kblake.transfer.message.EventMessage.Outcome;
import org.kblake.transfer.message.EventMessage.Ready;
import org.kblake.transfer.message.EventMessage.Refused;
import org.kblake.transfer.message.EventPeer;
import org.kblake.transfer.message.EventSession;
import org.kblake.transfer.message.EventTicket;
import org.kblake.transfer.message.ProtocolException;

/** The sessions of one manager, at a builder. For one thread. */
final class BuilderSessions implements Closeable {

  /** A request is sent again so often within the time of an event. */
  private static final int ASKED_TIMES = 4;

  private final EventLine line;
  private final DatagramChannel datagrams;
  private final EventSink sink;
  private final TransferLog log;
  private final List<Long> nanos = new ArrayList<>();
  private final List<String> columns = new ArrayList<>();
  private final List<InetSocketAddress> collectors = new ArrayList<>();
  private @Nullable EventSession session;
  private @Nullable EventAssembly assembly;
  private long repeated;

  BuilderSessions(EventLine line, DatagramChannel datagrams, EventSink sink, TransferLog log) {
    this.line = line;
    this.datagrams = datagrams;
    this.sink = sink;
    this.log = log;
  }

  void take(EventMessage message) throws IOException {
    if (message instanceof Refused refused) {
      throw new ProtocolException(refused.reason());
    } else if (message instanceof Begin begin) {
      begin(begin.session());
    } else if (message instanceof Instants instants) {
      nanos.addAll(instants.nanos());
      if (session == null || nanos.size() > session.events()) {
        throw new ProtocolException("the manager sends more instants than it announced");
      }
    } else if (message instanceof Ready ready && session != null) {
      columns.set(ready.collector(), ready.columns());
      if (!columns.contains("")) {
        sink.begin(columns);
        line.send(new Ready(0, ""));
      }
    } else if (message instanceof Assign assign && session != null && assembly != null) {
      assign(assign.tickets(), session, assembly);
    } else if (message instanceof End && assembly != null) {
      line.send(assembly.tally(repeated));
      stop();
    }
  }

  private void begin(EventSession begun) throws IOException {
    stop();
    session = begun;
    repeated = 0;
    collectors.clear();
    columns.clear();
    for (EventPeer each : begun.collectors()) {
      collectors.add(new InetSocketAddress(each.host(), each.port()));
      columns.add("");
    }
    nanos.clear();
    assembly =
        new EventAssembly(
            collectors.size(), EventManager.MOST_WINDOW, begun.deadlineNanos(), this::end);
  }

  private void assign(List<EventTicket> tickets, EventSession of, EventAssembly to)
      throws IOException {
    long now = System.nanoTime();
    for (EventTicket ticket : tickets) {
      if (ticket.event() < 0 || ticket.event() >= nanos.size()) {
        throw new ProtocolException("the manager assigns an unknown event: " + ticket.event());
      }
      if (to.open() >= EventManager.MOST_WINDOW) {
        throw new ProtocolException("the manager assigns too many events at a time");
      }
      to.assign(ticket, now);
      for (int i = 0; of.pulls() && i < collectors.size(); i++) {
        ask(ticket, i);
      }
    }
  }

  private void ask(EventTicket ticket, int collector) {
    EventSession of = session;
    if (of != null) {
      EventDatagram request =
          new EventDatagram(
              of.key(), true, of.own(), ticket.number(), ticket.event(), ByteBuffer.allocate(0));
      ByteBuffer out = ByteBuffer.allocate(EventDatagram.HEADER_BYTES);
      request.put(out);
      EventSockets.send(datagrams, out.flip(), collectors.get(collector));
    }
  }

  /** Returns whether there is a session whose fragments come over TCP. */
  boolean takesStreams() {
    return session != null && session.tcp();
  }

  /** Takes a datagram; null for one that is none. Returns whether it is of this session. */
  boolean takeDatagram(@Nullable EventDatagram datagram) {
    EventAssembly of = assembly;
    if (of == null || session == null) {
      return false;
    }
    if (datagram == null || datagram.request() || datagram.session() != session.key()) {
      of.countStrange();
      return false;
    }
    byte[] fragment = new byte[datagram.payload().remaining()];
    datagram.payload().get(fragment);
    of.add(datagram.ticket(), datagram.sender(), fragment, System.nanoTime());
    return true;
  }

  /** Gives up events whose time is over, and asks again. */
  void look() throws IOException {
    EventAssembly of = assembly;
    EventSession running = session;
    if (of != null && running != null) {
      long now = System.nanoTime();
      of.expire(now);
      if (running.pulls()) {
        repeated += of.askAgain(now, running.deadlineNanos() / (ASKED_TIMES + 1), this::ask);
      }
    }
  }

  private void end(EventTicket ticket, long missing, List<byte[]> fragments) {
    try {
      if (missing == 0) {
        sink.built(ticket.event() + 1L, nanos.get(ticket.event()), fragments);
      }
      line.send(new Outcome(ticket.number(), missing));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void stop() throws IOException {
    if (assembly != null) {
      int given = assembly.abandon();
      if (given > 0) {
        log.warn("the session ended, and events that were begun are given up: events=" + given);
      }
      assembly = null;
      session = null;
      sink.end();
    }
  }

  @Override
  public void close() throws IOException {
    stop();
  }
}
