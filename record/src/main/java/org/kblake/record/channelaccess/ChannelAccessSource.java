package org.kblake.record.channelaccess;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.record.channelaccess.message.Requests;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.ChannelState;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;
import org.kblake.record.source.PacketBudget;
import org.kblake.record.source.SourceCounts;

/** Channels of EPICS servers, over Channel Access. Two daemon threads run until it is closed. */
public final class ChannelAccessSource implements ChannelSource {

  private static final int DATAGRAM_BUFFER_BYTES = 1 << 22;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long JOIN_MILLIS = 5000;

  private final ChannelTable channels;
  private final EventQueue events;
  private final DatagramChannel socket;
  private final CircuitMessages messages;
  private final Conversation conversation;
  private final Receiver receiver;
  private final Sender sender;
  private final Thread receiverThread;
  private final Thread senderThread;
  private final Thread hostThread;

  /** What ended a thread that should run. */
  private volatile @Nullable Throwable failure;

  private ChannelAccessSource(ChannelAccessSettings settings, EventQueue events, Clock clock)
      throws IOException {
    this.events = events;
    channels = new ChannelTable(events::nextChannel);
    SearchSettings search = settings.search();
    socket = DatagramChannel.open(StandardProtocolFamily.INET);
    socket.configureBlocking(false);
    socket.setOption(StandardSocketOptions.SO_BROADCAST, true);
    socket.setOption(StandardSocketOptions.SO_RCVBUF, DATAGRAM_BUFFER_BYTES);
    socket.bind(null);
    HostLookup hosts = new HostLookup();
    List<InetSocketAddress> addresses = hosts.known(search.addresses());
    List<InetSocketAddress> nameServers = hosts.known(search.nameServers());
    hostThread = thread(hosts, "channel access hosts");
    long now = System.nanoTime();
    Selector selector = Selector.open();
    conversation =
        new Conversation(
            channels,
            new Searches(search, addresses, nameServers, socket, now),
            new Circuits(selector),
            selector,
            settings.eventMask());
    messages = new CircuitMessages(channels, events, conversation, settings.largestArrayBytes());
    receiver = new Receiver(messages, events, conversation, () -> nanos(clock));
    receiver.add(socket, new SearchAnswers(socket, conversation, search.ports().server()));
    sender =
        new Sender(
            selector,
            conversation,
            receiver,
            new CircuitLiveness(settings.connectionTimeout().toNanos()),
            nameServers);
    receiverThread = thread(receiver, "channel access receiver");
    senderThread = thread(sender, "channel access sender");
  }

  /**
   * Creates a source and starts its threads.
   *
   * @throws UncheckedIOException if the system gives no sockets
   */
  public static ChannelAccessSource start(ChannelAccessSettings settings) {
    return start(settings, Clock.systemUTC());
  }

  /**
   * Creates a source with a clock for times of reception, and starts its threads.
   *
   * @throws UncheckedIOException if the system gives no sockets
   */
  public static ChannelAccessSource start(ChannelAccessSettings settings, Clock clock) {
    return start(settings, new EventQueue(new EventRing(settings.ringBytes())), clock);
  }

  /**
   * Creates a source and starts its threads.
   *
   * @param events where it puts its events, perhaps among those of other sources; the settings'
   *     size of a ring has no effect
   * @throws UncheckedIOException if the system gives no sockets
   */
  public static ChannelAccessSource start(
      ChannelAccessSettings settings, EventQueue events, Clock clock) {
    try {
      ChannelAccessSource source = new ChannelAccessSource(settings, events, clock);
      source.receiverThread.start();
      source.senderThread.start();
      source.hostThread.start();
      return source;
    } catch (IOException e) {
      throw new UncheckedIOException("no sockets for Channel Access", e);
    }
  }

  private Thread thread(Runnable loop, String name) {
    Thread thread = new Thread(loop, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(
        (ended, cause) -> {
          failure = cause;
          events.signal();
        });
    return thread;
  }

  private static long nanos(Clock clock) {
    Instant now = clock.instant();
    return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
  }

  private static void join(Thread thread) {
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the budget of search packets, for other searches of the process. */
  public PacketBudget searchBudget() {
    return conversation.searches().budget();
  }

  @Override
  public int open(String name) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > Requests.LARGEST_NAME) {
      throw new IllegalArgumentException(
          "name of a channel has not from 1 to "
              + Requests.LARGEST_NAME
              + " bytes: name="
              + name
              + ", bytes="
              + bytes);
    }
    ClientChannel channel = channels.add(name);
    conversation.open(channel);
    return channel.id();
  }

  @Override
  public void close(int id) {
    ClientChannel channel = channels.remove(id);
    if (channel != null) {
      conversation.close(channel);
    }
  }

  @Override
  public String name(int id) {
    return channels.name(id);
  }

  /**
   * Returns how far a channel is from its values.
   *
   * @throws IllegalArgumentException if the channel is not open
   */
  public ChannelState state(int id) {
    ClientChannel channel = id < 0 ? null : channels.get(id);
    if (channel == null) {
      throw new IllegalArgumentException("channel is not open: channel=" + id);
    }
    return channel.shownState();
  }

  @Override
  public int poll(EventHandler handler, int limit) {
    Throwable cause = failure;
    int polled = events.poll(handler, limit);
    if (polled == 0 && cause != null) {
      throw new IllegalStateException("no more events are received: " + cause.getMessage(), cause);
    }
    return polled;
  }

  @Override
  public void await(long nanos) {
    if (failure == null) {
      events.await(nanos);
    }
  }

  @Override
  public SourceCounts counts() {
    Searches searches = conversation.searches();
    return new SourceCounts(
        messages.values(),
        messages.dropped(),
        conversation.circuitsLost(),
        new SourceCounts.RingCounts(events.lost(), events.ring().used()),
        new SourceCounts.SearchCounts(
            searches.packets(),
            searches.names(),
            conversation.clashes(),
            conversation.searching(),
            conversation.beacons()));
  }

  @Override
  public List<CircuitCounts> circuits() {
    return conversation.circuits().counts();
  }

  @Override
  public void close() {
    // The sender closes the sockets. That is no event, so nobody may read them any more.
    hostThread.interrupt();
    receiver.stop();
    join(receiverThread);
    sender.stop();
    join(senderThread);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the socket of searches cannot be closed", e);
    }
  }
}
