package org.kblake.record.importing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.error.RequestException;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.record.group.LoggedEvents;
import org.kblake.record.importing.ImportReport;
import org.kblake.record.importing.LeftOut;
import org.kblake.record.importing.SourceEvent;

/** {@code kblake import jdbc} from a database in the JVM. */
final class ImportDatabaseTest {

  private static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");
  private static final Group GROUP = new Group("RDB", "G");

  @TempDir Path directory;

  static KblakeRun run(Path in, String url, String... line) throws IOException {
    Files.createDirectories(in.resolve("logs/SYS"));
    List<String> words = new ArrayList<>(List.of("import", "jdbc", url));
    words.addAll(List.of(line));
    words.addAll(List.of("--group", GROUP.toString(), "--archive", "logs"));
    return KblakeRun.in(in).at(NOW).with("LC_ALL", "C").run(words.toArray(String[]::new));
  }

  /** Imports random tables, and compares each channel. */
  static void compare(Path in, String url, RandomTables tables, String... options)
      throws Exception {
    Random random = tables.random();
    tables.write();
    String interval = 10 + random.nextInt(100) + "s";
    KblakeRun table = run(in, url, options, "--dry-run");
    assertThat(table.out().lines()).as(table.err()).hasSize(1 + tables.names().size());
    if (!tables.hasMixed()) {
      // The first import ends somewhere. The second one continues, and learns types of its own.
      String end = "@" + (1_500_000_000 + random.nextInt(1100));
      KblakeRun first = run(in, url, options, "--milestone", interval, "--to", end);
      assertThat(first.status()).as(first.err()).isZero();
    }
    KblakeRun run = run(in, url, options, "--milestone", interval);
    assertThat(run.status()).as(run.err()).isZero();
    List<String> lines = LoggedEvents.read(in.resolve("logs"), GROUP);
    for (String name : tables.names()) {
      assertThat(lines.stream().filter(line -> line.startsWith(name + " ")))
          .as(name)
          .containsExactlyElementsOf(tables.lines(name));
    }
    assertThat(run(in, url, options).err()).contains("nothing new");
    assertThat(LoggedEvents.read(in.resolve("logs"), GROUP)).isEqualTo(lines);
  }

  private static KblakeRun run(Path in, String url, String[] options, String... more)
      throws IOException {
    return run(in, url, Stream.concat(Stream.of(options), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void logsHaveTheRowsOfTheTables() throws Exception {
    Seeds.each(
        "import-jdbc",
        Seeds.cases(10, 60),
        seed -> {
          Path in = Files.createDirectory(directory.resolve("s" + seed));
          String url = "jdbc:h2:mem:s" + seed + ";DB_CLOSE_DELAY=-1";
          try (Connection connection = DriverManager.getConnection(url)) {
            compare(in, url, new RandomTables(seed, connection, RandomTables.H2));
          }
        });
  }

  /** Of an archive of years one day must not need a sort of all. */
  @Test
  void onlyRowsOfTheRangeAreRead() throws Exception {
    for (String type : List.of("TIMESTAMP(9) WITH TIME ZONE", "TIMESTAMP(9)")) {
      String url = "jdbc:h2:mem:range" + type.length() + ";DB_CLOSE_DELAY=-1";
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        new RandomTables(1, connection, new RandomTables.Dialect(type, "CHAR(1)", "VARBINARY", "?"))
            .create();
        statement.execute("INSERT INTO channel VALUES (0, 'A')");
        statement.execute(
            "INSERT INTO sample SELECT 0, DATEADD('HOUR', x, TIMESTAMP '2026-01-01 00:00:00'), 0,"
                + " 0, 0, x, NULL, NULL, NULL, NULL FROM SYSTEM_RANGE(0, 9999)");
      }
      TimeRange range = new TimeRange(seconds("2026-06-01"), seconds("2026-06-03"));
      try (Database database = Database.open(url, null, null, List.of())) {
        ArchiveQuery query = ArchiveQuery.ofTables(database, null, range, ZoneOffset.UTC);
        int[] rows = new int[1];
        database.query(
            query.sql(),
            found -> {
              while (found.next()) {
                rows[0]++;
              }
            });
        assertThat(rows[0]).isBetween(48, 48 + 2 * 25);
        assertThat(
                DatabaseSource.survey(database, query, ZoneOffset.UTC, range, new ArrayList<>())
                    .get("A"))
            .extracting(ChannelValues::rows)
            .isEqualTo(48L);
      }
    }
  }

  private static long seconds(String day) {
    return Instant.parse(day + "T00:00:00Z").getEpochSecond() * 1_000_000_000;
  }

  /** The drivers of PostgreSQL and MySQL wait without a limit. */
  @Test
  void aDatabaseThatDoesNotAnswerIsGivenUp() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x";
      assertThatThrownBy(
              () -> Database.open(url, new Properties(), List.of(), Duration.ofMillis(500)))
          .isInstanceOf(RequestException.class)
          .hasMessageStartingWith("the database does not answer");
    }
  }

  private String table(String type, String... values) throws SQLException {
    String url = "jdbc:h2:mem:" + type.replaceAll("\\W", "") + ";DB_CLOSE_DELAY=-1";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (name VARCHAR(9), s DECIMAL(20, 9), v " + type + ")");
      for (int i = 0; i < values.length; i++) {
        long second = 1_700_000_000L + i;
        statement.execute(
            "INSERT INTO t VALUES ('A', " + second + ".000000001, " + values[i] + ")");
      }
    }
    return url;
  }

  private KblakeRun query(Path in, String url, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of(more));
    words.addAll(List.of("--query", "SELECT name AS channel, s AS secs, v AS \"VALUE\" FROM t"));
    return run(in, url, words.toArray(String[]::new));
  }

  /** Rows behind the end of an import are not taken for imported. */
  @Test
  void aLaterEndAddsTheRest() throws Exception {
    Path in = place("later");
    String url = table("TINYINT", "1", "2", "3", "4", "5");
    for (String end : List.of("@1700000002", "@1700000003", "now")) {
      assertThat(query(in, url, "--to", end).status()).isZero();
    }
    assertThat(values(in))
        .containsExactly("2 00000001", "2 00000002", "2 00000003", "2 00000004", "2 00000005");
  }

  /** Rows that arrive while a database is read may need a wider type than those before. */
  @Test
  void aNumberThatTheTypeDoesNotHoldIsRefused() throws Exception {
    String wide = table("BIGINT DEFAULT 0", "1");
    assertThat(imported(wide, "1099511627781", "2")).containsExactly("00000001", "00000002");
    String exact = table("DECIMAL(20, 3) DEFAULT 0", "1.5");
    assertThat(imported(exact, "2.5")).containsExactly("3ff8000000000000", "4004000000000000");
  }

  /** Imports a table, to which rows are added between both readings. */
  static List<String> imported(String url, String... later) throws Exception {
    List<String> values = new ArrayList<>();
    ArchiveQuery query =
        ArchiveQuery.of("SELECT name AS channel, s AS secs, v AS \"value\" FROM t");
    List<Integer> order = new ArrayList<>();
    ImportReport report = new ImportReport(line -> {});
    try (Database database = Database.open(url, null, null, List.of())) {
      List<ChannelValues> found =
          List.copyOf(
              DatabaseSource.survey(database, query, ZoneOffset.UTC, TimeRange.ALL, order)
                  .values());
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        for (String value : later) {
          statement.execute("INSERT INTO t VALUES ('A', 1700000100, " + value + ")");
        }
      }
      try (DatabaseSource source =
          DatabaseSource.open(
              database, query, ZoneOffset.UTC, found, order, new LeftOut(report, Long.MIN_VALUE))) {
        for (SourceEvent each = source.next(); each != null; each = source.next()) {
          values.add(HexFormat.of().formatHex(each.value()));
        }
      }
      assertThat(report.number(ImportReport.Kind.REFUSED) + values.size())
          .isIn(1L, 1L + later.length);
    }
    return values;
  }

  private List<String> values(Path in) throws IOException {
    return LoggedEvents.read(in.resolve("logs"), GROUP).stream()
        .map(line -> line.split(" ", -1))
        .map(words -> words[2] + " " + words[5])
        .toList();
  }

  private Path place(String name) throws IOException {
    return Files.createDirectory(directory.resolve(name));
  }

  @Test
  void integersThatNoDoubleHoldsAreCounted() throws Exception {
    Path in = place("big");
    KblakeRun run = query(in, table("BIGINT", "1", "9007199254740993", "NULL"));
    assertThat(run.err()).contains("1 integers that no double holds exactly");
    assertThat(run.status()).isZero();
    assertThat(values(in)).containsExactly("2 3ff0000000000000", "2 4340000000000000", "0 ");
    assertThat(LoggedEvents.read(in.resolve("logs"), GROUP).get(0))
        .startsWith("A 1700000000000000001 ");
  }

  @Test
  void eachTypeOfSqlHasTheNarrowestTypeOfLogs() throws Exception {
    assertType("BOOLEAN", "TRUE", "2 01");
    assertType("SMALLINT", "-2", "2 fffffffe");
    assertType("REAL", "1.5", "2 3fc00000");
    assertType("NUMERIC(9, 3)", "0.25", "2 3fd0000000000000");
    assertType("VARCHAR(99)", "'x'", "2 78" + "00".repeat(39));
    assertType("DOUBLE PRECISION ARRAY", "ARRAY[1.0, 2.0]", "2 3ff00000000000004000000000000000");
    assertType("INTEGER ARRAY", "ARRAY[]", "1 ");
  }

  private void assertType(String type, String value, String expected) throws Exception {
    Path in = place(type.replaceAll("\\W", ""));
    KblakeRun run = query(in, table(type, value));
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(values(in)).as(type).containsExactly(expected);
  }

  @Test
  void longStringsAreCut() throws Exception {
    Path in = place("long");
    KblakeRun run = query(in, table("VARCHAR(98)", "'" + "a".repeat(38) + "ü'"));
    assertThat(run.err()).contains("1 strings cut at 39 bytes");
    assertThat(values(in)).containsExactly("2 " + "61".repeat(38) + "0000");
  }

  @Test
  void wrongArgumentsHaveClearErrors() throws Exception {
    String url = table("INTEGER", "1");
    assertThat(run(directory, "jdbc:none:x").err())
        .contains("no JDBC driver takes this URL; name its jar with --driver")
        .hasLineCount(1);
    assertThat(run(directory, url + ";password=x").err()).contains("KBLAKE_JDBC_PASSWORD");
    assertThat(run(directory, url).err()).contains("the database refuses: ");
    assertThat(run(directory, url, "--query", "SELECT v FROM t").err())
        .contains("the query needs columns named channel, time (or secs and nanos), and value");
    assertThat(run(directory, url, "--query", "SELEC").err()).contains("the database refuses");
    assertThat(run(directory, url, "--driver", "none.jar").err()).contains("driver cannot be read");
    assertThat(run(directory, url, "--user", "X", "--password-file", "none").status()).isEqualTo(1);
  }
}
