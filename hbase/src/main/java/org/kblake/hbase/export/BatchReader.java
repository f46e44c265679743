package org.kblake.hbase.export;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeRange;
import org.kblake.hbase.cell.BatchCells;
import org.kblake.hbase.destination.ExportBatch;
import org.kblake.hbase.stop.StopRequest;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.LogSegment;

/**
 * Reads batches into memory. A batch that has no room is divided. Those behind it are divided in
 * the same way, until there is room for twice as long a batch. Behind a batch without events
 * several are read at once, twice as many each time: each read opens the last log before it.
 *
 * <p>A segment that meets two batches is read twice. Its strays have times outside of both. They
 * belong to the first one, so that each is exported once.
 */
final class BatchReader {

  /** A shorter batch is not divided: its events are one burst, or strays of a segment. */
  private static final long SHORTEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ArchiveReader archive;
  private final ExportQuestion question;
  private final long memoryBytes;

  /**
   * What was read.
   *
   * @param batches one batch, or several adjoining ones without events
   */
  record Read(List<ExportBatch> batches, BatchCells cells, CoverageReport coverage) {

    /** Returns the batches as one batch. */
    ExportBatch batch() {
      return joined(batches);
    }
  }

  /** Takes batches as they are read. */
  @FunctionalInterface
  interface Consumer {
    void take(Read read) throws IOException, InterruptedException;
  }

  /** Learns of bytes of log that were read. Both are negative if they will be read again. */
  @FunctionalInterface
  interface Listener {
    void read(long bytes, long events);
  }

  BatchReader(ArchiveReader archive, ExportQuestion question, long memoryBytes) {
    this.archive = archive;
    this.question = question;
    this.memoryBytes = memoryBytes;
  }

  /** Reads all of a list of batches of a group, whole or divided. */
  void read(List<ExportBatch> batches, Consumer consumer, Listener listener)
      throws IOException, InterruptedException {
    Deque<ExportBatch> left = new ArrayDeque<>(batches);
    long longest = Long.MAX_VALUE;
    int atOnce = 1;
    Set<LogSegment> taken = new HashSet<>();
    while (!left.isEmpty()) {
      List<ExportBatch> several = left.stream().limit(atOnce).toList();
      Read nothing = several.size() == 1 ? null : readNothing(several);
      if (nothing != null) {
        several.forEach(each -> left.remove());
        consumer.take(nothing);
        atOnce = 2 * several.size();
        continue;
      }
      ExportBatch next = left.remove();
      long nanos = next.range().toNanos() - next.range().fromNanos();
      Read read = nanos > longest ? null : read(next, taken, listener);
      if (read != null) {
        consumer.take(read);
        atOnce = read.cells().cells() == 0 ? 2 : 1;
        longest = longest > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * Math.max(longest, nanos);
      } else {
        long middle = next.range().fromNanos() + nanos / 2;
        left.push(next.in(new TimeRange(middle, next.range().toNanos())));
        left.push(next.in(new TimeRange(next.range().fromNanos(), middle)));
        longest = Math.min(longest, Math.max(nanos - nanos / 2, SHORTEST_NANOS));
      }
    }
  }

  /** Reads adjoining batches at once. Returns null if they have events. */
  private @Nullable Read readNothing(List<ExportBatch> several) throws IOException {
    try (EventCursor events = archive.cursor(question.events(joined(several)))) {
      return events.next()
          ? null
          : new Read(several, new BatchCells(memoryBytes), events.coverage());
    }
  }

  private static ExportBatch joined(List<ExportBatch> several) {
    ExportBatch first = several.get(0);
    TimeRange last = several.get(several.size() - 1).range();
    return first.in(new TimeRange(first.range().fromNanos(), last.toNanos()));
  }

  /**
   * Returns a batch, or null if there is no room for it.
   *
   * @param taken the segments whose strays were read with earlier batches; those of this one are
   *     added
   */
  private @Nullable Read read(ExportBatch batch, Set<LogSegment> taken, Listener listener)
      throws IOException, InterruptedException {
    boolean divisible = batch.range().toNanos() - batch.range().fromNanos() > SHORTEST_NANOS;
    BatchCells cells = new BatchCells(memoryBytes);
    try (EventCursor events = archive.cursor(question.events(batch))) {
      List<Channel> channels = events.channels();
      long bytes = 0;
      long rows = 0;
      Set<LogSegment> met = new HashSet<>();
      while (events.next()) {
        Channel channel = channels.get(events.channel());
        EventColumns columns = events.columns();
        long before = cells.cells(channel);
        for (int row = events.from(); row < events.to(); row++) {
          LogSegment segment = events.segment(row);
          if (columns.stray[row] == 0 || !taken.contains(segment)) {
            cells.add(channel, columns, row, segment);
          }
          if (columns.stray[row] != 0) {
            met.add(segment);
          }
        }
        long added = cells.cells(channel) - before;
        if (divisible && !cells.hasRoom()) {
          listener.read(-bytes, -rows);
          return null;
        }
        StopRequest.check();
        long now = events.bytesRead();
        listener.read(now - bytes, added);
        bytes = now;
        rows += added;
      }
      taken.addAll(met);
      return new Read(List.of(batch), cells, events.coverage());
    }
  }
}
