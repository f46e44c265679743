package org.kblake.test.command.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.server.ServedSample;

/** What moved and what differs over a server, compared with the answers of the commands. */
final class ComparisonsOfServerTest {

  private static final String ABORT = "2024-05-20T01:05";

  @TempDir private Path directory;

  private KblakeRun run(String... words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", directory.resolve("archive").toString())
        .run(words);
  }

  private JsonNode local(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("-f", "json"));
    return new ObjectMapper().readTree(run(all.toArray(String[]::new)).out());
  }

  private ServedSample served() throws Exception {
    assertThat(run("simulate", "--days", "0.05", "--abort", ABORT, "archive").status()).isZero();
    return new ServedSample(directory.resolve("archive"), null);
  }

  /** The rows have the columns of the command. Times differ in their form. */
  private static void requireSame(JsonNode answer, JsonNode rows, String... columns) {
    assertThat(answer.get("complete").booleanValue()).isTrue();
    assertThat(answer.get("channels")).hasSameSizeAs(rows).isNotEmpty();
    for (int i = 0; i < rows.size(); i++) {
      JsonNode row = answer.get("channels").get(i);
      assertThat(row.get("name")).isEqualTo(rows.get(i).get("channel"));
      for (String column : columns) {
        assertThat(row.get(column).asText()).isEqualTo(rows.get(i).get(column).asText());
      }
    }
  }

  @Test
  void rowsAreThoseOfTheCommand() throws Exception {
    try (ServedSample server = served()) {
      JsonNode moved = server.json("/api/v1/moved?time=nanos&at=" + ABORT);
      requireSame(moved, local("moved", "--at", ABORT), "group", "measure", "before", "after");
      for (JsonNode row : moved.get("channels")) {
        long onset = row.get("onset").asLong() - moved.get("at").asLong();
        assertThat(row.get("seconds").doubleValue()).isEqualTo(onset / 1e9).isBetween(-30.0, 5.0);
      }
      requireSame(
          server.json("/api/v1/moved?before=5s&after=1s&baseline=20m&channel=BM*&at=" + ABORT),
          local("moved", "--at", ABORT, "--before=5s", "--after=1s", "--baseline=20m", "BM*"),
          "group",
          "measure");
      requireSame(
          server.json("/api/v1/diff?at=2024-05-20T01:04&and=2024-05-20T01:06&group=BM/DCCT"),
          local("diff", "--at=2024-05-20T01:04", "--and=2024-05-20T01:06", "-g", "BM/DCCT"),
          "group",
          "kind",
          "before",
          "after");
      assertThat(
              server.json("/api/v1/moved?at=2024-05-01").at("/coverage/0/spans/0/state").asText())
          .isEqualTo("not-recorded");
    }
  }

  @Test
  void wrongQuestionsAreRefused() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    try (ServedSample server = new ServedSample(fixture.archive(), null)) {
      assertThat(server.error("/api/v1/moved", 400).toString()).contains("at: it is missing");
      assertThat(server.error("/api/v1/diff?at=2016", 400).toString()).contains("and: it is");
      String at = "/api/v1/moved?at=2016-05-16T06:00";
      assertThat(server.error(at + "&baseline=1s", 400).toString()).contains("baseline is shorter");
      assertThat(server.error(at + "&before=0s&after=0s", 400).toString()).contains("is empty");
      assertThat(server.error(at + "&before=x", 400).toString()).contains("'x' is not a duration");
      assertThat(server.error(at + "&channel=%5B", 400).toString()).contains("open bracket");
      assertThat(server.error(at + "&channel=NOWHERE", 404).toString()).contains("NOWHERE");
      assertThat(server.error(at + "&channel=a".repeat(101), 413).toString())
          .contains("too many names and globs: 101, at most 100");
    }
  }

  /** A log that cannot be read makes the answer incomplete. Its directory is not named. */
  @Test
  void anAnswerThatLacksALogSaysSo() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    Files.move(fixture.archive().resolve("RF"), directory.resolve("RF"));
    try (ServedSample server = new ServedSample(fixture.archive(), null)) {
      for (String path : List.of("moved?at=2016-05-16", "diff?at=2016-05-15&and=2016-05-16")) {
        JsonNode answer = server.json("/api/v1/" + path);
        assertThat(answer.get("complete").booleanValue()).isFalse();
        assertThat(answer.get("missing").asText())
            .contains("RF/")
            .doesNotContain(directory.toString());
      }
    }
  }
}
