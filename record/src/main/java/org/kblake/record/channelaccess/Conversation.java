package org.kblake.record.channelaccess;

import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.record.channelaccess.message.ChannelNumbers;
import org.kblake.record.channelaccess.message.Requests;
import org.kblake.record.source.PacketBudget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is said to servers, and when: for each channel a search, a creation, a subscription and
 * reads of its metadata. Other threads add tasks; the sender's thread does them.
 */
final class Conversation implements ReceiverTasks {

  private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

  /** The next search is within the time in which the server is left alone, so another may win. */
  private static final int SEARCHES_AFTER_FAILURE = 2;

  /** The next search is after 8 seconds: a server would be found again and fail again at once. */
  private static final int SEARCHES_AFTER_REFUSAL = 6;

  private static final long BEACONS_PERIOD_NANOS = 30_000_000_000L;

  private final ChannelTable channels;
  private final Searches searches;
  private final Circuits circuits;
  private final Selector selector;
  private final int eventMask;
  private final ReadRequests reads;
  private final Beacons beacons = new Beacons();
  private final Tasks tasks = new Tasks();
  private final AtomicBoolean isWaiting = new AtomicBoolean();
  private final Set<Circuit> unsent = new HashSet<>();
  private final AtomicLong clashes = new AtomicLong();
  private final AtomicLong circuitsLost = new AtomicLong();
  private final AtomicInteger searching = new AtomicInteger();
  private final AtomicLong beaconsReceived = new AtomicLong();
  private long forwardNanos;
  private boolean isForwardDue;

  /**
   * Creates a conversation.
   *
   * @param selector on which the sender waits
   * @param eventMask the kinds of events of subscriptions
   */
  Conversation(
      ChannelTable channels,
      Searches searches,
      Circuits circuits,
      Selector selector,
      int eventMask) {
    this.channels = channels;
    this.searches = searches;
    this.circuits = circuits;
    this.selector = selector;
    this.eventMask = eventMask;
    long now = System.nanoTime();
    reads = new ReadRequests(now);
    forwardNanos = now;
  }

  Searches searches() {
    return searches;
  }

  Circuits circuits() {
    return circuits;
  }

  /** Returns the number of answers of a second server for a channel. */
  long clashes() {
    return clashes.get();
  }

  /** Returns the number of circuits that were connected and ended, and had channels. */
  long circuitsLost() {
    return circuitsLost.get();
  }

  /** Returns the number of channels that are searched now. */
  int searching() {
    return searching.get();
  }

  /** Returns the number of beacons that servers sent. */
  long beacons() {
    return beaconsReceived.get();
  }

  private void add(Runnable task) {
    tasks.add(task);
    if (isWaiting.compareAndSet(true, false)) {
      selector.wakeup();
    }
  }

  /** Called before the sender waits: a task that is added later wakes it. */
  void prepareToWait() {
    isWaiting.set(true);
    if (!tasks.isEmpty()) {
      selector.wakeup();
    }
  }

  /** Called when the sender no longer waits. */
  void awake() {
    isWaiting.set(false);
  }

  /**
   * Does the tasks of other threads.
   *
   * @param written gets the circuits whose output has something to send
   */
  void doTasks(Set<Circuit> written) {
    tasks.run();
    written.addAll(unsent);
    unsent.clear();
  }

  /**
   * Appends searches and reads, as far as their rates permit.
   *
   * @param written gets the circuits whose output has something to send
   * @return the time until there is more to send in nanoseconds
   */
  long send(long nowNanos, Set<Circuit> written) {
    Circuit circuit = reads.next(nowNanos);
    while (circuit != null) {
      written.add(circuit);
      circuit = reads.next(nowNanos);
    }
    long wait = searches.send(nowNanos);
    written.addAll(searches.nameServers());
    return reads.isEmpty() ? wait : Math.min(wait, PacketBudget.WAIT_NANOS);
  }

  /** Asks for beacons. Brings searches forward if beacons gave a reason to, but not often. */
  void tick(long nowNanos) {
    searches.askRepeater(nowNanos);
    if (isForwardDue && nowNanos - forwardNanos >= 0) {
      isForwardDue = false;
      forwardNanos = nowNanos + BEACONS_PERIOD_NANOS;
      searches.queue().bringForward(nowNanos);
    }
  }

  /** Searches a channel. */
  void open(ClientChannel channel) {
    add(() -> search(channel, 0));
  }

  /** Ends a channel. */
  void close(ClientChannel channel) {
    add(
        () -> {
          Circuit circuit = channel.circuit();
          if (channel.stage() == ClientChannel.Stage.SEARCHED) {
            searching.decrementAndGet();
          } else if (circuit != null && channel.state() != ClientChannel.State.ABSENT) {
            clear(circuit, channel.numbers());
          }
          release(channel, ClientChannel.Stage.CLOSED);
        });
  }

  private void release(ClientChannel channel, ClientChannel.Stage next) {
    ClientChannel description = channel.description();
    Circuit circuit = channel.circuit();
    if (description != null && circuit != null) {
      if (description.state() != ClientChannel.State.ABSENT) {
        clear(circuit, description.numbers());
      }
      description.release(ClientChannel.Stage.CLOSED);
    }
    channel.release(next);
  }

  private void search(ClientChannel channel, int searchesBefore) {
    channel.setSearches(searchesBefore);
    searching.incrementAndGet();
    searches.queue().add(channel, System.nanoTime());
  }

  @Override
  public void found(int id, InetSocketAddress server) {
    ClientChannel channel = channels.get(id);
    if (channel != null && !channel.isDescription()) {
      add(() -> create(channel, server));
    }
  }

  private void create(ClientChannel channel, InetSocketAddress server) {
    if (channel.stage() != ClientChannel.Stage.SEARCHED) {
      Circuit other = channel.circuit();
      if (other != null && !other.server().equals(server)) {
        clashes.incrementAndGet();
        if (channel.isFirstClash()) {
          LOG.warn("{}: has two servers: {} is used, not {}", channel.name(), other.name(), server);
        }
      }
      return;
    }
    channel.setFound(true);
    Circuit circuit = circuits.to(server, System.nanoTime());
    if (circuit != null) {
      channel.assign(circuit);
      searching.decrementAndGet();
      Requests.createChannel(
          circuit.output().with(Requests.bytesWith(channel.name())), channel.id(), channel.name());
      unsent.add(circuit);
    }
  }

  @Override
  public void created(ClientChannel channel) {
    add(
        () -> {
          Circuit circuit = channel.circuit();
          if (circuit == null) {
            return;
          }
          if (channel.isDescription()) {
            reads.addMetadata(channel);
          } else {
            channel.setSearches(0);
            channel.setFound(false);
            Requests.subscribe(
                circuit.output().with(Requests.LARGEST),
                channel.numbers(),
                channel.type(),
                channel.requestedCount(),
                eventMask);
            unsent.add(circuit);
          }
        });
  }

  @Override
  public void lost(ClientChannel channel, Circuit from) {
    add(
        () -> {
          if (channel.isDescription()) {
            forget(channel);
          } else if (channel.isOn(from)) {
            release(channel, ClientChannel.Stage.SEARCHED);
            search(channel, Math.max(channel.searches(), SEARCHES_AFTER_REFUSAL));
          }
        });
  }

  @Override
  public void metadataRead(ClientChannel channel) {
    if (channel.isDescription()) {
      add(() -> finish(channel));
    }
  }

  @Override
  public void metadataFailed(ClientChannel channel) {
    add(
        () -> {
          if (!reads.retry(channel, System.nanoTime()) && channel.isDescription()) {
            finish(channel);
          }
        });
  }

  private void finish(ClientChannel description) {
    Circuit circuit = description.circuit();
    if (circuit != null) {
      clear(circuit, description.numbers());
      forget(description);
    }
  }

  private void forget(ClientChannel description) {
    ClientChannel owner = channels.get(description.described());
    if (owner != null && owner.description() == description) {
      owner.setDescription(null);
    }
    description.release(ClientChannel.Stage.CLOSED);
  }

  @Override
  public void valueWanted(ClientChannel channel) {
    add(() -> reads.addValue(channel));
  }

  @Override
  public void metadataWanted(ClientChannel channel) {
    add(() -> reads.addMetadata(channel));
  }

  @Override
  public void versionKnown(Circuit circuit) {
    add(() -> searches.addServer(circuit, System.nanoTime()));
  }

  @Override
  public void unknown(Circuit circuit, ChannelNumbers channel) {
    add(() -> clear(circuit, channel));
  }

  private void clear(Circuit circuit, ChannelNumbers channel) {
    if (circuit.isEnded()) {
      return;
    }
    Requests.clearChannel(circuit.output().with(Requests.LARGEST), channel);
    unsent.add(circuit);
  }

  @Override
  public void ended(Circuit circuit) {
    add(() -> end(circuit, System.nanoTime()));
  }

  /** Searches the channels of a circuit that ended. */
  void end(Circuit circuit, long nowNanos) {
    if (circuit.isEnded()) {
      return;
    }
    circuits.remove(circuit, nowNanos);
    searches.removeNameServer(circuit);
    if (circuit.isConnected() && !circuit.channels().isEmpty()) {
      circuitsLost.incrementAndGet();
    }
    int before = circuit.isConnected() && !circuit.isMute() ? 0 : SEARCHES_AFTER_FAILURE;
    for (ClientChannel channel : circuit.channels()) {
      release(channel, ClientChannel.Stage.SEARCHED);
      search(channel, before);
    }
  }

  @Override
  public void repeaterConfirmed() {
    add(searches::repeaterConfirmed);
  }

  @Override
  public void beacon(InetSocketAddress server, int number) {
    beaconsReceived.incrementAndGet();
    add(
        () -> {
          Beacons.News news = beacons.take(server, number, System.nanoTime());
          isForwardDue |= news != Beacons.News.NONE;
          if (news == Beacons.News.RESTARTED_SERVER) {
            circuits.restarted(server);
          }
        });
  }
}
