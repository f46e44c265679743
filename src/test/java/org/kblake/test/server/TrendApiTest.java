package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.TimeRange;
import org.kblake.query.EventCursor;
import org.kblake.query.TrendReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Scope;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.UnsupportedAggregateException;
import org.kblake.test.fixture.CommandFixture;

/** {@code /api/v1/trend}, {@code channels}, {@code archive} and {@code metadata}. */
final class TrendApiTest {

  private static final String CHANNEL = "VA_CCG:D02_013:CUR";
  private static final String RANGE = "&from=2016-05-16T00:00&to=2016-05-16T01:00";

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeEach
  void start() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    fixture.backfill();
    server = new ServedSample(fixture.archive(), directory.resolve("store"));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** Bins of the answer are those of a TrendReader with the range and width that the answer has. */
  @Test
  void binsAreThoseOfATrendReader() throws Exception {
    List<ChannelInfo> channels = numbers();
    Seeds.each(
        "bins over HTTP",
        20,
        seed -> {
          Random random = new Random(seed);
          ChannelInfo info = channels.get(random.nextInt(channels.size()));
          int minute = random.nextInt(50);
          JsonNode answer =
              server.json(
                  "/api/v1/trend?points=0&time=nanos&nonfinite=text&channel="
                      + info.channel().name()
                      + "&from=2016-05-16T00:%02d&to=2016-05-16T00:%02d:30"
                          .formatted(minute, minute + random.nextInt(9))
                      + "&bins="
                      + (1 + random.nextInt(300)));
          assertThat(answer.get("complete").booleanValue()).isTrue();
          try {
            compare(answer, info);
          } catch (UnsupportedAggregateException e) { // an enum in a part of the range
            assertThat(bins(answer).has("max")).isFalse();
          }
        });
  }

  private List<ChannelInfo> numbers() throws IOException {
    return server.reader().channels(ChannelSelection.glob("*"), TimeRange.ALL).stream()
        .filter(info -> !info.waveform() && info.type().bytes() == 8 && !info.type().isInteger())
        .toList();
  }

  private static JsonNode bins(JsonNode answer) {
    return answer.get("channels").get(0).get("bins");
  }

  private void compare(JsonNode answer, ChannelInfo info) throws IOException {
    TimeRange range = new TimeRange(answer.get("from").asLong(), answer.get("to").asLong());
    long width = answer.get("width").decimalValue().movePointRight(6).longValueExact();
    TrendQuery query =
        new TrendQuery(
            Scope.of(
                    new ChannelSelection(
                        List.of(info.channel().group()),
                        List.of(ChannelPattern.knownName(info.channel().name()))))
                .between(range)
                .from(Source.RAW),
            width,
            List.of(Aggregate.COUNT, Aggregate.MAX, Aggregate.MAX_TIME, Aggregate.TIME_MEAN));
    List<String> expected = new ArrayList<>();
    try (TrendReader trend = server.reader().trend(query)) {
      while (trend.next()) {
        boolean has = trend.has(0, Aggregate.MAX);
        if (trend.count(0) > 0 || trend.has(0, Aggregate.TIME_MEAN)) {
          expected.add(
              trend.timeNanos()
                  + " "
                  + trend.count(0)
                  + (has ? " " + trend.number(0, Aggregate.MAX) : " NaN")
                  + (has ? " " + trend.integer(0, Aggregate.MAX_TIME) : " null")
                  + " "
                  + (trend.has(0, Aggregate.TIME_MEAN)
                      ? trend.number(0, Aggregate.TIME_MEAN)
                      : Double.NaN));
        }
      }
    }
    List<String> actual = new ArrayList<>();
    JsonNode bins = bins(answer);
    for (int i = 0; i < bins.get("time").size(); i++) {
      actual.add(
          bins.get("time").get(i).textValue()
              + " "
              + bins.get("count").get(i)
              + " "
              + bins.get("max").get(i).asDouble(Double.NaN)
              + " "
              + bins.get("maxTime").get(i).asText("null")
              + " "
              + bins.get("timeMean").get(i).asDouble(Double.NaN));
    }
    assertThat(actual).isEqualTo(expected);
  }

  /** Few events are in the answer themselves, with exact times. */
  @Test
  void fewEventsAreGivenAsEvents() throws Exception {
    JsonNode answer = server.json("/api/v1/trend?channel=" + CHANNEL + RANGE + "&points=100000");
    List<BigDecimal> expected = new ArrayList<>();
    TimeRange range =
        new TimeRange(
            answer.get("from").decimalValue().movePointRight(6).longValueExact(),
            answer.get("to").decimalValue().movePointRight(6).longValueExact());
    EventQuery query = EventQuery.of(ChannelSelection.names(CHANNEL)).between(range);
    try (EventCursor cursor = server.reader().cursor(query)) {
      while (cursor.next()) {
        for (int row = cursor.from(); row < cursor.to(); row++) {
          expected.add(BigDecimal.valueOf(cursor.columns().timeNanos[row], 6));
        }
      }
    }
    List<BigDecimal> actual = new ArrayList<>();
    answer
        .get("channels")
        .get(0)
        .get("events")
        .get("time")
        .forEach(time -> actual.add(new BigDecimal(time.asText())));
    assertThat(expected).hasSizeGreaterThan(10);
    assertThat(actual.stream().map(BigDecimal::doubleValue).toList())
        .isEqualTo(expected.stream().map(BigDecimal::doubleValue).toList());
  }

  @Test
  void binsAreAlignedToTheZonesMidnight() throws Exception {
    JsonNode answer =
        server.json(
            "/api/v1/trend?channel="
                + CHANNEL
                + "&from=2016-05-15T10:00&to=2016-05-16T12:00&bins=2");
    assertThat(answer.get("width").asLong()).isEqualTo(86_400_000L);
    assertThat(answer.get("from").asLong() % 86_400_000L).isEqualTo(15 * 3_600_000L);
  }

  @Test
  void channelsAreFoundByPartsOfNames() throws Exception {
    JsonNode answer = server.json("/api/v1/channels?search=d02%20ccg&limit=2");
    assertThat(answer.get("channels")).hasSize(2);
    answer
        .get("channels")
        .forEach(each -> assertThat(each.get("name").textValue()).contains("CCG").contains("D02"));
    assertThat(server.json("/api/v1/channels?regex=CUR$").get("channels")).isNotEmpty();
    assertThat(server.json("/api/v1/channels?pattern=VA_*CUR").get("channels")).isNotEmpty();
    assertThat(server.json("/api/v1/channels?search=VA_CCG:D02_013:CUX").get("nearest").toString())
        .contains(CHANNEL);
  }

  @Test
  void archiveAndMetadataTellWhatIsRecorded() throws Exception {
    JsonNode archive = server.json("/api/v1/archive");
    assertThat(archive.get("zone").textValue()).isEqualTo("+09:00");
    JsonNode recorded = archive.get("recorded");
    assertThat(recorded.get("from").asLong()).isLessThan(recorded.get("to").asLong());
    JsonNode metadata = server.json("/api/v1/metadata?channel=" + CHANNEL);
    assertThat(metadata.get("lastValue").get("value").isNumber()).isTrue();
  }

  @Test
  void errorsNameTheParameterAndTheLimit() throws Exception {
    assertThat(server.error("/api/v1/trend", 400).get("error").textValue()).contains("channel");
    assertThat(server.error("/api/v1/trend?channel=" + CHANNEL + "&from=x", 400).toString())
        .contains("from");
    String reversed = "/api/v1/trend?channel=" + CHANNEL + "&from=2016-05-17&to=2016-05-16";
    assertThat(server.error(reversed, 400).toString()).contains("after");
    String many = "/api/v1/trend?channel=" + CHANNEL + RANGE + "&width=1ms";
    assertThat(server.error(many, 413).toString()).contains("20000");
    JsonNode unknown = server.error("/api/v1/trend?channel=VA_CCG:D02_013:CUX" + RANGE, 404);
    assertThat(unknown.get("nearest").toString()).contains(CHANNEL);
    assertThat(server.error("/api/v1/channels?regex=(", 400).toString()).contains("regular");
    assertThat(server.error("/api/v1/channels?limit=0", 400).toString()).contains("limit");
  }
}
