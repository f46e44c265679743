package org.kblake.hbase.export;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeRange;
import org.kblake.hbase.cell.StretchCells;
import org.kblake.hbase.destination.Stretch;
import org.kblake.hbase.stop.StopRequest;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.CoverageReport;

/**
 * Reads stretches into memory. A stretch that has no room is divided. Those behind it are divided
 * in the same way, until there is room for twice as long a stretch.
 */
final class StretchReader {

  /** A shorter stretch is not divided: its events are one burst, or strays of a segment. */
  private static final long SHORTEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ArchiveReader archive;
  private final ExportQuestion question;
  private final long memoryBytes;

  /** A stretch that was read. */
  record Read(Stretch stretch, StretchCells cells, CoverageReport coverage) {}

  /** Takes stretches as they are read. */
  @FunctionalInterface
  interface Consumer {
    void take(Read read) throws IOException, InterruptedException;
  }

  /** Learns of bytes of log that were read. */
  @FunctionalInterface
  interface Listener {
    void read(long bytes, long events);
  }

  StretchReader(ArchiveReader archive, ExportQuestion question, long memoryBytes) {
    this.archive = archive;
    this.question = question;
    this.memoryBytes = memoryBytes;
  }

  /** Reads all of a list of stretches of a group, whole or divided. */
  void read(List<Stretch> stretches, Consumer consumer, Listener listener)
      throws IOException, InterruptedException {
    Deque<Stretch> left = new ArrayDeque<>(stretches);
    long longest = Long.MAX_VALUE;
    for (Stretch next = left.poll(); next != null; next = left.poll()) {
      long nanos = next.range().toNanos() - next.range().fromNanos();
      Read read = nanos > longest ? null : read(next, listener);
      if (read != null) {
        consumer.take(read);
        longest = longest > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * Math.max(longest, nanos);
      } else {
        long middle = next.range().fromNanos() + nanos / 2;
        left.push(next.in(new TimeRange(middle, next.range().toNanos())));
        left.push(next.in(new TimeRange(next.range().fromNanos(), middle)));
        longest = Math.min(longest, Math.max(nanos - nanos / 2, SHORTEST_NANOS));
      }
    }
  }

  /** Returns a stretch, or null if there is no room for it. */
  private @Nullable Read read(Stretch stretch, Listener listener)
      throws IOException, InterruptedException {
    boolean divisible = stretch.range().toNanos() - stretch.range().fromNanos() > SHORTEST_NANOS;
    StretchCells cells = new StretchCells(memoryBytes);
    try (EventCursor events = archive.cursor(question.events(stretch))) {
      List<Channel> channels = events.channels();
      long bytes = 0;
      while (events.next()) {
        Channel channel = channels.get(events.channel());
        EventColumns columns = events.columns();
        for (int row = events.from(); row < events.to(); row++) {
          cells.add(channel, columns, row, events.segment(row));
        }
        if (divisible && !cells.hasRoom()) {
          return null;
        }
        StopRequest.check();
        long now = events.bytesRead();
        listener.read(now - bytes, events.to() - events.from());
        bytes = now;
      }
      return new Read(stretch, cells, events.coverage());
    }
  }
}
