package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.archive.WrittenLedger;

/** What {@code /api/v1} tells of a ledger of losses. */
final class LossesApiTest {

  private static final String RANGE = "from=2016-05-16T00:00&to=2016-05-16T00:30";
  private static final String COVERAGE = "/api/v1/coverage?group=VA/CCG&" + RANGE;
  private static final String TREND = "/api/v1/trend?channel=VA_CCG:D02_013:CUR&" + RANGE;
  private static final String MOVED = "/api/v1/moved?at=2016-05-16T00:30&channel=VA*";
  private static final String NOTE = "possibly lossy: 1 span of VA/CCG, at least 3 events, ";

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeEach
  void start() throws IOException {
    server = new ServedSample(CommandFixture.mixed(directory).archive(), null);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void writeLedger() throws IOException {
    long from = 1_463_325_600_000_000_001L;
    WrittenLedger.write(
        directory.resolve("archive"),
        WrittenLedger.LEDGER,
        List.of(
            WrittenLedger.Statement.of("VA/CCG", from, from + 60_000_000_000L, 3, 3),
            WrittenLedger.Statement.of("RF/AnalogData", from, from, -1, 4)));
  }

  @Test
  void answersHaveTheSpansThatMeetThem() throws Exception {
    for (String path : List.of(COVERAGE, TREND, MOVED)) {
      assertThat(server.json(path).has("lossy")).as(path).isFalse();
    }
    writeLedger();
    JsonNode expected =
        new ObjectMapper()
            .readTree(
                """
                [{"group": "VA/CCG", "from": "1463325600000000001", "to": "1463325660000000001",
                  "count": 3, "reason": "recorder late"}]
                """);
    for (String path : List.of(COVERAGE, TREND, MOVED)) {
      JsonNode answer = server.json(path + "&time=nanos");
      assertThat(answer.get("lossy")).as(path).isEqualTo(expected);
      assertThat(answer.get("notes"))
          .extracting(JsonNode::textValue)
          .contains(NOTE + "recorder late");
      assertThat(answer.get("complete").booleanValue()).as(path).isTrue();
    }
    JsonNode both = server.json("/api/v1/coverage?group=VA/CCG&group=RF/AnalogData&" + RANGE);
    assertThat(both.get("lossy")).hasSize(2);
    assertThat(both.get("lossy").get(0).get("count").isNull()).isTrue();
    assertThat(
            server
                .json("/api/v1/coverage?group=VA/CCG&from=2016-05-16T00:00&to=2016-05-16T00:20")
                .get("lossy"))
        .isEmpty();
  }

  /** A span of any range may be stated later. */
  @Test
  void answersWithLossesAreNotKept() throws Exception {
    for (String path : List.of(COVERAGE, TREND)) {
      assertThat(server.get(path).headers().map()).as(path).containsKey("etag");
    }
    writeLedger();
    for (String path : List.of(COVERAGE, TREND)) {
      HttpResponse<String> answer = server.get(path);
      assertThat(answer.headers().map()).as(path).doesNotContainKey("etag");
      assertThat(answer.headers().allValues("Cache-Control")).containsExactly("no-store");
    }
  }

  /** Names of directories of the server are not for clients. */
  @Test
  void aLedgerThatCannotBeReadIsANote() throws Exception {
    writeLedger();
    Files.delete(CommandFixture.find(directory, "Record_20160516002000.log2"));
    JsonNode answer = server.json(COVERAGE);
    assertThat(answer.get("complete").booleanValue()).isTrue();
    assertThat(answer.get("lossy")).isEmpty();
    assertThat(answer.get("notes")).hasSize(1);
    assertThat(answer.get("notes").get(0).textValue())
        .startsWith("the ledger of losses is incomplete: ")
        .doesNotContain(directory.toString());

    Path ledgers = directory.resolve("archive/Kblake");
    Files.delete(CommandFixture.find(directory, "Record_20160516002000.log1"));
    Files.delete(ledgers);
    Files.createSymbolicLink(ledgers, directory.resolve("nowhere"));
    for (String path : List.of(COVERAGE, TREND)) {
      JsonNode away = server.json(path);
      assertThat(away.get("complete").booleanValue()).as(path).isTrue();
      assertThat(away.get("lossy")).as(path).isEmpty();
      assertThat(away.get("notes")).as(path).hasSize(1);
    }
  }
}
