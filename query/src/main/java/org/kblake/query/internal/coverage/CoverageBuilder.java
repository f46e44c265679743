package org.kblake.query.internal.coverage;

import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.log.FirstWrites;
import org.kblake.core.log.WriteTimes;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;

/**
 * Collects the results of a range in one group, in log order, and makes the report from them.
 *
 * <p>If a time has several results, as after a clock was set back, events that may be missing come
 * first, then answered times, then times without log.
 */
public final class CoverageBuilder implements Consumer<String> {

  private static final int MAX_NOTES = 1000;

  private final Group group;
  private TimeRange range;
  private final long disorderBoundNanos;

  private final List<CoverageSpan> answered = new ArrayList<>();
  private final List<CoverageSpan> missing = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private long strays;
  private long backwardSteps;
  private final AtomicLong bytesRead = new AtomicLong();

  private long recordedFromNanos = Long.MIN_VALUE;
  private long pendingFromNanos = Long.MAX_VALUE;
  private @Nullable Path newestLog;

  private final FirstWrites firstWrites = new FirstWrites();

  private @Nullable OpenSpan open;

  /** The previous segment, and its pair. */
  private @Nullable SegmentCoverage previous;

  private @Nullable PairSlot previousPair;

  /** A span that the next segment usually extends. A year has 50,000 segments. */
  private static final class OpenSpan {
    private final SpanKind kind;
    private final Path file;
    private final List<String> absent;
    private final long fromNanos;
    private long toNanos;
    private long bytes;

    OpenSpan(SpanKind kind, Path file, List<String> absent, long fromNanos, long toNanos) {
      this.kind = kind;
      this.file = file;
      this.absent = absent;
      this.fromNanos = fromNanos;
      this.toNanos = toNanos;
    }

    /** Returns whether a time has the same result as the span and adjoins it. */
    @SuppressWarnings(
        "ReferenceEquality") // mostly the same object; then the paths are not compared
    boolean isSame(SpanKind otherKind, Path otherFile, List<String> otherAbsent, long nanos) {
      return kind == otherKind
          && (file == otherFile || file.equals(otherFile))
          && absent.equals(otherAbsent)
          && nanos >= fromNanos
          && nanos <= toNanos;
    }
  }

  public CoverageBuilder(Group group, TimeRange range, long disorderBoundNanos) {
    this.group = group;
    this.range = range;
    this.disorderBoundNanos = disorderBoundNanos;
  }

  /** Returns the range of the report. */
  public TimeRange range() {
    return range;
  }

  /** Returns the most time by which events of the log are out of order. */
  public long disorderBoundNanos() {
    return disorderBoundNanos;
  }

  /** Restricts the report to the range from a time on. */
  public void onlyFrom(long nanos) {
    long from = Math.max(range.fromNanos(), Math.min(nanos, range.toNanos()));
    range = new TimeRange(from, range.toNanos());
  }

  /** Sets the time of the first write of the group's logs. */
  public void recordedFrom(long nanos) {
    recordedFromNanos = nanos;
  }

  /**
   * Sets the time of the first write of a pair that may meet the range, whether or not it is read.
   */
  public void begins(PairSlot pair, long nanos) {
    firstWrites.add(pair.stamp(), nanos);
  }

  /** Sets the time from which events may not be written yet. */
  public void pendingFrom(long nanos, @Nullable Path log) {
    if (nanos < pendingFromNanos) {
      pendingFromNanos = nanos;
      newestLog = log;
    }
  }

  /**
   * Adds a segment that was read. Segments are added in log order.
   *
   * @param intervalNanos the pair's milestone interval
   * @param absent requested channels that the pair does not have
   * @param none whether the pair has none of the requested channels
   */
  public void segment(
      PairSlot pair,
      SegmentCoverage coverage,
      long intervalNanos,
      List<String> absent,
      boolean none) {
    SpanKind kind = none ? SpanKind.NOT_RECORDED : SpanKind.ANSWERED;
    SegmentCoverage before = previous;
    PairSlot pairBefore = previousPair;
    if (before != null && pairBefore != null) {
      if (coverage.milestoneNanos() < before.milestoneNanos()) {
        backwardSteps++;
      }
      if (before.unwritten() && before.growing()) {
        unwritten(pairBefore, before, coverage.milestoneNanos());
      }
    }
    if (range.meets(coverage.spanFromNanos(), coverage.spanToNanos())) {
      strays += coverage.strays();
    }
    bytesRead.addAndGet(coverage.bytes());
    long from = coverage.milestoneNanos();
    long to = coverage.knownToNanos(disorderBoundNanos);
    long silence = WriteTimes.silenceNanos(intervalNanos);
    alive(kind, pair, from, from, coverage.bytes(), absent);
    WriteTimes.ofSegment(
        from,
        coverage.firstNanos(),
        coverage.lastNanos(),
        to,
        silence,
        (begin, end) -> alive(kind, pair, begin, end, 0, absent));
    if (coverage.last()) {
      Long next = firstWrites.ofAnother(pair.stamp(), to);
      if (next != null) {
        bridge(kind, pair, to, next, silence, absent);
      }
    }
    if (!coverage.damage().isEmpty()) {
      note(coverage.damage());
    }
    if (coverage.damagedBytes() > 0) {
      missing(
          SpanKind.DAMAGED,
          coverage.span(),
          pair.logPath(),
          coverage.damagedBytes(),
          coverage.damage());
    }
    if (coverage.growing()) {
      pendingFrom(to, pair.logPath());
    } else if (coverage.unwritten() && coverage.last()) {
      unwritten(pair, coverage, pair.endNanos());
    } else if (coverage.unwritten()) {
      unwritten(pair, coverage.span());
    }
    previous = coverage;
    previousPair = pair;
  }

  /** Reports a range that the log shows as unwritten, although later events may be returned. */
  private void unwritten(PairSlot pair, SegmentCoverage coverage, long untilNanos) {
    long from = EpochNanos.minus(coverage.knownToNanos(disorderBoundNanos), disorderBoundNanos);
    long until = EpochNanos.plus(untilNanos, disorderBoundNanos);
    unwritten(pair, new TimeRange(from, Math.max(from, until)));
  }

  private void unwritten(PairSlot pair, TimeRange times) {
    missing(
        SpanKind.PENDING,
        times,
        pair.logPath(),
        0,
        "a part of the pair is not written yet: pair=" + pair.group() + " " + pair.stamp());
  }

  /** Returns the bytes of log of the segments so far. For any thread. */
  public long bytesRead() {
    return bytesRead.get();
  }

  /** Adds the time from a pair's last write to the first write of another pair, if it is short. */
  private void bridge(
      SpanKind kind, PairSlot pair, long from, long to, long silenceNanos, List<String> absent) {
    if (EpochNanos.minus(to, from) <= silenceNanos) {
      alive(kind, pair, from, to, 0, absent);
    }
  }

  private void alive(
      SpanKind kind, PairSlot pair, long from, long to, long bytes, List<String> absent) {
    OpenSpan last = open;
    if (last == null || !last.isSame(kind, pair.logPath(), absent, from)) {
      if (last != null) {
        answered.add(span(last));
      }
      last = new OpenSpan(kind, pair.logPath(), absent, from, Math.max(from, to));
      open = last;
    }
    last.toNanos = Math.max(last.toNanos, to);
    last.bytes += bytes;
  }

  private CoverageSpan span(OpenSpan of) {
    return span(of.kind, of.fromNanos, of.toNanos, of.file, of.bytes, of.absent);
  }

  private CoverageSpan span(
      SpanKind kind, long from, long to, @Nullable Path file, long bytes, List<String> absent) {
    return new CoverageSpan(group, kind, new TimeRange(from, to), file, bytes, false, "", absent);
  }

  /** Adds times of which events may be missing. */
  public void missing(
      SpanKind kind, TimeRange times, @Nullable Path file, long bytes, String detail) {
    missing.add(new CoverageSpan(group, kind, times, file, bytes, true, detail, List.of()));
  }

  /** Adds the times of a range of a pair that cannot be read. */
  public void missing(PairRange.Missing range) {
    missing(range.kind(), range.times(), range.file(), 0, range.detail());
  }

  /** Adds a span of log that cannot be read. */
  public void unavailable(TimeRange times, long bytes, UnavailableException e) {
    missing(SpanKind.UNAVAILABLE, times, Path.of(e.file()), bytes, String.valueOf(e.getMessage()));
  }

  /** Returns whether events may be missing from what was read so far. */
  public boolean mayMiss() {
    return !missing.isEmpty();
  }

  /** Adds a note. */
  @Override
  public void accept(String line) {
    note(line);
  }

  /** Adds a line to the notes of the report. */
  public void note(String line) {
    if (notes.size() < MAX_NOTES) {
      notes.add(line);
    }
  }

  /** Returns the notes so far. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** Returns the report so far, also if the thread is interrupted. */
  public CoverageReport report() {
    try {
      return report(() -> {});
    } catch (InterruptedIOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the report so far. A million spans take seconds.
   *
   * @throws InterruptedIOException if the thread is interrupted
   */
  public CoverageReport stoppableReport() throws InterruptedIOException {
    return report(Interruption::check);
  }

  private CoverageReport report(SpanMap.Step step) throws InterruptedIOException {
    SpanMap map =
        new SpanMap(
            range,
            span(SpanKind.NOT_RECORDED, range.fromNanos(), range.toNanos(), null, 0, List.of()),
            step);
    map.cover(span(SpanKind.ARCHIVER_DOWN, recordedFromNanos, Long.MAX_VALUE, null, 0, List.of()));
    if (pendingFromNanos != Long.MAX_VALUE) {
      map.cover(span(SpanKind.PENDING, pendingFromNanos, Long.MAX_VALUE, newestLog, 0, List.of()));
    }
    cover(map, SpanKind.NOT_RECORDED);
    cover(map, SpanKind.ANSWERED);
    for (SpanKind kind : List.of(SpanKind.PENDING, SpanKind.DAMAGED, SpanKind.UNAVAILABLE)) {
      cover(map, missing, kind);
    }
    return new CoverageReport(range, map.spans(), strays, backwardSteps, notes());
  }

  private static void cover(SpanMap map, List<CoverageSpan> spans, SpanKind kind)
      throws InterruptedIOException {
    for (CoverageSpan span : spans) {
      if (span.kind() == kind) {
        map.cover(span);
      }
    }
  }

  private void cover(SpanMap map, SpanKind kind) throws InterruptedIOException {
    cover(map, answered, kind);
    OpenSpan last = open;
    if (last != null && last.kind == kind) {
      map.cover(span(last));
    }
  }

  /** Joins the reports of groups into the report of an answer. */
  public static CoverageReport join(TimeRange range, List<CoverageReport> ofGroups) {
    List<CoverageSpan> spans = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    long strays = 0;
    long backwardSteps = 0;
    for (CoverageReport report : ofGroups) {
      spans.addAll(report.spans());
      notes.addAll(report.notes());
      strays += report.strays();
      backwardSteps += report.backwardSteps();
    }
    return new CoverageReport(range, spans, strays, backwardSteps, notes);
  }
}
