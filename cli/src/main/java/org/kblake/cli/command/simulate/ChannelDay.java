package org.kblake.cli.command.simulate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventReader;
import org.kblake.query.arrow.EventSchema;
import org.kblake.query.question.EventQuery;

/** The events of a numeric channel in a range: their number, and the first events. */
final class ChannelDay {

  private static final int FIRST_ROWS = 5;

  private final List<Row> firstRows = new ArrayList<>();
  private long events;

  /** A value event. */
  record Row(long timeNanos, double value) {}

  private ChannelDay() {}

  /** Reads the range of a numeric channel as doubles. */
  static ChannelDay read(ArchiveReader archive, EventQuery query) throws IOException {
    ChannelDay day = new ChannelDay();
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
      if (firstRows.size() < FIRST_ROWS && !values.isNull(row)) {
        firstRows.add(new Row(times.get(row), values.get(row)));
      }
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
}
