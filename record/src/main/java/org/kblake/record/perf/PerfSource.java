package org.kblake.record.perf;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.DisconnectReason;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.SourceCounts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples of this machine's cores as channels, one each, such as {@code VM:PERF:CPU0}. A value has
 * longs: process, thread, and the address's upper and lower half, or what each counter counted
 * since the sample before (-1 if it is not available). A core is a circuit of its own, so that the
 * ledger can tell what was lost of it.
 *
 * <p>Two threads, daemons: one reads the output of perf, and starts perf again when it ends. The
 * other one lets perf write what it has, and ends a perf that is silent.
 */
public final class PerfSource implements ChannelSource {

  private static final Logger LOG = LoggerFactory.getLogger(PerfSource.class);
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long FLUSH_NANOS = 200_000_000;
  private static final long SILENCE_NANOS = 10 * SECOND_NANOS;

  /** A signal that ends perf may end this process, too, and then is no trouble. */
  private static final long SETTLE_NANOS = 500_000_000;

  private static final long LONGEST_PAUSE_NANOS = 64 * SECOND_NANOS;

  /** So far a sample's time may be from now. */
  private static final long FARTHEST_NANOS = 3600 * SECOND_NANOS;

  /** Why perf ended, and when. */
  private record End(DisconnectReason reason, String problem, long monotonicNanos) {}

  private final PerfSettings settings;
  private final EventQueue events;
  private final WallTimes times;
  private final Map<Integer, String> names = new ConcurrentHashMap<>();
  private final Thread reader = new Thread(this::run, "perf");
  private final Thread flusher = new Thread(this::flush, "perf flush");

  /** By core. The lock of this object is held for the time of a sample. */
  private final Map<Integer, CoreChannel> channels = new HashMap<>();

  private int[] places = {};
  private long lostCircuits;
  private long closedValues;
  private long closedLost;

  private volatile @Nullable PerfProcess process;
  private volatile long heardNanos;
  private volatile boolean isSilent;
  private volatile boolean isClosed;

  private PerfSource(PerfSettings settings, EventQueue events, Clock clock) {
    this.settings = settings;
    this.events = events;
    times = new WallTimes(clock);
    reader.setDaemon(true);
    flusher.setDaemon(true);
  }

  /**
   * Creates a source.
   *
   * @param events where it puts its events, perhaps among those of other sources
   */
  public static PerfSource start(PerfSettings settings, EventQueue events) {
    PerfSource source = new PerfSource(settings, events, Clock.systemUTC());
    source.reader.start();
    source.flusher.start();
    return source;
  }

  /**
   * Connects the channel of a core.
   *
   * @throws IllegalArgumentException if the name is none of a core, or is open already
   */
  @Override
  public synchronized int open(String name) {
    String first = settings.channels() + "CPU";
    String core = name.startsWith(first) ? name.substring(first.length()) : "";
    if (!core.matches("\\d{1,5}")) {
      throw new IllegalArgumentException("no core, " + first + "0: name=" + name);
    }
    int number = events.nextChannel();
    names.put(number, name);
    CoreChannel channel = new CoreChannel(number, "perf:CPU" + core, settings.elements());
    channel.begin(places);
    channels.put(Integer.valueOf(core), channel);
    return number;
  }

  @Override
  public synchronized void close(int number) {
    String unused = name(number);
    for (CoreChannel each : List.copyOf(channels.values())) {
      if (each.number() == number) {
        channels.values().remove(each);
        closedValues += each.values();
        closedLost += each.lost();
      }
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

  /** Samples until the source is closed. A perf that ends is started again. */
  private void run() {
    long pause = SECOND_NANOS;
    String told = "";
    while (!isClosed) {
      long before = counts().values();
      End end = sampleUntilTheEnd();
      boolean wasSampled = counts().values() > before;
      await(reader, end.monotonicNanos() + SETTLE_NANOS);
      if (!isClosed && !end.problem().equals(told)) {
        told = end.problem();
        LOG.warn("cores are not sampled: {}; tried again", told);
      }
      disconnect(end);
      pause = wasSampled ? SECOND_NANOS : Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      await(reader, System.nanoTime() + pause);
    }
  }

  /** Waits in the thread of its own. */
  private void await(Thread thread, long untilNanos) {
    for (long left = untilNanos - System.nanoTime(); left > 0 && !isClosed; ) {
      LockSupport.parkNanos(thread, left);
      left = untilNanos - System.nanoTime();
    }
  }

  /** Runs perf. Returns why it ended. */
  private End sampleUntilTheEnd() {
    DisconnectReason reason = DisconnectReason.CIRCUIT_CLOSED;
    String problem;
    try (PerfProcess started = PerfProcess.start(command())) {
      isSilent = false;
      heardNanos = System.nanoTime();
      process = started;
      if (isClosed) {
        return new End(reason, "", heardNanos);
      }
      new PerfRecords(started.output(), new Samples()).readAll();
      reason = isSilent ? DisconnectReason.NO_ANSWER : reason;
      problem = isSilent ? "perf is silent, it was ended" : started.reason();
    } catch (MalformedPerfException e) {
      reason = DisconnectReason.MALFORMED_MESSAGES;
      problem = String.valueOf(e.getMessage());
    } catch (IOException | RuntimeException e) {
      problem = "not available: " + e.getMessage();
    } finally {
      process = null;
    }
    return new End(reason, problem, System.nanoTime());
  }

  private synchronized void disconnect(End end) {
    if (isClosed) {
      return;
    }
    long nanos = times.of(end.monotonicNanos());
    for (CoreChannel each : channels.values()) {
      lostCircuits += each.isConnected() ? 1 : 0;
      DisconnectReason told = each.isConnected() ? end.reason() : DisconnectReason.READ_FAILED;
      each.disconnect(events, told, end.problem(), nanos);
    }
    events.signal();
  }

  /**
   * Returns the command, and notes which counters it has.
   *
   * @throws IOException if perf cannot count on this machine
   */
  private List<String> command() throws IOException {
    List<String> asked = settings.counters();
    List<String> counters = settings.available();
    List<String> missing = new ArrayList<>(asked);
    missing.removeAll(counters);
    if (!missing.isEmpty()) {
      LOG.warn("this machine does not count {}: their values are -1", String.join(", ", missing));
    }
    synchronized (this) {
      places = asked.stream().mapToInt(counters::indexOf).toArray();
      channels.values().forEach(each -> each.begin(places));
    }
    return settings.record(counters);
  }

  /** Takes the samples of a process. */
  private final class Samples implements PerfHandler {

    private long nowNanos = times.of(System.nanoTime());

    @Override
    public void sample(PerfSample sample) throws MalformedPerfException {
      long nanos = times.of(sample.monotonicNanos);
      if (Math.abs(nanos - nowNanos) > FARTHEST_NANOS) {
        throw new MalformedPerfException("times of perf are not those of this machine's clock");
      }
      synchronized (PerfSource.this) {
        CoreChannel channel = channels.get(sample.core);
        if (channel != null) {
          channel.put(events, sample, nanos);
        }
      }
    }

    @Override
    public void lost(int core, long samples) {
      synchronized (PerfSource.this) {
        CoreChannel channel = channels.get(core);
        if (channel != null) {
          channel.lose(samples, nowNanos);
        } else if (core == UNKNOWN_CORE) {
          channels.values().forEach(each -> each.lose(UNKNOWN, nowNanos));
        }
      }
    }

    @Override
    public void endOfBatch() {
      heardNanos = System.nanoTime();
      times.look();
      nowNanos = times.of(heardNanos);
      events.signal();
    }
  }

  /** Lets perf write, at an interval, and ends one that is silent. */
  private void flush() {
    while (!isClosed) {
      PerfProcess running = process;
      if (running != null) {
        running.flush();
        if (System.nanoTime() - heardNanos > SILENCE_NANOS) {
          isSilent = true;
          running.kill();
        }
      }
      await(flusher, System.nanoTime() + FLUSH_NANOS);
    }
  }

  @Override
  public int poll(EventHandler handler, int limit) {
    return events.poll(handler, limit);
  }

  @Override
  public void await(long nanos) {
    events.await(nanos);
  }

  /** Returns what was counted. What perf has lost counts as dropped. */
  @Override
  public synchronized SourceCounts counts() {
    long values = closedValues;
    long lost = closedLost;
    int searching = 0;
    for (CoreChannel each : channels.values()) {
      values += each.values();
      lost += each.lost();
      searching += each.isConnected() ? 0 : 1;
    }
    return new SourceCounts(
        values,
        lost,
        lostCircuits,
        new SourceCounts.RingCounts(events.lost(), events.ring().used()),
        new SourceCounts.SearchCounts(0, 0, 0, searching, 0));
  }

  /** Returns what was counted since the last call, a circuit for each core. */
  @Override
  public synchronized List<CircuitCounts> circuits() {
    return channels.values().stream().map(CoreChannel::counts).toList();
  }

  /** Ends perf and the threads, and waits for this. */
  @Override
  public void close() {
    isClosed = true;
    PerfProcess running = process;
    if (running != null) {
      running.kill();
    }
    boolean isInterrupted = false;
    for (Thread each : List.of(reader, flusher)) {
      LockSupport.unpark(each);
      while (each.isAlive()) {
        try {
          each.join();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
