package org.kblake.query;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.CorruptLogException;
import org.kblake.core.log.LogCopy;
import org.kblake.core.log.Milestones;
import org.kblake.core.log.Pair;
import org.kblake.core.log.PairLog;
import org.kblake.core.log.PendingPairException;
import org.kblake.core.log.RecordTable;
import org.kblake.core.log.TooNewException;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.Block;
import org.kblake.core.store.BlockFacts;
import org.kblake.core.store.CorruptBlockException;
import org.kblake.core.store.LogPosition;
import org.kblake.core.store.Store;
import org.kblake.core.store.StoredSegment;
import org.kblake.core.store.Stretch;

/**
 * Finds out, for one question, where each part of a pair's log can be read. Blocks that turn out to
 * be damaged, or not of the archive's present pair, are named and not used again. Not thread safe.
 */
final class PairContents {

  private static final long STAMP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PairLogs logs;
  private final StoredPairs storedPairs;
  private final ArchiveSettings settings;
  private final Source source;
  private final TimeRange range;
  private final Consumer<String> notes;
  private final Set<Path> distrusted = new HashSet<>();

  /** What is wrong with blocks that cannot be believed, by the blocks' directories. */
  private final Map<Path, CorruptBlockException> damaged = new HashMap<>();

  private final List<CorruptBlockException> unopened;
  private final @Nullable UnavailableException unlisted;

  /** By stamp what was found out, as long as no block disappoints. */
  private final Map<String, PairContent> known = new HashMap<>();

  /**
   * @param range what the question is about
   * @param history the group's pairs
   */
  PairContents(
      PairLogs logs,
      StoredPairs storedPairs,
      ArchiveSettings settings,
      Source source,
      TimeRange range,
      GroupHistory history,
      Consumer<String> notes) {
    this.logs = logs;
    this.storedPairs = storedPairs;
    this.range = range;
    this.settings = settings;
    this.source = source;
    this.unopened = history.unopened();
    this.unlisted = history.unlisted();
    this.notes = notes;
  }

  Source source() {
    return source;
  }

  /** Takes a block out of use for this question, and says why. */
  void distrust(Path block, String why) {
    known.clear();
    if (distrusted.add(block)) {
      notes.accept(why);
    }
  }

  PairContent of(PairSlot slot) throws IOException {
    PairContent content = known.get(slot.stamp());
    if (content == null) {
      content = look(slot);
      known.put(slot.stamp(), content);
    }
    return content;
  }

  private PairContent look(PairSlot slot) throws IOException {
    PairLogs.Entry entry = null;
    Piece.Missing reason = null;
    Pair pair = slot.pair();
    if (source == Source.STORE) {
      reason = missing(slot, SpanKind.UNAVAILABLE, slot.logPath(), "not in the store");
    } else if (pair == null) {
      reason =
          missing(slot, SpanKind.UNAVAILABLE, slot.logPath(), "the archive does not have the pair");
    } else {
      try {
        entry = logs.open(pair, source == Source.AUTO);
      } catch (UnavailableException e) {
        reason = missing(slot, SpanKind.UNAVAILABLE, Path.of(e.file()), text(e));
        PairLogs.Entry copied = source == Source.AUTO ? logs.openCopy(pair) : null;
        if (copied != null) {
          return withCopy(slot, copied, reason);
        }
      } catch (TooNewException e) {
        reason = missing(slot, SpanKind.UNAVAILABLE, Path.of(e.file()), text(e));
      } catch (CorruptLogException e) {
        reason = missing(slot, SpanKind.DAMAGED, Path.of(e.file()), text(e));
      } catch (PendingPairException e) {
        reason = missing(slot, SpanKind.PENDING, pair.indexPath(), text(e));
      }
    }
    if (entry != null) {
      return withLog(slot, entry);
    }
    for (CorruptBlockException problem : unopened) {
      for (LogPosition end : Store.endsOf(problem)) {
        reason = end.stamp().equals(slot.stamp()) ? damaged(reason, problem) : reason;
      }
    }
    return withoutLog(slot, reason);
  }

  /** Why events are missing whose block is damaged, and cannot be read elsewhere. */
  private Piece.@Nullable Missing damaged(
      Piece.@Nullable Missing elsewhere, CorruptBlockException problem) {
    if (elsewhere == null || elsewhere.detail().contains(text(problem))) {
      return elsewhere;
    }
    return source == Source.STORE
        ? new Piece.Missing(SpanKind.DAMAGED, elsewhere.times(), problem.file(), text(problem))
        : new Piece.Missing(
            elsewhere.kind(),
            elsewhere.times(),
            elsewhere.file(),
            elsewhere.detail() + "; " + text(problem));
  }

  private static String text(IOException e) {
    return String.valueOf(e.getMessage());
  }

  private Piece.Missing missing(PairSlot slot, SpanKind kind, Path file, String detail) {
    return new Piece.Missing(kind, widened(slot.beginNanos(), slot.endNanos()), file, detail);
  }

  /**
   * The times between two, in any order since clocks are set back; events lie out of order by as
   * much as the bound.
   */
  private TimeRange widened(long nanos, long otherNanos) {
    long bound = settings.disorderBoundNanos();
    return new TimeRange(
        EpochNanos.minus(Math.min(nanos, otherNanos), bound),
        EpochNanos.plus(Math.max(nanos, otherNanos), bound));
  }

  /** The time of the milestone behind a segment: either end of its span is one of the two. */
  private long nextMilestoneNanos(StoredSegment segment) {
    long bound = settings.disorderBoundNanos();
    long earlier = EpochNanos.plus(segment.spanFromNanos(), bound);
    return earlier < segment.milestoneNanos()
        ? earlier
        : EpochNanos.minus(segment.spanToNanos(), bound);
  }

  private PairContent withLog(PairSlot slot, PairLogs.Entry entry) throws IOException {
    PairLog log = entry.log();
    List<Piece> pieces = pieces(slot, entry);
    addUnseen(pieces, slot, log);
    addUnlisted(pieces, slot, log);
    return content(slot, log, pieces);
  }

  /**
   * As far as the mirror has the pair; of what it has not, the archive's reason is told. Its last
   * segment may go on: so nothing behind its milestone is known.
   */
  private PairContent withCopy(PairSlot slot, PairLogs.Entry entry, Piece.Missing reason)
      throws IOException {
    PairLog log = entry.log();
    LogCopy copy = log.onlyCopy();
    List<Piece> pieces = new ArrayList<>();
    for (Piece piece : pieces(slot, entry)) {
      if (copy != null && piece instanceof Piece.Raw raw && raw.fromOffset() < copy.fromOffset()) {
        long held = Math.min(raw.toOffset(), milestoneAt(log, copy.fromOffset()));
        long from = nanos(log, log.milestones().lastUpTo(raw.fromOffset()), slot.beginNanos());
        long to = nanos(log, log.milestones().indexOfOffset(held), slot.endNanos());
        addMissing(pieces, reason, Math.min(from, to), Math.max(from, to));
        if (held < raw.toOffset()) {
          pieces.add(new Piece.Raw(log, held, raw.toOffset()));
        }
      } else {
        pieces.add(piece);
      }
    }
    if (!log.closed()) {
      long from = nanos(log, log.milestones().count() - 1, slot.beginNanos());
      addMissing(pieces, reason, Math.min(from, slot.endNanos()), slot.endNanos());
    }
    addUnlisted(pieces, slot, log);
    return content(slot, log, pieces);
  }

  /** The first milestone at or behind an offset, or the end of the log. */
  private static long milestoneAt(PairLog log, long offset) {
    Milestones milestones = log.milestones();
    int before = milestones.lastUpTo(offset);
    int at = before >= 0 && milestones.offset(before) == offset ? before : before + 1;
    return at < milestones.count() ? milestones.offset(at) : log.logBytes();
  }

  private static long nanos(PairLog log, int milestone, long otherwise) {
    return milestone < 0 ? otherwise : log.milestones().nanos(milestone);
  }

  private static PairContent content(PairSlot slot, PairLog log, List<Piece> pieces) {
    return new PairContent(
        slot,
        log,
        log.records(),
        log.milestoneIntervalNanos(),
        log.closed() ? log.logBytes() : Long.MAX_VALUE,
        pieces);
  }

  /** The whole log, as far as it is known. */
  private List<Piece> pieces(PairSlot slot, PairLogs.Entry entry) throws IOException {
    PairLog log = entry.log();
    List<Piece> pieces = new ArrayList<>();
    long next = 0;
    for (StoredStretch stored : slot.stored()) {
      Stretch stretch = stored.stretch();
      Piece.Stored piece = isUsable(stored, entry, next) ? piece(stored, true) : null;
      if (piece != null) {
        if (stretch.fromOffset() > next) {
          pieces.add(new Piece.Raw(log, next, stretch.fromOffset()));
        }
        pieces.add(piece);
        next = stretch.toOffset();
      }
    }
    if (next < log.logBytes()) {
      pieces.add(new Piece.Raw(log, next, log.logBytes()));
    }
    return pieces;
  }

  /** Over a network, the next pair may be seen before all of this one is. */
  private void addUnseen(List<Piece> pieces, PairSlot slot, PairLog log) {
    if (log.closed() || log.growing() || !log.provisional()) {
      return;
    }
    int milestones = log.milestones().count();
    long from = milestones == 0 ? slot.beginNanos() : log.milestones().nanos(milestones - 1);
    pieces.add(
        new Piece.Missing(
            SpanKind.PENDING,
            widened(Math.min(from, slot.endNanos()), slot.endNanos()),
            slot.logPath(),
            "the end of the pair may not be seen yet: pair=" + log.pair()));
  }

  /** Whether a segment of the index begins at an offset, or the log is not that long. */
  private static boolean isBoundary(PairLog log, long offset) {
    return offset >= log.logBytes() || log.milestones().indexOfOffset(offset) >= 0;
  }

  private boolean isUsable(StoredStretch stored, PairLogs.Entry entry, long next)
      throws IOException {
    Path directory = stored.block().directory();
    if (distrusted.contains(directory)) {
      return false;
    }
    try {
      if (!entry.isImaged(stored)) {
        distrust(
            directory,
            "block is of another pair than the archive has now, it is ignored: block="
                + directory
                + ", log="
                + entry.log().pair().logPath());
        return false;
      }
    } catch (CorruptBlockException e) {
      distrustCorrupt(directory, e, true);
      return false;
    } catch (UnavailableException e) {
      // the pair cannot be looked at any more, so nothing speaks against the block
      return stored.stretch().fromOffset() >= next;
    }
    if (stored.stretch().fromOffset() < next
        || !isBoundary(entry.log(), stored.stretch().fromOffset())
        || !isBoundary(entry.log(), stored.stretch().toOffset())) {
      distrust(
          directory,
          "block does not fit the milestones of the archive's index, it is ignored: block="
              + directory
              + ", index="
              + entry.log().pair().indexPath());
      return false;
    }
    return true;
  }

  /**
   * Takes a damaged block out of use; one that is merely gone is said nothing of.
   *
   * @param haveLog whether the raw log is read instead
   */
  void distrustCorrupt(Path block, CorruptBlockException e, boolean haveLog) {
    if (Files.isDirectory(block)) {
      damaged.putIfAbsent(block, e);
      distrust(
          block,
          text(e) + (haveLog ? "; the raw log is read instead" : "; its events are left out"));
    } else {
      known.clear();
      distrusted.add(block);
    }
  }

  private Piece.@Nullable Stored piece(StoredStretch stored, boolean haveLog) throws IOException {
    Block block = stored.block();
    BlockFacts facts = block.facts();
    if (block.stretches().size() == 1 && !range.meets(facts.spanFromNanos(), facts.spanToNanos())) {
      // not asked for: its segments need not be read to know that
      return new Piece.Stored(block, 0, facts.segments());
    }
    try {
      int from = block.firstSegment(stored.number());
      int to = block.firstSegment(stored.number() + 1);
      // Whoever goes on to plan with them must not be the first to find them damaged, or gone.
      block.segments(from, to);
      return new Piece.Stored(block, from, to);
    } catch (CorruptBlockException e) {
      distrustCorrupt(stored.block().directory(), e, haveLog);
      return null;
    }
  }

  private PairContent withoutLog(PairSlot slot, Piece.@Nullable Missing reason) throws IOException {
    List<Piece> pieces = new ArrayList<>();
    RecordTable records = null;
    long interval = 0;
    long offset = 0;
    long knownToNanos = slot.beginNanos();
    long writtenToNanos = slot.beginNanos();
    long closedAtOffset = Long.MAX_VALUE;
    Piece.Missing gap = reason;
    boolean joined = false;
    for (StoredStretch stretch : slot.stored()) {
      Block block = stretch.block();
      Path directory = block.directory();
      if (distrusted.contains(directory)) {
        gap = damagedOf(directory, gap);
        continue;
      }
      try {
        StoredPairs.Known pair = storedPairs.of(stretch, records == null);
        if (records == null) {
          records = pair.records();
        }
        Piece.Stored piece = piece(stretch, false);
        if (piece == null) {
          gap = damagedOf(directory, gap);
          continue;
        }
        StoredSegment first = block.segment(piece.fromSegment());
        if (stretch.stretch().fromOffset() > offset) {
          addMissing(pieces, gap, knownToNanos, first.milestoneNanos());
        }
        pieces.add(piece);
        gap = reason;
        offset = stretch.stretch().toOffset();
        StoredSegment last = block.segment(piece.toSegment() - 1);
        knownToNanos = nextMilestoneNanos(last);
        writtenToNanos = Math.max(last.milestoneNanos(), last.lastNanos());
        closedAtOffset = pair.closedAtOffset();
        joined = stretch.number() + 1 < block.stretches().size();
        interval = pair.intervalNanos();
      } catch (CorruptBlockException e) {
        distrustCorrupt(directory, e, false);
        gap = damagedOf(directory, gap);
      }
    }
    if (offset < closedAtOffset) {
      addMissing(pieces, gap, knownToNanos, slot.endNanos());
    } else if (!joined) {
      addUnlisted(pieces, slot, writtenToNanos);
    }
    return new PairContent(slot, null, records, interval, closedAtOffset, pieces);
  }

  private void addUnlisted(List<Piece> pieces, PairSlot slot, PairLog log) {
    if (log.closed()) {
      addUnlisted(pieces, slot, nanos(log, log.milestones().count() - 1, slot.beginNanos()));
    }
  }

  /**
   * Behind a pair, where the archive cannot be listed, there may be others of which nobody knows.
   * There are none where a block goes on in the next pair, and none within a second, since no two
   * have the same stamp.
   *
   * @param fromNanos when the pair was last written to
   */
  private void addUnlisted(List<Piece> pieces, PairSlot slot, long fromNanos) {
    UnavailableException why = unlisted;
    if (why != null && EpochNanos.minus(slot.endNanos(), fromNanos) >= STAMP_NANOS) {
      pieces.add(
          new Piece.Missing(
              SpanKind.UNAVAILABLE,
              new TimeRange(fromNanos, slot.endNanos()),
              Path.of(why.file()),
              text(why)));
    }
  }

  private Piece.@Nullable Missing damagedOf(Path block, Piece.@Nullable Missing elsewhere) {
    CorruptBlockException problem = damaged.get(block);
    return problem == null ? elsewhere : damaged(elsewhere, problem);
  }

  private void addMissing(
      List<Piece> pieces, Piece.@Nullable Missing reason, long fromNanos, long toNanos) {
    if (reason != null) {
      pieces.add(
          new Piece.Missing(
              reason.kind(), widened(fromNanos, toNanos), reason.file(), reason.detail()));
    }
  }
}
