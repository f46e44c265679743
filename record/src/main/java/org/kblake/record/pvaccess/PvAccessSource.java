package org.kblake.record.pvaccess;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.epics.pva.client.PVAClient;
import org.jspecify.annotations.Nullable;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.ConversionCounts;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.PacketBudget;
import org.kblake.record.source.SourceCounts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Channels of EPICS servers, over PV Access. The client is started with the first channel. Its
 * threads are daemons.
 */
public final class PvAccessSource implements ChannelSource {

  /** What names of channels of this source begin with. */
  public static final String PREFIX = "pva://";

  private static final Logger LOG = LoggerFactory.getLogger(PvAccessSource.class);
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /**
   * core-pva puts a 31st of the searched names into its next packets, of which each takes about 40.
   */
  private static final int SEARCHING_PER_PACKET = 1200;

  /** A search has room for a name of about this size. */
  private static final int LONGEST_NAME = 1024;

  private final PvAccessSettings settings;
  private final EventQueue events;
  private final EventOutput output;
  private final Map<Integer, String> names = new ConcurrentHashMap<>();
  private final Map<Integer, PvChannel> channels = new ConcurrentHashMap<>();
  private final ScheduledExecutorService watch;
  private final PacketBudget budget;

  /** Channels that are searched when the budget permits. */
  private final Queue<PvChannel> waiting = new ConcurrentLinkedQueue<>();

  private final AtomicInteger waitingCount = new AtomicInteger();

  private @Nullable PVAClient client;
  private boolean isClosed;

  private PvAccessSource(
      PvAccessSettings settings, EventQueue events, PacketBudget budget, Clock clock) {
    this.settings = settings;
    this.budget = budget;
    this.events = events;
    output = new EventOutput(events, () -> nanos(clock));
    watch =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "pv access watch");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Creates a source.
   *
   * @param events where it puts its events, perhaps among those of other sources
   * @param budget of search packets, perhaps that of other sources, too
   */
  public static PvAccessSource start(
      PvAccessSettings settings, EventQueue events, PacketBudget budget) {
    return start(settings, events, budget, Clock.systemUTC());
  }

  /** Creates a source with a clock for times of reception. */
  public static PvAccessSource start(
      PvAccessSettings settings, EventQueue events, PacketBudget budget, Clock clock) {
    return new PvAccessSource(settings, events, budget, clock);
  }

  private static long nanos(Clock clock) {
    Instant now = clock.instant();
    return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
  }

  /**
   * Connects a channel.
   *
   * @param name {@link #PREFIX} and the name that servers know
   * @throws IllegalArgumentException if no server can have a channel of this name, or the system
   *     gives no sockets
   */
  @Override
  public int open(String name) {
    String known = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : "";
    if (known.isEmpty() || known.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "no name of a channel of PV Access, " + PREFIX + "NAME: name=" + name);
    }
    PVAClient started = client();
    int number = events.nextChannel();
    names.put(number, name);
    PvChannel channel = new PvChannel(number, known, output);
    channels.put(number, channel);
    openSoon(started, channel);
    return number;
  }

  private void openSoon(PVAClient started, PvChannel channel) {
    waiting.add(channel);
    if (waitingCount.getAndIncrement() == 0) {
      watch.execute(() -> openWaiting(started));
    }
  }

  /**
   * Opens channels as far as the budget permits. core-pva searches a channel at once when it is
   * opened, and with it those that it would have searched about a second later.
   */
  private void openWaiting(PVAClient started) {
    while (budget.isOpen(System.nanoTime())) {
      budget.take(settings.destinations() * (1 + output.searching().get() / SEARCHING_PER_PACKET));
      try {
        waiting.remove().open(started);
      } catch (RuntimeException e) {
        LOG.warn("a channel of PV Access was not opened", e);
      }
      if (waitingCount.decrementAndGet() == 0) {
        return;
      }
    }
    ScheduledFuture<?> unused =
        watch.schedule(() -> openWaiting(started), PacketBudget.WAIT_NANOS, TimeUnit.NANOSECONDS);
  }

  private synchronized PVAClient client() {
    PVAClient started = client;
    if (started == null && !isClosed) {
      PvLibraryLog.install();
      settings.apply();
      try {
        started = new PVAClient(true);
      } catch (Exception e) {
        throw new IllegalArgumentException("PV Access cannot start: " + e.getMessage(), e);
      }
      client = started;
      PVAClient watched = started;
      long stall = settings.times().stall().toNanos();
      ScheduledFuture<?> unused =
          watch.scheduleWithFixedDelay(
              () -> openStalled(watched, stall), stall / 8, stall / 8, TimeUnit.NANOSECONDS);
    }
    if (started == null) {
      throw new IllegalArgumentException("the source is closed");
    }
    return started;
  }

  private void openStalled(PVAClient started, long stallNanos) {
    try {
      for (PvChannel channel : channels.values()) {
        if (channel.endIfStalled(System.nanoTime(), stallNanos)) {
          openSoon(started, channel);
        }
      }
    } catch (RuntimeException e) {
      LOG.warn("stalled channels of PV Access were not opened anew", e);
    }
  }

  @Override
  public void close(int number) {
    name(number);
    PvChannel channel = channels.remove(number);
    if (channel != null) {
      channel.close();
    }
  }

  @Override
  public String name(int number) {
    String name = names.get(number);
    if (name == null) {
      throw new IllegalArgumentException("channel was not opened: channel=" + number);
    }
    return name;
  }

  @Override
  public int poll(EventHandler handler, int limit) {
    return events.poll(handler, limit);
  }

  @Override
  public void await(long nanos) {
    events.await(nanos);
  }

  /** Returns what was counted. The counts of the ring are those of all its sources. */
  @Override
  public SourceCounts counts() {
    return new SourceCounts(
        output.values().sum(),
        output.dropped().sum(),
        output.servers().lost(),
        new SourceCounts.RingCounts(events.lost(), events.ring().used()),
        new SourceCounts.SearchCounts(0, 0, 0, output.searching().get() + waitingCount.get(), 0));
  }

  /**
   * Returns the number of updates whose server says that it overwrote others before. Servers need
   * not say it, so 0 proves nothing.
   */
  public long droppedByServer() {
    return output.droppedByServer().sum();
  }

  @Override
  public ConversionCounts conversions() {
    return new ConversionCounts(
        output.conversions().inexactIntegers(), output.conversions().cutStrings());
  }

  @Override
  public List<CircuitCounts> circuits() {
    return output.servers().counts();
  }

  @Override
  public void close() {
    PVAClient started;
    synchronized (this) {
      isClosed = true;
      started = client;
      client = null;
    }
    watch.shutdownNow();
    channels.values().forEach(PvChannel::close);
    channels.clear();
    if (started != null) {
      try {
        started.close();
      } catch (RuntimeException e) {
        // core-pva fails where a connection was not established yet.
        LOG.debug("the client of PV Access was not closed whole", e);
      }
    }
  }
}
