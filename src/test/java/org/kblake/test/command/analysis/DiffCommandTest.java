package org.kblake.test.command.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.format.text.Rfc4180;
import org.kblake.query.ArchiveReader;
import org.kblake.query.Differences;
import org.kblake.query.answer.Difference;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.HeldQuery;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;

/**
 * {@code kblake diff} on two groups. A pair of an hour has all channels. In its second half, one
 * channel of each kind changes. Another pair has a renamed channel, and a new one.
 */
final class DiffCommandTest {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final Group GROUP = new Group("VA", "CCG");
  private static final Group OTHER = new Group("BM", "DCCT");
  private static final long SECOND = 1_000_000_000L;
  private static final long FROM_NANOS =
      Instant.parse("2024-05-20T00:00:00Z").getEpochSecond() * SECOND;

  private static final String EARLY = "2024-05-20T09:20";
  private static final String LATE = "2024-05-20T09:50";
  private static final String NEXT = "2024-05-20T10:30";

  private static final RecordTable RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(0, "LINE", ValueType.DOUBLE, 1),
              new RecordEntry(1, "ALARM", ValueType.DOUBLE, 1),
              new RecordEntry(2, "CHOICE", ValueType.ENUM, 1),
              new RecordEntry(3, "VALVE", ValueType.CHAR, 1),
              new RecordEntry(4, "TEXT", ValueType.STRING, 1),
              new RecordEntry(5, "LITTLE", ValueType.DOUBLE, 1),
              new RecordEntry(6, "MUCH", ValueType.FLOAT, 1),
              new RecordEntry(7, "ZERO", ValueType.DOUBLE, 1),
              new RecordEntry(8, "LIST", ValueType.SHORT, 3),
              new RecordEntry(9, "SAME", ValueType.LONG, 1),
              new RecordEntry(10, "FORMER", ValueType.DOUBLE, 1)));

  private static final RecordTable NEXT_RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(0, "PRESENT", ValueType.DOUBLE, 1),
              new RecordEntry(1, "NEW", ValueType.DOUBLE, 1)));

  private static final RecordTable OTHER_RECORDS =
      new RecordTable(List.of(new RecordEntry(0, "CURRENT", ValueType.DOUBLE, 1)));

  @TempDir Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void write() throws IOException {
    fixture = new CommandFixture(directory);
    Path system = Files.createDirectories(fixture.archive().resolve("SYS"));
    Files.writeString(system.resolve("KEKBLog.list"), "VA CCG\nBM DCCT\n");
    try (LogWriter writer = pair(GROUP, FROM_NANOS, RECORDS)) {
      first(writer, at(1));
      writer.milestone(at(30));
      second(writer, at(31));
      writer.milestone(at(60));
    }
    try (LogWriter writer = pair(GROUP, at(60) + SECOND, NEXT_RECORDS)) {
      number(writer, 0, at(61), 8);
      number(writer, 1, at(62), 1);
      writer.milestone(at(120));
    }
    try (LogWriter writer = pair(OTHER, FROM_NANOS, OTHER_RECORDS)) {
      number(writer, 0, at(1), 1000);
      number(writer, 0, at(40), 10);
      writer.milestone(at(120));
    }
    TestStores.closePairs(fixture.archive());
  }

  private static long at(int minutes) {
    return FROM_NANOS + minutes * 60L * SECOND;
  }

  private LogWriter pair(Group group, long nanos, RecordTable records) throws IOException {
    String stamp = PairName.at(group.name(), nanos, ZONE).stamp();
    LogWriter writer =
        LogWriter.create(fixture.archive(), group, stamp, ByteOrder.LITTLE_ENDIAN, records);
    writer.milestone(nanos);
    return writer;
  }

  private static void number(LogWriter writer, int record, long nanos, double number)
      throws IOException {
    writer.number(record, nanos, 0, 0, Double.doubleToRawLongBits(number));
  }

  private static void first(LogWriter writer, long nanos) throws IOException {
    for (int record : new int[] {0, 1, 5, 7, 10}) {
      number(writer, record, nanos, record == 7 ? 0.0 : record + 1);
    }
    writer.number(2, nanos, 0, 0, 1);
    writer.number(3, nanos, 0, 0, 0);
    writer.text(4, nanos, 0, 0, "ready".getBytes(StandardCharsets.UTF_8));
    writer.number(6, nanos, 0, 0, Float.floatToRawIntBits(100) & 0xFFFF_FFFFL);
    writer.numbers(8, nanos, 0, 0, new long[] {1, 2, 3}, 0, 3);
    writer.number(9, nanos, 0, 0, 42);
  }

  private static void second(LogWriter writer, long nanos) throws IOException {
    writer.connection(0, nanos, false, 3, 9);
    writer.number(1, nanos, 2, 3, Double.doubleToRawLongBits(17));
    writer.number(2, nanos, 0, 0, 3);
    writer.number(3, nanos, 0, 0, 1);
    writer.text(4, nanos, 0, 0, "off, \"now\"".getBytes(StandardCharsets.UTF_8));
    number(writer, 5, nanos, 6.25);
    writer.number(6, nanos, 0, 0, Float.floatToRawIntBits(-100) & 0xFFFF_FFFFL);
    number(writer, 7, nanos, -0.0);
    writer.numbers(8, nanos, 0, 0, new long[] {1, 2}, 0, 2);
    writer.number(9, nanos, 0, 0, 42);
  }

  private KblakeRun diff(String... args) {
    List<String> all = new ArrayList<>(List.of("diff"));
    all.addAll(List.of(args));
    return fixture.run(all.toArray(String[]::new));
  }

  private static List<List<String>> rows(KblakeRun run) {
    List<List<String>> rows = Rfc4180.parse(run.out());
    assertThat(rows.get(0)).containsExactly("kind", "size", "before", "after", "group", "channel");
    return rows.subList(1, rows.size());
  }

  /** The largest relative change of the numbers is first. A value of -0.0 is no change of 0.0. */
  @Test
  void kindsComeInOrderAndThenTheLargestChange() throws Exception {
    for (String source : List.of("raw", "auto")) {
      KblakeRun run = diff("--at", EARLY, "--and", LATE, "-f", "csv", "--source", source);
      assertThat(run.err()).isEmpty();
      assertThat(run.status()).isZero();
      assertThat(rows(run))
          .containsExactly(
              List.of("connection", "", "connected", "disconnected", "VA/CCG", "LINE"),
              List.of("severity", "2.0", "no alarm", "major", "VA/CCG", "ALARM"),
              List.of("state", "", "1", "3", "VA/CCG", "CHOICE"),
              List.of("state", "", "ready", "off, \"now\"", "VA/CCG", "TEXT"),
              List.of("state", "", "0", "1", "VA/CCG", "VALVE"),
              List.of("number", "2.0", "100.0", "-100.0", "VA/CCG", "MUCH"),
              List.of("number", "0.99", "1000.0", "10.0", "BM/DCCT", "CURRENT"),
              List.of("number", "0.04", "6.0", "6.25", "VA/CCG", "LITTLE"),
              List.of("list", "", "[1, 2, 3]", "[1, 2]", "VA/CCG", "LIST"));
      TestStores.backfill(
          Archive.open(fixture.archive(), ArchiveSettings.defaults()), fixture.store());
    }
  }

  @Test
  void theOtherInstantMayBeEarlier() {
    List<List<String>> forward = rows(diff("--at", EARLY, "--and", LATE, "-f", "csv"));
    List<List<String>> back = rows(diff("--at", LATE, "--and", EARLY, "-f", "csv"));
    assertThat(back)
        .containsExactlyElementsOf(
            forward.stream()
                .map(
                    row ->
                        List.of(
                            row.get(0), row.get(1), row.get(3), row.get(2), row.get(4), row.get(5)))
                .toList());
  }

  @Test
  void selectedChannelsAndRowsAreCompared() throws Exception {
    KblakeRun text = diff("--at", EARLY, "--and", LATE, "-n", "2", "-g", "VA/CCG");
    assertThat(text.out().lines())
        .containsExactly(
            "KIND        SIZE   BEFORE     AFTER         CHANNEL",
            "connection  -      connected  disconnected  LINE",
            "severity    2.000  no alarm   major         ALARM");
    assertThat(text.err()).contains("6 more channels differ; -n shows more");
    JsonNode json =
        new ObjectMapper()
            .readTree(diff("--at", EARLY, "--and", LATE, "-f", "json", "CURRENT", "L*").out());
    assertThat(json.findValuesAsText("channel"))
        .containsExactly("LINE", "CURRENT", "LITTLE", "LIST");
    assertThat(json.get(1).get("size").asDouble()).isEqualTo(0.99);
    assertThat(json.get(0).get("size").isNull()).isTrue();
    KblakeRun same = diff("--at", EARLY, "--and", LATE, "SAME", "ZERO");
    assertThat(same.status()).isZero();
    assertThat(same.err()).contains("no channel differs");
  }

  /** A channel that is recorded at one of the instants only is known at that one. */
  @Test
  void channelsOfOneInstantAreKnownThere() {
    KblakeRun run = diff("--at", LATE, "--and", NEXT, "-f", "csv", "--source=raw", "NEW");
    assertThat(run.err()).isEmpty();
    assertThat(rows(run))
        .containsExactly(List.of("connection", "", "unknown", "connected", "VA/CCG", "NEW"));
    assertThat(rows(diff("--at", NEXT, "--and", LATE, "-f", "csv", "NEW")))
        .containsExactly(List.of("connection", "", "connected", "unknown", "VA/CCG", "NEW"));
    KblakeRun unknown = diff("--at", LATE, "--and", NEXT, "--source=raw", "NOWHERE");
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.err()).contains("NOWHERE").hasLineCount(1);
  }

  @Test
  void aRenamedChannelIsOneChannel() throws IOException {
    Path file = directory.resolve("channels/VA/CCG/channels.csv");
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, "name,former\nPRESENT,FORMER\n");
    String metadata = "--metadata=" + directory.resolve("channels");
    for (String names : List.of("PRESENT", "*")) {
      KblakeRun run =
          fixture.run(metadata, "diff", "--at", LATE, "--and", NEXT, "-f", "csv", names);
      assertThat(rows(run))
          .contains(List.of("number", "0.2727272727272727", "11.0", "8.0", "VA/CCG", "PRESENT"))
          .noneMatch(row -> row.contains("FORMER"));
    }
  }

  /**
   * Of a group that is away nothing is known. Its channels need not differ, so they have no row.
   */
  @Test
  void aGroupThatIsAwayIsMissingAndNotDifferent() throws Exception {
    Files.move(fixture.archive().resolve("BM"), directory.resolve("BM"));
    KblakeRun run = diff("--at", EARLY, "--and", LATE, "-f", "csv");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("kblake diff: incomplete: ", "BM/DCCT");
    assertThat(rows(run)).hasSize(8).allMatch(row -> row.get(4).equals("VA/CCG"));
  }

  /** The log of the later instant is lost. Its channels need not be lost. */
  @Test
  void channelsThatCannotBeReadAtOneInstantAreLeftOut() throws Exception {
    try (Stream<Path> files = Files.list(fixture.archive().resolve("VA"))) {
      Path newest = files.filter(file -> file.toString().contains(".log")).sorted().toList().get(1);
      Files.delete(newest);
    }
    KblakeRun run = diff("--at", LATE, "--and", NEXT, "-f", "csv", "-g", "VA/CCG");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("kblake diff: incomplete: ");
    assertThat(rows(run)).isEmpty();
  }

  /** A value that was set before the look-back of the later instant still counts at both. */
  @Test
  void theLookBackBeginsAtTheSameTimeForBothInstants() throws IOException {
    try (ArchiveReader archive = ArchiveReader.builder().archive(fixture.archive()).open()) {
      HeldQuery query =
          HeldQuery.of(ChannelSelection.names("FORMER"), Instant.ofEpochSecond(0, at(5)))
              .lookBack(Duration.ofMinutes(10));
      Differences differences = Differences.of(archive, query, at(50));
      assertThat(differences.all()).isEmpty();
      assertThat(differences.isComplete()).isTrue();
      Differences back = Differences.of(archive, query.at(at(50)), at(5));
      assertThat(back.all()).isEmpty();
    }
  }

  @Test
  void programsGetTheSameDifferences() throws IOException {
    try (ArchiveReader archive = ArchiveReader.builder().archive(fixture.archive()).open()) {
      HeldQuery query = HeldQuery.of(ChannelSelection.glob("*"), Instant.ofEpochSecond(0, at(20)));
      assertThat(Differences.of(archive, query, at(50)).all())
          .extracting(Difference::kind)
          .isSorted()
          .contains(Difference.Kind.values());
    }
  }

  @Test
  void bothInstantsAreNeeded() {
    KblakeRun run = diff("--at", EARLY);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("give --at TIME and --and TIME: the two instants");
    assertThat(diff("--at", EARLY, "--and", LATE, "-n", "-1").status()).isEqualTo(2);
  }
}
