package org.kblake.query.internal.pair;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockSummary;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.catalog.GroupPairs;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.catalog.PairSnapshotCache;
import org.kblake.query.internal.catalog.RecordTableCache;
import org.kblake.query.internal.catalog.StoredSpan;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.question.Source;

/**
 * Finds, for one question, the ranges of a pair's log and their sources. Blocks that are damaged,
 * or not of the archive's present pair, are reported and not used again. Not thread safe.
 */
public final class PairResolver {

  private final PairSnapshotCache logs;
  private final RecordTableCache recordTables;
  private final Source source;
  private final TimeRange range;
  private final long disorderBoundNanos;
  private final Consumer<String> notes;
  private final Set<Path> excluded = new HashSet<>();

  /** The spans of blocks that are not of the archive's present pairs: the block and the number. */
  private final Set<List<Object>> ofOthers = new HashSet<>();

  /** The errors of damaged blocks, by the blocks' directories. */
  private final Map<Path, CorruptBlockException> damaged = new HashMap<>();

  /** Whether a removed block left a gap. */
  private boolean lostBlock;

  private final List<CorruptBlockException> unopened;
  private final MissingRanges missing;

  /** The contents of pairs by stamp. Cleared when a block is excluded. */
  private final Map<String, PairContent> known = new HashMap<>();

  /**
   * @param groupPairs the group's pairs
   * @param report the report on the range of the question, which receives notes
   */
  public PairResolver(
      PairSnapshotCache logs,
      RecordTableCache recordTables,
      Source source,
      GroupPairs groupPairs,
      CoverageBuilder report) {
    this.logs = logs;
    this.recordTables = recordTables;
    this.source = source;
    range = report.range();
    disorderBoundNanos = report.disorderBoundNanos();
    this.unopened = groupPairs.unopened();
    missing = new MissingRanges(source, disorderBoundNanos, groupPairs.unlisted());
    notes = report;
  }

  /** Returns the range of the question. */
  public TimeRange range() {
    return range;
  }

  /** Returns the source of the question. */
  public Source source() {
    return source;
  }

  /** Excludes a block from this question, and reports why. */
  public void exclude(Path block, String why) {
    known.clear();
    if (excluded.add(block)) {
      notes.accept(why);
    }
  }

  /**
   * Returns whether a listed block was removed, and no log stands for it. Its events may be in
   * another block now.
   */
  public boolean hasLostBlock() {
    return lostBlock;
  }

  /** Returns the ranges of a pair. */
  public PairContent of(PairSlot slot) throws IOException {
    PairContent content = known.get(slot.stamp());
    if (content == null) {
      content = look(slot);
      known.put(slot.stamp(), content);
    }
    return content;
  }

  private PairContent look(PairSlot slot) throws IOException {
    PairSnapshotCache.Entry entry = null;
    PairRange.Missing reason = null;
    Pair pair = slot.pair();
    if (source == Source.STORE) {
      reason = missing.of(slot, SpanKind.UNAVAILABLE, slot.logPath(), "not in the store");
    } else if (pair == null) {
      reason =
          missing.of(
              slot, SpanKind.UNAVAILABLE, slot.logPath(), "the archive does not have the pair");
    } else {
      try {
        entry = logs.open(pair, source == Source.AUTO);
      } catch (UnavailableException e) {
        reason = missing.of(slot, SpanKind.UNAVAILABLE, Path.of(e.file()), text(e));
        PairSnapshotCache.Entry copied = source == Source.AUTO ? logs.openCopy(pair) : null;
        if (copied != null) {
          return withCopy(slot, copied, reason);
        }
      } catch (TooNewException e) {
        reason = missing.of(slot, SpanKind.UNAVAILABLE, Path.of(e.file()), text(e));
      } catch (CorruptLogException e) {
        reason = missing.of(slot, SpanKind.DAMAGED, Path.of(e.file()), text(e));
      } catch (PendingPairException e) {
        reason = missing.of(slot, SpanKind.PENDING, pair.indexPath(), text(e));
      }
    }
    if (entry != null) {
      return withLog(slot, entry);
    }
    for (CorruptBlockException problem : unopened) {
      for (LogPosition end : Store.endsOf(problem)) {
        reason = end.stamp().equals(slot.stamp()) ? missing.damaged(reason, problem) : reason;
      }
    }
    return withoutLog(slot, reason);
  }

  private static String text(IOException e) {
    return String.valueOf(e.getMessage());
  }

  /**
   * Returns the time of the milestone after a segment. The span of a segment ends at the later of
   * its two milestones, and begins at the earlier one.
   */
  private long nextMilestoneNanos(StoredSegment segment) {
    long earlier = EpochNanos.plus(segment.spanFromNanos(), disorderBoundNanos);
    return earlier < segment.milestoneNanos()
        ? earlier
        : EpochNanos.minus(segment.spanToNanos(), disorderBoundNanos);
  }

  private PairContent withLog(PairSlot slot, PairSnapshotCache.Entry entry) throws IOException {
    PairLog log = entry.log();
    LogRanges found = pairRanges(slot, entry);
    List<PairRange> pairRanges = found.pairRanges();
    PairSnapshotCache.Shortened copied = entry.shortened();
    if (copied != null) {
      PairRange.Missing lost = missing.of(slot, SpanKind.DAMAGED, slot.logPath(), copied.text());
      pairRanges = CopyRanges.of(log, copied.archived(), slot, pairRanges, lost, missing);
    }
    missing.addUnseen(pairRanges, slot, log);
    addUnlisted(pairRanges, slot, log);
    return content(slot, log, found.closedAtOffset(), pairRanges);
  }

  /**
   * Returns the content of a pair of which only the mirror's copy can be read. For the bytes that
   * the copy lacks, the archive's error is reported. The last segment of the copy may continue, so
   * nothing after its milestone is known.
   */
  private PairContent withCopy(
      PairSlot slot, PairSnapshotCache.Entry entry, PairRange.Missing reason) throws IOException {
    PairLog log = entry.log();
    LogRanges found = pairRanges(slot, entry);
    List<PairRange> pairRanges =
        CopyRanges.of(log, null, slot, found.pairRanges(), reason, missing);
    if (!log.closed()) {
      long from = nanos(log, log.milestones().count() - 1, slot.beginNanos());
      missing.addBetween(pairRanges, reason, Math.min(from, slot.endNanos()), slot.endNanos());
    }
    addUnlisted(pairRanges, slot, log);
    return content(slot, log, found.closedAtOffset(), pairRanges);
  }

  static long nanos(PairLog log, int milestone, long otherwise) {
    return milestone < 0 ? otherwise : log.milestones().nanos(milestone);
  }

  private static PairContent content(
      PairSlot slot, PairLog log, long closedAtOffset, List<PairRange> pairRanges) {
    return new PairContent(
        slot, log, log.records(), log.milestoneIntervalNanos(), closedAtOffset, pairRanges);
  }

  /** Returns the ranges of the log, as far as it is known. */
  private LogRanges pairRanges(PairSlot slot, PairSnapshotCache.Entry entry) throws IOException {
    PairLog log = entry.log();
    LogRanges pairRanges = new LogRanges(slot, log, missing);
    StoredSpan last = null;
    for (StoredSpan stored : slot.stored()) {
      PairRange.Stored pairRange =
          isUsable(stored, entry, pairRanges.reachedOffset()) ? pairRange(stored, log) : null;
      if (pairRange != null) {
        pairRanges.add(pairRange, stored.logSpan());
        last = stored;
      }
    }
    boolean shorter = pairRanges.isShorterThanColumns();
    if (shorter) {
      notes.accept(pairRanges.shorter() + "; the columns are read");
    }
    PairSnapshotCache.Shortened copied = entry.shortened();
    if (copied != null && copied.whole() && copied.longer() == log) {
      notes.accept(copied.text() + "; the copy is read");
      copied = null;
    }
    boolean reached = shorter || copied != null && pairRanges.reachedOffset() >= log.logBytes();
    pairRanges.end(reached && last != null && endsPair(last), copied);
    return pairRanges;
  }

  /** Returns whether a block is known to have the end of its pair. */
  private boolean endsPair(StoredSpan stored) throws IOException {
    try {
      return recordTables.of(stored).closedAtOffset() == stored.logSpan().toOffset();
    } catch (CorruptBlockException e) {
      // The reader of the block reports the error.
      return false;
    }
  }

  /**
   * Returns whether a segment of the index begins at an offset, or the log is shorter. The log may
   * end inside the milestone with which the segment begins.
   */
  private static boolean isBoundary(PairLog log, long offset) {
    return offset >= log.logBytes()
        || log.milestones().indexOfOffset(offset) >= 0
        || log.behindEnd().milestones().indexOfOffset(offset) >= 0;
  }

  private boolean isUsable(StoredSpan stored, PairSnapshotCache.Entry entry, long next)
      throws IOException {
    Path directory = stored.block().directory();
    if (excluded.contains(directory)) {
      return false;
    }
    try {
      if (!entry.isImaged(stored)) {
        ignore(
            stored,
            "block is of another pair than the archive's, it is ignored: block="
                + directory
                + ", log="
                + entry.log().pair().logPath());
        return false;
      }
    } catch (CorruptBlockException e) {
      excludeCorrupt(directory, e, entry.log().onlyCopy() == null);
      return false;
    } catch (UnavailableException e) {
      // The pair cannot be read any more, so nothing contradicts the block.
      return stored.logSpan().fromOffset() >= next;
    }
    if (stored.logSpan().fromOffset() < next
        || !isBoundary(entry.log(), stored.logSpan().fromOffset())
        || !isBoundary(entry.log(), stored.logSpan().toOffset())) {
      ignore(
          stored,
          "block does not fit the milestones of the archive's index, it is ignored: block="
              + directory
              + ", index="
              + entry.log().pair().indexPath());
      return false;
    }
    return true;
  }

  /** Reports a span of a block once. The other spans of the block are of other pairs. */
  private void ignore(StoredSpan stored, String why) {
    if (ofOthers.add(List.of(stored.block().directory(), stored.number()))) {
      notes.accept(why);
    }
  }

  /**
   * Excludes a damaged block. A block that was only removed is not reported.
   *
   * @param haveLog whether the raw log is read instead
   */
  public void excludeCorrupt(Path block, CorruptBlockException e, boolean haveLog) {
    if (!Files.notExists(block)) {
      damaged.putIfAbsent(block, e);
      exclude(
          block,
          text(e) + (haveLog ? "; the raw log is read instead" : "; its events are missing"));
    } else {
      known.clear();
      excluded.add(block);
      lostBlock |= !haveLog;
    }
  }

  /**
   * @param log null if the raw log cannot be read
   */
  private PairRange.@Nullable Stored pairRange(StoredSpan stored, @Nullable PairLog log)
      throws IOException {
    Block block = stored.block();
    if (block.spans().size() == 1 && !mayHoldRange(stored, log)) {
      // The segments of the block need not be read.
      return new PairRange.Stored(block, 0, block.summary().segments());
    }
    try {
      int from = block.firstSegment(stored.number());
      int to = block.firstSegment(stored.number() + 1);
      // Segments that are damaged or removed must be found here, and not later in the plan.
      block.segments(from, to);
      return new PairRange.Stored(block, from, to);
    } catch (CorruptBlockException e) {
      excludeCorrupt(stored.block().directory(), e, log != null && log.onlyCopy() == null);
      return null;
    }
  }

  /**
   * Returns whether a block may have events of the range, by its own summary or by the index's
   * milestones at its ends. If the summary leaves a segment out, only the index has its times.
   */
  private boolean mayHoldRange(StoredSpan stored, @Nullable PairLog log) {
    BlockSummary summary = stored.block().summary();
    if (range.meets(summary.spanFromNanos(), summary.spanToNanos())) {
      return true;
    }
    if (log == null) {
      return false;
    }
    Milestones milestones = log.milestones();
    int first = milestones.indexOfOffset(stored.logSpan().fromOffset());
    int end = milestones.indexOfOffset(stored.logSpan().toOffset());
    TimeRange times =
        EpochNanos.around(
            nanos(log, first, summary.spanFromNanos()),
            nanos(log, end, Long.MAX_VALUE),
            disorderBoundNanos);
    return range.meets(times.fromNanos(), times.toNanos());
  }

  private PairContent withoutLog(PairSlot slot, PairRange.@Nullable Missing reason)
      throws IOException {
    List<PairRange> pairRanges = new ArrayList<>();
    RecordTable records = null;
    long interval = 0;
    long offset = 0;
    long knownToNanos = slot.beginNanos();
    long writtenToNanos = slot.beginNanos();
    long closedAtOffset = Long.MAX_VALUE;
    PairRange.Missing gap = reason;
    boolean joined = false;
    for (StoredSpan stored : slot.stored()) {
      Block block = stored.block();
      Path directory = block.directory();
      if (excluded.contains(directory)) {
        gap = damagedOf(directory, gap);
        continue;
      }
      try {
        if (records == null) {
          records = recordTables.records(stored);
        }
        RecordTableCache.Known pair = recordTables.of(stored);
        PairRange.Stored pairRange = pairRange(stored, null);
        if (pairRange == null) {
          gap = damagedOf(directory, gap);
          continue;
        }
        StoredSegment first = block.segment(pairRange.fromSegment());
        if (stored.logSpan().fromOffset() > offset) {
          missing.addBetween(pairRanges, gap, knownToNanos, first.milestoneNanos());
        }
        pairRanges.add(pairRange);
        gap = reason;
        offset = stored.logSpan().toOffset();
        StoredSegment last = block.segment(pairRange.toSegment() - 1);
        knownToNanos = pair.losesEndOf(last) ? last.milestoneNanos() : nextMilestoneNanos(last);
        writtenToNanos = Math.max(last.milestoneNanos(), last.lastNanos());
        closedAtOffset = pair.closedAtOffset();
        joined = stored.number() + 1 < block.spans().size();
        interval = pair.intervalNanos();
      } catch (CorruptBlockException e) {
        excludeCorrupt(directory, e, false);
        gap = damagedOf(directory, gap);
      }
    }
    if (offset < closedAtOffset) {
      missing.addBetween(pairRanges, gap, knownToNanos, slot.endNanos());
    } else if (!joined) {
      missing.addUnlisted(pairRanges, slot, writtenToNanos);
    }
    return new PairContent(slot, null, records, interval, closedAtOffset, pairRanges);
  }

  private void addUnlisted(List<PairRange> pairRanges, PairSlot slot, PairLog log) {
    if (log.closed()) {
      missing.addUnlisted(
          pairRanges, slot, nanos(log, log.milestones().count() - 1, slot.beginNanos()));
    }
  }

  private PairRange.@Nullable Missing damagedOf(Path block, PairRange.@Nullable Missing elsewhere) {
    CorruptBlockException problem = damaged.get(block);
    return problem == null ? elsewhere : missing.damaged(elsewhere, problem);
  }
}
