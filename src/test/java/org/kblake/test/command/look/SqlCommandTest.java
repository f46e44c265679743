package org.kblake.test.command.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.oracle.AnswerLines;

/** DuckDB reads through the views of {@code kblake sql} the same events as kblake. */
final class SqlCommandTest {

  private static final String IN_LOG_ORDER = " ORDER BY block, segment, time_ns + lateness, tie";

  @TempDir private Path directory;

  /**
   * Each group has several blocks. The name of the directory contains characters with a meaning in
   * SQL, globs and Hive partitioning.
   */
  @ParameterizedTest
  @CsvSource({"mixed,standard", "mixed,lake", "tiny-be,standard", "real,standard"})
  void viewsHaveEveryEventOnceInLogOrder(String name, String profile) throws Exception {
    Path root = directory.resolve("archive");
    if (name.equals("real")) {
      TestStores.recording(root);
    } else {
      TestStores.sample(name, root);
    }
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    Path store = directory.resolve("it's/x=3/[1] *");
    KblakeRun.Builder kblake =
        KblakeRun.in(directory)
            .with("KBLAKE_ARCHIVE", root.toString())
            .with("KBLAKE_STORE", store.toString());
    backfillInSteps(kblake, profile);
    KblakeRun sql = kblake.run("sql");
    assertThat(sql.status()).isZero();
    assertThat(sql.err()).isEmpty();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open()) {
      execute(duck, sql.out());
      for (Group group : archive.groups()) {
        List<String> expected = expected(reader, group);
        assertThat(rows(duck, group)).as("%s", group).containsExactlyElementsOf(expected);
        assertThat(numbers(duck, group)).as("%s", group).isEqualTo(scalarValueEvents(expected));
      }
    }
  }

  private static void backfillInSteps(KblakeRun.Builder kblake, String profile) {
    for (String[] range :
        new String[][] {
          {"--profile", profile, "--from", "201605160010", "--to", "201605160011"},
          {"--profile", profile, "--to", "20261120211000"},
          {}
        }) {
      List<String> args = new ArrayList<>(List.of("backfill"));
      args.addAll(List.of(range));
      KblakeRun run = kblake.run(args.toArray(String[]::new));
      assertThat(run.status()).as(run.err()).isZero();
    }
  }

  /** A block within a wider block is out of use, as after a merge. */
  @Test
  void eventsOfSupersededBlocksAreNotSeenTwice() throws Exception {
    CommandFixture kblake = CommandFixture.mixed(directory);
    Archive archive = Archive.open(kblake.archive(), ArchiveSettings.defaults());
    Path apart = directory.resolve("apart");
    TestStores.backfillInThreeSteps(archive, apart, new UnforcedFiles());
    assertThat(kblake.run("backfill").status()).isZero();
    String before = kblake.run("sql").out();
    copyBlocks(apart, kblake.store());
    assertThat(kblake.run("sql").out()).isEqualTo(before);
    assertThat(kblake.run("verify").status()).isZero();
  }

  private static void copyBlocks(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isRegularFile(file) && !Files.exists(target)) {
          Files.createDirectories(target.getParent());
          Files.copy(file, target);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-g VA/CCG", "-g RF/AnalogData -g VA/CCG", ""})
  void namesDoNotDependOnTheRequestedGroups(String args) throws Exception {
    CommandFixture kblake = CommandFixture.mixed(directory);
    assertThat(kblake.run("backfill").status()).isZero();
    KblakeRun run = kblake.run(("sql " + args).strip().split(" "));
    assertThat(run.out()).contains("CREATE OR REPLACE VIEW \"VA_CCG_double\" AS\n");
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      execute(duck, run.out());
      // The names need no quotes in upper or lower case.
      assertThat(query(duck, "SELECT count(*) > 0 FROM va_ccg")).containsExactly("true");
    }
  }

  private static void execute(Connection duck, String sql) throws SQLException {
    try (Statement statement = duck.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> query(Connection duck, String sql) throws SQLException {
    List<String> cells = new ArrayList<>();
    try (Statement statement = duck.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        cells.add(result.getString(1));
      }
    }
    return cells;
  }

  private static List<String> views(Connection duck, Group group) throws SQLException {
    return query(
        duck,
        "SELECT view_name FROM duckdb_views() WHERE view_name LIKE '"
            + (group.system() + "_" + group.name()).replace("_", "^_")
            + "^_%' ESCAPE '^' AND NOT internal ORDER BY view_name");
  }

  /**
   * Returns the rows of all views of a group. Each value is converted to a list, so that the views
   * can be compared.
   */
  private static List<String> rows(Connection duck, Group group) throws SQLException {
    List<String> rows = new ArrayList<>();
    List<String> selects = new ArrayList<>();
    List<String> views = views(duck, group);
    for (int i = 0; i < views.size(); i++) {
      selects.add(
          "SELECT %d AS view, block, segment, time_ns, lateness, tie, row_number() OVER () AS number FROM %s"
              .formatted(i, views.get(i)));
    }
    List<List<String>> texts = new ArrayList<>();
    for (String view : views) {
      texts.add(texts(duck, group, view));
    }
    try (Statement statement = duck.createStatement();
        ResultSet result =
            statement.executeQuery(String.join(" UNION ALL ", selects) + IN_LOG_ORDER)) {
      while (result.next()) {
        rows.add(texts.get(result.getInt(1)).get((int) result.getLong("number") - 1));
      }
    }
    return rows;
  }

  private static List<String> texts(Connection duck, Group group, String view) throws SQLException {
    List<String> texts = new ArrayList<>();
    String type = view.substring((group.system() + "_" + group.name() + "_").length());
    try (Statement statement = duck.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM " + view)) {
      while (result.next()) {
        texts.add(
            String.join(
                "\t",
                result.getString("time_ns"),
                group.toString(),
                result.getString("channel"),
                result.getString("state"),
                result.getString("severity"),
                result.getString("status"),
                result.getBoolean("stray") ? "1" : "0",
                type.endsWith("_waveform") ? list(result) : scalar(result.getObject("value"))));
      }
    }
    return texts;
  }

  private static String list(ResultSet result) throws SQLException {
    Array array = result.getArray("value");
    if (array == null) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (Object element : (Object[]) array.getArray()) {
      text.append(text.isEmpty() ? "" : " ").append(scalar(element));
    }
    return "[" + text + "]";
  }

  private static String scalar(@Nullable Object value) {
    return AnswerLines.text(AnswerLines.asDouble(value));
  }

  /** Returns all events of a group in the store, strays included. */
  private static List<String> expected(ArchiveReader reader, Group group) throws IOException {
    EventQuery query =
        EventQuery.of(ChannelSelection.all(group))
            .from(Source.STORE)
            .withStrays()
            .allowIncomplete();
    return AnswerLines.read(reader, query).events();
  }

  /** Returns the numbers in sorted order, because the view promises no order. */
  private static List<String> numbers(Connection duck, Group group) throws SQLException {
    return query(
        duck,
        "SELECT concat_ws(' ', time_ns, channel, severity, status) AS line FROM %s_%s"
                .formatted(group.system(), group.name())
            + " WHERE value IS NOT NULL ORDER BY line");
  }

  private static List<String> scalarValueEvents(List<String> events) {
    return events.stream()
        .map(event -> event.split("\t", -1))
        .filter(cells -> cells[3].equals("2") && cells[6].equals("0"))
        .filter(cells -> cells[7].matches("d[0-9a-f]+"))
        .map(cells -> String.join(" ", cells[0], cells[2], cells[4], cells[5]))
        .sorted()
        .collect(Collectors.toList());
  }
}
