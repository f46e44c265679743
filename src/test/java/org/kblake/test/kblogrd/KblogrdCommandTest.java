package org.kblake.test.kblogrd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;

/** The answers of kblogrd to wrong requests, and from damaged or incomplete archives. */
final class KblogrdCommandTest {

  private static final String RANGE = "20160516001230-201605160040";

  /** A record that VA/CCG has only from its second pair on. */
  private static final String LATER = "NEW:20079940:VAL";

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  @Test
  void eachUnknownRecordIsNamedOnItsOwnLine() {
    KblakeRun run =
        raw("-r", "NOPE:1,VA_CCG:D04_000:PRES,NOPE:2,NOPE:1,^xyz$-", "-t", RANGE, "VA/CCG");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .containsExactly(
            "kblogrd: specified record name doesn't match: NOPE:1",
            "kblogrd: specified record name doesn't match: NOPE:2",
            "kblogrd: specified record name doesn't match: ^xyz$-");
  }

  /** A text that ends in a minus is an expression, even if a record has this very name. */
  @Test
  void anExpressionIsNotTheNameOfARecord() throws IOException {
    Path archive = Files.createDirectory(directory.resolve("odd"));
    RecordTable records = new RecordTable(List.of(new RecordEntry(1, "A+B-", ValueType.DOUBLE, 1)));
    Group group = new Group("VA", "CCG");
    try (LogWriter writer =
        LogWriter.create(archive, group, "20160516000000", ByteOrder.BIG_ENDIAN, records)) {
      long nanos = 1_463_324_400_000_000_000L;
      writer.milestone(nanos);
      writer.number(0, nanos, 0, 0, Double.doubleToRawLongBits(1));
    }
    TestStores.closePairs(archive);
    KblakeRun.Builder runner = KblakeRun.in(directory).with("KBLAKE_ARCHIVE", archive.toString());
    assertThat(runner.kblogrd("-r", "A+B-", "-t", RANGE, "VA/CCG"))
        .isEqualTo(new KblakeRun(1, "", "kblogrd: specified record name doesn't match: A+B-\n"));
    assertThat(runner.kblogrd("-r", "A.B--", "-t", RANGE, "VA/CCG").status()).isZero();
  }

  /**
   * A was 2 at 0:04. The log has this event behind the event of 0:08. The value held at 0:16 is 2,
   * because no event is later than the disorder bound allows.
   */
  @Test
  void aLateEventBeforeTheRangeIsHeld() throws Exception {
    Path archive = directory.resolve("late");
    RecordTable records =
        new RecordTable(
            List.of(
                new RecordEntry(0, "A", ValueType.LONG, 1),
                new RecordEntry(1, "B", ValueType.LONG, 1)));
    long nanos = 1_463_324_400_000_000_000L;
    long minute = 60_000_000_000L;
    try (LogWriter writer =
        LogWriter.create(
            archive, new Group("VA", "CCG"), "20160516000000", ByteOrder.BIG_ENDIAN, records)) {
      writer.milestone(nanos);
      writer.number(0, nanos + 8 * minute, 0, 0, 1);
      writer.number(0, nanos + 4 * minute, 0, 0, 2);
      writer.number(1, nanos + 16 * minute, 0, 0, 3);
    }
    TestStores.closePairs(archive);
    KblakeRun.Builder runner = KblakeRun.in(directory).with("KBLAKE_ARCHIVE", archive.toString());
    for (String times : List.of("20160516001600", "20160516001600-20160516001700")) {
      assertThat(runner.kblogrd("-f", "kaleida", "-t", times, "VA/CCG").out())
          .as(times)
          .isEqualTo("time\tA\tB\n05/16/2016 00:16:00\t2\t3\n");
    }
  }

  @Test
  void anUnknownGroupIsReportedWithTheNearestNames() {
    KblakeRun run = raw("-t", RANGE, "VA/CCQ");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo("kblogrd: no such group: VA/CCQ (nearest: VA/CCG)\n");
    assertThat(raw("VA/Valves").err())
        .isEqualTo("kblogrd: no such group: VA/Valves (nearest: VA/CCG, RF/AnalogData)\n");
  }

  @Test
  void wrongArgumentsAreStatusTwoAndOneLine() {
    for (List<String> words :
        List.of(
            List.of("-t", "2016", "VA/CCG"),
            List.of("-t", "20160517-20160516", "VA/CCG"),
            List.of("-t", "20160516-20160517d0", "VA/CCG"),
            List.of("-r", "", "VA/CCG"),
            List.of("-r", "[-", "VA/CCG"),
            List.of("-f", "xml", "VA/CCG"),
            List.of("VA"),
            List.<String>of())) {
      KblakeRun run = raw(words.toArray(new String[0]));
      assertThat(run.status()).as("%s", words).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).startsWith("kblogrd: ").hasLineCount(1);
    }
  }

  @Test
  void anExpressionThatTakesTooLongIsStatusTwo() {
    KblakeRun run = raw("-r", ".*".repeat(12) + "!-", "-t", RANGE, "VA/CCG");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("takes too long").hasLineCount(1);
  }

  @Test
  void noDataIsNoError() {
    assertThat(raw("-t", "19990101-19990102", "VA/CCG")).isEqualTo(new KblakeRun(0, "", ""));
    KblakeRun table =
        raw("-f", "kaleida", "-r", "VA_CCG:D04_000:PRES", "-t", "20300101-20300102d60", "VA/CCG");
    assertThat(table).isEqualTo(new KblakeRun(0, "time\tVA_CCG:D04_000:PRES\n", ""));
  }

  /** The value before the range is searched although no record table there has the record. */
  @Test
  void aTableOfChangesHasRecordsOfLaterPairs() {
    KblakeRun named = raw("-f", "kaleida", "-r", LATER, "-t", "20160516-2016051601", "VA/CCG");
    KblakeRun all = raw("-f", "kaleida", "-t", "20160516-2016051601", "VA/CCG");
    KblakeRun newest = raw("-f", "kaleida", "VA/CCG");
    for (KblakeRun run : List.of(named, all, newest)) {
      assertThat(run.err()).isEmpty();
      assertThat(run.status()).isZero();
      assertThat(run.out().lines().findFirst().orElse("")).contains("\t" + LATER);
    }
    assertThat(named.out().lines()).hasSizeGreaterThan(100);
    assertThat(all.out().lines()).allMatch(line -> line.split("\t").length == columns(all));
  }

  /**
   * The rows of kaleida end before the pair that has the record. The table still has a column for
   * it.
   */
  @Test
  void aGridHasRecordsOfAPairWithoutEvents() throws IOException {
    Path log = CommandFixture.find(fixture.archive(), "VA/CCG_20160516002717.log2");
    byte[] bytes = Files.readAllBytes(log);
    int length = ByteBuffer.wrap(bytes).getInt();
    int milestoneBytes = Math.min(length & 0x7fffffff, Integer.reverseBytes(length) & 0x7fffffff);
    Files.write(log, Arrays.copyOf(bytes, milestoneBytes));
    // Its index knows no milestone that the log does not have.
    Path index = CommandFixture.find(fixture.archive(), "VA/CCG_20160516002717.log1");
    byte[] entries = Files.readAllBytes(index);
    ByteBuffer head = ByteBuffer.wrap(entries);
    boolean big = head.getInt(0) == 0x4B424C31;
    int milestones = big ? head.getInt(12) : Integer.reverseBytes(head.getInt(12));
    Files.write(index, Arrays.copyOf(entries, milestones + 16));
    TestStores.closePairs(fixture.archive());
    KblakeRun run =
        raw("-f", "kaleida", "-r", "VA_CCG:D04_000:PRES," + LATER, "-t", RANGE + "d60", "VA/CCG");
    assertThat(run.status()).isZero();
    assertThat(run.err()).doesNotContain("doesn't match");
    assertThat(run.out())
        .startsWith("time\tVA_CCG:D04_000:PRES\t" + LATER + "\n05/16/2016 00:12:30\t0\tNaN\n");
  }

  private static int columns(KblakeRun table) {
    return table.out().lines().findFirst().orElse("").split("\t").length;
  }

  @Test
  void fiveThousandNamesAreAnsweredOrReported() {
    StringBuilder names = new StringBuilder("VA_CCG:D04_000:PRES");
    for (int i = 1; i < 5000; i++) {
      names.append(i % 2 == 0 ? ",VA_CCG:D04_000:PRES" : ",VA_CCG:D07_001:XPOS");
    }
    KblakeRun both = raw("-r", "VA_CCG:D04_000:PRES,VA_CCG:D07_001:XPOS", "-t", RANGE, "VA/CCG");
    assertThat(raw("-r", names.toString(), "-t", RANGE, "VA/CCG")).isEqualTo(both);
    String table = raw("-fkaleida", "-r" + names, "-t", RANGE + "d600", "VA/CCG").out();
    assertThat(table.lines()).allMatch(line -> line.split("\t", -1).length == 5001);
  }

  @Test
  void withoutNamesRecordsAreInTheOrderOfTheRecordTable() {
    KblakeRun all = raw("-f", "kaleida", "-t", RANGE + "d600", "VA/CCG");
    KblakeRun matched = raw("-f", "kaleida", "-t", RANGE + "d600", "-r", ".-", "VA/CCG");
    assertThat(all.status()).isZero();
    assertThat(matched).isEqualTo(all);
  }

  /** A dangling link stands for a volume that is offline. */
  @Test
  void anOfflineVolumeIsStatusThreeWithPeriodAndFile() throws IOException {
    Path log = CommandFixture.find(fixture.archive(), "VA/CCG_20160516002717.log2");
    KblakeRun whole = raw("-t", RANGE, "VA/CCG");
    Files.delete(log);
    Files.createSymbolicLink(log, Path.of("/offline/volume"));
    KblakeRun run = raw("-t", RANGE, "VA/CCG");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .contains("incomplete: unavailable: VA/CCG from 2016051600")
        .contains(log.toString());
    assertThat(run.out()).isNotEmpty().endsWith("\n");
    assertThat(whole.out()).startsWith(run.out());
    // Only the record table of the offline pair may have this record, so it is not reported as
    // unknown.
    KblakeRun newest = raw("-r", "NOPE", "-t", "20160516003000-", "VA/CCG");
    assertThat(newest.status()).isEqualTo(3);
    assertThat(newest.out()).isEmpty();
    assertThat(newest.err()).doesNotContain("specified record name doesn't match");
    KblakeRun table =
        raw("-f", "kaleida", "-r", "VA_CCG:D04_000:PRES,NOPE", "-t", RANGE + "d300", "VA/CCG");
    assertThat(table.status()).isEqualTo(3);
    assertThat(table.out()).startsWith("time\tVA_CCG:D04_000:PRES\tNOPE\n").doesNotContain("\t\t");
  }

  @Test
  void anArchiveThatIsOfflineIsStatusThree() {
    KblakeRun run =
        KblakeRun.in(directory).with("KBLAKE_ARCHIVE", "/offline").kblogrd("-t", RANGE, "VA/CCG");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("kblogrd: ").contains("/offline").hasLineCount(1);
  }

  @Test
  void damageInTheMiddleIsStatusThreeAndTheRestIsPrinted() throws IOException {
    Path log = CommandFixture.find(fixture.archive(), "RF/AnalogData_20160516000000.log2");
    List<String> whole = raw("-t", "20160516-20160517", "RF/AnalogData").out().lines().toList();
    for (int offset = 150_000; offset < 150_040; offset++) {
      CommandFixture.flip(log, offset);
    }
    KblakeRun run = raw("-t", "20160516-20160517", "RF/AnalogData");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("damaged").contains(log.toString());
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSizeGreaterThan(whole.size() / 2).hasSizeLessThan(whole.size());
    assertThat(lines.get(lines.size() - 1)).isEqualTo(whole.get(whole.size() - 1));
    assertThat(lines).allMatch(new HashSet<>(whole)::contains);
  }

  @Test
  void aPairCutByACrashIsStatusZeroAndOneLine() throws IOException {
    Path log = CommandFixture.find(fixture.archive(), "VA/CCG_20160516000000.log2");
    byte[] bytes = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(bytes, bytes.length - 5));
    TestStores.closePairs(fixture.archive());
    KblakeRun run = raw("-t", "20160516-20160517", "VA/CCG");
    assertThat(run.status()).isZero();
    assertThat(run.err()).contains("cut").contains(log.toString()).hasLineCount(1);
  }

  /** kblog has created the index of a new pair, but has not written its record table yet. */
  @Test
  void aPendingPairIsSkippedAndReported() throws IOException {
    String before = raw("VA/CCG").out();
    assertThat(before).startsWith("05/16/2016 00:27:17");
    Path index = CommandFixture.find(fixture.archive(), "VA/CCG_20160516002717.log1");
    Files.createFile(index.resolveSibling("CCG_20160516010000.log1"));
    Files.createFile(index.resolveSibling("CCG_20160516010000.log2"));
    KblakeRun run = rawRunner().at(Instant.now()).kblogrd("VA/CCG");
    assertThat(run.out()).isEqualTo(before);
    assertThat(run.err())
        .contains("not readable yet")
        .contains("CCG_20160516010000")
        .hasLineCount(1);
    assertThat(run.status()).isZero();
  }

  /** The setting look-back is for other questions. */
  @Test
  void heldValuesAreSearchedWithoutALimit() throws IOException {
    Files.writeString(directory.resolve("kblake.toml"), "look-back = \"1h\"\n");
    for (String time : List.of("20160517", "20260517", "20560517-20560517d1")) {
      KblakeRun held = raw("-r", "VA_CCG:D04_000:PRES", "-t", time, "VA/CCG");
      assertThat(held.out()).hasLineCount(1);
      assertThat(held.out()).startsWith(time.length() == 8 ? "05/16/2016 00:" : "05/17/2056 00:");
    }
  }

  @Test
  void onAGridConnectionEventsHaveTheirOwnTimes() {
    List<String> lines =
        raw("-t", RANGE + "d60", "-r", "VA_CCG:D04_000:PRES,VA_CCG:D12_002:TEMP", "VA/CCG")
            .out()
            .lines()
            .toList();
    List<String> connections = lines.stream().filter(line -> line.endsWith("onnected")).toList();
    assertThat(connections)
        .isEqualTo(
            raw("-t", RANGE, "-r", "VA_CCG:D04_000:PRES,VA_CCG:D12_002:TEMP", "VA/CCG")
                .out()
                .lines()
                .filter(line -> line.endsWith("onnected"))
                .toList())
        .isNotEmpty();
    assertThat(lines)
        .isSortedAccordingTo((a, b) -> a.substring(0, 22).compareTo(b.substring(0, 22)));
    Set<String> minutes = new TreeSet<>();
    lines.stream()
        .filter(line -> !line.endsWith("onnected"))
        .forEach(line -> minutes.add(line.substring(17, 22)));
    assertThat(minutes).containsExactly("30.00");
  }

  @Test
  void csvIsTheSameAsOfKblakeGet() {
    KblakeRun get =
        fixture.run(
            "get", "--from", "20160516001230", "--to", "20160516004001", "-g", "VA/CCG", "*");
    KblakeRun csv = fixture.kblogrd("-f", "csv", "-t", RANGE, "VA/CCG");
    assertThat(csv.out()).isEqualTo(get.out());
  }

  @Test
  void sadIsOneExpressionWithOneListForEachRecord() {
    String text =
        raw("-f", "sad", "-t", RANGE, "-r", "VA_CCG:D04_000:PRES,VA_CCG:D07_001:XPOS", "VA/CCG")
            .out();
    assertThat(text).startsWith("{{\"VA_CCG:D04_000:PRES\",{{").endsWith("}}}\n");
    assertThat(text.chars().filter(c -> c == '{').count())
        .isEqualTo(text.chars().filter(c -> c == '}').count());
    // 2016-05-16T00:12:30 in Tokyo is 3672346350 s after 1900-01-01T00:00:00 in Tokyo.
    assertThat(text).contains("\n{\"VA_CCG:D07_001:XPOS\",{{3672346350.31");
  }

  @Test
  void anUnusableStoreIsReportedAndRawLogsAreRead() throws IOException {
    Files.createDirectories(fixture.store());
    Files.writeString(
        fixture.store().resolve("kblake-store.properties"),
        "format=99\noldest-reader=99\n",
        StandardOpenOption.CREATE);
    KblakeRun run = fixture.kblogrd("-t", RANGE, "VA/CCG");
    assertThat(run.out()).isEqualTo(raw("-t", RANGE, "VA/CCG").out());
    assertThat(run.err()).startsWith("kblogrd: store cannot be used, raw logs are read: ");
    assertThat(run.status()).isZero();
  }

  /** A damaged record table may say that a value has two billion elements. */
  @Test
  void aTableWithMoreColumnsThanMemoryHasIsRefused() throws IOException {
    Path archive = Files.createDirectory(directory.resolve("wide"));
    RecordTable records =
        new RecordTable(
            List.of(
                new RecordEntry(1, "A", ValueType.DOUBLE, 1),
                new RecordEntry(2, "W", ValueType.DOUBLE, Integer.MAX_VALUE)));
    try (LogWriter writer =
        LogWriter.create(
            archive, new Group("VA", "CCG"), "20160516000000", ByteOrder.BIG_ENDIAN, records)) {
      long nanos = 1_463_324_400_000_000_000L;
      writer.milestone(nanos);
      writer.number(0, nanos, 0, 0, Double.doubleToRawLongBits(1));
    }
    TestStores.closePairs(archive);
    KblakeRun.Builder runner = KblakeRun.in(directory).with("KBLAKE_ARCHIVE", archive.toString());
    String times = "20160516000000-20160516000010";
    for (String grid : List.of("", "d1")) {
      assertThat(runner.kblogrd("-f", "kaleida", "-t", times + grid, "VA/CCG"))
          .isEqualTo(
              new KblakeRun(
                  1,
                  "",
                  "kblogrd: a row has more than 1000000 columns: a record table says that W has up"
                      + " to 2147483647 elements; take -f free, or other records with -r\n"));
    }
    assertThat(runner.kblogrd("-f", "kaleida", "-r", "A", "-t", times, "VA/CCG").out())
        .endsWith("\t1.000000e+00\n");
    for (String format : List.of("free", "sad", "csv")) {
      assertThat(runner.kblogrd("-f", format, "-t", times, "VA/CCG").status()).isZero();
    }
  }

  private KblakeRun raw(String... words) {
    return rawRunner().kblogrd(words);
  }

  private KblakeRun.Builder rawRunner() {
    return KblakeRun.in(directory).with("KBLAKE_ARCHIVE", fixture.archive().toString());
  }
}
