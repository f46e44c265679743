package org.kblake.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.format.answer.AnswerWriters;
import org.kblake.format.arrow.ArrowIpcWriter;
import org.kblake.format.time.TimeStyle;

/** Reads written files with other readers. */
class BinaryFormatsTest {

  private static final long START = TestAnswer.START_NANOS;
  private static final long NAN_WITH_PAYLOAD = 0x7ff8_0000_0000_beefL;

  @TempDir private Path directory;

  private static TestAnswer doubles(int rows) {
    TestAnswer answer =
        TestAnswer.of(
            TestAnswer.value(TestAnswer.FLOAT64),
            List.of("A", "B", "C"),
            List.of("VA/CCG", "RF/A"),
            true);
    Float8Vector values = (Float8Vector) answer.root.getVector("value");
    for (int row = 0; row < rows; row++) {
      boolean value = row % 5 != 4;
      answer.row(row, START + row, row % 3, value ? 2 : row % 2, row % 4, row % 65_536);
      answer.origin(row, row % 2, row % 7 == 0);
      if (value) {
        values.setSafe(row, row == 0 ? Double.longBitsToDouble(NAN_WITH_PAYLOAD) : row * 0.5);
      } else {
        values.setNull(row);
      }
    }
    answer.rows(rows);
    return answer;
  }

  @Test
  void writesAnArrowFileWithEveryBatchAndTheDictionaries() throws Exception {
    Path file = directory.resolve("a.arrow");
    try (TestAnswer answer = doubles(10)) {
      Files.write(file, answer.bytes(OutputFormat.ARROW, true, 3));
    }
    try (RootAllocator allocator = new RootAllocator();
        SeekableByteChannel channel = Files.newByteChannel(file);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      assertThat(reader.getRecordBlocks()).hasSize(3);
      checkBatches(reader, 3);
    }
  }

  @Test
  void writesAnArrowStreamToAnOutputWithoutSeek() throws Exception {
    byte[] bytes;
    try (TestAnswer answer = doubles(10)) {
      bytes = answer.bytes(OutputFormat.ARROW, false, 2);
    }
    try (RootAllocator allocator = new RootAllocator();
        ArrowReader reader = new ArrowStreamReader(new ByteArrayInputStream(bytes), allocator)) {
      checkBatches(reader, 2);
    }
  }

  private static void checkBatches(ArrowReader reader, int batches) throws Exception {
    for (int batch = 0; batch < batches; batch++) {
      assertThat(reader.loadNextBatch()).isTrue();
      var root = reader.getVectorSchemaRoot();
      assertThat(root.getRowCount()).isEqualTo(10);
      assertThat(((TimeStampNanoTZVector) root.getVector("time")).get(3)).isEqualTo(START + 3);
      Float8Vector values = (Float8Vector) root.getVector("value");
      assertThat(Double.doubleToRawLongBits(values.get(0))).isEqualTo(NAN_WITH_PAYLOAD);
      assertThat(values.isNull(4)).isTrue();
      IntVector channels = (IntVector) root.getVector("channel");
      long id = channels.getField().getDictionary().getId();
      try (VarCharVector names =
          (VarCharVector) DictionaryEncoder.decode(channels, reader.lookup(id))) {
        assertThat(new String(names.get(4), UTF_8)).isEqualTo("B");
      }
    }
    assertThat(reader.loadNextBatch()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void writesTheBytesOfArrowsOwnWriter(boolean file) throws Exception {
    ByteArrayOutputStream arrow = new ByteArrayOutputStream();
    try (TestAnswer answer = doubles(10);
        WritableByteChannel channel = Channels.newChannel(arrow);
        ArrowWriter writer =
            file
                ? new ArrowFileWriter(answer.root, answer.dictionaries, channel)
                : new ArrowStreamWriter(answer.root, answer.dictionaries, channel)) {
      writer.start();
      writer.writeBatch();
      writer.writeBatch();
      writer.end();
      assertThat(answer.bytes(OutputFormat.ARROW, file, 2)).isEqualTo(arrow.toByteArray());
    }
  }

  @Test
  void leavesOutBitmapsOfColumnsWithoutNullsInBatchesWithMetadata() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TestAnswer answer = doubles(10)) {
      ArrowIpcWriter writer =
          new ArrowIpcWriter(
              bytes,
              false,
              answer.root.getSchema().getFields(),
              answer.root.getFieldVectors(),
              answer.dictionaries);
      writer.write(Map.of());
      writer.finish();
      assertThat(bytes.size()).isLessThan(answer.bytes(OutputFormat.ARROW, false, 1).length);
    }
    try (RootAllocator allocator = new RootAllocator();
        ArrowReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator)) {
      checkBatches(reader, 1);
      assertThat(reader.getVectorSchemaRoot().getVector("time").getNullCount()).isZero();
    }
  }

  @Test
  void leavesAnIncompleteArrowStreamWithoutEnd() throws Exception {
    byte[] whole;
    ByteArrayOutputStream broken = new ByteArrayOutputStream();
    try (TestAnswer answer = doubles(10)) {
      whole = answer.bytes(OutputFormat.ARROW, false, 1);
      try (AnswerWriter writer =
          AnswerWriters.open(
              OutputFormat.ARROW,
              broken,
              false,
              answer.root.getSchema().getFields(),
              answer.root.getFieldVectors(),
              answer.dictionaries)) {
        writer.write();
      }
    }
    // The end of a stream is a continuation mark and a length of zero
    assertThat(broken.toByteArray()).hasSize(whole.length - 8);
  }

  @Test
  void writesParquetThatDuckDbReads() throws Exception {
    Path file = directory.resolve("a.parquet");
    try (TestAnswer answer = doubles(1000)) {
      Files.write(file, answer.bytes(OutputFormat.PARQUET, true, 3));
    }
    assertThat(types(file))
        .containsExactly(
            "time TIMESTAMPTZ_NS",
            "channel VARCHAR",
            "group VARCHAR",
            "state UTINYINT",
            "severity UTINYINT",
            "status USMALLINT",
            "stray BOOLEAN",
            "value DOUBLE");
    assertThat(query("select count(*), count(value), sum(stray::int), sum(status) from F", file))
        .containsExactly("3000", "2400", "429", "1498500");
    assertThat(query("select epoch_ns(min(time)), epoch_ns(max(time)) from F", file))
        .containsExactly(String.valueOf(START), String.valueOf(START + 999));
    assertThat(
            query(
                "select channel, \"group\", state, severity, status, stray, value from F"
                    + " where epoch_ns(time) = "
                    + (START + 8),
                file))
        .containsExactly("C", "VA/CCG", "2", "0", "8", "false", "4.0");
    assertThat(query("select isnan(value) from F limit 1", file)).containsExactly("true");
  }

  @Test
  void writesAParquetFileWithoutRows() throws Exception {
    Path file = directory.resolve("a.parquet");
    try (TestAnswer answer = TestAnswer.of(TestAnswer.UTF8, "A")) {
      answer.rows(0);
      Files.write(file, answer.bytes(OutputFormat.PARQUET, true, 1));
    }
    assertThat(query("select count(*) from F", file)).containsExactly("0");
    assertThat(types(file)).contains("value VARCHAR");
  }

  @Test
  void closesRowGroupsSoThatMemoryDoesNotGrow() throws Exception {
    Path file = directory.resolve("a.parquet");
    try (TestAnswer answer = doubles(65_536)) {
      Files.write(file, answer.bytes(OutputFormat.PARQUET, true, 20));
    }
    assertThat(query("select num_rows, num_row_groups from parquet_file_metadata('FILE')", file))
        .containsExactly("1310720", "2");
    assertThat(query("select count(*), count(distinct channel) from F", file))
        .containsExactly("1310720", "3");
  }

  /**
   * A page's encoding depends on the values: few ones, more distinct ones than half of all, none.
   */
  @Test
  void readsBackAParquetColumnWhoseValuesBecomeDistinct() throws Exception {
    Path file = directory.resolve("a.parquet");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TestAnswer answer = doubles(1000);
        AnswerWriter writer =
            AnswerWriters.open(
                OutputFormat.PARQUET,
                bytes,
                true,
                answer.root.getSchema().getFields(),
                answer.root.getFieldVectors(),
                answer.dictionaries)) {
      Float8Vector values = (Float8Vector) answer.root.getVector("value");
      for (int batch = 0; batch < 3; batch++) {
        for (int row = 0; row < 1000; row++) {
          if (batch == 2) {
            values.setNull(row);
          } else {
            values.setSafe(row, batch == 0 ? row % 3 : row / 4.0);
          }
        }
        writer.write();
      }
      writer.finish();
    }
    Files.write(file, bytes.toByteArray());
    assertThat(query("select count(*), count(value), sum(value) from F", file))
        .containsExactly("3000", "2000", String.valueOf(999 + 999 * 500 / 4.0));
    assertThat(
            query(
                "select encodings from parquet_metadata('FILE') where path_in_schema = 'value'",
                file))
        .containsExactly("PLAIN, RLE, RLE_DICTIONARY");
  }

  /**
   * 128 dictionaries of 24,576 doubles take 96 MiB, and the indices of 49,152 rows 12 MiB. A row
   * group is held in memory, so its dictionaries count.
   */
  @Test
  void limitsTheDictionariesOfAWideTableInParquet() throws Exception {
    int columns = 128;
    int rows = 4096;
    Path file = directory.resolve("a.parquet");
    List<FieldVector> table = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator();
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      TimeStampNanoTZVector times = new TimeStampNanoTZVector("time", allocator, "UTC");
      table.add(times);
      for (int column = 0; column < columns; column++) {
        table.add(new Float8Vector("C" + column, allocator));
      }
      AnswerWriter writer =
          AnswerWriters.openTable(
              OutputFormat.PARQUET, out, true, table, TimeStyle.ISO, TestAnswer.TOKYO, false);
      for (int batch = 0; batch < 12; batch++) {
        for (int row = 0; row < rows; row++) {
          times.setSafe(row, batch * rows + row);
          int value = (batch * rows + row) / 2;
          for (int column = 1; column <= columns; column++) {
            ((Float8Vector) table.get(column)).setSafe(row, value);
          }
        }
        table.forEach(vector -> vector.setValueCount(rows));
        writer.write();
      }
      writer.finish();
      writer.close();
      table.forEach(FieldVector::close);
    }
    assertThat(query("select count(*), sum(C127) from F", file))
        .containsExactly("49152", String.valueOf(24_576.0 * 24_575));
    assertThat(query("select count(distinct row_group_id) from parquet_metadata('FILE')", file))
        .containsExactly("2");
  }

  @Test
  void writesWaveformsAsListsEmptyOnesToo() throws Exception {
    Path file = directory.resolve("a.parquet");
    Field value = TestAnswer.list("value", TestAnswer.INT16);
    try (TestAnswer answer = TestAnswer.of(value, List.of("A"), List.of(), false)) {
      ListVector lists = (ListVector) answer.root.getVector("value");
      var elements = (SmallIntVector) lists.getDataVector();
      for (int i = 0; i < 5; i++) {
        elements.setSafe(i, -i);
      }
      lists.startNewValue(0);
      lists.endValue(0, 3);
      lists.setNull(1);
      lists.startNewValue(2);
      lists.endValue(2, 0);
      lists.startNewValue(3);
      lists.endValue(3, 2);
      elements.setValueCount(5);
      for (int row = 0; row < 4; row++) {
        answer.row(row, START + row, 0, row == 1 ? 0 : 2, 0, 0);
      }
      answer.rows(4);
      Files.write(file, answer.bytes(OutputFormat.PARQUET, true, 1));
    }
    assertThat(types(file)).contains("value SMALLINT[]");
    assertThat(query("select string_agg(coalesce(value::varchar, 'null'), ' ') from F", file))
        .containsExactly("[0, -1, -2] null [] [-3, -4]");
  }

  private static List<String> types(Path file) throws Exception {
    List<String> types = new ArrayList<>();
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement();
        ResultSet columns = statement.executeQuery("describe select * from '" + file + "'")) {
      while (columns.next()) {
        types.add(columns.getString(1) + " " + columns.getString(2));
      }
    }
    return types;
  }

  /** Returns the first row of a result. */
  private static List<String> query(String sql, Path file) throws Exception {
    String text = sql.replace("from F", "from '" + file + "'").replace("FILE", file.toString());
    List<String> cells = new ArrayList<>();
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement();
        ResultSet rows = statement.executeQuery(text)) {
      assertThat(rows.next()).isTrue();
      for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
        cells.add(rows.getString(column));
      }
    }
    return cells;
  }
}
