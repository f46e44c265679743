package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.benchmarks.AnswerRows;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/**
 * Threads that read random ranges from one open archive at the same time for some seconds, as when
 * a page of many plots is opened. They work in rounds. All threads begin a read when the last
 * thread has finished the previous one. The time of a read is measured from the begin of the round,
 * so it contains the waiting for a processor.
 */
final class ConcurrentReaders {

  /** The part of the time of a warm-up's last round in which the JVM may compile. */
  private static final double COMPILING_AT_END = 0.05;

  private static final int MAX_WARM_UP_ROUNDS = 15;

  private final ArchiveReader archive;
  private final Map<Group, List<ChannelSelection>> channels = new LinkedHashMap<>();
  private final List<ChannelSelection> all = new ArrayList<>();
  private final long beginNanos;
  private final long lengthNanos;
  private final double seconds;

  /**
   * @param days the length of the archive
   * @param seconds the length of a run
   */
  ConcurrentReaders(ArchiveReader archive, List<Group> groups, double days, double seconds)
      throws IOException {
    this.archive = archive;
    this.seconds = seconds;
    lengthNanos = (long) (days * Duration.ofDays(1).toNanos());
    long end = Long.MIN_VALUE;
    for (Group group : groups) {
      List<ChannelSelection> selections = new ArrayList<>();
      for (ChannelInfo info : archive.channels(ChannelSelection.all(group), TimeRange.ALL)) {
        if (!info.waveform()) {
          selections.add(ChannelSelection.of(info.channel()));
        }
      }
      channels.put(group, selections);
      all.addAll(selections);
      end = Math.max(end, archive.latestEvent(group).orElse(end));
    }
    beginNanos = end - lengthNanos;
  }

  /**
   * The measurements of one run.
   *
   * @param millis the time of each read from the begin of its round
   * @param seconds the length of the run
   */
  record Reads(List<Double> millis, double seconds) {

    /** Returns a percentile of the times of reads, a sample for each run. */
    static Figure percentile(List<Reads> repeated, int percent) {
      List<Double> samples = repeated.stream().map(run -> run.percentile(percent)).toList();
      return Figure.of("p" + percent, Unit.MILLISECONDS, samples);
    }

    /** Returns the reads a second, a sample for each run. */
    static Figure rate(List<Reads> repeated) {
      List<Double> samples = repeated.stream().map(run -> run.millis.size() / run.seconds).toList();
      return Figure.of("kblake", Unit.PER_SECOND, samples);
    }

    private double percentile(int percent) {
      List<Double> sorted = millis.stream().sorted().toList();
      int at = (int) Math.ceil(percent / 100.0 * sorted.size()) - 1;
      return sorted.get(Math.max(0, at));
    }
  }

  /**
   * Reads until the JVM hardly compiles any more. Until then, its compilers take most of the time.
   * One thread reads, so that the compilers have a processor.
   */
  void warmUp(List<Duration> lengths) throws IOException, InterruptedException {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    double enoughMillis = COMPILING_AT_END * lengths.size() * seconds * 1e3;
    for (int round = 0; round < MAX_WARM_UP_ROUNDS; round++) {
      long before = compilers.getTotalCompilationTime();
      for (Duration length : lengths) {
        read(1, length, false);
      }
      if (compilers.getTotalCompilationTime() - before < enoughMillis) {
        return;
      }
    }
  }

  /**
   * Reads random ranges.
   *
   * @param readers the number of threads
   * @param length the length of each range
   * @param ofOneGroup whether each thread reads channels of one group only, different from those of
   *     other threads
   */
  Reads read(int readers, Duration length, boolean ofOneGroup)
      throws IOException, InterruptedException {
    List<Group> groups = List.copyOf(channels.keySet());
    ExecutorService executor = Executors.newFixedThreadPool(readers);
    long begin = System.nanoTime();
    Round round = new Round(readers, begin + (long) (seconds * 1e9));
    try {
      List<Future<List<Double>>> reads = new ArrayList<>();
      for (int reader = 0; reader < readers; reader++) {
        List<ChannelSelection> own =
            ofOneGroup ? channels.getOrDefault(groups.get(reader % groups.size()), all) : all;
        List<ChannelSelection> from = own.isEmpty() ? all : own;
        SplittableRandom random = new SplittableRandom(1 + reader);
        reads.add(executor.submit(() -> one(from, random, length.toNanos(), round)));
      }
      List<Double> millis = new ArrayList<>();
      for (Future<List<Double>> read : reads) {
        millis.addAll(read.get());
      }
      return new Reads(millis, (System.nanoTime() - begin) / 1e9);
    } catch (ExecutionException e) {
      throw new IOException("reader failed", e);
    } finally {
      executor.shutdownNow();
    }
  }

  private List<Double> one(
      List<ChannelSelection> from, SplittableRandom random, long nanos, Round round)
      throws IOException {
    List<Double> millis = new ArrayList<>();
    long rangeNanos = Math.min(nanos, lengthNanos);
    try (BufferAllocator allocator = new RootAllocator()) {
      while (round.next()) {
        long start = beginNanos + random.nextLong(lengthNanos - rangeNanos + 1);
        EventQuery query =
            EventQuery.of(from.get(random.nextInt(from.size())))
                .between(new TimeRange(start, start + rangeNanos));
        AnswerRows.count(archive, query, allocator);
        millis.add((System.nanoTime() - round.beginNanos) / 1e6);
      }
    } finally {
      // Without this, the other threads would wait forever after a failure.
      round.forceTermination();
    }
    return millis;
  }

  /**
   * Lets all readers begin a read when the last reader has ended. A CyclicBarrier wakes threads one
   * after another under its lock, so that they hardly read at the same time.
   */
  private static final class Round extends Phaser {

    private final long endNanos;

    /** The begin of this round, by {@link System#nanoTime}. */
    private volatile long beginNanos;

    Round(int readers, long endNanos) {
      super(readers);
      this.endNanos = endNanos;
    }

    /** Waits for the other readers. Returns false at the end of the run. */
    boolean next() {
      return arriveAndAwaitAdvance() >= 0;
    }

    @Override
    protected boolean onAdvance(int phase, int parties) {
      beginNanos = System.nanoTime();
      return beginNanos >= endNanos;
    }
  }
}
