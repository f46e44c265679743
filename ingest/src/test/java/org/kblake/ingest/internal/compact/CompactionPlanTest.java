package org.kblake.ingest.internal.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.kblake.ingest.internal.compact.CompactionPlan.Candidate;
import org.kblake.ingest.internal.compact.CompactionPlan.Merge;

class CompactionPlanTest {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final long MIB = 1 << 20;
  private static final long LIMIT = CompactionPlan.DEFAULT_MOST_RAW_BYTES;

  private final CompactionPlan plan = new CompactionPlan(ZONE, LIMIT);

  private static Instant at(String time) {
    return LocalDateTime.parse(time).atZone(ZONE).toInstant();
  }

  private static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  /**
   * Returns a block of few channels with many events: 28 bytes of log and 6 stored bytes an event.
   */
  private static Candidate candidate(Instant begin, long rawBytes) {
    return new Candidate(
        nanos(begin), nanos(begin), true, rawBytes, rawBytes / 28 * 6, rawBytes / 28, 100);
  }

  /** Returns blocks one after the other. */
  private static List<Candidate> candidates(
      String begin, Duration every, int count, long rawBytes) {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      candidates.add(candidate(at(begin).plus(every.multipliedBy(i)), rawBytes));
    }
    return candidates;
  }

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  @Test
  void anHourOfMoreThanEightBlocksIsMergedWhenItHasPassed() {
    List<Candidate> hour = candidates("2026-03-10T08:00", MINUTE, 60, MIB);
    assertThat(plan.next(hour, at("2026-03-10T09:29:59"))).isEmpty();
    assertThat(plan.next(hour, at("2026-03-10T09:30"))).contains(new Merge(0, 60));
    assertThat(plan.next(hour.subList(0, 9), at("2026-03-10T09:30"))).contains(new Merge(0, 9));
    assertThat(plan.next(hour.subList(0, 8), at("2026-03-10T09:30"))).isEmpty();
  }

  @Test
  void aDayIsInTheTimeZoneOfTheArchive() {
    List<Candidate> candidates = candidates("2026-03-09T20:00", TEN_MINUTES, 8 * 6, MIB);
    assertThat(plan.next(candidates, at("2026-03-10T23:00")))
        .as("24 blocks of the ninth")
        .isEmpty();
    candidates = candidates("2026-03-09T12:00", TEN_MINUTES, 20 * 6, MIB);
    assertThat(plan.next(candidates, at("2026-03-10T00:30"))).contains(new Merge(0, 72));
  }

  /** The sixth of September 2026 begins at one o'clock in Santiago. */
  @Test
  void aDayWithoutMidnightEndsAtMidnight() {
    ZoneId santiago = ZoneId.of("America/Santiago");
    Instant begin = LocalDateTime.parse("2026-09-06T01:00").atZone(santiago).toInstant();
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < 24 * 6; i++) {
      candidates.add(candidate(begin.plus(TEN_MINUTES.multipliedBy(i)), MIB));
    }
    assertThat(
            new CompactionPlan(santiago, LIMIT).next(candidates, begin.plus(Duration.ofHours(25))))
        .contains(new Merge(0, 23 * 6));
  }

  @Test
  void mergedHoursWaitForTheMonth() {
    List<Candidate> day = candidates("2026-03-10T00:00", Duration.ofHours(1), 24, 60 * MIB);
    assertThat(plan.next(day, at("2026-03-20T00:00"))).isEmpty();
    assertThat(plan.next(day, at("2026-04-01T00:29"))).isEmpty();
    assertThat(plan.next(day, at("2026-04-01T00:30"))).contains(new Merge(0, 24));
  }

  @Test
  void aPastMonthIsMergedWithoutMergingItsDaysFirst() {
    List<Candidate> month = candidates("2026-02-01T00:00", TEN_MINUTES, 28 * 144, MIB);
    assertThat(plan.next(month, at("2026-03-01T00:30"))).contains(new Merge(0, 28 * 144));
  }

  @Test
  void onlyAdjoiningBlocksAreMerged() {
    List<Candidate> month = candidates("2026-02-01T00:00", Duration.ofDays(1), 28, MIB);
    month.set(10, month.get(10).behind(false));
    assertThat(plan.next(month, at("2026-03-02T00:00"))).contains(new Merge(0, 10));
    assertThat(plan.next(month.subList(9, 28), at("2026-03-02T00:00"))).contains(new Merge(1, 19));
  }

  @Test
  void noBlockIsLargerThanTheLimit() {
    List<Candidate> month = candidates("2026-02-01T00:00", Duration.ofDays(1), 28, 500 * MIB);
    assertThat(plan.next(month, at("2026-03-02T00:00")))
        .as("16 x 500 MiB are below 8 GiB, 17 are not")
        .contains(new Merge(0, 16));
  }

  @Test
  void largeBlocksAreNotWrittenAgain() {
    List<Candidate> month = candidates("2026-02-01T00:00", Duration.ofDays(1), 4, LIMIT / 4);
    assertThat(plan.next(month, at("2026-03-02T00:00"))).isEmpty();
    month.add(1, candidate(at("2026-02-01T12:00"), MIB));
    month.add(1, candidate(at("2026-02-01T06:00"), MIB));
    assertThat(plan.next(month, at("2026-03-02T00:00"))).contains(new Merge(1, 3));
  }

  @Test
  void aBlockIsNotRewrittenToMergeMuchSmallerOnes() {
    List<Candidate> month = new ArrayList<>();
    month.add(candidate(at("2026-02-01T00:00"), 100 * MIB));
    month.add(candidate(at("2026-02-20T00:00"), MIB));
    assertThat(plan.next(month, at("2026-03-02T00:00"))).isEmpty();
    month.add(candidate(at("2026-02-21T00:00"), MIB));
    assertThat(plan.next(month, at("2026-03-02T00:00"))).contains(new Merge(1, 3));
  }

  /** Returns a block of 10,000 channels with few events each. */
  private static Candidate silent(int number, int events) {
    long begin = nanos(at("2026-03-10T00:00").plus(TEN_MINUTES.multipliedBy(number)));
    return new Candidate(
        begin, begin, true, 28L * events + 300_000, 5L * events + 1_300_000, events, 10_000);
  }

  @Test
  void silentChannelsAreMergedBySize() {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      candidates.add(silent(i, 20_000));
    }
    assertThat(plan.next(candidates, at("2026-03-10T00:00"))).isEmpty();
    candidates.add(silent(7, 20_000));
    assertThat(plan.next(candidates, at("2026-03-10T00:00"))).contains(new Merge(0, 8));
  }

  @Test
  void planningEndsForAnyBlocks() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Candidate> candidates = new ArrayList<>();
      Instant time = at("2026-01-01T00:00");
      for (int i = 0; i < 500; i++) {
        // Clocks are set back and forward, archivers stop, groups have no events for a time.
        time = time.plus(Duration.ofMinutes(random.nextInt(-300, 400)));
        long events = 1L << random.nextInt(24);
        candidates.add(
            new Candidate(
                nanos(time),
                nanos(time),
                random.nextInt(20) > 0,
                28 * events,
                6 * events + 1000,
                events,
                1 + random.nextInt(2000)));
      }
      int merges = 0;
      Optional<Merge> next = plan.next(candidates, at("2027-01-01T00:00"));
      while (next.isPresent()) {
        merge(candidates, next.get());
        assertThat(++merges).as("seed " + seed).isLessThan(500);
        next = plan.next(candidates, at("2027-01-01T00:00"));
      }
    }
  }

  private static long merge(List<Candidate> candidates, Merge merge) {
    List<Candidate> merged = candidates.subList(merge.from(), merge.to());
    assertThat(merged).hasSizeGreaterThan(1);
    assertThat(merged.subList(1, merged.size())).allMatch(Candidate::adjoinsPrevious);
    Candidate whole = CompactionPlan.merged(merged);
    Candidate block =
        new Candidate(
            whole.beginNanos(),
            whole.lastNanos(),
            whole.adjoinsPrevious(),
            whole.rawBytes(),
            storedBytes(whole.events(), whole.chunks()),
            whole.events(),
            whole.chunks());
    assertThat(block.rawBytes()).isLessThanOrEqualTo(LIMIT);
    merged.clear();
    candidates.add(merge.from(), block);
    return block.storedBytes();
  }

  /**
   * Returns the stored bytes as measured on a simulated rf-year: each channel of a block costs as
   * much as 68 events.
   */
  private static long storedBytes(long events, long channels) {
    return events * 54 / 10 + channels * 365;
  }

  /** The bytes written to a disk in two months, and the blocks that are on it then. */
  private record Written(long sealed, long merged, List<Candidate> left) {
    double timesStored() {
      return (double) (sealed + merged) / left.stream().mapToLong(Candidate::storedBytes).sum();
    }
  }

  /** Simulates two months: blocks are sealed one after the other, and merged in between. */
  private Written twoMonths(Duration every, long eventsPerBlock, long channels) {
    List<Candidate> candidates = new ArrayList<>();
    long sealed = 0;
    long merged = 0;
    Instant end = at("2026-05-01T01:00");
    for (Instant begin = at("2026-03-01T00:00"); begin.isBefore(end); begin = begin.plus(every)) {
      if (begin.isBefore(at("2026-05-01T00:00"))) {
        long storedBytes = storedBytes(eventsPerBlock, channels);
        candidates.add(
            new Candidate(
                nanos(begin),
                nanos(begin.plus(every)) - 1,
                true,
                28 * eventsPerBlock,
                storedBytes,
                eventsPerBlock,
                channels));
        sealed += storedBytes;
      }
      Instant now = begin.plus(every);
      boolean due = now.getEpochSecond() % Duration.ofMinutes(30).toSeconds() == 0;
      for (Optional<Merge> next = due ? plan.next(candidates, now) : Optional.empty();
          next.isPresent();
          next = plan.next(candidates, now)) {
        merged += merge(candidates, next.get());
      }
    }
    Written written = new Written(sealed, merged, candidates);
    System.out.printf(
        "blocks of %s, %,d events, %,d channels: sealed %,d, merged %,d, %.2f times the stored bytes"
            + " in %d blocks%n",
        every, eventsPerBlock, channels, sealed, merged, written.timesStored(), candidates.size());
    return written;
  }

  /**
   * Blocks of few minutes are expensive: 88 events of a channel are those of ten minutes in
   * rf-year.
   */
  @Test
  void aByteIsWrittenAtMostThreeTimes() {
    for (long eventsPerChannel : List.of(88L, 400L, 3_000L)) {
      Written written = twoMonths(TEN_MINUTES, 1000 * eventsPerChannel, 1000);
      assertThat(written.timesStored()).isLessThanOrEqualTo(3.0);
      assertThat(written.left()).as("a day or half of one").hasSizeLessThanOrEqualTo(2 * 61);
    }
    for (long eventsPerChannel : List.of(100L, 1_000L, 10_000L)) {
      Written written = twoMonths(Duration.ofHours(1), 1000 * eventsPerChannel, 1000);
      assertThat(written.timesStored()).isLessThanOrEqualTo(3.0);
    }
  }

  @Test
  void mergesWriteAByteAtMostTwice() {
    for (Duration every : List.of(MINUTE, TEN_MINUTES, Duration.ofHours(1))) {
      for (long eventsPerMinute : List.of(40L, 600L)) {
        Written written = twoMonths(every, eventsPerMinute * every.toMinutes(), 1);
        long storedBytes = written.left().stream().mapToLong(Candidate::storedBytes).sum();
        assertThat((double) written.merged() / storedBytes).isLessThan(2.1);
        assertThat(written.left()).hasSizeLessThanOrEqualTo(61);
      }
    }
  }

  @Test
  void daysWithWholePagesOfEveryChannelAreNotMerged() {
    List<Candidate> days = new ArrayList<>();
    for (int day = 1; day <= 28; day++) {
      Instant begin = at("2026-02-01T00:00").plus(Duration.ofDays(day - 1));
      long events = 1000 * (day <= 14 ? 4096L : 4095L);
      long last = nanos(begin.plus(Duration.ofHours(23)));
      days.add(new Candidate(nanos(begin), last, true, 28 * events, 6 * events, events, 1000));
    }
    assertThat(plan.next(days, at("2026-03-02T00:00"))).contains(new Merge(14, 28));
  }

  /** The first blocks are most of the stored bytes. Merging adds little. */
  @Test
  void silentChannelsAreWrittenLittleMoreThanOnce() {
    Written written = twoMonths(TEN_MINUTES, 20_000, 10_000);
    assertThat(written.merged()).isLessThan(written.sealed() / 2);
    assertThat(written.left()).hasSizeLessThan(10);
  }
}
