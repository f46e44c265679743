package org.kblake.cli.command.get;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.kblake.format.table.WideColumn;
import org.kblake.query.TrendReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.Aggregate;

/**
 * A column of a table of aggregates. Numbers of events are int64, severities uint8, times
 * timestamps, means and seconds float64. First, last, least and greatest values have the type of
 * the channel.
 */
final class TrendColumn {

  private final FieldVector vector;
  private final Aggregate aggregate;

  /** The values that the column can have; null if it has no values of channels. */
  private final @Nullable WideColumn values;

  private TrendColumn(FieldVector vector, Aggregate aggregate) {
    this.vector = vector;
    this.aggregate = aggregate;
    values = aggregate.isValue() ? WideColumn.of(vector, 0) : null;
  }

  /**
   * @param values the type of the channels' values
   */
  static TrendColumn of(
      String name, Aggregate aggregate, ChannelInfo values, BufferAllocator allocator) {
    Field field =
        aggregate.isValue()
            ? WideColumn.field(name, values)
            : Field.nullable(name, type(aggregate));
    return new TrendColumn(field.createVector(allocator), aggregate);
  }

  private static ArrowType type(Aggregate aggregate) {
    return switch (aggregate) {
      case COUNT, NAN -> new ArrowType.Int(Long.SIZE, true);
      case SEVERITY -> new ArrowType.Int(Byte.SIZE, false);
      case FIRST_TIME, LAST_TIME, MIN_TIME, MAX_TIME ->
          new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC");
      case MEAN, STD, TIME_MEAN, KNOWN, FIRST, LAST, MIN, MAX ->
          new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    };
  }

  FieldVector vector() {
    return vector;
  }

  /** Sets the cell of the next row. */
  void set(int row, TrendReader trend, int channel) {
    WideColumn cells = values;
    if (cells == null) {
      setFigure(row, trend, channel);
      return;
    }
    if (!trend.has(channel, aggregate)) {
      cells.setNull(row);
    } else if (trend.isNumber(channel)) {
      cells.set(row, trend.number(channel, aggregate));
    } else {
      cells.set(row, trend.columns(channel, aggregate), 0);
    }
  }

  /** Leaves the cell of the next row empty. */
  void setNull(int row) {
    WideColumn cells = values;
    if (cells != null) {
      cells.setNull(row);
      return;
    }
    while (vector.getValueCapacity() <= row) {
      vector.reAlloc();
    }
    vector.setNull(row);
  }

  private void setFigure(int row, TrendReader trend, int channel) {
    if (!trend.has(channel, aggregate)) {
      setNull(row);
    } else if (vector instanceof Float8Vector numbers) {
      numbers.setSafe(row, trend.number(channel, aggregate));
    } else if (vector instanceof TimeStampNanoTZVector times) {
      times.setSafe(row, trend.integer(channel, aggregate));
    } else if (vector instanceof UInt1Vector severities) {
      severities.setSafe(row, (int) trend.integer(channel, aggregate));
    } else {
      ((BigIntVector) vector).setSafe(row, trend.integer(channel, aggregate));
    }
  }
}
