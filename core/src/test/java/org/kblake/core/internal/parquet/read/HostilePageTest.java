package org.kblake.core.internal.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.ByteStreamSplit;
import org.kblake.core.internal.parquet.encoding.DeltaEncoding;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.write.ChunkStatistics;
import org.kblake.core.internal.parquet.write.ChunkWriter;
import org.kblake.core.internal.parquet.write.EncodingChoice;
import org.kblake.core.model.ValueType;

/**
 * Pages with a right checksum over an invalid body. Decoders must detect the errors that the
 * checksum cannot, and must not allocate by the counts in the bytes.
 */
class HostilePageTest {

  private static final EventPageReader READER = new EventPageReader();

  @ParameterizedTest
  @EnumSource
  void aRandomBodyIsAnErrorOrRows(ValueType type) throws IOException {
    long seed = Seeds.one("HostilePageTest " + type);
    Random random = new Random(seed);
    int found = 0;
    for (boolean waveform : new boolean[] {false, true}) {
      EventFileSchema schema = new EventFileSchema(type, waveform, false);
      for (ColumnEncoding encoding : encodings(type)) {
        for (int i = 0; i < 150; i++) {
          int rows = 1 + random.nextInt(random.nextBoolean() ? 4096 : 40);
          ByteOutput body = body(schema, encoding, rows, random);
          mutate(body, random);
          found += read(schema, encoding, rows, body, random) ? 0 : 1;
        }
      }
    }
    assertThat(found).as("bodies refused").isPositive();
  }

  private static List<ColumnEncoding> encodings(ValueType type) {
    return switch (type) {
      case STRING ->
          List.of(ColumnEncoding.PLAIN, ColumnEncoding.DICTIONARY, ColumnEncoding.DELTA_LENGTH);
      case FLOAT, DOUBLE ->
          List.of(
              ColumnEncoding.PLAIN, ColumnEncoding.DICTIONARY, ColumnEncoding.BYTE_STREAM_SPLIT);
      case SHORT, ENUM, CHAR, LONG ->
          List.of(ColumnEncoding.PLAIN, ColumnEncoding.DICTIONARY, ColumnEncoding.DELTA);
    };
  }

  /** Returns a valid body: levels and values of three distinct values. */
  private static ByteOutput body(
      EventFileSchema schema, ColumnEncoding encoding, int rows, Random random) {
    ByteOutput body = new ByteOutput(64);
    int[] ones = new int[rows];
    Arrays.fill(ones, 1);
    if (schema.waveform()) {
      int[] twos = new int[rows];
      Arrays.fill(twos, 2);
      ScalarLevels.put(new int[rows], rows, 1, body);
      ScalarLevels.put(twos, rows, 2, body);
    } else {
      ScalarLevels.put(ones, rows, 1, body);
    }
    long[] values = new long[rows];
    int[] indices = new int[rows];
    for (int i = 0; i < rows; i++) {
      indices[i] = random.nextInt(3);
      values[i] = indices[i];
    }
    switch (encoding) {
      case PLAIN -> {
        if (schema.type() == ValueType.STRING) {
          for (int i = 0; i < rows; i++) {
            body.putInt(1);
            body.write('x');
          }
        } else {
          NumberKind.of(schema.type()).putPlain(values, 0, rows, body);
        }
      }
      case DICTIONARY -> {
        body.write(2);
        HybridEncoding.encode(indices, 0, rows, 2, body);
      }
      case DELTA, DELTA_LENGTH -> {
        new DeltaEncoding().encode(values, 0, rows, true, body);
        for (int i = 0; encoding == ColumnEncoding.DELTA_LENGTH && i < rows; i++) {
          body.write(new byte[2], 0, indices[i]);
        }
      }
      case BYTE_STREAM_SPLIT ->
          new ByteStreamSplit().encode(values, 0, rows, NumberKind.of(schema.type()).bytes(), body);
      case RLE -> throw new IllegalArgumentException();
    }
    return body;
  }

  private static void mutate(ByteOutput body, Random random) {
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times; i++) {
      int at = random.nextInt(random.nextBoolean() ? Math.min(24, body.size) : body.size);
      switch (random.nextInt(4)) {
        case 0 -> body.bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> body.bytes[at] = (byte) random.nextInt();
        case 2 -> body.size = Math.max(1, at);
        default -> body.bytes[at] = -1;
      }
    }
  }

  /** Returns whether the page was accepted. */
  private static boolean read(
      EventFileSchema schema, ColumnEncoding encoding, int rows, ByteOutput body, Random random)
      throws IOException {
    ByteOutput out = new ByteOutput(64);
    EncodingChoice choice =
        new EncodingChoice(encoding, random.nextBoolean() ? Codec.LZ4 : Codec.NONE, false);
    ChunkWriter chunk =
        new ChunkWriter(
            out, schema, EventColumn.VALUE, choice, new int[] {0, rows}, new ByteOutput(64));
    if (encoding == ColumnEncoding.DICTIONARY) {
      ByteOutput entries = new ByteOutput(64);
      for (int i = 0; i < 3; i++) {
        if (schema.type() == ValueType.STRING) {
          entries.putInt(0);
        } else {
          NumberKind.of(schema.type()).putPlain(new long[] {i}, 0, 1, entries);
        }
      }
      chunk.dictionary(entries, 3);
    }
    chunk.page(body, rows);
    ColumnLayout column = chunk.finish(ChunkStatistics.ofNumbers(NumberKind.INT32), null).layout();
    List<ColumnLayout> columns = new ArrayList<>();
    for (int i = 0; i < EventColumn.count(); i++) {
      columns.add(column);
    }
    RowGroupLayout layout =
        new RowGroupLayout(List.of(), new int[] {0, rows}, new long[] {0}, new long[] {0}, columns);
    MemoryFile file = new MemoryFile(out.toByteArray());
    EventColumns into = new EventColumns(schema.type(), schema.waveform(), 1);
    RowIndices some = someOf(rows, random);
    boolean accepted = true;
    try {
      READER.read(file, layout, 0, 1, Set.of(EventColumn.VALUE), into);
      assertThat(into.count).isEqualTo(rows);
    } catch (CorruptBlockException e) {
      accepted = false;
    }
    try {
      READER.readRows(file, layout, 0, some, Set.of(EventColumn.VALUE), into);
      assertThat(into.count).isEqualTo(some.count());
    } catch (CorruptBlockException e) {
      assertThat(accepted).as("refused, though all rows are accepted").isFalse();
    }
    return accepted;
  }

  private static RowIndices someOf(int rows, Random random) {
    RowIndices some = new RowIndices();
    int step = 1 + random.nextInt(20);
    for (int row = random.nextInt(step); row < rows; row += step) {
      some.add(row);
    }
    return some;
  }
}
