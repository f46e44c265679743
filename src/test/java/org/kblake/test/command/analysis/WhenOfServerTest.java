package org.kblake.test.command.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.server.ServedSample;

/** Conditions over a server, compared with the answers of the commands on its host. */
final class WhenOfServerTest {

  private static final String CONDITION = "VA_CCG:D02_013:CUR > 2.5";
  private static final String OTHER = "VA_CCG:D02_013:CUR < 4";
  private static final String WARM = "RF_AnalogData:D05_037:TEMP > -1e30";
  private static final List<String> DAYS = List.of("--from", "2016-05-15", "--to", "2016-05-18");
  private static final String RANGE = "&from=2016-05-15&to=2016-05-18";

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  private KblakeRun local(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(DAYS);
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", fixture.archive().toString())
        .run(all.toArray(String[]::new));
  }

  /** Runs a command that has no archive of its own. */
  private KblakeRun remote(ServedSample server, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(DAYS);
    all.addAll(List.of("--server", "http://127.0.0.1:" + server.port()));
    return KblakeRun.in(directory).run(all.toArray(String[]::new));
  }

  private static String conditions(String parameter, String... conditions) {
    StringBuilder text = new StringBuilder();
    for (String each : conditions) {
      text.append('&').append(parameter).append('=');
      text.append(URLEncoder.encode(each, StandardCharsets.UTF_8));
    }
    return text.toString();
  }

  private static String when(String format, String... conditions) {
    return "/api/v1/when?format=" + format + RANGE + conditions("condition", conditions);
  }

  private static void requireSame(KblakeRun remote, KblakeRun local) {
    assertThat(remote.err()).isEqualTo(local.err());
    assertThat(remote.out()).isEqualTo(local.out()).isNotEmpty();
    assertThat(remote.status()).isEqualTo(local.status());
  }

  @Test
  void intervalsAreThoseOfTheCommand() throws Exception {
    String[][] questions = {
      {CONDITION},
      {"not " + CONDITION},
      {CONDITION + " for 1m"},
      {CONDITION, OTHER},
      {"--any", CONDITION, OTHER}
    };
    try (ServedSample server = new ServedSample(fixture.archive(), null)) {
      for (String[] question : questions) {
        List<String> words = new ArrayList<>(List.of("when"));
        words.addAll(List.of(question));
        KblakeRun local = local(words.toArray(String[]::new));
        assertThat(local.out().lines()).hasSizeGreaterThan(1);
        requireSame(remote(server, words.toArray(String[]::new)), local);
        boolean any = words.remove("--any");
        words.remove(0);
        String[] conditions = words.toArray(String[]::new);
        HttpResponse<String> csv = server.get(when("csv", conditions) + (any ? "&any=true" : ""));
        assertThat(csv.body()).isEqualTo(local.out() + "# complete\n");
        JsonNode json =
            server.json(when("json", conditions) + "&time=nanos" + (any ? "&any=true" : ""));
        assertThat(json.at("/intervals/from")).hasSize((int) local.out().lines().count() - 1);
        assertThat(json.at("/intervals/to")).hasSameSizeAs(json.at("/intervals/from"));
        assertThat(json.at("/known/from")).isNotEmpty();
        assertThat(json.get("complete").booleanValue()).isTrue();
      }
      // A range that is over has an answer that a client may keep.
      String closed = when("json", CONDITION).replace("2016-05-18", "2016-05-16T01:00");
      String tag = server.get(closed).headers().firstValue("ETag").orElseThrow();
      assertThat(server.get(closed, "If-None-Match", tag).statusCode()).isEqualTo(304);
    }
  }

  @Test
  void eventsAndTablesAtTheTimesAreThoseOfTheCommand() throws Exception {
    String channel = "RF_AnalogData:D05_037:TEMP";
    String when = "&channel=" + channel + RANGE + conditions("when", CONDITION, WARM);
    try (ServedSample server = new ServedSample(fixture.archive(), null)) {
      KblakeRun events =
          local(
              "get",
              channel,
              "--when",
              CONDITION,
              "--when",
              WARM,
              "--columns",
              "time,channel,group,state,severity,status,value");
      assertThat(events.out().lines()).hasSizeGreaterThan(3);
      assertThat(server.get("/api/v1/data?format=csv" + when).body())
          .isEqualTo(events.out() + "# complete\n");
      requireSame(
          remote(server, "get", channel, "--when", CONDITION, "--when", WARM),
          local("get", channel, "--when", CONDITION, "--when", WARM));
      KblakeRun table =
          local("get", channel, "--wide", "--every", "1m", "--when", CONDITION, "--when", WARM);
      assertThat(table.out().lines()).hasSizeGreaterThan(3);
      assertThat(server.get("/api/v1/table?every=1min" + when).body())
          .isEqualTo(table.out() + "# complete\n");
    }
  }

  /** A log that cannot be read makes the same intervals unknown, and the same answer incomplete. */
  @Test
  void answersThatLackEventsAreIncomplete() throws Exception {
    Path log = CommandFixture.find(fixture.archive(), "CCG_20160516000000.log2");
    FileTime modified = Files.getLastModifiedTime(log);
    byte[] bytes = Files.readAllBytes(log);
    Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 2000, (byte) 0);
    Files.write(log, bytes);
    Files.setLastModifiedTime(log, modified);
    try (ServedSample server = new ServedSample(fixture.archive(), null)) {
      KblakeRun local = local("when", CONDITION);
      assertThat(local.status()).isEqualTo(3);
      requireSame(remote(server, "when", CONDITION), local);
      requireSame(
          remote(server, "get", "VA_CCG:D02_013:CUR", "--when", CONDITION),
          local("get", "VA_CCG:D02_013:CUR", "--when", CONDITION));
      JsonNode json = server.json(when("json", CONDITION));
      assertThat(json.get("complete").booleanValue()).isFalse();
      assertThat(json.get("missing").textValue()).contains("damaged");
      assertThat(json.get("coverage").toString()).contains("\"missing\":true");
      HttpResponse<String> csv = server.get(when("csv", CONDITION));
      assertThat(csv.body()).contains("\n# incomplete: damaged");
      assertThat(csv.headers().firstValue("ETag")).isEmpty();
      // The channel of the answer is of another group. The condition's log lacks events.
      JsonNode data =
          server.json(
              "/api/v1/data?channel=RF_AnalogData:D05_037:TEMP"
                  + RANGE
                  + conditions("when", CONDITION));
      assertThat(data.get("complete").booleanValue()).isFalse();
    }
  }

  @Test
  void wrongQuestionsAreRefused() throws Exception {
    try (ServedSample server = new ServedSample(fixture.archive(), null)) {
      assertThat(server.error("/api/v1/when", 400).toString()).contains("condition");
      assertThat(server.error(when("json", "value > 1"), 400).toString())
          .contains("names no channel");
      assertThat(server.error(when("json", "@file"), 400).toString())
          .contains("is not a condition");
      assertThat(
              server.error(when("json", "VA_CCG:D02_013:CUX > 1"), 404).get("nearest").toString())
          .contains("VA_CCG:D02_013:CUR");
      assertThat(server.error(when("json", CONDITION) + "&group=RF/AnalogData", 400).toString())
          .contains("group");
      String[] many = new String[101];
      Arrays.fill(many, CONDITION);
      assertThat(server.error(when("json", many), 413).toString()).contains("at most 100");
      assertThat(server.error("/api/v1/when?format=text&is=%3E1&range=0..1", 400).toString())
          .contains("select");
      KblakeRun unknown = remote(server, "when", "VA_CCG:D02_013:CUX > 1");
      assertThat(unknown.err()).contains("no such channel: VA_CCG:D02_013:CUX (nearest: ");
      assertThat(unknown.status()).isEqualTo(1);
    }
  }

  @Test
  void rawLogsAnswerIfTheServerIsAway() {
    String[] away = {"when", CONDITION, "--server", "http://127.0.0.1:1"};
    KblakeRun own = local(away);
    assertThat(own.out()).isEqualTo(local("when", CONDITION).out());
    assertThat(own.err())
        .contains("no answer from http://127.0.0.1:1")
        .contains("raw logs are read");
    List<String> words = new ArrayList<>(List.of(away));
    words.addAll(DAYS);
    KblakeRun alone = KblakeRun.in(directory).run(words.toArray(String[]::new));
    assertThat(alone.err()).contains("name an archive of your own");
    assertThat(alone.status()).isEqualTo(1);
  }
}
