package org.kblake.test.command.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.archive.WrittenLedger;
import org.kblake.test.fixture.archive.WrittenLedger.Statement;
import org.kblake.test.server.ServedSample;

/** What commands tell of a ledger of losses. Rows, coverage and status are those without it. */
final class LossyCommandsTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SECOND = 1_000_000_000L;

  /** 2016-05-16T00:00:00+09:00. */
  private static final long BEGIN = 1_463_324_400 * SECOND;

  private static final String RF = "RF_AnalogData:D02_007:XPOS";
  private static final String[] RANGE = {
    "--from", "2016-05-16T00:00", "--to", "2016-05-16T00:30", "-g", "RF/AnalogData"
  };
  private static final String NOTE =
      "possibly lossy: 2 spans of RF/AnalogData, at least 12 events, mostly ring full";

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  private void writeLedger() throws IOException {
    WrittenLedger.write(
        fixture.archive(),
        WrittenLedger.LEDGER,
        List.of(
            lost("RF/AnalogData", 300, 360, 12, 1),
            lost("RF/AnalogData", 600, 601, -1, 4),
            lost("VA/CCG", 1200, 1260, 3, 3)));
  }

  private static Statement lost(String group, long from, long to, double count, double reason) {
    return Statement.of(group, BEGIN + from * SECOND, BEGIN + to * SECOND, count, reason);
  }

  private KblakeRun run(String command, String... more) {
    List<String> all = new ArrayList<>(List.of(command.split(" ")));
    all.addAll(List.of(RANGE));
    all.addAll(List.of(more));
    return fixture.run(all.toArray(String[]::new));
  }

  private JsonNode json(String file) throws IOException {
    return JSON.readTree(directory.resolve(file).toFile());
  }

  @Test
  void getHasOneNoteAndTheSpansBesideItsCoverage() throws Exception {
    String[] words = {RF, "-o", "a.csv", "--coverage", "c.json"};
    KblakeRun before = run("get", words);
    String rows = Files.readString(directory.resolve("a.csv"));
    JsonNode coverage = json("c.json");
    assertThat(coverage.has("lossy")).isFalse();
    writeLedger();

    KblakeRun run = run("get", words);

    assertThat(run.status()).isEqualTo(before.status()).isZero();
    assertThat(run.err()).isEqualTo(before.err() + NOTE + " (kblake get --coverage)\n");
    assertThat(directory.resolve("a.csv")).hasContent(rows);
    ObjectNode found = (ObjectNode) json("c.json");
    JsonNode lossy = found.remove("lossy");
    assertThat(found).isEqualTo(coverage);
    assertThat(lossy)
        .isEqualTo(
            JSON.readTree(
                """
                [{"group": "RF/AnalogData",
                  "from": "2016-05-16T00:05:00+09:00", "fromNanos": 1463324700000000000,
                  "to": "2016-05-16T00:06:00+09:00", "toNanos": 1463324760000000000,
                  "count": 12, "reason": "ring full"},
                 {"group": "RF/AnalogData",
                  "from": "2016-05-16T00:10:00+09:00", "fromNanos": 1463325000000000000,
                  "to": "2016-05-16T00:10:01+09:00", "toNanos": 1463325001000000000,
                  "count": null, "reason": "circuit down"}]
                """));
    assertThat(run("get -q", words).err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get",
        "get -f arrow",
        "get --held",
        "get --wide --every 60s",
        "get --every 60s --aggregate max",
        "get --last 1000000"
      })
  void eachKindOfAnswerHasTheNote(String command) throws Exception {
    KblakeRun before = run(command, RF);
    writeLedger();
    KblakeRun run = run(command, RF);
    assertThat(run.out()).isEqualTo(before.out());
    assertThat(run.status()).isEqualTo(before.status());
    assertThat(run.err()).isEqualTo(before.err() + NOTE + " (kblake get --coverage)\n");
  }

  /** Pictures and results that have no coverage have at least the note. */
  @Test
  void plotWhenAndDiffHaveTheNoteToo() throws Exception {
    List<String> range = List.of("--from", "2016-05-16T00:00", "--to", "2016-05-16T00:30");
    List<List<String>> commands =
        List.of(
            append(List.of("plot", RF, "-o", "a.svg"), range),
            append(List.of("when", RF + " > 0"), range),
            List.of("diff", RF, "--at", "2016-05-16T00:05:30", "--and", "2016-05-16T00:10:00.5"));
    List<KblakeRun> before = new ArrayList<>();
    for (List<String> command : commands) {
      before.add(fixture.run(command.toArray(String[]::new)));
    }
    writeLedger();
    for (int i = 0; i < commands.size(); i++) {
      KblakeRun run = fixture.run(commands.get(i).toArray(String[]::new));
      assertThat(run.out()).isEqualTo(before.get(i).out());
      assertThat(run.status()).isEqualTo(before.get(i).status());
      List<String> lines = new ArrayList<>(run.err().lines().toList());
      lines.removeAll(before.get(i).err().lines().toList());
      String end = " (kblake get --coverage)";
      assertThat(lines)
          .as("%s", commands.get(i))
          .isEqualTo(
              commands.get(i).get(0).equals("diff")
                  ? List.of(
                      "possibly lossy: 1 span of RF/AnalogData, at least 12 events, ring full"
                          + end,
                      "possibly lossy: 1 span of RF/AnalogData, circuit down" + end)
                  : List.of(NOTE + end));
    }
  }

  private static List<String> append(List<String> words, List<String> more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(more);
    return all;
  }

  /** Behind a lossy span the recorder had the values again. */
  @Test
  void aHeldValueIsDoubtfulWithinASpan() throws Exception {
    writeLedger();
    String[] words = {RF, "-o", "a.csv", "--coverage", "c.json", "--at"};
    assertThat(fixture.run(with("get", words, "2016-05-16T00:05:30")).err())
        .endsWith(
            "possibly lossy: 1 span of RF/AnalogData, at least 12 events, ring full"
                + " (kblake get --coverage)\n");
    assertThat(json("c.json").get("lossy")).hasSize(1);
    assertThat(fixture.run(with("get", words, "2016-05-16T00:07")).err()).doesNotContain("lossy");
    assertThat(json("c.json").get("lossy")).isEmpty();
  }

  @Test
  void aRangeWithoutLossesHasAnEmptyListAndNoNote() throws Exception {
    writeLedger();
    String[] words = {"-q", "--from=2016-05-16T00:20", RF, "-o", "a.csv", "--coverage", "c.json"};
    KblakeRun run = fixture.run(with("get", words));
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(json("c.json").get("lossy")).isEmpty();
    // Of last events only the time that was read counts.
    assertThat(run("get --last 2", RF).err()).doesNotContain("lossy");
  }

  private static String[] with(String command, String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void textsHaveATableBelow() throws Exception {
    String[] words = {RF, "-o", "a.csv", "--coverage", "-"};
    String before = run("get", words).out();
    String strips = fixture.run("coverage", "VA/CCG", "RF/AnalogData").out();
    writeLedger();
    assertThat(run("get", words).out())
        .isEqualTo(
            before
                + """
                GROUP         POSSIBLY LOSSY FROM TO                   EVENTS REASON
                RF/AnalogData 2016-05-16 00:05:00 2016-05-16 00:06:00     12+ ring full
                RF/AnalogData 2016-05-16 00:10:00 2016-05-16 00:10:01       - circuit down
                """);
    assertThat(fixture.run("coverage", "VA/CCG", "RF/AnalogData").out())
        .isEqualTo(
            strips
                + """
                    GROUP         POSSIBLY LOSSY FROM TO                   EVENTS REASON
                    RF/AnalogData 2016-05-16 00:05:00 2016-05-16 00:06:00     12+ ring full
                    RF/AnalogData 2016-05-16 00:10:00 2016-05-16 00:10:01       - circuit down
                    VA/CCG        2016-05-16 00:20:00 2016-05-16 00:21:00      3+ recorder late
                    """);
  }

  @Test
  void coverageHasTheSpansOfItsGroups() throws Exception {
    String[] words = {"coverage", "-f", "json", "VA/CCG"};
    JsonNode before = JSON.readTree(fixture.run(words).out());
    assertThat(before.has("lossy")).isFalse();
    writeLedger();
    KblakeRun run = fixture.run(words);
    ObjectNode after = (ObjectNode) JSON.readTree(run.out());
    assertThat(run.status()).isZero();
    assertThat(after.remove("lossy").findValuesAsText("reason")).containsExactly("recorder late");
    assertThat(after).isEqualTo(before);
  }

  @Test
  void movedHasALineForEachSpan() throws Exception {
    String[] words = {"moved", "--at=2016-05-16T00:08", "--baseline=5m", "-g", "RF/AnalogData"};
    KblakeRun before = fixture.run(words);
    writeLedger();
    KblakeRun run = fixture.run(words);
    assertThat(run.status()).isEqualTo(before.status());
    assertThat(run.out()).isEqualTo(before.out());
    assertThat(run.err().lines().filter(line -> !before.err().contains(line)))
        .containsExactly(
            "possibly lossy: 1 span of RF/AnalogData, at least 12 events, ring full",
            "possibly lossy: RF/AnalogData from 2016-05-16T00:05:00+09:00"
                + " to 2016-05-16T00:06:00+09:00, at least 12 events, ring full");
  }

  @Test
  void aServerTellsTheSameAndKblogrdNothing() throws Exception {
    String[] request = {"-a", "RF_AnalogData:D02_007:XPOS"};
    KblakeRun kblogrd = fixture.kblogrd(request);
    writeLedger();
    assertThat(fixture.kblogrd(request)).isEqualTo(kblogrd);
    run("get", RF, "-o", "a.csv", "--coverage", "local.json");
    try (ServedSample server = new ServedSample(fixture.archive(), null)) {
      String url = "http://127.0.0.1:" + server.port();
      KblakeRun run = run("get", RF, "-o", "b.csv", "--coverage", "remote.json", "--server", url);
      assertThat(run.status()).isZero();
      assertThat(run.err()).contains(NOTE);
    }
    assertThat(json("remote.json")).isEqualTo(json("local.json"));
    assertThat(json("local.json").get("lossy")).hasSize(2);
  }
}
