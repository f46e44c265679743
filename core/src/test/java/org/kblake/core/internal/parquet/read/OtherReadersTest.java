package org.kblake.core.internal.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.ValueType;

/** DuckDB and the reader of parquet-java return the rows that were written. */
class OtherReadersTest {

  private static final Pattern DOUBLE_NAN = Pattern.compile("\\b[7f]ff(?!0{13})[0-9a-f]{13}\\b");
  private static final Pattern FLOAT_NAN =
      Pattern.compile("\\b[7f]f(?!80{5})[89a-f][0-9a-f]{5}\\b");

  @TempDir private Path directory;

  static Stream<Arguments> files() {
    List<Arguments> all = new ArrayList<>();
    for (ValueType type : ValueType.values()) {
      for (boolean waveform : new boolean[] {false, true}) {
        for (Codec codec : Codec.values()) {
          all.add(Arguments.of(type, waveform, new WriteProfile(codec, false)));
        }
        all.add(Arguments.of(type, waveform, new WriteProfile(Codec.LZ4, true)));
      }
    }
    return Seeds.sample(3, all);
  }

  @ParameterizedTest
  @MethodSource("files")
  void otherReadersGiveTheSameRows(ValueType type, boolean waveform, WriteProfile profile)
      throws IOException, SQLException {
    long seed = Seeds.one("OtherReadersTest " + type + " " + waveform + " " + profile);
    List<EventColumns> rowGroups = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (SampleRows.Shape shape : SampleRows.Shape.values()) {
      for (SampleRows.Order order : SampleRows.Order.values()) {
        // The longest takes two pages, over which levels and dictionaries continue.
        boolean pages = shape == SampleRows.Shape.MIXED;
        for (int rows : pages ? new int[] {1, 4500} : new int[] {33, 300}) {
          EventColumns batch =
              SampleRows.of(type, waveform, rows, shape, order, seed + rowGroups.size());
          expected.addAll(RowText.of("CHANNEL:" + rowGroups.size(), batch));
          rowGroups.add(batch);
        }
      }
    }
    EventColumns nulls =
        SampleRows.of(type, waveform, 600, SampleRows.Shape.RANDOM, SampleRows.Order.TAME, seed);
    clear(nulls);
    expected.addAll(RowText.of("CHANNEL:" + rowGroups.size(), nulls));
    rowGroups.add(nulls);

    Path file = directory.resolve("events.parquet");
    Files.write(file, SampleFile.write(profile, rowGroups).file().bytes);
    assertThat(parquetJava(file)).isEqualTo(expected);
    assertThat(duckDb(file, type, waveform, profile.lake()))
        .isEqualTo(expected.stream().map(line -> canonical(line, type)).toList());
  }

  /** Removes all values, as for a channel that never had one. */
  private static void clear(EventColumns rows) {
    for (int row = 0; row < rows.count; row++) {
      rows.state[row] = 0;
      if (rows.waveform()) {
        rows.listStarts[row + 1] = 0;
      } else if (rows.type() == ValueType.STRING) {
        rows.textStarts[row + 1] = 0;
      } else {
        rows.values[row] = 0;
      }
    }
  }

  private static List<String> parquetJava(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    // GH-3747: a filter by column index may return wrong rows. This test does not filter.
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new PlainCodecs())
            .useColumnIndexFilter(false)
            .usePageChecksumVerification(true)
            .build();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
      MessageType schema = reader.getFileMetaData().getSchema();
      MessageColumnIO columns = new ColumnIOFactory().getColumnIO(schema);
      PageReadStore pages = reader.readNextRowGroup();
      while (pages != null) {
        RecordReader<Group> records =
            columns.getRecordReader(pages, new GroupRecordConverter(schema));
        for (long i = 0; i < pages.getRowCount(); i++) {
          lines.add(line(records.read()));
        }
        pages = reader.readNextRowGroup();
      }
    }
    return lines;
  }

  private static String line(Group row) {
    return RowText.line(
        row.getString("channel", 0),
        row.getLong("time", 0),
        value(row),
        row.getInteger("state", 0),
        row.getInteger("severity", 0),
        row.getInteger("status", 0),
        row.getBoolean("stray", 0),
        row.getInteger("segment", 0),
        row.getLong("lateness", 0),
        row.getInteger("tie", 0));
  }

  private static String value(Group row) {
    if (row.getFieldRepetitionCount("value") == 0) {
      return "null";
    }
    if (row.getType().getType("value").isPrimitive()) {
      return element(row, "value");
    }
    Group list = row.getGroup("value", 0);
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < list.getFieldRepetitionCount("list"); i++) {
      elements.add(element(list.getGroup("list", i), "element"));
    }
    return elements.toString();
  }

  private static String element(Group group, String field) {
    return switch (group.getType().getType(field).asPrimitiveType().getPrimitiveTypeName()) {
      case DOUBLE -> RowText.number(group.getDouble(field, 0));
      case FLOAT -> RowText.number(group.getFloat(field, 0));
      case INT32 -> Integer.toString(group.getInteger(field, 0));
      case BINARY -> group.getString(field, 0);
      case INT64, BOOLEAN, INT96, FIXED_LEN_BYTE_ARRAY -> throw new IllegalArgumentException();
    };
  }

  private static List<String> duckDb(Path file, ValueType type, boolean waveform, boolean lake)
      throws SQLException {
    String time = lake ? "time" : "epoch_ns(time)";
    String query =
        "SELECT channel, "
            + time
            + ", value, state, severity, status, stray, segment, lateness, tie FROM '"
            + file
            + "'";
    List<String> lines = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        String value = duckValue(rows, type, waveform);
        lines.add(
            RowText.line(
                rows.getString(1),
                rows.getLong(2),
                value,
                rows.getInt(4),
                rows.getInt(5),
                rows.getInt(6),
                rows.getBoolean(7),
                rows.getInt(8),
                rows.getLong(9),
                rows.getInt(10)));
      }
    }
    return lines.stream().map(line -> canonical(line, type)).toList();
  }

  private static String duckValue(ResultSet rows, ValueType type, boolean waveform)
      throws SQLException {
    if (!waveform) {
      Object value = rows.getObject(3);
      return value == null ? "null" : duckElement(value, type);
    }
    Array array = rows.getArray(3);
    if (array == null) {
      return "null";
    }
    List<String> elements = new ArrayList<>();
    for (Object element : (Object[]) array.getArray()) {
      elements.add(duckElement(element, type));
    }
    return elements.toString();
  }

  private static String duckElement(Object element, ValueType type) {
    return switch (type) {
      case DOUBLE -> RowText.number((Double) element);
      case FLOAT -> RowText.number((Float) element);
      case STRING -> element.toString();
      case SHORT, ENUM, CHAR, LONG ->
          new BigDecimal(element.toString()).toBigIntegerExact().toString();
    };
  }

  /** Replaces NaNs by one NaN, because JDBC may change a signalling NaN to a quiet one. */
  private static String canonical(String line, ValueType type) {
    return switch (type) {
      case DOUBLE -> DOUBLE_NAN.matcher(line).replaceAll("NaN");
      case FLOAT -> FLOAT_NAN.matcher(line).replaceAll("NaN");
      case STRING, SHORT, ENUM, CHAR, LONG -> line;
    };
  }
}
