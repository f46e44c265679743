package org.kblake.record.channelaccess;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.record.channelaccess.message.Requests;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.source.PacketBudget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends searches within the budget, to addresses and to name servers. The sender owns it. */
final class Searches {

  private static final Logger LOG = LoggerFactory.getLogger(Searches.class);

  /** What servers of EPICS 3.13 read at most. */
  private static final int DATAGRAM_BYTES = 1024;

  /** A name server that does not read is not asked again. */
  private static final int LARGEST_WAITING = 1 << 16;

  private final List<InetSocketAddress> addresses;
  private final DatagramChannel socket;
  private final SearchQueue queue;
  private final PacketBudget budget;
  private final Repeater repeater;
  private final List<InetSocketAddress> listed;
  private final Set<InetSocketAddress> tooOld = new HashSet<>();
  private final List<Circuit> nameServers = new ArrayList<>();
  private final ByteBuffer datagram = ByteBuffer.allocateDirect(DATAGRAM_BYTES);
  private final AtomicLong packets = new AtomicLong();
  private final AtomicLong names = new AtomicLong();
  private int sequence;

  /**
   * Creates a search.
   *
   * @param addresses get the datagrams
   * @param listed the name servers
   */
  Searches(
      SearchSettings settings,
      List<InetSocketAddress> addresses,
      List<InetSocketAddress> listed,
      DatagramChannel socket,
      long nowNanos) {
    this.addresses = addresses;
    this.listed = listed;
    this.socket = socket;
    queue = new SearchQueue(settings.longestPeriod().toNanos());
    budget = new PacketBudget(settings.packetsPerSecond(), nowNanos);
    repeater = new Repeater(socket, settings.ports().repeater(), nowNanos);
  }

  /** Returns the budget, which other searches of the process may share. */
  PacketBudget budget() {
    return budget;
  }

  SearchQueue queue() {
    return queue;
  }

  /** Asks the repeater for beacons, now and then. */
  void askRepeater(long nowNanos) {
    repeater.ask(nowNanos);
  }

  void repeaterConfirmed() {
    repeater.confirmed();
  }

  /** Returns the number of packets sent. */
  long packets() {
    return packets.get();
  }

  /** Returns the number of names in the packets. */
  long names() {
    return names.get();
  }

  /** Searches also at a server that stated its version, if it is a name server. */
  void addServer(Circuit circuit, long nowNanos) {
    if (!listed.contains(circuit.server()) || nameServers.contains(circuit)) {
      return;
    }
    if (circuit.hasSearches()) {
      nameServers.add(circuit);
      queue.bringForward(nowNanos);
    } else if (tooOld.add(circuit.server())) {
      LOG.warn("{}: is asked for no channel: its version has no searches", circuit.name());
    }
  }

  void removeNameServer(Circuit circuit) {
    nameServers.remove(circuit);
  }

  /**
   * Sends the searches that are due, as far as the budget permits.
   *
   * @return the time until more can be sent in nanoseconds
   */
  long send(long nowNanos) {
    while (isAnyoneToAsk() && queue.peek(nowNanos) != null) {
      if (!budget.isOpen(nowNanos)) {
        return PacketBudget.WAIT_NANOS;
      }
      List<ClientChannel> searched = fill(nowNanos);
      int sent = sendDatagram();
      if (sent == 0) {
        searched.forEach(channel -> queue.notSent(channel, nowNanos));
        return PacketBudget.WAIT_NANOS;
      }
      budget.take(sent);
      packets.setRelease(packets.getPlain() + sent);
      names.setRelease(names.getPlain() + searched.size());
    }
    long due = queue.dueNanos();
    return due == Long.MAX_VALUE || !isAnyoneToAsk()
        ? Long.MAX_VALUE
        : Math.max(PacketBudget.WAIT_NANOS, due - nowNanos);
  }

  private boolean isAnyoneToAsk() {
    return !addresses.isEmpty() || nameServers.stream().anyMatch(Searches::isReading);
  }

  private static boolean isReading(Circuit nameServer) {
    return nameServer.output().waiting() < LARGEST_WAITING;
  }

  private List<ClientChannel> fill(long nowNanos) {
    List<ClientChannel> searched = new ArrayList<>();
    datagram.clear();
    Requests.searchVersion(datagram, ++sequence);
    ClientChannel next = queue.peek(nowNanos);
    while (next != null && Requests.bytesWith(next.name()) <= datagram.remaining()) {
      Requests.search(datagram, next.id(), next.name());
      queue.searched(nowNanos);
      searched.add(next);
      next = queue.peek(nowNanos);
    }
    datagram.flip();
    return searched;
  }

  /** Returns the number of addresses and name servers that took it. */
  private int sendDatagram() {
    int sent = 0;
    for (InetSocketAddress address : addresses) {
      try {
        if (socket.send(datagram.rewind(), address) > 0) {
          sent++;
        }
      } catch (IOException | UnsupportedAddressTypeException e) {
        LOG.debug("{}: the search cannot be sent: {}", address, e.getMessage());
      }
    }
    for (Circuit nameServer : nameServers) {
      if (isReading(nameServer)) {
        // Without the version, which the circuit began with.
        datagram.rewind().position(Requests.VERSION_BYTES);
        nameServer.output().with(datagram.remaining()).put(datagram);
        sent++;
      }
    }
    return sent;
  }

  /** Returns the name servers whose output has bytes. */
  List<Circuit> nameServers() {
    return nameServers;
  }
}
