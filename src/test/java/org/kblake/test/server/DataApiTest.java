package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/** {@code /api/v1/data} and {@code /api/v1/table}, compared with the commands. */
final class DataApiTest {

  private static final String CHANNELS = "channel=VA_CCG:D02_013:CUR&channel=VA_CCG:D11_016:CUR";
  private static final String RANGE = "&from=2016-05-16T00:00&to=2016-05-16T01:00";

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeEach
  void start() throws Exception {
    fixture = CommandFixture.mixed(directory);
    fixture.backfill();
    server = new ServedSample(fixture.archive(), directory.resolve("store"));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private List<String> get(String... options) {
    String[] words = new String[options.length + 5];
    words[0] = "get";
    words[1] = "-q";
    words[2] = "--from=2016-05-16T00:00";
    words[3] = "--to=2016-05-16T01:00";
    words[4] = "VA_CCG:D02_013:CUR,VA_CCG:D11_016:CUR";
    System.arraycopy(options, 0, words, 5, options.length);
    KblakeRun run = fixture.run(words);
    assertThat(run.err()).isEmpty();
    return run.out().lines().toList();
  }

  private HttpResponse<String> answer(String path) throws Exception {
    HttpResponse<String> answer = server.get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Kblake-Complete")).contains("true");
    return answer;
  }

  @Test
  void csvHasTheLinesOfTheCommandAndAMark() throws Exception {
    List<String> lines =
        answer("/api/v1/data?format=csv&" + CHANNELS + RANGE).body().lines().toList();
    assertThat(lines.get(lines.size() - 1)).isEqualTo("# complete");
    assertThat(lines.subList(0, lines.size() - 1).stream().map(DataApiTest::withoutGroup))
        .hasSizeGreaterThan(10)
        .isEqualTo(get());
  }

  private static String withoutGroup(String line) {
    return line.replace(",VA/CCG,", ",").replace("channel,group,", "channel,");
  }

  /** Globs select what they select in the command. */
  @ParameterizedTest
  @ValueSource(strings = {"*:CUR", "VA_CCG:D{02_013,11_016}:CUR", "VA_CCG:D?1_01[0-9]:CUR"})
  void globsSelectAsInTheCommand(String glob) throws Exception {
    KblakeRun run =
        fixture.run("get", "-q", "--from=2016-05-16T00:00", "--to=2016-05-16T01:00", glob);
    String channel = "channel=" + URLEncoder.encode(glob, StandardCharsets.UTF_8);
    List<String> lines =
        server.get("/api/v1/data?format=csv&" + channel + RANGE).body().lines().toList();
    assertThat(lines.get(lines.size() - 1)).isEqualTo("# complete");
    assertThat(lines.subList(0, lines.size() - 1).stream().map(DataApiTest::withoutGroup))
        .hasSizeGreaterThan(10)
        .isEqualTo(run.out().lines().map(DataApiTest::withoutGroup).toList());
  }

  @Test
  void globsThatAreWrongOrSelectNothingAreErrors() throws Exception {
    assertThat(server.get("/api/v1/data?channel=VA_X*" + RANGE).statusCode()).isEqualTo(404);
    HttpResponse<String> open = server.get("/api/v1/data?channel=VA%5B" + RANGE);
    assertThat(open.statusCode()).isEqualTo(400);
    assertThat(open.body()).contains("channel: pattern has an open bracket");
  }

  @Test
  void jsonEndsWithItsCompleteness() throws Exception {
    String body = answer("/api/v1/data?" + CHANNELS + RANGE).body();
    JsonNode answer = server.json("/api/v1/data?time=nanos&" + CHANNELS + RANGE);
    assertThat(answer.get("events")).hasSize(get().size() - 1);
    assertThat(answer.get("events").get(0).get("time").textValue()).hasSize(19);
    assertThat(body).endsWith("\"missing\":null,\"complete\":true}");
  }

  @Test
  void arrowEndsWithAMarkedBatch() throws Exception {
    byte[] bytes = server.bytes("/api/v1/data?format=arrow&" + CHANNELS + RANGE);
    int rows = 0;
    int batches = 0;
    try (RootAllocator memory = new RootAllocator();
        ArrowStreamReader reader = new ArrowStreamReader(new ByteArrayInputStream(bytes), memory)) {
      while (reader.loadNextBatch()) {
        rows += reader.getVectorSchemaRoot().getRowCount();
        batches++;
      }
    }
    assertThat(rows).isEqualTo(get().size() - 1);
    assertThat(batches).isGreaterThan(1);
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).contains("complete");
  }

  @Test
  void tableHasTheLinesOfTheCommandAndAMark() throws Exception {
    List<String> lines =
        answer("/api/v1/table?every=1min&" + CHANNELS + RANGE).body().lines().toList();
    assertThat(lines.get(lines.size() - 1)).isEqualTo("# complete");
    List<String> table = lines.subList(0, lines.size() - 1);
    assertThat(table).hasSizeGreaterThan(50).containsAll(get("--wide", "--every", "1min"));
    byte[] bytes = server.bytes("/api/v1/table?format=arrow&every=1min&" + CHANNELS + RANGE);
    int rows = 0;
    try (RootAllocator memory = new RootAllocator();
        ArrowStreamReader reader = new ArrowStreamReader(new ByteArrayInputStream(bytes), memory)) {
      while (reader.loadNextBatch()) {
        rows += reader.getVectorSchemaRoot().getRowCount();
      }
    }
    assertThat(rows).isEqualTo(table.size() - 1);
  }

  /** A channel that was recorded at other times only has no events, and is no error. */
  @Test
  void channelOfAnotherTimeHasAnEmptyAnswer() throws Exception {
    String range = "&from=2001-01-01&to=2001-01-02";
    assertThat(answer("/api/v1/data?format=csv&" + CHANNELS + range).body().lines()).hasSize(2);
    assertThat(server.json("/api/v1/data?" + CHANNELS + range).get("events")).isEmpty();
    assertThat(server.bytes("/api/v1/data?format=arrow&" + CHANNELS + range)).isNotEmpty();
  }

  /** Without a log, the header and the end of the answer say that it is incomplete. */
  @Test
  void incompleteAnswersSayWhy() throws Exception {
    Files.delete(fixture.archive().resolve("VA/CCG_20160516000000.log2"));
    server.close();
    server = new ServedSample(fixture.archive(), null);
    HttpResponse<String> lines = server.get("/api/v1/data?format=csv&" + CHANNELS + RANGE);
    assertThat(lines.headers().firstValue("Kblake-Complete")).contains("false");
    assertThat(lines.body()).contains("# incomplete: unavailable");
    JsonNode answer = server.json("/api/v1/data?" + CHANNELS + RANGE);
    assertThat(answer.get("complete").booleanValue()).isFalse();
    assertThat(answer.get("missing").textValue()).contains("unavailable");
    HttpResponse<String> trend = server.get("/api/v1/trend?" + CHANNELS + RANGE);
    assertThat(trend.headers().firstValue("Kblake-Complete")).contains("false");
  }
}
