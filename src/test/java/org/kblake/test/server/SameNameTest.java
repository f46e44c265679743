package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.TestStores;

/** A channel name that two groups record, through each door. */
final class SameNameTest {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN_SECONDS = 1_463_324_400L;
  private static final String NAME = "X:CUR";
  private static final String RANGE = "&from=@1463324400&to=@1463324520";

  @TempDir private static Path archive;

  @SuppressWarnings("NullAway.Init")
  private static ServedSample server;

  /** The events of VA/A are at 10, 20 and 30 s, those of VA/B at 20, 40 and 110 s. */
  @BeforeAll
  static void write() throws IOException {
    write("A", 1, 10, 20, 30);
    write("B", 10, 20, 40, 110);
    TestStores.closePairs(archive);
    server = new ServedSample(archive, null);
  }

  private static void write(String group, int factor, int... seconds) throws IOException {
    long begin = BEGIN_SECONDS * SECOND;
    try (LogWriter writer =
        LogWriter.create(
            archive,
            Group.parse("VA/" + group),
            PairName.at(group, begin, ZONE).stamp(),
            ByteOrder.BIG_ENDIAN,
            new RecordTable(List.of(new RecordEntry(0, NAME, ValueType.DOUBLE, 1))))) {
      writer.milestone(begin);
      for (int each : seconds) {
        writer.number(
            0, begin + each * SECOND, 0, 0, Double.doubleToRawLongBits(factor * (double) each));
      }
      writer.milestone(begin + 200 * SECOND);
      writer.flush();
    }
  }

  @AfterAll
  static void close() throws IOException {
    server.close();
  }

  private static List<String> texts(JsonNode array, String member) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.get(member).asText()));
    return texts;
  }

  @Test
  void theOwnApiAnswersForBothGroups() throws Exception {
    String channel = "?channel=" + NAME + RANGE;
    assertThat(texts(server.json("/api/v1/channels?search=x:cur").get("channels"), "group"))
        .containsExactly("VA/A", "VA/B");
    JsonNode events = server.json("/api/v1/data" + channel).get("events");
    assertThat(texts(events, "group"))
        .containsExactlyInAnyOrder("VA/A", "VA/A", "VA/A", "VA/B", "VA/B", "VA/B");
    assertThat(texts(events, "value"))
        .containsExactlyInAnyOrder("10", "20", "30", "200", "400", "1100");
    JsonNode trend =
        server.json("/api/v1/trend" + channel + "&points=0&width=120s").get("channels");
    assertThat(texts(trend, "group")).containsExactly("VA/A", "VA/B");
    assertThat(trend.get(0).at("/bins/max/0").asInt()).isEqualTo(30);
    assertThat(trend.get(1).at("/bins/max/0").asInt()).isEqualTo(1100);
    JsonNode values =
        server.json("/api/v1/values?channel=" + NAME + "&at=@1463324450").get("values");
    assertThat(texts(values, "group")).containsExactly("VA/A", "VA/B");
    assertThat(values.get(0).at("/held/value").asInt()).isEqualTo(30);
    assertThat(values.get(1).at("/held/value").asInt()).isEqualTo(400);
    assertThat(server.get("/api/v1/table" + channel + "&every=50s").body().lines().toList())
        .satisfies(
            lines -> assertThat(lines.get(0)).isEqualTo("time,VA/A X:CUR,VA/B X:CUR"),
            lines -> assertThat(lines.get(2)).endsWith(",30.0,400.0"));
    assertThat(texts(server.json("/api/v1/coverage" + channel).get("coverage"), "group"))
        .containsExactly("VA/A", "VA/B");
  }

  @Test
  void aGroupSelectsOneOfThem() throws Exception {
    String channel = "?group=VA/B&channel=" + NAME;
    assertThat(texts(server.json("/api/v1/data" + channel + RANGE).get("events"), "value"))
        .containsExactly("200", "400", "1100");
    assertThat(server.json("/api/v1/trend" + channel + RANGE).get("channels")).hasSize(1);
    assertThat(server.json("/api/v1/values" + channel + "&at=@1463324450").get("values"))
        .hasSize(1);
    assertThat(server.json("/api/v1/metadata" + channel).get("group").textValue())
        .isEqualTo("VA/B");
    assertThat(server.get("/api/v1/table" + channel + RANGE + "&every=1min").body())
        .startsWith("time,X:CUR\n");
    assertThat(texts(server.json("/api/v1/coverage" + channel + RANGE).get("coverage"), "group"))
        .containsExactly("VA/B");
  }

  @Test
  void liveStreamsHaveBothGroups() throws Exception {
    try (RawExchange stream = new RawExchange(server.port())) {
      stream.send(
          "GET /api/v1/live?channel="
              + NAME
              + "&from=@1463324400 HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(stream.readUntil("1100")).contains("\"group\":\"VA/A\"", "\"group\":\"VA/B\"");
    }
  }

  private static List<String> samples(String form, int from, int to) throws Exception {
    JsonNode answer =
        server.json(
            "/retrieval/data/"
                + form
                + "?pv="
                + NAME
                + "&from=2016-05-15T15:%02d:%02dZ&to=2016-05-15T15:%02d:%02dZ"
                    .formatted(from / 60, from % 60, to / 60, to % 60));
    return texts(answer.get(0).get("data"), "val");
  }

  /** The protocol of the appliance has no groups, so one of them answers. */
  @Test
  void oneGroupAnswersClientsOfTheAppliance() throws Exception {
    for (String form : List.of("getData.json", "getData.qw", "getDataForPVs.json")) {
      assertThat(samples(form, 0, 120))
          .as("the first with an event")
          .containsExactly("10.0", "20.0", "30.0");
      assertThat(samples(form, 35, 45))
          .as("the only one with an event")
          .containsExactly("200.0", "400.0");
      assertThat(samples(form, 50, 60)).as("the latest value").containsExactly("400.0");
    }
    assertThat(server.get("/retrieval/bpl/getMatchingPVs?pv=*").body().strip())
        .isEqualTo("[\"X:CUR\"]");
    assertThat(server.get("/retrieval/bpl/areWeArchivingPV?pv=" + NAME).body()).contains("true");
    assertThat(server.json("/retrieval/bpl/getMetadata?pv=" + NAME).get("group").textValue())
        .isEqualTo("VA/B");
    String body = "[\"X:CUR\"]";
    assertThat(
            RawExchange.ask(
                server.port(),
                "POST /retrieval/data/getDataAtTime?at=2016-05-15T15:00:50Z HTTP/1.1\r\n"
                    + "Host: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                    + "Content-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body))
        .contains("\"val\":400");
  }

  @Test
  void oneGroupAnswersClientsOfTheJsonArchive() throws Exception {
    assertThat(server.get("/archive/1/channels-by-pattern/*").body().strip())
        .isEqualTo("[\"X:CUR\"]");
    String samples =
        "/archive/1/samples/" + NAME + "?start=1463324435000000000&end=1463324445000000000";
    assertThat(server.json(samples)).hasSize(2);
    assertThat(server.json(samples).get(1).at("/value/0").asInt()).isEqualTo(400);
  }
}
