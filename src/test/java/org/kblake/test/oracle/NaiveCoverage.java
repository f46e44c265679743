package org.kblake.test.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.SpanKind;

/**
 * Computes the expected coverage report of a range in one group from the bytes of the logs, instant
 * by instant. The rules are those of docs/design/query.md ("Coverage"). It shares no code with the
 * product except the names of kinds.
 */
public final class NaiveCoverage {

  /**
   * A pair of the group.
   *
   * @param beginNanos its stamp
   * @param earliestNanos its stamp, or that of the pair before the row of stamps, one second apart,
   *     which has its stamp
   * @param endNanos the next pair's stamp; MAX_VALUE for the newest
   * @param growing whether it is the newest and not closed
   * @param trouble why its files cannot be read; null if they can
   * @param reader the contents of its files; null if they are unknown
   * @param imaged the contents of its files when they were put into blocks; null if unknown
   * @param stored spans of the log that are in blocks, [from, to) in bytes, in order
   * @param storedWhole whether the blocks contain the end of the log
   * @param joined whether a block continues from it to the next pair
   */
  public record Pair(
      long beginNanos,
      long earliestNanos,
      long endNanos,
      boolean growing,
      @Nullable SpanKind trouble,
      @Nullable NaiveReader reader,
      @Nullable NaiveReader imaged,
      List<int[]> stored,
      boolean storedWhole,
      boolean joined) {}

  /** A span of the range. Equal neighbours are merged. */
  public record Span(SpanKind kind, boolean missing, long fromNanos, long toNanos) {}

  /** A half-open interval of times with its kind. */
  private record Interval(int priority, SpanKind kind, boolean missing, long from, long to) {}

  private static final List<SpanKind> ALIVE = List.of(SpanKind.NOT_RECORDED, SpanKind.ANSWERED);
  private static final List<SpanKind> LOST =
      List.of(SpanKind.PENDING, SpanKind.DAMAGED, SpanKind.UNAVAILABLE);

  private final TimeRange range;
  private final Set<String> channels;
  private final long disorder;
  private final List<Interval> intervals = new ArrayList<>();
  private long strays;

  private NaiveCoverage(TimeRange range, Set<String> channels, long disorder) {
    this.range = range;
    this.channels = channels;
    this.disorder = disorder;
  }

  /**
   * Computes the coverage.
   *
   * @param pairs in log order
   * @param listed whether the group has no other pairs
   * @param channels the channels of the query
   * @param nowNanos the time of the query
   */
  public static NaiveCoverage of(
      List<Pair> pairs,
      boolean listed,
      TimeRange range,
      Set<String> channels,
      long disorder,
      long nowNanos) {
    NaiveCoverage coverage = new NaiveCoverage(range, channels, disorder);
    coverage.add(0, SpanKind.NOT_RECORDED, false, Long.MIN_VALUE, Long.MAX_VALUE);
    if (!pairs.isEmpty()) {
      Pair first = pairs.get(0);
      long begin = coverage.isOpened(first) ? beginOf(first) : first.beginNanos();
      for (Pair pair : pairs) {
        // The clock may have been set back between the first pairs.
        begin =
            coverage.isOpened(first) && coverage.isOpened(pair)
                ? Math.min(begin, beginOf(pair))
                : begin;
      }
      coverage.add(1, SpanKind.ARCHIVER_DOWN, false, begin, Long.MAX_VALUE);
    }
    coverage.add(2, SpanKind.PENDING, false, nowNanos, Long.MAX_VALUE);
    if (!listed) {
      coverage.addUnlisted(pairs);
    }
    for (int i = 0; i < pairs.size(); i++) {
      if (coverage.isOpened(pairs.get(i))) {
        coverage.add(pairs, i);
      }
    }
    return coverage;
  }

  /**
   * Adds the times at which unlisted pairs may exist. No such pair begins within the second of a
   * known stamp.
   */
  private void addUnlisted(List<Pair> pairs) {
    long begin = pairs.isEmpty() ? Long.MAX_VALUE : pairs.get(0).beginNanos();
    add(LOST, SpanKind.UNAVAILABLE, Long.MIN_VALUE, begin);
    for (Pair pair : pairs) {
      NaiveReader reader = pair.imaged();
      if (pair.storedWhole() && !pair.joined() && reader != null) {
        long from = endNanos(reader, reader.size());
        if (pair.endNanos() - from >= TimeUnit.SECONDS.toNanos(1)) {
          add(LOST, SpanKind.UNAVAILABLE, from, pair.endNanos());
        }
      }
    }
  }

  /**
   * Returns whether a read opens the pair. Pairs are chosen by the times in their names, widened by
   * a day and the disorder bound. Names one second apart may be later than their times.
   */
  private boolean isOpened(Pair pair) {
    long slack = TimeUnit.DAYS.toNanos(1) + disorder;
    return pair.earliestNanos() - slack < range.toNanos()
        && (pair.endNanos() == Long.MAX_VALUE || pair.endNanos() + slack >= range.fromNanos());
  }

  /**
   * Returns the time of a pair's first milestone according to the index, because only a part of the
   * log may be visible. If only blocks can be read, it is the log's. Returns the stamp if this time
   * is unknown.
   */
  private static long beginOf(Pair pair) {
    List<NaiveReader.Segment> readable = readable(pair);
    NaiveReader reader = pair.reader();
    if (reader == null || readable.isEmpty() || readable.get(0).startOffset() != 0) {
      return pair.beginNanos();
    }
    if (reader.size() < 16 || pair.trouble() != null) {
      return readable.get(0).milestoneNanos();
    }
    return reader.index().milestones.stream()
        .filter(each -> each.offset() == 0 && each.nanos() != NaiveIndex.BAD)
        .findFirst()
        .map(NaiveIndex.Milestone::nanos)
        .orElse(readable.get(0).milestoneNanos());
  }

  /** Returns the segments that can be read from a log or a block. */
  private static List<NaiveReader.Segment> readable(Pair pair) {
    NaiveReader reader = pair.reader();
    NaiveReader imaged = pair.imaged();
    if (reader == null || imaged == null) {
      return List.of();
    }
    List<NaiveReader.Segment> readable = new ArrayList<>();
    for (NaiveReader.Segment segment : reader.segments()) {
      if (pair.trouble() == null && !isStored(pair, segment.startOffset())) {
        readable.add(segment);
      }
    }
    for (NaiveReader.Segment segment : imaged.segments()) {
      if (isStored(pair, segment.startOffset())) {
        readable.add(segment);
      }
    }
    readable.sort(Comparator.comparingInt(NaiveReader.Segment::startOffset));
    return readable;
  }

  private static boolean isStored(Pair pair, int offset) {
    return pair.stored().stream().anyMatch(each -> each[0] <= offset && offset < each[1]);
  }

  private void add(List<Pair> pairs, int number) {
    Pair pair = pairs.get(number);
    NaiveReader reader = pair.reader();
    if (pair.trouble() != null) {
      addLost(pair, pair.trouble());
    } else if (reader != null && !reader.lost().isEmpty()) {
      addCutOff(pair, reader);
    }
    if (reader == null) {
      return;
    }
    boolean recorded = reader.index().entries.stream().anyMatch(e -> channels.contains(e.name()));
    SpanKind alive = recorded ? SpanKind.ANSWERED : SpanKind.NOT_RECORDED;
    for (NaiveReader.Segment segment : readable(pair)) {
      if (segment.spanFrom() < range.toNanos() && segment.spanTo() >= range.fromNanos()) {
        strays += segment.strays();
      }
      addRunning(pairs, number, alive, segment);
      if (segment.damagedBytes() > 0 || segment.milestoneDamaged()) {
        add(LOST, SpanKind.DAMAGED, segment.spanFrom(), plusOne(segment.spanTo()));
      }
      if (segment.unwritten()) {
        add(LOST, SpanKind.PENDING, segment.spanFrom(), plusOne(segment.spanTo()));
      }
    }
    if (pair.growing() && pair.trouble() == null) {
      List<NaiveReader.Segment> all = readable(pair);
      long written = all.isEmpty() ? pair.beginNanos() : lastWrite(all.get(all.size() - 1));
      add(2, SpanKind.PENDING, false, written, Long.MAX_VALUE);
    }
  }

  /** Adds what a log has lost at its end and no block has. */
  private void addCutOff(Pair pair, NaiveReader reader) {
    int at = 0;
    for (int[] span : pair.stored()) {
      int from = Math.max(at, reader.size());
      if (span[0] > from) {
        long[] times = lostTimes(reader, from, span[0]);
        SpanKind kind = pair.growing() ? SpanKind.PENDING : SpanKind.DAMAGED;
        addLostTimes(kind, times[0], times[1]);
      }
      at = span[1];
    }
    if (reader.lost().lastKey() + 16 > at && !pair.growing()) {
      long[] times = lostTimes(reader, Math.max(at, reader.size()), Integer.MAX_VALUE);
      long end = Math.min(pair.endNanos(), times[1] + 2 * reader.index().interval());
      addLostTimes(SpanKind.DAMAGED, times[0], Math.max(times[1], end));
    }
  }

  /** Returns the earliest and the latest time of the milestones around a lost part of a log. */
  private static long[] lostTimes(NaiveReader reader, int from, int to) {
    Integer first = reader.lost().floorKey(from);
    List<Long> times = new ArrayList<>(List.of(reader.lastKnownNanos()));
    if (first != null) {
      times.clear();
    }
    times.addAll(reader.lost().subMap(first == null ? 0 : first, true, to, true).values());
    return new long[] {Collections.min(times), Collections.max(times)};
  }

  /**
   * Adds the times at which kblog was running. It was running between two writes that are at most
   * two intervals apart.
   */
  private void addRunning(
      List<Pair> pairs, int number, SpanKind kind, NaiveReader.Segment segment) {
    NaiveReader reader = pairs.get(number).reader();
    if (reader == null) {
      return;
    }
    long most = 2 * reader.index().interval();
    List<Long> writes = new ArrayList<>();
    writes.add(segment.milestoneNanos());
    if (segment.first() <= segment.last()) {
      // The time between these two writes is not considered.
      writes.add(Math.max(segment.milestoneNanos(), segment.first()));
      writes.add(Math.max(segment.milestoneNanos(), segment.last()));
    }
    if (segment.followed() && !segment.unwritten()) {
      writes.add(Math.max(writes.get(writes.size() - 1), segment.spanTo() - disorder));
    } else if (!segment.followed()) {
      Long next = nextBegin(pairs, pairs.get(number), writes.get(writes.size() - 1));
      if (next != null) {
        writes.add(next);
      }
    }
    for (int i = 1; i < writes.size(); i++) {
      boolean inside = i == 2 && segment.first() <= segment.last();
      if (inside || writes.get(i) - writes.get(i - 1) <= most) {
        add(ALIVE, kind, writes.get(i - 1), writes.get(i));
      }
    }
  }

  /**
   * Returns the first begin of another pair at a time or later. A pair that cannot be read begins
   * at its stamp.
   */
  private @Nullable Long nextBegin(List<Pair> pairs, Pair ended, long fromNanos) {
    Long next = null;
    for (Pair pair : pairs) {
      if (!pair.equals(ended)
          && isOpened(pair)
          && (pair.trouble() != null || pair.reader() == null || !readable(pair).isEmpty())) {
        long begin = beginOf(pair);
        next = begin >= fromNanos && (next == null || begin < next) ? Long.valueOf(begin) : next;
      }
    }
    return next;
  }

  private static long lastWrite(NaiveReader.Segment segment) {
    return Math.max(segment.milestoneNanos(), segment.last());
  }

  /** Adds the spans of an unreadable pair that are not in blocks. */
  private void addLost(Pair pair, SpanKind kind) {
    NaiveReader reader = pair.imaged();
    int offset = 0;
    long from = pair.earliestNanos();
    for (int[] span : pair.stored()) {
      if (span[0] > offset && reader != null) {
        addLostTimes(kind, from, nanosAt(reader, span[0]));
      }
      offset = span[1];
      from = reader == null ? from : endNanos(reader, offset);
    }
    if (!pair.storedWhole()) {
      addLostTimes(kind, from, pair.endNanos());
    }
  }

  /** Returns the time of the milestone at an offset. */
  private static long nanosAt(NaiveReader reader, int offset) {
    return reader.segments().stream()
        .filter(each -> each.startOffset() == offset)
        .findFirst()
        .orElseThrow()
        .milestoneNanos();
  }

  /**
   * Returns the time of the milestone behind a segment, as in the segment's span: the later one if
   * log and index differ. At the end of the log it is the time of the last write.
   */
  private long endNanos(NaiveReader reader, int offset) {
    NaiveReader.Segment last =
        reader.segments().stream()
            .filter(each -> each.endOffset() == offset)
            .findFirst()
            .orElseThrow();
    if (!last.followed()) {
      return lastWrite(last);
    }
    if (offset == reader.size() && reader.lost().floorKey(offset) == null) {
      return last.milestoneNanos();
    }
    long earlier = last.spanFrom() + disorder;
    return earlier < last.milestoneNanos() ? earlier : last.spanTo() - disorder;
  }

  private void addLostTimes(SpanKind kind, long from, long to) {
    long least = Math.min(from, to) - disorder;
    long most = Math.max(from, to);
    add(LOST, kind, least, most == Long.MAX_VALUE ? most : most + disorder);
  }

  private static long plusOne(long nanos) {
    return nanos == Long.MAX_VALUE ? nanos : nanos + 1;
  }

  private void add(List<SpanKind> order, SpanKind kind, long from, long to) {
    boolean missing = order.equals(LOST);
    add((missing ? 20 : 10) + order.indexOf(kind), kind, missing, from, to);
  }

  private void add(int priority, SpanKind kind, boolean missing, long from, long to) {
    intervals.add(new Interval(priority, kind, missing, from, to));
  }

  /** Returns the number of strays of the segments that may have events of the range. */
  public long strays() {
    return strays;
  }

  /** Returns the spans of the range. */
  public List<Span> spans() {
    TreeSet<Long> cuts = new TreeSet<>();
    for (Interval each : intervals) {
      cuts.add(clip(each.from()));
      cuts.add(clip(each.to()));
    }
    List<Span> spans = new ArrayList<>();
    for (long from : cuts) {
      Long to = cuts.higher(from);
      if (to != null) {
        Interval top = top(from);
        Span last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
        if (last != null && last.kind() == top.kind() && last.missing() == top.missing()) {
          spans.set(spans.size() - 1, new Span(top.kind(), top.missing(), last.fromNanos(), to));
        } else {
          spans.add(new Span(top.kind(), top.missing(), from, to));
        }
      }
    }
    return spans;
  }

  private long clip(long nanos) {
    return Math.max(range.fromNanos(), Math.min(range.toNanos(), nanos));
  }

  private Interval top(long nanos) {
    Interval top = intervals.get(0);
    for (Interval each : intervals) {
      if (each.from() <= nanos && nanos < each.to() && each.priority() >= top.priority()) {
        top = each;
      }
    }
    return top;
  }
}
