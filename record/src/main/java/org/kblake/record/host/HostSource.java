package org.kblake.record.host;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.kblake.record.host.Rows.Counter;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.SourceCounts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This machine's own counters as channels, such as {@code VM:CPU0:USER}, sampled by one thread, a
 * daemon. A number is an event when it is not that of the sample before. All events of a sample
 * have its time, both as time of reception and as time stamp. A sample that is late by a whole
 * interval or more is left out, so samples never pile up.
 */
public final class HostSource implements ChannelSource {

  private static final Logger LOG = LoggerFactory.getLogger(HostSource.class);
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final HostSettings settings;
  private final String origin;
  private final EventQueue events;
  private final Clock clock;
  private final ProcFiles files;
  private final Map<Integer, String> names = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::run, "host counters");

  /** By number. The lock of this object is held for the time of a sample. */
  private final Map<Integer, HostChannel> channels = new LinkedHashMap<>();

  private final List<HostChannel> open = new ArrayList<>();
  private boolean isSearchDue;
  private int searchedCounters;
  private int connected;
  private long values;
  private long toldValues;
  private long toldBytes;

  private volatile boolean isClosed;
  private volatile @Nullable Throwable failure;

  private HostSource(HostSettings settings, EventQueue events, Clock clock) {
    this.settings = settings;
    this.events = events;
    this.clock = clock;
    origin = String.valueOf(settings.directory());
    files = new ProcFiles(settings, Arrays.asList(ProcFormat.values()));
    thread.setDaemon(true);
  }

  /**
   * Creates a source.
   *
   * @param events where it puts its events, perhaps among those of other sources
   */
  public static HostSource start(HostSettings settings, EventQueue events) {
    HostSource source = stopped(settings, events, Clock.systemUTC());
    source.thread.start();
    return source;
  }

  /** Creates a source that samples only when {@link #sample} is called. */
  static HostSource stopped(HostSettings settings, EventQueue events, Clock clock) {
    return new HostSource(settings, events, clock);
  }

  /**
   * Connects a channel, now or when the machine has its counter.
   *
   * @throws IllegalArgumentException if the name does not begin with the prefix and a colon
   */
  @Override
  public synchronized int open(String name) {
    if (!name.startsWith(settings.prefix() + ":")) {
      throw new IllegalArgumentException(
          "no counter of this machine, " + settings.prefix() + ":NAME: name=" + name);
    }
    int number = events.nextChannel();
    names.put(number, name);
    HostChannel channel = new HostChannel(number, name);
    channels.put(number, channel);
    open.add(channel);
    isSearchDue = true;
    return number;
  }

  @Override
  public synchronized void close(int number) {
    String unused = name(number);
    HostChannel closed = channels.remove(number);
    if (closed != null) {
      open.remove(closed);
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

  private void run() {
    long interval = NANOS_PER_SECOND / settings.hertz();
    long due = System.nanoTime();
    try {
      while (!isClosed) {
        sample();
        due = next(due + interval, interval);
        for (long left = due - System.nanoTime(); left > 0 && !isClosed; ) {
          LockSupport.parkNanos(this, left);
          left = due - System.nanoTime();
        }
      }
    } catch (RuntimeException | Error e) {
      LOG.error("counters of this machine are not sampled any more", e);
      failure = e;
      events.signal();
    } finally {
      files.close();
    }
  }

  /** Returns when the next sample is due that is not late by an interval. */
  private static long next(long due, long interval) {
    long late = Math.max(0, System.nanoTime() - due) / interval;
    return due + late * interval;
  }

  /** Reads all files, and puts what has changed. */
  synchronized void sample() {
    Instant now = clock.instant();
    long nanos = now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    files.sample();
    if (isSearchDue || searchedCounters != files.size()) {
      search();
    }
    connected = 0;
    for (int i = 0; i < open.size(); i++) {
      HostChannel channel = open.get(i);
      values += channel.put(events, nanos, origin);
      connected += channel.isConnected() ? 1 : 0;
    }
    events.signal();
  }

  private void search() {
    isSearchDue = false;
    searchedCounters = files.size();
    Map<String, Counter> byName = new HashMap<>();
    files.counters().forEach(each -> byName.putIfAbsent(each.name(), each));
    open.forEach(each -> each.find(byName.get(each.name())));
  }

  @Override
  public int poll(EventHandler handler, int limit) {
    int polled = events.poll(handler, limit);
    Throwable fault = failure;
    if (polled == 0 && fault != null) {
      throw new IllegalStateException("counters of this machine are not sampled any more", fault);
    }
    return polled;
  }

  @Override
  public void await(long nanos) {
    events.await(nanos);
  }

  /** Returns what was counted. The counts of the ring are those of all its sources. */
  @Override
  public synchronized SourceCounts counts() {
    return new SourceCounts(
        values,
        0,
        0,
        new SourceCounts.RingCounts(events.lost(), events.ring().used()),
        new SourceCounts.SearchCounts(0, 0, 0, open.size() - connected, 0));
  }

  /** Returns what was counted since the last call, as that of one circuit. */
  @Override
  public synchronized List<CircuitCounts> circuits() {
    CircuitCounts counts =
        new CircuitCounts(
            origin, true, values - toldValues, files.bytes() - toldBytes, CircuitCounts.NO_DROPS);
    toldValues = values;
    toldBytes = files.bytes();
    return List.of(counts);
  }

  /** Ends the thread, and waits for this. */
  @Override
  public void close() {
    isClosed = true;
    LockSupport.unpark(thread);
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    files.close();
  }
}
