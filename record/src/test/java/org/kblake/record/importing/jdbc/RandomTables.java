package org.kblake.record.importing.jdbc;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.kblake.record.group.LoggedEvents;

/** Random rows in the tables of CS-Studio's archive engine, and the events that logs must have. */
final class RandomTables {

  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN = 1_500_000_000L * SECOND;
  private static final List<String> SEVERITIES = List.of("OK", "MINOR", "MAJOR", "INVALID");
  private static final List<String> STATUSES =
      List.of("NO_ALARM", "HIHI_ALARM", "LOW", "Disconnected", "NaN", "strange");
  private static final int[] STATUS_CODES = {0, 3, 6, 9, 17, -1};
  private static final int DOWN = 3;
  private static final int NAN = 4;

  static final Dialect H2 = new Dialect("TIMESTAMP(9) WITH TIME ZONE", "CHAR(1)", "VARBINARY", "?");
  static final Dialect POSTGRES = new Dialect("TIMESTAMP WITH TIME ZONE", "CHAR(1)", "BYTEA", "?");

  /** Its tables have whole seconds. */
  static final Dialect MYSQL =
      new Dialect("TIMESTAMP", "CHAR(1) CHARACTER SET binary", "LONGBLOB", "FROM_UNIXTIME(?)");

  private final Random random;
  private final Connection connection;
  private final Dialect dialect;
  private final Map<String, List<Event>> expected = new TreeMap<>();

  private boolean hasMixed;

  /**
   * What the tables of databases differ in.
   *
   * @param insertedTime the parameter for a time
   */
  record Dialect(String time, String dataType, String bytes, String insertedTime) {}

  private record Event(long nanos, String line) {}

  RandomTables(long seed, Connection connection, Dialect dialect) {
    random = new Random(seed);
    this.connection = connection;
    this.dialect = dialect;
  }

  /** Returns the source of all random numbers. */
  Random random() {
    return random;
  }

  List<String> names() {
    return List.copyOf(expected.keySet());
  }

  /** Returns whether a channel has integers and doubles. */
  boolean hasMixed() {
    return hasMixed;
  }

  /** Returns the lines of a channel in the order of time. */
  List<String> lines(String name) {
    return expected.getOrDefault(name, List.of()).stream()
        .sorted(Comparator.comparingLong(Event::nanos))
        .map(Event::line)
        .toList();
  }

  /** Creates the tables without channels. */
  void create() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "CREATE TABLE channel (channel_id BIGINT PRIMARY KEY, name VARCHAR(100))",
              "CREATE TABLE severity (severity_id BIGINT PRIMARY KEY, name VARCHAR(100))",
              "CREATE TABLE status (status_id BIGINT PRIMARY KEY, name VARCHAR(100))",
              "CREATE TABLE enum_metadata (channel_id BIGINT, enum_nbr INT, enum_val VARCHAR(99))",
              "CREATE TABLE sample (channel_id BIGINT, smpl_time "
                  + dialect.time()
                  + ", nanosecs BIGINT, severity_id BIGINT, status_id BIGINT, num_val INT,"
                  + " float_val DOUBLE PRECISION, str_val VARCHAR(120), datatype "
                  + dialect.dataType()
                  + ","
                  + " array_val "
                  + dialect.bytes()
                  + ")")) {
        statement.execute(sql);
      }
      for (int i = 0; i < SEVERITIES.size(); i++) {
        statement.execute("INSERT INTO severity VALUES (%d, '%s')".formatted(i, SEVERITIES.get(i)));
      }
      for (int i = 0; i < STATUSES.size(); i++) {
        statement.execute("INSERT INTO status VALUES (%d, '%s')".formatted(i, STATUSES.get(i)));
      }
    }
  }

  void write() throws SQLException {
    create();
    try (Statement statement = connection.createStatement()) {
      int channels = 1 + random.nextInt(6);
      for (int i = 0; i < channels; i++) {
        String name = "D" + i + ":IT''S{" + random.nextInt(9) + "}";
        statement.execute("INSERT INTO channel VALUES (%d, '%s')".formatted(i, name));
        channel(i, name.replace("''", "'"), statement);
      }
    }
  }

  private void channel(int number, String name, Statement statement) throws SQLException {
    int kind = random.nextInt(6);
    hasMixed |= kind == 2;
    if (kind == 4) {
      statement.execute("INSERT INTO enum_metadata VALUES (%d, 0, 'off')".formatted(number));
    }
    List<Event> events = new ArrayList<>();
    expected.put(name, events);
    long nanos = BEGIN + random.nextInt(1000) * SECOND;
    int rows = 1 + random.nextInt(80);
    String sql =
        "INSERT INTO sample VALUES (?, " + dialect.insertedTime() + ", ?, ?, ?, ?, ?, ?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int i = 0; i < rows; i++) {
        nanos += 1 + random.nextInt(1_000_000_000);
        if (random.nextInt(8) == 0) {
          // Databases round it to the next second.
          nanos += SECOND - Math.floorMod(nanos, SECOND) + SECOND - 1 - random.nextInt(499);
        }
        row(insert, number, nanos);
        events.add(new Event(nanos, value(insert, name, nanos, kind, hasDouble(kind, i))));
        insert.executeUpdate();
      }
    }
  }

  /** A channel of kind 2 has integers and, in the first row, a double. */
  private static boolean hasDouble(int kind, int row) {
    return kind == 1 || (kind == 2 && row == 0);
  }

  private void row(PreparedStatement insert, int channel, long nanos) throws SQLException {
    OffsetDateTime time = Instant.ofEpochSecond(0, nanos).atOffset(ZoneOffset.ofHours(9));
    insert.setInt(1, channel);
    insert.setObject(2, dialect.equals(MYSQL) ? (Object) time.toEpochSecond() : time);
    insert.setLong(3, Math.floorMod(nanos, SECOND));
    insert.setNull(6, Types.INTEGER);
    insert.setNull(7, Types.DOUBLE);
    insert.setNull(8, Types.VARCHAR);
    insert.setString(9, " ");
    insert.setNull(10, Types.BINARY);
  }

  /** Sets the value, and returns the line of its event. */
  private String value(
      PreparedStatement insert, String name, long nanos, int kind, boolean isDouble)
      throws SQLException {
    int severity = random.nextInt(4);
    int status = random.nextInt(3);
    if (random.nextInt(10) == 0 && !isDouble) {
      insert.setInt(4, 3);
      insert.setInt(5, DOWN);
      insert.setString(8, "Disconnected");
      return LoggedEvents.line(name, nanos, 0, 3, 9, "");
    }
    if (random.nextInt(10) == 0) {
      status = 5;
    }
    String hex = hex(insert, kind, isDouble);
    if (hex.startsWith("7ff8") && kind == 1) {
      severity = 3;
      status = NAN;
      insert.setDouble(7, 0);
    }
    insert.setInt(4, severity);
    insert.setInt(5, status);
    int code = STATUS_CODES[status] >= 0 ? STATUS_CODES[status] : severity == 0 ? 0 : 17;
    return LoggedEvents.line(name, nanos, 2, severity, code, hex);
  }

  private String hex(PreparedStatement insert, int kind, boolean isDouble) throws SQLException {
    ByteBuffer bytes = ByteBuffer.allocate(200);
    if (isDouble) {
      double real = random.nextInt(8) == 0 && kind == 1 ? Double.NaN : random.nextGaussian();
      insert.setDouble(7, Double.isNaN(real) ? 0 : real);
      bytes.putDouble(real);
    } else if (kind == 0 || kind == 2) {
      int integer = random.nextInt();
      insert.setInt(6, integer);
      if (kind == 0) {
        bytes.putInt(integer);
      } else {
        bytes.putDouble(integer);
      }
    } else if (kind == 4) {
      int index = random.nextInt(1 << 16);
      insert.setInt(6, index);
      bytes.putShort((short) index);
    } else if (kind == 3) {
      String text = List.of("", "ü", "a'b", "日本".repeat(9)).get(random.nextInt(4));
      insert.setString(8, text);
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      bytes.put(Arrays.copyOf(utf8, Math.min(39, utf8.length)));
      bytes.position(40);
    } else {
      array(insert, bytes);
    }
    return HexFormat.of().formatHex(bytes.array(), 0, bytes.position());
  }

  private void array(PreparedStatement insert, ByteBuffer bytes) throws SQLException {
    int count = 1 + random.nextInt(9);
    for (int i = 0; i < count; i++) {
      bytes.putDouble(random.nextGaussian());
    }
    byte[] elements = new byte[bytes.position()];
    bytes.duplicate().flip().get(elements);
    insert.setDouble(7, ByteBuffer.wrap(elements).getDouble(0));
    insert.setString(9, "d");
    insert.setBytes(
        10, ByteBuffer.allocate(4 + elements.length).putInt(count).put(elements).array());
  }
}
