package org.kblake.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeProcess;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.RandomLogs;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.hbase.cell.CellCompression;
import org.kblake.hbase.fixture.Answers;
import org.kblake.hbase.fixture.MiniCluster;
import org.kblake.hbase.layout.EventKey;
import org.kblake.hbase.layout.EventValue;
import org.kblake.hbase.layout.TableLayout;

/**
 * Tables on HBase's mini cluster have the events of the archive, bit for bit, whatever interrupted
 * their export, and become the same archive again.
 */
@Tag("cluster")
final class ClusterCommandTest {

  @TempDir private static Path shared;

  private static MiniCluster cluster;

  @TempDir private Path directory;

  @BeforeAll
  static void startCluster() throws Exception {
    cluster = new MiniCluster(shared);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  private List<String> words(String command, String... more) {
    List<String> words = new ArrayList<>(List.of(command, "hbase"));
    words.addAll(List.of(more));
    words.addAll(List.of("--zookeeper", cluster.hosts()));
    if (command.equals("export")) {
      words.addAll(List.of("--from", "2020-02-20", "--to", "2020-03-10"));
      words.addAll(List.of("--staging", directory.resolve("staging").toString()));
    }
    return words;
  }

  private KblakeRun kblake(Path archive, List<String> words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", archive.toString())
        .at(Instant.parse("2026-01-01T00:00:00Z"))
        .leavingAlone(archive)
        .run(words.toArray(String[]::new));
  }

  private KblakeRun export(Path archive, String... more) {
    return kblake(archive, words("export", more));
  }

  private Path archive(long seed) throws IOException {
    Path archive = directory.resolve("archive" + seed);
    RandomLogs.write(archive, seed);
    return archive;
  }

  private void requireVerified(Path archive, String table) throws IOException {
    KblakeRun verified = export(archive, table, "--verify");
    assertThat(verified.err())
        .contains(
            " events are equal, 0 are missing from the table, 0 are only in the table, 0 have");
    assertThat(verified.status()).isZero();
    long events =
        Answers.ofGroups(archive, RandomLogs.EVERYTHING).values().stream()
            .mapToLong(List::size)
            .sum();
    assertThat(rows(table)).hasSize((int) events);
  }

  /** Returns the keys of all events in the order of the table. */
  private static List<byte[]> rows(String table) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    try (Table open = cluster.connection().getTable(TableName.valueOf(table));
        ResultScanner results =
            open.getScanner(new Scan().withStartRow(TableLayout.firstEvent()))) {
      for (Result each : results) {
        assertThat(each.rawCells()).hasSize(1);
        rows.add(each.getRow());
      }
    }
    return rows;
  }

  @Test
  void tablesOfEachCompressionBecomeTheSameArchiveAgain() throws Exception {
    long seed = Seeds.one("tables of HBase");
    for (CellCompression compression : CellCompression.values()) {
      Path archive = archive(seed + compression.ordinal());
      String table = "round_" + compression;
      KblakeRun exported =
          export(archive, table, "--compression", compression.toString(), "--regions", "4");
      assertThat(exported.err()).contains(table + ": ").contains("0 were there");
      assertThat(exported.status()).isZero();
      requireVerified(archive, table);
      try (Admin admin = cluster.connection().getAdmin()) {
        TableName name = TableName.valueOf(table);
        assertThat(admin.getRegions(name)).hasSize(4);
        assertThat(admin.getDescriptor(name).getColumnFamily(Bytes.toBytes("e")))
            .satisfies(
                family -> {
                  assertThat(family.getDataBlockEncoding()).isEqualTo(DataBlockEncoding.FAST_DIFF);
                  assertThat(family.getCompressionType()).isEqualTo(compression.algorithm());
                });
      }
      Path restored = directory.resolve("restored_" + compression);
      KblakeRun imported = kblake(archive, words("import", table, restored.toString()));
      assertThat(imported.status()).as(imported.err()).isZero();
      assertThat(Answers.ofGroups(restored, RandomLogs.EVERYTHING))
          .isEqualTo(Answers.ofGroups(archive, RandomLogs.EVERYTHING));
    }
  }

  @Test
  void anExportThatIsRepeatedChangesNothing() throws Exception {
    Path archive = archive(1);
    assertThat(export(archive, "again").status()).isZero();
    assertThat(export(archive, "again").err()).contains("; 0 stretches written, ");
    assertThat(export(archive, "again", "--again").err()).doesNotContain("; 0 stretches written, ");
    assertThat(export(archive, "again", "--stretch", "5h").status()).isZero();
    requireVerified(archive, "again");
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.majorCompact(TableName.valueOf("again"));
    }
    requireVerified(archive, "again");
  }

  /** Other channels and other ranges of the same archive give cells with the same keys. */
  @Test
  void partsOfAnArchiveBecomeTheWhole() throws Exception {
    Path archive = archive(2);
    assertThat(export(archive, "parts", "VA:*").status()).isZero();
    assertThat(export(archive, "parts", "-g", "B M/D%C+T", "--stretch", "7h").status()).isZero();
    assertThat(export(archive, "parts").status()).isZero();
    requireVerified(archive, "parts");
  }

  @Test
  void anArchiveThatGrewIsCompleted() throws Exception {
    Path archive = archive(3);
    Path later = Files.createDirectories(directory.resolve("later"));
    List<Path> newest;
    try (Stream<Path> files = Files.list(archive.resolve("VA"))) {
      newest = files.filter(file -> file.toString().contains("_20200229160000")).toList();
    }
    assertThat(newest).hasSize(2);
    for (Path file : newest) {
      Files.move(file, later.resolve(file.getFileName()));
    }
    assertThat(export(archive, "growing").status()).isZero();
    for (Path file : newest) {
      Files.move(later.resolve(file.getFileName()), file);
      Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2020-04-01T00:00:00Z")));
    }
    KblakeRun incomplete = export(archive, "growing", "--verify");
    assertThat(incomplete.status()).isEqualTo(1);
    assertThat(incomplete.err()).contains(" are missing from the table").contains("; the first: ");
    assertThat(export(archive, "growing").status()).isZero();
    requireVerified(archive, "growing");
  }

  @Test
  void aKilledExportIsCompletedByTheNext() throws Exception {
    long seed = Seeds.one("killed export");
    SplittableRandom random = new SplittableRandom(seed);
    Path archive = archive(4);
    List<String> words = words("export", "killed", "--stretch", "1h", "--memory", "1M");
    for (int i = 0; i < 4; i++) {
      try (KblakeProcess process = KblakeProcess.start(directory, archive, words)) {
        process.endWithin(Duration.ofMillis(2_000 + random.nextInt(6_000)));
      }
    }
    assertThat(kblake(archive, words).status()).isZero();
    requireVerified(archive, "killed");
  }

  @Test
  void verificationFindsEachKindOfDifference() throws Exception {
    Path archive = archive(5);
    assertThat(export(archive, "different").status()).isZero();
    List<byte[]> rows = rows("different");
    byte[] family = TableLayout.family();
    try (Table table = cluster.connection().getTable(TableName.valueOf("different"))) {
      byte[] usual = usualRow(table, rows);
      byte[] value = CellUtil.cloneValue(cell(table, usual));
      value[2]++;
      table.put(new Put(usual).addColumn(family, new byte[0], 1, value));
      assertDifference(archive, "1 have other values");
      value[2]--;
      table.put(new Put(usual).addColumn(family, new byte[0], 1, value));
      EventKey key = EventKey.of(usual);
      byte[] other = new EventKey(key.channel(), key.timeNanos(), key.stamp(), 1, 0, 0).row();
      table.put(new Put(other).addColumn(family, new byte[0], 1, value));
      assertDifference(archive, "1 are only in the table");
      table.delete(new Delete(other));
      table.delete(new Delete(usual));
      assertDifference(archive, "1 are missing from the table");
      // A delete hides what is loaded later with the same time stamp, until a major compaction.
    }
  }

  private static Cell cell(Table table, byte[] row) throws IOException {
    return table.get(new Get(row)).rawCells()[0];
  }

  private static byte[] usualRow(Table table, List<byte[]> rows) throws IOException {
    for (byte[] row : rows) {
      if (!EventValue.isStray(CellUtil.cloneValue(cell(table, row)))) {
        return row;
      }
    }
    throw new AssertionError("only strays");
  }

  private void assertDifference(Path archive, String difference) {
    KblakeRun verified = export(archive, "different", "--verify");
    assertThat(verified.err()).contains(difference).contains("; the first: ");
    assertThat(verified.status()).isEqualTo(1);
  }

  @Test
  void tablesOfOthersAreRefused() throws Exception {
    Path archive = archive(6);
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf("foreign"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("e"))
              .build());
    }
    KblakeRun foreign = export(archive, "foreign");
    assertThat(foreign.err())
        .startsWith("kblake export hbase: the table has another layout: table=foreign")
        .hasLineCount(1);
    assertThat(foreign.status()).isEqualTo(1);
    assertThat(kblake(archive, words("import", "foreign", "new")).err())
        .contains("the table has another layout");
    assertThat(kblake(archive, words("import", "absent", "new")).err())
        .startsWith("kblake import hbase: no such table: absent");
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(export(archive, "not a name").err()).contains("not a name of a table of HBase");
    assertThat(export(archive, "packed", "--compression", "gz", "VA:*").status()).isZero();
    assertThat(export(archive, "packed", "--compression", "lz4").err())
        .contains("the table has another compression: table=packed, compression=gz");
  }

  @Test
  void aClusterThatIsAwayIsReportedInTime() throws Exception {
    Path archive = archive(7);
    long begin = System.nanoTime();
    List<String> words =
        new ArrayList<>(List.of("export", "hbase", "t", "--from", "2020-02-28", "--staging", "s"));
    words.addAll(List.of("--zookeeper", "127.0.0.1:1", "--timeout", "5s"));
    KblakeRun away = kblake(archive, words);
    assertThat(away.err())
        .startsWith("kblake export hbase: HBase is away: ")
        .contains("ZooKeeper=127.0.0.1:1")
        .hasLineCount(1);
    assertThat(away.status()).isEqualTo(1);
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(30));
  }

  /** A batch that cannot be written is not in the table, and the next export writes it. */
  @Test
  void aPlaceThatCannotBeWrittenIsNamed() throws Exception {
    Path archive = archive(8);
    Path file = Files.createFile(directory.resolve("staging"));
    KblakeRun failed = export(archive, "unwritten");
    assertThat(failed.status()).isEqualTo(1);
    assertThat(failed.err()).contains(file.toString()).hasLineCount(1);
    Files.delete(file);
    assertThat(export(archive, "unwritten").status()).isZero();
    requireVerified(archive, "unwritten");
  }

  /** The events of a channel in a range of time are one range of rows. */
  @Test
  void aChannelInARangeIsARangeOfRows() throws Exception {
    Path archive = archive(9);
    assertThat(export(archive, "ranges").status()).isZero();
    Map<Group, List<String>> answers = Answers.ofGroups(archive, RandomLogs.EVERYTHING);
    Channel channel = new Channel(new Group("VA", "CCG"), "a\u0000b");
    byte[] prefix = EventKey.channelPrefix(channel);
    long expected =
        answers.getOrDefault(channel.group(), List.of()).stream()
            .filter(line -> line.startsWith(channel + " "))
            .count();
    try (Table table = cluster.connection().getTable(TableName.valueOf("ranges"));
        ResultScanner results =
            table.getScanner(
                new Scan()
                    .withStartRow(EventKey.at(prefix, 0))
                    .withStopRow(EventKey.at(prefix, Long.MAX_VALUE)))) {
      long rows = 0;
      for (Result each : results) {
        assertThat(EventKey.of(each.getRow()).channel()).isEqualTo(channel);
        rows++;
      }
      assertThat(rows).isEqualTo(expected).isPositive();
    }
  }
}
