package org.kblake.query.internal.source;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.plan.GroupRead.PlannedRange;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.plan.RangeAccount;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.plan.Replanning;
import org.kblake.query.internal.plan.StoredRange;

/**
 * The events of one group in log order: range after range, and what becomes of each told to the
 * coverage report.
 *
 * <p>A block that cannot be read to its end, because it is damaged or was replaced meanwhile, has
 * its segments planned once more without it. What stands for it gives the same events in the same
 * order, so as many rows as were given already are skipped.
 */
public final class GroupSource extends DelegatedRuns {

  private final GroupRead groupRead;
  private final Planner planner;
  private final RangeAccount account;
  private final Replanning replanning;
  private final @Nullable ChunkReaders readers;
  private final Deque<PlannedRange> ranges;

  private @Nullable PlannedRange readRange;
  private @Nullable EventRuns source;
  private long rangeRows;

  /** The ranges next in turn, this one included, that stand for one that failed. */
  private int standIns;

  /** Rows of the stand-ins that were given before. */
  private long passOver;

  private int skipped;

  /** Events of which order keys may be asked. */
  public GroupSource(GroupRead groupRead, Planner planner) {
    this(groupRead, planner, null);
  }

  /**
   * @param readers for events of which no order keys will be asked; null if they may be
   */
  public GroupSource(GroupRead groupRead, Planner planner, @Nullable ChunkReaders readers) {
    this.groupRead = groupRead;
    this.readers = readers;
    this.planner = planner;
    account = new RangeAccount(groupRead.report(), groupRead.channels());
    replanning = new Replanning(groupRead, planner);
    ranges = groupRead.queue();
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      PlannedRange current = readRange;
      if (current == null) {
        current = ranges.poll();
        if (current == null) {
          return false;
        }
        readRange = current;
        rangeRows = 0;
      }
      try {
        EventRuns open = source;
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
        if (current.readRange() instanceof StoredRange stored) {
          account.report(current, RangeAccount.coverage(stored, current));
        }
        endRange();
      } catch (CorruptBlockException | NoSuchFileException e) {
        replace(current, e);
      } catch (UnavailableException e) {
        giveUp(current, e);
      }
    }
  }

  /** Whether the run has rows that were not given before. */
  private boolean take(EventRuns open) {
    int rows = open.to() - open.from();
    skipped = (int) Math.min(passOver, rows);
    passOver -= skipped;
    rangeRows += rows;
    return skipped < rows;
  }

  private EventRuns open(PlannedRange planned) throws IOException {
    ReadRange wanted = planned.readRange();
    if (wanted instanceof StoredRange stored) {
      return StoredSource.open(
          new StoredSource.BlockRead(
              stored, groupRead.range(), groupRead.strays(), groupRead.group()),
          planned.channels(),
          planned.records(),
          readers);
    }
    if (wanted instanceof RawRange raw) {
      return new RawSource(
          RawSource.LogRead.of(raw, groupRead.range(), groupRead.strays()),
          planned.channels(),
          groupRead.group(),
          segment -> account.report(planned, List.of(RangeAccount.coverage(segment, raw))));
    }
    throw new IllegalStateException("unknown range: " + wanted);
  }

  private void replace(PlannedRange failed, IOException e) throws IOException {
    close();
    passOver += rangeRows;
    List<PlannedRange> instead = replanning.instead(failed, e, passOver > 0);
    for (int i = instead.size() - 1; i >= 0; i--) {
      ranges.addFirst(instead.get(i));
    }
    standIns = Math.max(standIns, 1) + instead.size();
    endRange();
  }

  /** What lies behind the last stand-in was not given before. */
  private void endRange() {
    readRange = null;
    standIns = Math.max(0, standIns - 1);
    if (standIns == 0) {
      passOver = 0;
    }
  }

  /**
   * The rest of a raw range cannot be read any more. If rows of that rest were given before, it is
   * not known how many rows of the next stand-ins were: these are left out.
   */
  private void giveUp(PlannedRange failed, UnavailableException e) throws IOException {
    close();
    if (!(failed.readRange() instanceof RawRange raw)) {
      throw e;
    }
    account.unavailable(raw, planner.timesOf(raw), e);
    while (passOver > 0 && standIns > 1) {
      account.leftOut(planner.timesOf(ranges.remove().readRange()), e);
      standIns--;
    }
    endRange();
  }

  @Override
  EventRuns source() {
    EventRuns open = source;
    if (open == null) {
      throw new IllegalStateException("no run");
    }
    return open;
  }

  @Override
  public int from() {
    return source().from() + skipped;
  }

  @Override
  public void close() throws IOException {
    EventRuns open = source;
    source = null;
    if (open != null) {
      open.close();
    }
  }
}
