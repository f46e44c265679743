package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.RowFile;
import org.kblake.lake.table.SiteTable;
import org.kblake.test.fixture.TestStores;

/** The tables with rows of all groups say of the log what kblake says of it. */
final class SiteTablesTest {

  @TempDir private Path directory;

  private static List<Record> rows(LakeFixture fixture, String location, SiteTable which)
      throws IOException {
    List<Record> rows = new ArrayList<>();
    try (LakeCatalog catalog = fixture.catalog(location)) {
      LakeTable table = catalog.find(which);
      if (table == null) {
        return rows;
      }
      for (DataFile file : table.liveFiles()) {
        rows.addAll(RowFile.read(table, file.location()));
      }
    }
    return rows;
  }

  /** Returns lines of group, begin, end and kind. Spans that adjoin are one. */
  private static List<String> spans(List<Record> rows) {
    Map<String, List<Object[]>> byGroup = new TreeMap<>();
    for (Record row : rows) {
      byGroup
          .computeIfAbsent((String) row.getField("group"), any -> new ArrayList<>())
          .add(new Object[] {row.getField("from"), row.getField("to"), row.getField("kind")});
    }
    return lines(byGroup);
  }

  private static List<String> lines(Map<String, List<Object[]>> byGroup) {
    List<String> lines = new ArrayList<>();
    byGroup.forEach(
        (group, spans) -> {
          spans.sort(Comparator.comparingLong(span -> (Long) span[0]));
          for (int i = 0; i < spans.size(); i++) {
            Object[] span = spans.get(i);
            while (i + 1 < spans.size()
                && spans.get(i + 1)[0].equals(span[1])
                && spans.get(i + 1)[2].equals(span[2])) {
              span[1] = spans.get(++i)[1];
            }
            lines.add(group + " " + span[0] + " " + span[1] + " " + span[2]);
          }
        });
    return lines;
  }

  /** Returns whether there is a time with events. A log of a single write covers no time. */
  private static boolean isRecorded(List<String> spans) {
    return spans.stream().anyMatch(span -> !span.endsWith("down"));
  }

  /** Returns the spans of the coverage reports of answers, up to the last write. */
  private List<String> reported(LakeFixture fixture) throws IOException {
    Map<String, List<Object[]>> byGroup = new TreeMap<>();
    for (Group group : fixture.groups()) {
      fixture.run(
          "get",
          "--source",
          "store",
          "-g",
          group.toString(),
          "--from",
          "1980",
          "--to",
          "2029",
          "--coverage",
          "coverage.json",
          "-o",
          "events.csv",
          "*");
      Path file = fixture.directory().resolve("coverage.json");
      if (!Files.exists(file)) {
        continue;
      }
      JsonNode report = new ObjectMapper().readTree(file.toFile());
      List<Object[]> spans = new ArrayList<>();
      for (JsonNode span : report.get("spans")) {
        String kind =
            switch (span.get("kind").asText()) {
              case "answered" -> "in columns";
              case "archiver down", "damaged" -> span.get("kind").asText();
              // A pair that records no channel has a file.
              case "not recorded" -> span.hasNonNull("file") ? "in columns" : "";
              default -> "";
            };
        long from = span.get("fromNanos").asLong();
        long to = span.get("toNanos").asLong();
        Object[] last = spans.isEmpty() ? new Object[3] : spans.get(spans.size() - 1);
        if (kind.equals(last[2]) && last[1].equals(from)) {
          last[1] = to;
        } else if (!kind.isEmpty()) {
          spans.add(new Object[] {from, to, kind});
        }
      }
      if (!spans.isEmpty() && spans.get(spans.size() - 1)[2].equals("archiver down")) {
        spans.remove(spans.size() - 1);
      }
      if (!spans.isEmpty()) {
        byGroup.put(group.toString(), spans);
      }
      Files.delete(file);
    }
    return lines(byGroup);
  }

  /** Returns whether a span meets one of the same group and another kind. */
  private static boolean meetsAnother(String span, List<String> others) {
    String[] words = span.split(" ", 4);
    return others.stream()
        .map(other -> other.split(" ", 4))
        .anyMatch(
            other ->
                other[0].equals(words[0])
                    && !other[3].equals(words[3])
                    && Long.parseLong(other[1]) < Long.parseLong(words[2])
                    && Long.parseLong(words[1]) < Long.parseLong(other[2]));
  }

  /** Returns whether a span lies in one of the same group and kind. */
  private static boolean isWithin(String span, List<String> others) {
    String[] words = span.split(" ", 4);
    for (String other : others) {
      String[] wide = other.split(" ", 4);
      if (wide[0].equals(words[0])
          && wide[3].equals(words[3])
          && Long.parseLong(wide[1]) <= Long.parseLong(words[1])
          && Long.parseLong(words[2]) <= Long.parseLong(wide[2])) {
        return true;
      }
    }
    return false;
  }

  @Test
  void coverageClaimsNoMoreThanAnswers() throws Exception {
    Seeds.each(
        "coverageClaimsNoMoreThanAnswers",
        Seeds.cases(2, 4),
        seed -> {
          LakeFixture fixture = LakeFixture.of(directory.resolve("all" + seed), seed);
          fixture.backfill("");
          fixture.succeed("lake publish tables");
          List<String> found = spans(rows(fixture, "tables", SiteTable.COVERAGE));
          List<String> reported = reported(fixture);
          // Tables may say less than an answer, where a pair has no known end. A report has no stop
          // of the archiver before the first write in log order.
          assertThat(isRecorded(found)).isEqualTo(isRecorded(reported));
          assertThat(found)
              .as("%s", reported)
              .allMatch(
                  span ->
                      span.endsWith("down")
                          ? !meetsAnother(span, reported)
                          : isWithin(span, reported));
          fixture.succeed("lake verify -q tables");
        });
  }

  /** Sealing, merging, evicting and writing again change nothing of what is known. */
  @Test
  void coverageInStepsIsThatAtOnce() throws Exception {
    Seeds.each(
        "coverageInStepsIsThatAtOnce",
        Seeds.cases(1, 2),
        seed -> {
          LakeFixture fixture = LakeFixture.of(directory.resolve("steps" + seed), seed);
          SplittableRandom random = new SplittableRandom(seed);
          TestStores.backfillInSteps(fixture.archive(), fixture.store(), 6, random);
          fixture.succeed("lake publish tables");
          fixture.mergeAll();
          fixture.succeed("lake publish tables");
          List<Block> blocks = fixture.blocks();
          fixture.discard(List.of(blocks.get(random.nextInt(blocks.size()))));
          fixture.succeed("lake publish tables");
          List<String> evicted = spans(rows(fixture, "tables", SiteTable.COVERAGE));
          TestStores.backfill(fixture.archive(), fixture.store());
          fixture.succeed("lake publish tables");
          fixture.succeed("lake publish once");
          assertThat(isRecorded(evicted)).isEqualTo(isRecorded(reported(fixture)));
          assertThat(rows(fixture, "tables", SiteTable.CHANNELS)).isNotEmpty();
          for (SiteTable table : List.of(SiteTable.COVERAGE, SiteTable.CHANNELS)) {
            assertThat(rows(fixture, "tables", table))
                .containsExactlyInAnyOrderElementsOf(rows(fixture, "once", table));
          }
          assertThat(evicted).isEqualTo(spans(rows(fixture, "once", SiteTable.COVERAGE)));
          assertThat(fixture.succeed("lake publish tables")).containsPattern("snapshots +0\n");
          fixture.succeed("lake verify -q tables");
        });
  }

  /** Tables of a version that published events only. */
  @Test
  void tablesWithoutCoverageGetIt() throws Exception {
    LakeFixture fixture =
        LakeFixture.inSteps(directory, Seeds.one("tablesWithoutCoverageGetIt"), 4);
    fixture.succeed("lake publish tables");
    List<String> spans = spans(rows(fixture, "tables", SiteTable.COVERAGE));
    delete(fixture.tables().resolve("kblake"));
    assertThat(fixture.run("lake", "sql", "tables").err()).contains("tables have no coverage");
    fixture.succeed("lake publish tables");
    assertThat(spans(rows(fixture, "tables", SiteTable.COVERAGE))).isNotEmpty().isEqualTo(spans);
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void wrongBytesOfTheCoverageAreFound() throws Exception {
    LakeFixture fixture =
        LakeFixture.inSteps(directory, Seeds.one("wrongBytesOfTheCoverageAreFound"), 4);
    fixture.succeed("lake publish tables");
    try (LakeCatalog catalog = fixture.catalog()) {
      LakeTable table = Objects.requireNonNull(catalog.find(SiteTable.COVERAGE));
      Path file = Path.of(URI.create(table.liveFiles().get(0).location()).getPath());
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2] ^= 1;
      Files.write(file, bytes);
    }
    assertThat(fixture.run("lake", "verify", "-q", "tables").status()).isEqualTo(1);
  }

  /** A channel of several types has a row for each, with the table of its events. */
  @Test
  void channelsAreThoseOfRecordTables() throws Exception {
    LakeFixture fixture = LakeFixture.of(directory, Seeds.one("channelsAreThoseOfRecordTables"));
    fixture.backfill("");
    fixture.succeed("lake publish tables");
    List<Record> rows = rows(fixture, "tables", SiteTable.CHANNELS);
    try (LakeCatalog catalog = fixture.catalog()) {
      for (Group group : catalog.groups()) {
        for (LakeTable table : catalog.tables(group)) {
          assertThat(rows)
              .anyMatch(
                  row ->
                      row.getField("group").equals(group.toString())
                          && row.getField("table").equals(table.identifier()));
        }
      }
    }
    Record first = rows.get(0);
    describe(fixture, first, "unit,labels,former", "mA,off|on,OLD:NAME");
    assertThat(rows(fixture, "tables", SiteTable.CHANNELS))
        .anySatisfy(
            row -> {
              assertThat(row.getField("name")).isEqualTo(first.getField("name"));
              assertThat(row.getField("unit")).isEqualTo("mA");
              assertThat(row.getField("labels")).isEqualTo(List.of("off", "on"));
              assertThat(row.getField("former")).isEqualTo(List.of("OLD:NAME"));
            });
  }

  /** Publishes the tables with metadata of a channel. */
  private static void describe(LakeFixture fixture, Record channel, String columns, String cells)
      throws IOException {
    Path described = fixture.directory().resolve("channels/" + channel.getField("group"));
    Files.createDirectories(described);
    Files.writeString(
        described.resolve("channels.csv"),
        "name," + columns + "\n" + channel.getField("name") + "," + cells + "\n");
    fixture.succeed("lake publish --metadata channels tables");
  }

  /** The views give the rows of a former name to the present one, before its limit. */
  @Test
  void viewsFollowFormerNames() throws Exception {
    LakeFixture fixture = LakeFixture.small(directory, Seeds.one("viewsFollowFormerNames"));
    fixture.backfill("--profile lake");
    fixture.succeed("lake publish tables");
    String before = fixture.succeed("lake sql tables");
    Record first = rows(fixture, "tables", SiteTable.CHANNELS).get(0);
    describe(fixture, first, "former", "OLD:LABEL|OLD:B until 2019-04-01T00:00Z");
    assertThat(rows(fixture, "tables", SiteTable.CHANNELS))
        .filteredOn(row -> first.getField("name").equals(row.getField("name")))
        .allSatisfy(
            row ->
                assertThat(row.getField("former"))
                    .isEqualTo(List.of("OLD:LABEL", "OLD:B until 2019-04-01T00:00:00Z")));
    assertThat(before).doesNotContain("CASE WHEN channel");
    assertThat(fixture.succeed("lake sql tables"))
        .contains(
            "WHERE NOT (channel = 'OLD:LABEL' OR (channel = 'OLD:B' AND NOT stray AND time >="
                + " -9223372036854775807 AND time < 1554076800000000000))",
            "CASE WHEN channel = 'OLD:LABEL' THEN '" + first.getField("name") + "'",
            "channel IN ('OLD:LABEL', 'OLD:B')");
  }
}
