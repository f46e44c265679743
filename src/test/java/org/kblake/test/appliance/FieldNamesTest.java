package org.kblake.test.appliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.appliance.ServedFixture.encoded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.kblake.test.fixture.archive.RandomArchive;

/**
 * Names with a field. A record of this name answers; if there is none, {@code .VAL} is the field
 * that every name without a field means.
 */
final class FieldNamesTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN = 1_463_324_400L * SECOND;
  private static final String RANGE = "&from=2016-05-15T15:00:00Z&to=2016-05-15T15:01:00Z";
  private static final String NANOS =
      "?start=" + BEGIN + "&end=" + (BEGIN + 60 * SECOND) + "&count=10";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The value of each record. */
  private static final Map<String, Integer> RECORDED =
      Map.of("K:V", 1, "K:V.VAL", 2, "K:W.VAL", 3, "K:X", 4, "K:V.HIHI", 5, "K:V.VAL.VAL", 6);

  /** The record that answers for each name of a request. */
  private static final Map<String, String> ANSWERING =
      Map.of(
          "K:V", "K:V",
          "K:V.VAL", "K:V.VAL",
          "K:W.VAL", "K:W.VAL",
          "K:X", "K:X",
          "K:X.VAL", "K:X",
          "K:V.HIHI", "K:V.HIHI",
          "K:V.HIHI.VAL", "K:V.HIHI",
          "K:V.VAL.VAL", "K:V.VAL.VAL");

  private static final List<String> UNKNOWN = List.of("K:W", "K:X.HIHI", "K:Y.VAL", "K:X.VAL.VAL");

  @TempDir private static Path archive;

  @SuppressWarnings("NullAway.Init")
  private static ServedFixture server;

  @BeforeAll
  static void start() throws IOException {
    List<RecordEntry> records = new ArrayList<>();
    for (String name : RECORDED.keySet()) {
      records.add(new RecordEntry(records.size(), name, ValueType.DOUBLE, 1));
    }
    Group group = Group.parse("VA/A");
    try (LogWriter writer =
        LogWriter.create(
            archive,
            group,
            PairName.at(group.name(), BEGIN, RandomArchive.ZONE).stamp(),
            ByteOrder.BIG_ENDIAN,
            new RecordTable(records))) {
      writer.milestone(BEGIN);
      for (RecordEntry each : records) {
        double value = RECORDED.getOrDefault(each.name(), 0);
        writer.number(each.id(), BEGIN + 10 * SECOND, 0, 0, Double.doubleToRawLongBits(value));
      }
      writer.milestone(BEGIN + 60 * SECOND);
      writer.flush();
    }
    TestStores.closePairs(archive);
    server = ServedFixture.raw(archive);
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static JsonNode json(String path) throws IOException {
    return JSON.readTree(server.text(path));
  }

  private static int value(String name) {
    return RECORDED.getOrDefault(ANSWERING.getOrDefault(name, ""), 0);
  }

  @Test
  void dataAreThoseOfTheRecordOfTheName() throws Exception {
    for (String name : ANSWERING.keySet()) {
      for (String operator : List.of("", "mean_60(", "lastSample_60(", "optimized_10(")) {
        String pv = operator + name + (operator.isEmpty() ? "" : ")");
        for (String form : List.of("getData.json", "getData.qw", "getDataForPVs.json")) {
          JsonNode answer = json("/retrieval/data/" + form + "?pv=" + encoded(pv) + RANGE);
          assertThat(answer).as(form + " " + pv).hasSize(1);
          assertThat(answer.at("/0/meta/name").asText()).as(pv).isEqualTo(ANSWERING.get(name));
          assertThat(answer.at("/0/data/0/val").asInt()).as(pv).isEqualTo(value(name));
        }
      }
      for (String form : List.of("csv", "txt")) {
        assertThat(server.text("/retrieval/data/getData." + form + "?pv=" + name + RANGE))
            .as(form + " " + name)
            .containsPattern("[,\t]" + value(name) + "\\.0[,\t]");
      }
      byte[] raw = server.body("/retrieval/data/getData.raw?pv=" + name + RANGE);
      assertThat(new String(raw, StandardCharsets.ISO_8859_1))
          .contains((char) ANSWERING.get(name).length() + ANSWERING.get(name));
    }
  }

  @Test
  void severalNamesAreThoseOfTheirRecords() throws Exception {
    List<String> names = List.copyOf(ANSWERING.keySet());
    List<String> records = names.stream().map(ANSWERING::get).toList();
    for (String body : List.of(JSON.writeValueAsString(names), String.join("\n", names))) {
      String path = "/retrieval/data/getDataForPVs.json?" + RANGE.substring(1);
      JsonNode data = JSON.readTree(server.post(path, body, "text/plain").body());
      List<String> answered = new ArrayList<>();
      data.forEach(each -> answered.add(each.at("/meta/name").asText()));
      assertThat(answered).isEqualTo(records);
      JsonNode held =
          JSON.readTree(
              server
                  .post("/retrieval/data/getDataAtTime?at=2016-05-15T15:00:30Z", body, "text/plain")
                  .body());
      for (String name : names) {
        assertThat(held.get(name).get("val").asInt()).as(name).isEqualTo(value(name));
      }
    }
  }

  @Test
  void metadataAndNamesAreThoseOfTheRecord() throws Exception {
    for (String name : ANSWERING.keySet()) {
      assertThat(json("/retrieval/bpl/getMetadata?pv=" + name).get("pvName").asText())
          .isEqualTo(ANSWERING.get(name));
      assertThat(json("/retrieval/bpl/areWeArchivingPV?pv=" + name).get("status").asText())
          .as(name)
          .isEqualTo("true");
      assertThat(json("/archive/1/samples/" + name + NANOS).at("/0/value/0").asInt())
          .as(name)
          .isEqualTo(value(name));
    }
    assertThat(server.text("/retrieval/bpl/getMatchingPVs?pv=K:?.VAL"))
        .isEqualTo("[\"K:V.VAL\",\"K:W.VAL\"]");
  }

  @Test
  void unknownNamesHaveNoAnswer() throws Exception {
    for (String name : UNKNOWN) {
      for (String path :
          List.of(
              "/retrieval/data/getData.json?pv=" + name + RANGE,
              "/retrieval/data/getData.json?pv=mean_60(" + name + ")" + RANGE,
              "/retrieval/data/getDataForPVs.json?pv=" + name + RANGE,
              "/retrieval/bpl/getMetadata?pv=" + name,
              "/archive/1/samples/" + name + NANOS)) {
        assertThat(server.get(path).statusCode()).as(path).isEqualTo(404);
      }
      assertThat(json("/retrieval/bpl/areWeArchivingPV?pv=" + name).get("status").asText())
          .as(name)
          .isEqualTo("false");
      assertThat(
              new String(
                  server
                      .post(
                          "/retrieval/data/getDataAtTime?at=2016-05-15T15:00:30Z",
                          name,
                          "text/plain")
                      .body(),
                  StandardCharsets.UTF_8))
          .isEqualTo("{}");
    }
  }
}
