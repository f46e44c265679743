package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.CommandFixture;

/** Requests that would take all time or all memory are refused, and errors are JSON. */
@Timeout(300)
final class BadRequestsTest {

  private static final String CHANNEL = "channel=VA_CCG:D02_013:CUR";
  private static final String TWO = CHANNEL + "&channel=VA_CCG:D11_016:CUR";

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeEach
  void start() throws Exception {
    fixture = CommandFixture.mixed(directory);
    server = new ServedSample(fixture.archive(), null);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** 582 years have more nanoseconds than a long. Their number must not pass as a negative one. */
  @Test
  void binsOfTheLongestRangeAreFew() throws Exception {
    String longest = "&from=1680-01-01&to=2262-01-01&points=0";
    assertThat(server.error("/api/v1/trend?width=1ns&" + CHANNEL + longest, 413).toString())
        .contains("too many bins");
    assertThat(server.error("/api/v1/trend?bins=10&" + CHANNEL + longest, 400).toString())
        .contains("range is too long");
  }

  @Test
  void rowsOfTablesAreLimited() throws Exception {
    String range = "&from=1700-01-01&to=1990-01-01&every=1ns";
    assertThat(server.error("/api/v1/table?" + TWO + range, 413).toString())
        .contains("too many values");
  }

  @Test
  void repetitionsOfRepetitionsAreRefused() throws Exception {
    String regex = URLEncoder.encode("((a{1000}){1000}){1000}", StandardCharsets.UTF_8);
    assertThat(server.error("/api/v1/channels?regex=" + regex, 400).toString()).contains("repeats");
    assertThat(server.get("/retrieval/bpl/getMatchingPVs?regex=" + regex).statusCode())
        .isEqualTo(400);
  }

  @Test
  void namesOfARequestAreLimited() throws Exception {
    String names = "NAME\n".repeat(10_001);
    String at = "/retrieval/data/getDataAtTime?at=2016-05-16T00:00:00Z";
    assertThat(server.post(at, names)).isEqualTo(413);
    assertThat(server.post("/retrieval/data/getDataForPVs.json", names)).isEqualTo(413);
  }

  @Test
  void pathsThatDoNotExistAreErrorsInJson() throws Exception {
    JsonNode error = server.error("/api/v1/nothing", 404);
    assertThat(error.get("status").intValue()).isEqualTo(404);
    assertThat(error.get("error").isTextual()).isTrue();
  }

  /** Jetty lets %u0041 pass, which is no encoding of a URL. */
  @Test
  void pathsWithWrongPercentSignsAreRefused() throws Exception {
    for (String door :
        List.of("/retrieval/data/getData.json", "/page/a", "/api/v1/archive", "/nothing/")) {
      for (String wrong : List.of("%u0041", "%", "%4", "%zz", "%ff", "%c0%af", "%ed%a0%80")) {
        String request = RawExchange.request("GET", door + wrong + "?pv=A");
        assertThat(RawExchange.ask(server.port(), request))
            .as(door + wrong)
            .startsWith("HTTP/1.1 400 ");
      }
    }
  }

  /** Without a log, the value may be older than the true one. */
  @Test
  void valuesTellThatALogIsMissing() throws Exception {
    String at = "/api/v1/values?at=2016-05-16T00:30&" + CHANNEL;
    HttpResponse<String> complete = server.get(at);
    assertThat(complete.headers().firstValue("Kblake-Complete")).contains("true");
    Files.delete(fixture.archive().resolve("VA/CCG_20160516000000.log2"));
    server.close();
    server = new ServedSample(fixture.archive(), null);
    HttpResponse<String> answer = server.get(at);
    assertThat(answer.headers().firstValue("Kblake-Complete")).contains("false");
    assertThat(answer.body()).endsWith("\"complete\":false}");
  }
}
