package org.kblake.test.appliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.appliance.ServedFixture.encoded;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.TestStores;

/** The answers of each path of the retrieval protocol on a sample archive, byte for byte. */
final class RetrievalContractTest {

  private static final String DAY = "&from=2022-03-14T18:00:00Z&to=2022-03-15T18:00:00Z";
  private static final String JSON = "application/json";

  @TempDir Path directory;
  private ServedFixture server;

  @BeforeEach
  void start() throws IOException {
    Path root = directory.resolve("archive");
    TestStores.sample("tiny-le", root);
    server = ServedFixture.raw(root);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private String data(String form, String pv, String more) throws IOException {
    return server.text("/retrieval/data/getData." + form + "?pv=" + encoded(pv) + more);
  }

  @Test
  void jsonHasSamplesWithConnectionsAndWithoutNaN() throws IOException {
    assertThat(data("json", "BM_DCCT:HCUR", DAY))
        .isEqualTo(
            "[{\"meta\":{\"name\":\"BM_DCCT:HCUR\"},\"data\":["
                + "{\"secs\":1647281881,\"val\":1.5,\"nanos\":279999999,\"severity\":0,"
                + "\"status\":0,\"fields\":{\"cnxregainedepsecs\":\"1647281880\"}},"
                + "{\"secs\":1647281931,\"val\":9.402521e-08,\"nanos\":270000000,\"severity\":1,"
                + "\"status\":4},"
                + "{\"secs\":1647281941,\"val\":null,\"nanos\":0,\"severity\":3,\"status\":17},"
                + "{\"secs\":1647281970,\"val\":-1e+300,\"nanos\":10000000,\"severity\":0,"
                + "\"status\":0,\"fields\":{\"cnxlostepsecs\":\"1647281942\","
                + "\"cnxregainedepsecs\":\"1647281970\"}},"
                + "{\"secs\":1647282005,\"val\":0.0,\"nanos\":0,\"severity\":0,\"status\":0}]}]");
  }

  @Test
  void nonFiniteNumbersAreTextsOnRequest() throws IOException {
    assertThat(data("json", "BM_BLM:D1:ADC", DAY + "&nonfinite=string"))
        .contains("\"val\":[0.0,-1.25,\"NaN\",\"Infinity\"]");
    assertThat(data("json", "BM_BLM:D1:ADC", DAY)).contains("\"val\":[0.0,-1.25,null,null]");
  }

  @Test
  void fromEqualToIsTheValueAtThatTime() throws IOException {
    assertThat(
            data(
                "qw",
                "BM_DCCT:HCUR.VAL",
                "&from=2022-03-14T18:18:05.5Z&to=2022-03-15T03:18:05.500%2B09:00"))
        .isEqualTo(
            "[{\"meta\":{\"name\":\"BM_DCCT:HCUR\",\"waveform\":false},"
                + "\"data\":[{\"millis\":1647281881279,\"val\":1.5}]}]");
  }

  @Test
  void rawHasTheBytesOfTheProtocol() throws IOException {
    byte[] body =
        server.body(
            "/archappl_retrieve/data/getData.raw?pv=CGLINJ:BKSEL:NOB_SET"
                + "&from=2022-03-14T18:18:02Z&to=2022-03-14T18:18:02Z");
    // Type 5, name, year 2022, one element. 2022-03-14T18:18:02Z is 6286682 s into the year, and
    // -2346 is fffff6d6.
    String name = "CGLINJ:BKSEL:NOB_SET";
    assertThat(HexFormat.of().formatHex(body))
        .isEqualTo(
            "08051214"
                + HexFormat.of().formatHex(name.getBytes(StandardCharsets.UTF_8))
                + "18e60f20010a"
                + "08dadaff0210001dd6f6ffff0a");
  }

  @Test
  void rawHasConnectionsAndEscapes() throws IOException {
    byte[] body = server.body("/retrieval/data/getData.raw?pv=BM_DCCT:HCUR" + DAY);
    List<RawDecoder.Chunk> chunks = RawDecoder.decode(body);
    assertThat(chunks).hasSize(1);
    RawDecoder.Chunk chunk = chunks.get(0);
    assertThat(chunk.type()).isEqualTo(6);
    assertThat(chunk.name()).isEqualTo("BM_DCCT:HCUR");
    assertThat(chunk.samples())
        .extracting(RawDecoder.Decoded::severity)
        .containsExactly(0, 1, 3, 0, 0);
    assertThat(chunk.samples().get(3).fields())
        .containsEntry("cnxlostepsecs", "1647281942")
        .containsEntry("cnxregainedepsecs", "1647281970");
  }

  @Test
  void linesHaveValueSeverityStatusAndNanoseconds() throws IOException {
    assertThat(data("csv", "BM_BLM:D1:ADC", DAY))
        .isEqualTo(
            "1647281885,\"[0.0,-1.25,NaN,Infinity]\",0,0,0\n1647281980,\"[1.0,2.0]\",0,0,0\n");
    assertThat(data("txt", "BM_MODE:STAT", DAY))
        .isEqualTo("Beginning data for BM_MODE:STAT\n2022-03-14T18:18:03Z\tBeam On\t0\t0\t5\n");
  }

  @Test
  void svgDrawsALine() throws IOException {
    assertThat(data("svg", "BM_DCCT:HCUR", DAY))
        .startsWith("<svg ")
        .contains("d=\"M13 ")
        .endsWith("</svg>\n");
  }

  @Test
  void contentTypesAreThoseOfTheForms() throws IOException {
    assertThat(type("raw")).isEqualTo("application/x-protobuf");
    assertThat(type("json")).isEqualTo(JSON);
    assertThat(type("qw")).isEqualTo(JSON);
    assertThat(type("csv")).isEqualTo("text/csv");
    assertThat(type("txt")).isEqualTo("text/plain");
    assertThat(type("svg")).isEqualTo("image/svg+xml");
  }

  private String type(String form) throws IOException {
    return server
        .get("/retrieval/data/getData." + form + "?pv=BM_DCCT:HCUR" + DAY)
        .headers()
        .firstValue("Content-Type")
        .orElse("");
  }

  @Test
  void aChannelWithoutDataIsEmpty() throws IOException {
    String before = "&from=2022-03-13T00:00:00Z&to=2022-03-13T01:00:00Z";
    assertThat(data("json", "BM_DCCT:HCUR", before)).isEqualTo("[]");
    assertThat(data("json", "BM_DCCT:NEVER", DAY)).isEqualTo("[]");
    assertThat(data("raw", "BM_DCCT:HCUR", before)).isEmpty();
    assertThat(data("csv", "mean_60(BM_DCCT:HCUR)", before)).isEmpty();
    assertThat(data("raw", "optimized_10(BM_DCCT:NEVER)", DAY)).isEmpty();
  }

  @Test
  void anAnswerSaysThatItIsComplete() throws IOException {
    HttpResponse<byte[]> response =
        server.get("/retrieval/data/getData.json?pv=BM_DCCT:HCUR" + DAY);
    assertThat(response.headers().firstValue("Kblake-Complete")).contains("true");
  }

  @Test
  void severalChannelsAnswerInTheirOrder() throws IOException {
    String expected =
        "[{\"meta\":{\"name\":\"BM_MODE:STAT\"},\"data\":[{\"secs\":1647281883,"
            + "\"val\":\"Beam On\",\"nanos\":5,\"severity\":0,\"status\":0,"
            + "\"fields\":{\"cnxregainedepsecs\":\"1647281883\"}}]},"
            + "{\"meta\":{\"name\":\"CGLINJ:BKSEL:NOB_SET\"},\"data\":[{\"secs\":1647281882,"
            + "\"val\":-2346,\"nanos\":0,\"severity\":0,\"status\":0,"
            + "\"fields\":{\"cnxregainedepsecs\":\"1647281880\"}}]}]";
    String path = "/retrieval/data/getDataForPVs.json?" + DAY.substring(1);
    assertThat(server.text(path + "&pv=BM_MODE:STAT&pv=BM_DCCT:NEVER&pv=CGLINJ:BKSEL:NOB_SET"))
        .isEqualTo(expected);
    String names = "BM_MODE:STAT\r\nBM_DCCT:NEVER,CGLINJ:BKSEL:NOB_SET\n";
    assertThat(server.post(path, names, "text/plain").body())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(expected);
    String array = "[\"BM_MODE:STAT\", \"CGLINJ:BKSEL:NOB_SET\"]";
    assertThat(server.post(path, array, JSON).body())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(expected);
    byte[] raw = server.post(path.replace(".json", ".raw"), array, JSON).body();
    assertThat(RawDecoder.decode(raw))
        .extracting(RawDecoder.Chunk::name)
        .containsExactly("BM_MODE:STAT", "CGLINJ:BKSEL:NOB_SET");
  }

  @Test
  void valuesAtATimeHaveNoUnknownNames() throws IOException {
    HttpResponse<byte[]> response =
        server.post(
            "/retrieval/data/getDataAtTime?at=2022-03-14T18:20:00Z",
            "[\"BM_DCCT:HCUR.VAL\",\"NOPE\",\"BM_DCCT:NEVER\",\"BM_BLM:D1:ADC\"]",
            JSON);
    assertThat(response.body())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(
            "{\"BM_DCCT:HCUR.VAL\":{\"secs\":1647281970,\"nanos\":10000000,\"val\":-1e+300,"
                + "\"severity\":0,\"status\":0},"
                + "\"BM_BLM:D1:ADC\":{\"secs\":1647281980,\"nanos\":0,\"val\":[1.0,2.0],"
                + "\"severity\":0,\"status\":0}}");
  }

  @Test
  void namesMatchPatternsAsAWhole() throws IOException {
    String bpl = "/retrieval/bpl/";
    assertThat(server.text(bpl + "getMatchingPVs?regex=" + encoded("BM_(DCCT|MODE).*")))
        .isEqualTo("[\"BM_DCCT:HCUR\",\"BM_DCCT:NEVER\",\"BM_MODE:STAT\"]");
    assertThat(server.text(bpl + "getMatchingPVs?regex=DCCT")).isEqualTo("[]");
    assertThat(server.text(bpl + "getMatchingPVs?pv=BM*C&limit=-1"))
        .isEqualTo("[\"BM_BLM:D1:ADC\"]");
    assertThat(server.text(bpl + "getMatchingPVs?pv=*HCU?&limit=500"))
        .isEqualTo("[\"BM_DCCT:HCUR\"]");
    assertThat(server.text(bpl + "getMatchingPVs?regex=.*&limit=2"))
        .isEqualTo("[\"BM_BLM:D1:ADC\",\"BM_DCCT:HCUR\"]");
    assertThat(server.text(bpl + "searchForPVsRegex?regex=.*DCCT.*"))
        .isEqualTo("BM_DCCT:HCUR\nBM_DCCT:NEVER\n");
  }

  @Test
  void theServerTellsOfItselfAndItsChannels() throws IOException {
    assertThat(server.text("/retrieval/ping")).isEqualTo("Pong");
    assertThat(server.text("/retrieval/bpl/areWeArchivingPV?pv=BM_DCCT:HCUR.VAL"))
        .isEqualTo("{\"status\":\"true\"}");
    assertThat(server.text("/retrieval/bpl/areWeArchivingPV?pv=NOPE"))
        .isEqualTo("{\"status\":\"false\"}");
    assertThat(server.text("/retrieval/bpl/getVersion")).startsWith("{\"version\":\"kblake ");
    assertThat(server.text("/retrieval/bpl/getMetadata?pv=BM_BLM:D1:ADC"))
        .contains("\"DBRType\":\"DBR_WAVEFORM_FLOAT\"");
    assertThat(server.text("/mgmt/bpl/getApplianceInfo"))
        .contains(
            "\"identity\":\"kblake\"",
            "\"dataRetrievalURL\":\"http://127.0.0.1:" + server.port() + "/retrieval\"");
  }

  @Test
  void theJsonArchiveHasItsOwnForm() throws IOException {
    assertThat(server.text("/archive/"))
        .isEqualTo(
            "[{\"key\":1,\"name\":\"kblake\","
                + "\"description\":\"the archive that kblake serves\"}]");
    assertThat(server.text("/archive/1/channels-by-pattern/BM_D*"))
        .isEqualTo("[\"BM_DCCT:HCUR\",\"BM_DCCT:NEVER\"]");
    String range = "?start=1647281931270000000&end=1647281941000000000";
    assertThat(server.text("/archive/1/samples/" + encoded("BM_DCCT:HCUR") + range))
        .isEqualTo(
            "["
                + sample(1647281931270000000L, "MINOR", "HIGH", "9.402521e-08")
                + ","
                + sample(1647281941000000000L, "INVALID", "UDF", "\"NaN\"")
                + "]");
    assertThat(
            server.text(
                "/archive/1/samples/BM_MODE:STAT?start=1647281884000000000&end=1647281884000000000"))
        .isEqualTo(
            "[{\"time\":1647281883000000005,\"severity\":{\"level\":\"OK\",\"hasValue\":true},"
                + "\"status\":\"NO_ALARM\",\"quality\":\"Original\",\"type\":\"string\","
                + "\"value\":[\"Beam On\"]}]");
    assertThat(server.text("/archive/1/samples/BM_DCCT:HCUR" + range + "&count=1"))
        .contains("\"type\":\"minMaxDouble\"", "\"minimum\":9.402521e-08");
  }

  private static String sample(long time, String level, String status, String value) {
    return "{\"time\":"
        + time
        + ",\"severity\":{\"level\":\""
        + level
        + "\",\"hasValue\":true},\"status\":\""
        + status
        + "\",\"quality\":\"Original\",\"metaData\":{\"type\":\"numeric\",\"precision\":-1,"
        + "\"units\":\"\",\"displayLow\":\"NaN\",\"displayHigh\":\"NaN\",\"warnLow\":\"NaN\","
        + "\"warnHigh\":\"NaN\",\"alarmLow\":\"NaN\",\"alarmHigh\":\"NaN\"},"
        + "\"type\":\"double\",\"value\":["
        + value
        + "]}";
  }

  @Test
  void binsInheritTheValueBeforeThem() throws IOException {
    String range = "&from=2022-03-14T18:18:00Z&to=2022-03-14T18:20:10Z";
    // Bins of 20 s: 1.5; none; -; 9.4e-08; NaN alone; -1e300 with 0.0 two bins later.
    assertThat(values("mean_20(BM_DCCT:HCUR)", range))
        .isEqualTo(
            "1647281890,1.5;1647281910,1.5;1647281930,9.402521e-08;1647281950,NaN;"
                + "1647281970,-1e+300;1647281990,-1e+300;1647282010,0.0;");
    assertThat(values("meanSample_20(BM_DCCT:HCUR)", range))
        .isEqualTo(
            "1647281890,1.5;1647281930,9.402521e-08;1647281950,NaN;1647281970,-1e+300;"
                + "1647282010,0.0;");
    assertThat(values("count_20(BM_DCCT:HCUR)", range))
        .isEqualTo(
            "1647281890,1.0;1647281910,0.0;1647281930,1.0;1647281950,0.0;1647281970,1.0;"
                + "1647281990,0.0;1647282010,1.0;");
    assertThat(
            values(
                "lastFill_20(BM_MODE:STAT)", "&from=2022-03-14T18:18:30Z&to=2022-03-14T18:19:00Z"))
        .isEqualTo("1647281890,Beam On;1647281910,Beam On;1647281930,Beam On;1647281950,Beam On;");
    assertThat(values("ncount(BM_DCCT:HCUR)", range)).isEqualTo("1647281880,5;");
    assertThat(values("nth_2(BM_DCCT:HCUR)", range))
        .isEqualTo("1647281881,1.5;1647281941,NaN;1647282005,0.0;");
    assertThat(values("unknown_7(BM_MODE:STAT)", range)).isEqualTo("1647281883,Beam On;");
  }

  /**
   * The answer about the first channel is so long that it would begin before the second is read.
   */
  @Test
  void anOperatorThatAChannelCannotHaveIsRefusedBeforeAnAnswerOfSeveralChannels()
      throws IOException {
    for (String wrong : List.of("mean_60(BM_MODE:STAT)", "kurtosis_60(BM_BLM:D1:ADC)")) {
      HttpResponse<byte[]> answer =
          server.get(
              "/retrieval/data/getDataForPVs.json?pv="
                  + encoded("mean_1(BM_DCCT:HCUR)")
                  + "&pv="
                  + encoded(wrong)
                  + DAY);
      assertThat(answer.statusCode()).as(wrong).isEqualTo(400);
      assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("is for numbers");
    }
  }

  private String values(String pv, String range) throws IOException {
    StringBuilder values = new StringBuilder();
    for (String line : data("csv", pv, range).split("\n")) {
      String[] cells = line.split(",");
      values.append(cells[0]).append(',').append(cells[1]).append(';');
    }
    return values.toString();
  }
}
