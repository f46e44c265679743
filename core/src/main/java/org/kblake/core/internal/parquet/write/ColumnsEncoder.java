package org.kblake.core.internal.parquet.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.read.Levels;
import org.kblake.core.internal.parquet.read.ListLevels;
import org.kblake.core.internal.parquet.read.ScalarLevels;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * Encodes the ten columns of a row group, one after the other. A constant column is detected first,
 * by a comparison of its array with itself shifted by one element.
 */
final class ColumnsEncoder {

  private final EventFileSchema schema;
  private final WriteProfile profile;
  private final ChannelChunkEncoder channels;
  private final NumberChunkEncoder numbers;
  private final TextChunkEncoder texts;
  private final StrayChunkEncoder strays;
  private long[] wide = new long[0];
  private int[] textStarts = new int[0];

  ColumnsEncoder(EventFileSchema schema, WriteProfile profile) {
    this.schema = schema;
    this.profile = profile;
    channels = new ChannelChunkEncoder(profile, schema);
    numbers = new NumberChunkEncoder(profile, schema);
    texts = new TextChunkEncoder(profile, schema);
    strays = new StrayChunkEncoder(profile, schema);
  }

  boolean isFor(EventFileSchema otherSchema, WriteProfile otherProfile) {
    return schema.equals(otherSchema) && profile.equals(otherProfile);
  }

  EventFileSchema schema() {
    return schema;
  }

  /** Appends every column of the rows. */
  List<EncodedColumn> encode(
      EventColumns rows, List<String> names, int[] starts, int[] pageRows, ByteOutput out) {
    List<EncodedColumn> encoded = new ArrayList<>(EventColumn.count());
    encoded.add(channels.encode(names, starts, pageRows, out));
    encoded.add(numbers.encode(EventColumn.TIME, rows.timeNanos, pageRows, pageRows, null, out));
    encoded.add(value(rows, pageRows, out));
    encoded.add(bytes(EventColumn.STATE, rows.state, rows.count, pageRows, out));
    encoded.add(bytes(EventColumn.SEVERITY, rows.severity, rows.count, pageRows, out));
    encoded.add(status(rows, pageRows, out));
    encoded.add(strays.encode(rows.stray, constant(rows.stray, rows.count), pageRows, out));
    encoded.add(ints(EventColumn.SEGMENT, rows.segment, rows.count, pageRows, out));
    encoded.add(lateness(rows, pageRows, out));
    encoded.add(ints(EventColumn.TIE, rows.tie, rows.count, pageRows, out));
    return encoded;
  }

  private EncodedColumn value(EventColumns rows, int[] pageRows, ByteOutput out) {
    if (rows.waveform()) {
      Levels levels = new ListLevels(rows, pageRows);
      return rows.type() == ValueType.STRING
          ? texts.encode(rows.text, rows.textStarts, pageRows, levels, out)
          : numbers.encode(
              EventColumn.VALUE, rows.values, levels.valueStarts(), pageRows, levels, out);
    }
    boolean everyRow = rows.state[0] == EventState.VALUE_CODE && constant(rows.state, rows.count);
    if (rows.type() == ValueType.STRING) {
      Levels levels = new ScalarLevels(rows, pageRows);
      int[] textsOfValues = everyRow ? rows.textStarts : textStartsOfValues(rows);
      return texts.encode(rows.text, textsOfValues, pageRows, levels, out);
    }
    if (everyRow && constant(rows.values, rows.count)) {
      return numbers.encodeConstant(EventColumn.VALUE, rows.values[0], pageRows, out);
    }
    Levels levels = new ScalarLevels(rows, pageRows);
    long[] values = everyRow ? rows.values : numbersOfValues(rows);
    return numbers.encode(EventColumn.VALUE, values, levels.valueStarts(), pageRows, levels, out);
  }

  private long[] numbersOfValues(EventColumns rows) {
    ensureWide(rows.count);
    int at = 0;
    for (int row = 0; row < rows.count; row++) {
      wide[at] = rows.values[row];
      at += rows.state[row] == EventState.VALUE_CODE ? 1 : 0;
    }
    return wide;
  }

  /** Returns the starts of the texts of rows with a value. Other rows have no bytes of text. */
  private int[] textStartsOfValues(EventColumns rows) {
    if (textStarts.length < rows.count + 1) {
      textStarts = new int[rows.count + 1];
    }
    int at = 0;
    for (int row = 0; row < rows.count; row++) {
      textStarts[at] = rows.textStarts[row];
      at += rows.state[row] == EventState.VALUE_CODE ? 1 : 0;
    }
    textStarts[at] = rows.textStarts[rows.count];
    return textStarts;
  }

  private EncodedColumn bytes(
      EventColumn column, byte[] values, int count, int[] pageRows, ByteOutput out) {
    if (constant(values, count)) {
      return numbers.encodeConstant(column, values[0], pageRows, out);
    }
    ensureWide(count);
    for (int i = 0; i < count; i++) {
      wide[i] = values[i];
    }
    return numbers.encode(column, wide, pageRows, pageRows, null, out);
  }

  private EncodedColumn status(EventColumns rows, int[] pageRows, ByteOutput out) {
    if (Arrays.mismatch(rows.status, 0, rows.count - 1, rows.status, 1, rows.count) < 0) {
      int value = Short.toUnsignedInt(rows.status[0]);
      return numbers.encodeConstant(EventColumn.STATUS, value, pageRows, out);
    }
    ensureWide(rows.count);
    for (int i = 0; i < rows.count; i++) {
      wide[i] = Short.toUnsignedInt(rows.status[i]);
    }
    return numbers.encode(EventColumn.STATUS, wide, pageRows, pageRows, null, out);
  }

  private EncodedColumn ints(
      EventColumn column, int[] values, int count, int[] pageRows, ByteOutput out) {
    if (Arrays.mismatch(values, 0, count - 1, values, 1, count) < 0) {
      return numbers.encodeConstant(column, values[0], pageRows, out);
    }
    ensureWide(count);
    for (int i = 0; i < count; i++) {
      wide[i] = values[i];
    }
    return numbers.encode(column, wide, pageRows, pageRows, null, out);
  }

  private EncodedColumn lateness(EventColumns rows, int[] pageRows, ByteOutput out) {
    if (constant(rows.latenessNanos, rows.count)) {
      return numbers.encodeConstant(EventColumn.LATENESS, rows.latenessNanos[0], pageRows, out);
    }
    return numbers.encode(EventColumn.LATENESS, rows.latenessNanos, pageRows, pageRows, null, out);
  }

  private static boolean constant(byte[] values, int count) {
    return Arrays.mismatch(values, 0, count - 1, values, 1, count) < 0;
  }

  private static boolean constant(long[] values, int count) {
    return Arrays.mismatch(values, 0, count - 1, values, 1, count) < 0;
  }

  private void ensureWide(int count) {
    if (wide.length < count) {
      wide = new long[count];
    }
  }
}
