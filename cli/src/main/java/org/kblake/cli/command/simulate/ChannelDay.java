package org.kblake.cli.command.simulate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventReader;
import org.kblake.query.arrow.EventSchema;
import org.kblake.query.question.EventQuery;

/**
 * The events of a numeric channel in a range: their number, the first events, and the means in bins
 * of equal length.
 */
final class ChannelDay {

  private static final int FIRST_ROWS = 5;

  private final TimeRange range;
  private final double[] sums;
  private final long[] counts;
  private final List<Row> firstRows = new ArrayList<>();
  private long events;

  /** A value event. */
  record Row(long timeNanos, double value) {}

  private ChannelDay(TimeRange range, int bins) {
    this.range = range;
    sums = new double[bins];
    counts = new long[bins];
  }

  /** Reads the range of a numeric channel as doubles. */
  static ChannelDay read(ArchiveReader archive, EventQuery query, int bins) throws IOException {
    ChannelDay day = new ChannelDay(query.range(), bins);
    try (BufferAllocator allocator = new RootAllocator();
        EventReader reader = archive.read(query.asDouble(), allocator)) {
      while (reader.loadNextBatch()) {
        day.add(reader.getVectorSchemaRoot());
      }
    }
    return day;
  }

  /**
   * Returns the time to read a range to its end, batch by batch.
   *
   * @return nanoseconds
   */
  static long nanosToRead(ArchiveReader archive, EventQuery query) throws IOException {
    long begin = System.nanoTime();
    try (BufferAllocator allocator = new RootAllocator();
        EventReader reader = archive.read(query, allocator)) {
      while (reader.loadNextBatch()) {
        // Each batch replaces the previous one
      }
    }
    return System.nanoTime() - begin;
  }

  private void add(VectorSchemaRoot batch) {
    TimeStampNanoTZVector times = (TimeStampNanoTZVector) batch.getVector(EventSchema.TIME);
    Float8Vector values = (Float8Vector) batch.getVector(EventSchema.VALUE);
    for (int row = 0; row < batch.getRowCount(); row++) {
      events++;
      if (!values.isNull(row)) {
        add(times.get(row), values.get(row));
      }
    }
  }

  private void add(long timeNanos, double value) {
    if (firstRows.size() < FIRST_ROWS) {
      firstRows.add(new Row(timeNanos, value));
    }
    if (Double.isFinite(value)) {
      double share =
          (double) (timeNanos - range.fromNanos()) / (range.toNanos() - range.fromNanos());
      int bin = Math.min(sums.length - 1, (int) (share * sums.length));
      sums[bin] += value;
      counts[bin]++;
    }
  }

  /** Returns the number of events of any state. */
  long events() {
    return events;
  }

  /** Returns the first value events. */
  List<Row> firstRows() {
    return firstRows;
  }

  /**
   * Returns the mean of each bin. A bin without an event has the value of the bin before it. Bins
   * before the first event are NaN.
   */
  double[] means() {
    double[] means = new double[sums.length];
    Arrays.fill(means, Double.NaN);
    double held = Double.NaN;
    for (int i = 0; i < means.length; i++) {
      held = counts[i] == 0 ? held : sums[i] / counts[i];
      means[i] = held;
    }
    return means;
  }
}
