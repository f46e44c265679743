package org.kblake.query.internal.reading;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.query.answer.LogSegment;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.plan.StoredRange;
import org.kblake.query.internal.source.AheadSource;
import org.kblake.query.internal.source.AnswerPosition;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.internal.source.OrderedRows;
import org.kblake.query.internal.source.PlaceLostException;
import org.kblake.query.internal.source.RawReadAhead;
import org.kblake.query.internal.source.RawSource;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.internal.source.StoredSource;
import org.kblake.query.internal.source.WantedEvents;

/**
 * The events of one group in log order, range after range. The result of each range goes to the
 * coverage report.
 *
 * <p>If a block cannot be read to its end, because it is damaged or was replaced in the meantime,
 * its segments are planned again without it. The new ranges have the same events in the same order,
 * so the rows that were already returned are skipped.
 */
public final class GroupSource extends OrderedRows {

  private final Reading reading;
  private final ChunkReaders readers;
  private final RowOrder order;
  private final Deque<PlannedRange> ranges;
  private final @Nullable RawReadAhead ahead;

  private @Nullable PlannedRange readRange;
  private @Nullable OrderedRows source;
  private long rangeRows;
  private long bytesTaken;

  /** The rows that were returned. */
  private long returnedRows;

  /** The last range that was begun. */
  private @Nullable ReadRange begun;

  /** The rows that were returned before those of the last range; negative after a resumption. */
  private long rowsBeforeRange;

  /** The number of ranges, from the present one on, that replace a failed one. */
  private int replacements;

  /** The number of rows of the replacing ranges that were returned before. */
  private long rowsToSkip;

  /**
   * @param readers the readers of blocks; those with order keys if order keys are needed
   */
  GroupSource(Reading reading, ChunkReaders readers, RowOrder order) {
    this.reading = reading;
    this.order = order;
    this.readers = readers;
    ranges = new ArrayDeque<>(reading.ranges());
    ahead = RawReadAhead.of(reading.wanted(), ranges, reading.shared().threads());
  }

  /**
   * @throws PlaceLostException if a block fails after some of its events were returned in another
   *     order than that of the log
   */
  @Override
  public boolean next() throws IOException {
    while (true) {
      Interruption.check();
      PlannedRange current = readRange;
      if (current == null) {
        current = ranges.poll();
        if (current == null) {
          return false;
        }
        readRange = current;
        rangeRows = 0;
        begun = current.readRange();
        rowsBeforeRange = returnedRows - rowsToSkip;
        reading.times().begin(reading.report().bytesRead());
      }
      try {
        OrderedRows open = source;
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
        closeRange();
        if (current.readRange() instanceof StoredRange stored) {
          reading.report(current, RangeCoverage.of(stored, current));
        }
        endRange();
      } catch (CorruptBlockException | NoSuchFileException e) {
        replace(current, e);
      } catch (UnavailableException e) {
        reportUnread(current, e);
      }
    }
  }

  /** Returns whether the next rows have some that were not returned before. */
  private boolean take(EventRows open) {
    int rows = open.to() - open.from();
    int skipped = (int) Math.min(rowsToSkip, rows);
    rowsToSkip -= skipped;
    rangeRows += rows;
    returnedRows += rows - skipped;
    return moveTo(open, skipped);
  }

  /**
   * Leaves out the first rows, which are in the first ranges.
   *
   * @param rows the number of rows
   * @param inRanges the number of ranges that have them
   */
  public void skip(long rows, int inRanges) {
    rowsToSkip = rows;
    replacements = inRanges;
  }

  /** The place is known only if it is in the last range that was begun. */
  @Override
  public AnswerPosition.@Nullable Point position(int group, long rows) throws IOException {
    ReadRange range = begun;
    if (range == null || group != reading.wanted().group() || rows < rowsBeforeRange) {
      return null;
    }
    return new AnswerPosition.Point(
        range.pair().stamp(), range.beginOffset(), rows - rowsBeforeRange);
  }

  private OrderedRows open(PlannedRange planned) throws IOException {
    ReadRange range = planned.readRange();
    WantedEvents wanted = reading.wanted();
    if (range instanceof StoredRange stored) {
      return StoredSource.open(
          new StoredSource.BlockRead(stored, wanted, reading.shared().groups()),
          planned.channels(),
          planned.records(),
          readers,
          order);
    }
    if (range instanceof RawRange raw) {
      Consumer<Segment> report =
          segment -> reading.report(planned, List.of(RangeCoverage.of(segment, raw)));
      RawReadAhead present = ahead;
      return present != null && present.divides(planned)
          ? new AheadSource(present, planned, report)
          : new RawSource(raw, wanted, planned.channels(), report);
    }
    throw new IllegalStateException("unknown range: " + range);
  }

  private void replace(PlannedRange failed, IOException e) throws IOException {
    boolean inOrder = isInLogOrder();
    closeRange();
    if (!inOrder && rangeRows > 0) {
      throw new PlaceLostException(String.valueOf(e.getMessage()));
    }
    rowsToSkip += rangeRows;
    List<PlannedRange> instead = reading.instead(failed, e, rowsToSkip > 0);
    for (int i = instead.size() - 1; i >= 0; i--) {
      ranges.addFirst(instead.get(i));
    }
    replacements = Math.max(replacements, 1) + instead.size();
    endRange();
  }

  /** Ends the present range. Rows after the last replacing range were not returned before. */
  private void endRange() {
    PlannedRange ended = readRange;
    if (ended != null) {
      reading.times().end(ended.readRange() instanceof StoredRange, reading.report().bytesRead());
    }
    readRange = null;
    replacements = Math.max(0, replacements - 1);
    if (replacements == 0) {
      rowsToSkip = 0;
    }
  }

  /**
   * Reports the rest of a raw range, which cannot be read any more. If rows of this rest were
   * returned before, it is unknown how many of them are in the next replacing ranges. So these
   * ranges are left out.
   */
  private void reportUnread(PlannedRange failed, UnavailableException e) throws IOException {
    closeRange();
    if (!(failed.readRange() instanceof RawRange raw)) {
      throw e;
    }
    reading.reportUnread(raw, e);
    while (rowsToSkip > 0 && replacements > 1) {
      PlannedRange left = ranges.remove();
      if (ahead != null) {
        ahead.drop(left);
      }
      reading.reportLeftOut(left, e);
      replacements--;
    }
    endRange();
  }

  /** Order keys of a pair are offsets in its log, apart from the number of the pair. */
  @Override
  public @Nullable LogSegment segment(int row) throws IOException {
    PlannedRange current = readRange;
    return current == null
        ? null
        : new LogSegment(current.readRange().pair().stamp(), orderKey(row) & PairSlot.OFFSET_MASK);
  }

  /** Returns the bytes of log that were read since the last call. */
  public long takeBytesRead() {
    long bytes = reading.report().bytesRead();
    long taken = bytes - bytesTaken;
    bytesTaken = bytes;
    return taken;
  }

  @Override
  public boolean isInLogOrder() {
    OrderedRows open = source;
    return open == null || open.isInLogOrder();
  }

  @Override
  public long orderKey(int row) throws IOException {
    return Objects.requireNonNull(source).orderKey(row);
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(this::closeRange, ahead);
  }

  private void closeRange() throws IOException {
    EventRows open = source;
    source = null;
    if (open != null) {
      open.close();
    }
  }
}
