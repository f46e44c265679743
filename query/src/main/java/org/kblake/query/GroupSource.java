package org.kblake.query;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Damage;
import org.kblake.core.log.PairLog;
import org.kblake.core.log.Segment;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.Block;
import org.kblake.core.store.CorruptBlockException;
import org.kblake.core.store.EventColumns;
import org.kblake.core.store.StoredSegment;
import org.kblake.query.Answer.PlannedLeg;

/**
 * The events of one group in log order: leg after leg, and what becomes of each told to the
 * coverage report.
 *
 * <p>A block that cannot be read to its end, because it is damaged or was replaced meanwhile, has
 * its segments planned once more without it. What stands for it gives the same events in the same
 * order, so as many rows as were given already are passed over.
 */
final class GroupSource implements RunSource {

  /** Blocks may be replaced while they are read, but hardly that often. */
  private static final int MOST_REPLANS = 100;

  private final Answer answer;
  private final Planner planner;
  private final CoverageBuilder report;
  private final Deque<PlannedLeg> legs;

  private @Nullable PlannedLeg leg;
  private @Nullable RunSource source;
  private long legRows;
  private long passOver;
  private int skipped;
  private int replans;

  GroupSource(Answer answer, Planner planner) {
    this.answer = answer;
    this.planner = planner;
    report = answer.report();
    legs = answer.queue();
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      PlannedLeg current = leg;
      if (current == null) {
        current = legs.poll();
        if (current == null) {
          return false;
        }
        leg = current;
        legRows = 0;
      }
      try {
        RunSource open = source;
        if (open == null) {
          open = open(current);
          source = open;
        }
        if (open.next()) {
          if (take(open)) {
            return true;
          }
          continue;
        }
        close();
        if (current.leg() instanceof StoredLeg stored) {
          account(stored, current);
        }
        leg = null;
      } catch (CorruptBlockException | NoSuchFileException e) {
        replace(current, e);
      } catch (UnavailableException e) {
        giveUp(current, e);
      }
    }
  }

  /** Whether the run has rows that were not given before. */
  private boolean take(RunSource open) {
    int rows = open.to() - open.from();
    skipped = (int) Math.min(passOver, rows);
    passOver -= skipped;
    legRows += rows;
    return skipped < rows;
  }

  private RunSource open(PlannedLeg planned) throws IOException {
    Leg wanted = planned.leg();
    if (wanted instanceof StoredLeg stored) {
      return StoredSource.open(
          new StoredSource.Request(
              stored.block(),
              stored.fromSegment(),
              stored.toSegment(),
              answer.range(),
              answer.strays(),
              answer.group()),
          planned.channels(),
          planned.records());
    }
    if (wanted instanceof RawLeg raw) {
      return new RawSource(
          raw,
          planned.channels(),
          answer.range(),
          answer.strays(),
          answer.group(),
          segment -> account(segment, raw, planned));
    }
    throw new IllegalStateException("no such leg: " + wanted);
  }

  private void account(Segment segment, RawLeg raw, PlannedLeg planned) {
    PairLog log = raw.log();
    long damagedBytes = 0;
    StringBuilder damage = new StringBuilder();
    for (Damage found : segment.damage()) {
      damagedBytes += found.kind() == Damage.Kind.CUT ? 0 : found.bytes();
      damage.append(damage.isEmpty() ? "" : "; ").append(found);
    }
    boolean last = segment.endOffset() >= log.logBytes();
    tell(
        planned,
        new SegmentFacts(
            segment.startOffset(),
            segment.endOffset(),
            segment.milestoneNanos(),
            segment.spanFromNanos(),
            segment.spanToNanos(),
            segment.firstNanos(),
            segment.lastNanos(),
            segment.strays(),
            damagedBytes,
            damage.toString(),
            last,
            last && log.growing()));
  }

  private void account(StoredLeg stored, PlannedLeg planned) throws IOException {
    List<StoredSegment> segments = stored.block().segments();
    StoredDamageNotes damage = new StoredDamageNotes(stored);
    for (int i = stored.fromSegment(); i < stored.toSegment(); i++) {
      StoredSegment segment = segments.get(i);
      tell(
          planned,
          new SegmentFacts(
              segment.startOffset(),
              segment.endOffset(),
              segment.milestoneNanos(),
              segment.spanFromNanos(),
              segment.spanToNanos(),
              segment.firstNanos(),
              segment.lastNanos(),
              segment.strays(),
              segment.damagedBytes(),
              damage.of(i, segment.damagedBytes() > 0),
              segment.endOffset() >= planned.content().closedAtOffset(),
              false));
    }
  }

  private void tell(PlannedLeg planned, SegmentFacts facts) {
    report.segment(
        planned.leg().pair(),
        facts,
        planned.content().intervalNanos(),
        planned.absent(),
        planned.absent().size() == answer.channels());
  }

  /** Plans the leg's segments once more, without the block that failed. */
  private void replace(PlannedLeg failed, IOException e) throws IOException {
    close();
    if (!(failed.leg() instanceof StoredLeg stored) || ++replans > MOST_REPLANS) {
      throw e;
    }
    Block block = stored.block();
    Path directory = block.directory();
    CorruptBlockException corrupt =
        e instanceof CorruptBlockException known
            ? known
            : new CorruptBlockException(directory, 0, "no file " + e.getMessage(), "a whole block");
    answer.contents().distrustCorrupt(directory, corrupt);
    List<StoredSegment> segments = block.segments();
    long from = segments.get(stored.fromSegment()).startOffset();
    long to = segments.get(stored.toSegment() - 1).endOffset();
    List<PlannedLeg> instead = new ArrayList<>();
    PairContent content = planner.again(answer, stored.pair(), Files.isDirectory(directory));
    for (Leg other : Planner.legs(content, answer.range(), from, to)) {
      instead.add(failed.with(other, content));
    }
    for (Piece piece : content.pieces()) {
      if (piece instanceof Piece.Missing missing) {
        noteMissing(missing, segments.subList(stored.fromSegment(), stored.toSegment()));
      }
    }
    for (int i = instead.size() - 1; i >= 0; i--) {
      legs.addFirst(instead.get(i));
    }
    passOver += legRows;
    leg = null;
  }

  /** Of the block's segments those are missing that lie in what can be read nowhere else. */
  private void noteMissing(Piece.Missing missing, List<StoredSegment> segments) {
    for (StoredSegment segment : segments) {
      if (missing.times().meets(segment.spanFromNanos(), segment.spanToNanos())) {
        report.missing(
            missing.kind(),
            new TimeRange(segment.spanFromNanos(), segment.spanToNanos()),
            missing.file(),
            0,
            missing.detail());
      }
    }
  }

  /** The rest of a raw leg cannot be read any more. */
  private void giveUp(PlannedLeg failed, UnavailableException e) throws IOException {
    close();
    if (!(failed.leg() instanceof RawLeg raw)) {
      throw e;
    }
    report.missing(
        SpanKind.UNAVAILABLE,
        planner.timesOf(raw),
        Path.of(e.file()),
        raw.toOffset() - raw.fromOffset(),
        String.valueOf(e.getMessage()));
    leg = null;
  }

  private RunSource source() {
    RunSource open = source;
    if (open == null) {
      throw new IllegalStateException("no run");
    }
    return open;
  }

  @Override
  public EventColumns columns() {
    return source().columns();
  }

  @Override
  public int from() {
    return source().from() + skipped;
  }

  @Override
  public int to() {
    return source().to();
  }

  @Override
  public int channel() {
    return source().channel();
  }

  @Override
  public int group() {
    return answer.group();
  }

  @Override
  public void close() throws IOException {
    RunSource open = source;
    source = null;
    if (open != null) {
      open.close();
    }
  }
}
