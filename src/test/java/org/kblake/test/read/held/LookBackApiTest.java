package org.kblake.test.read.held;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.server.ServedSample;

/**
 * The setting {@code look-back} of a server: a value that was set 300 days before is found, or each
 * answer that needs it says where its search ended.
 */
final class LookBackApiTest {

  private static final Group GROUP = new Group("BM", "DCCT");
  private static final Instant BEGIN = Instant.parse("2015-01-01T00:00:00Z");
  private static final Instant MOVED = BEGIN.plus(Duration.ofDays(300));
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");

  @TempDir private static Path directory;

  private static Path archive = Path.of("");

  /**
   * A is set at the begin and 300 days later, B at the end, and milestones repeat them each six
   * hours.
   */
  @BeforeAll
  static void write() throws IOException {
    archive = directory.resolve("archive");
    RecordTable records =
        new RecordTable(
            List.of(
                new RecordEntry(0, "A", ValueType.LONG, 1),
                new RecordEntry(1, "B", ValueType.LONG, 1)));
    String stamp =
        PairName.at(GROUP.name(), EpochNanos.of(BEGIN), ArchiveSettings.defaults().zone()).stamp();
    try (LogWriter log = LogWriter.create(archive, GROUP, stamp, ByteOrder.BIG_ENDIAN, records)) {
      for (int hour = 0; hour < 24 * 310; hour += 6) {
        long nanos = EpochNanos.of(BEGIN.plus(Duration.ofHours(hour)));
        log.milestone(nanos);
        if (hour == 0 || hour == 24 * 300) {
          log.number(0, nanos + 1_000_000, 0, 0, hour == 0 ? 1 : 2);
        } else if (hour == 24 * 309) {
          log.number(1, nanos + 1_000_000, 0, 0, 1);
        }
      }
    }
    TestStores.closePairs(archive);
  }

  /** Returns the paths whose answers need the value of the begin, by what they answer. */
  private static Map<String, String> questions() {
    Instant from = MOVED.minus(Duration.ofHours(2));
    Instant to = MOVED.minus(Duration.ofHours(1));
    String range = "&from=" + from + "&to=" + to;
    Map<String, String> paths = new TreeMap<>();
    paths.put("trend", "/api/v1/trend?channel=A" + range);
    paths.put("values", "/api/v1/values?channel=A&at=" + from);
    paths.put("when", "/api/v1/when?condition=A%20%3E%200" + range);
    paths.put("table", "/api/v1/table?format=csv&every=10m&channel=A" + range);
    paths.put(
        "table when", "/api/v1/table?format=csv&channel=A&every=10m&when=A%20%3E%200" + range);
    paths.put("data when", "/api/v1/data?format=json&channel=A&when=A%20%3E%200" + range);
    paths.put("data when as csv", "/api/v1/data?format=csv&channel=A&when=A%20%3E%200" + range);
    paths.put("data when as Arrow", "/api/v1/data?format=arrow&channel=A&when=A%20%3E%200" + range);
    paths.put("table as Arrow", "/api/v1/table?format=arrow&every=10m&channel=A" + range);
    paths.put("moved", "/api/v1/moved?at=" + MOVED);
    paths.put("diff", "/api/v1/diff?at=" + from + "&and=" + to);
    paths.put("getData", "/retrieval/data/getData.json?pv=A" + range);
    paths.put("getData of a mean", "/retrieval/data/getData.json?pv=mean_600(A)" + range);
    paths.put("getDataForPVs", "/retrieval/data/getDataForPVs.json?pv=A" + range);
    paths.put("getDataAtTime", "/retrieval/data/getDataAtTime?at=" + from);
    return paths;
  }

  private static String answer(String address, String path) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path));
    if (path.contains("getDataAtTime")) {
      request.POST(HttpRequest.BodyPublishers.ofString("[\"A\"]"));
    }
    HttpResponse<byte[]> response =
        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    String text = new String(response.body(), StandardCharsets.ISO_8859_1);
    assertThat(response.statusCode()).as("%s: %s", path, text).isEqualTo(200);
    return response.headers().allValues("Kblake-Note") + text.replace('+', ' ');
  }

  @Test
  void answersSayWhereTheSettingEndedTheirSearch() throws Exception {
    Files.writeString(
        directory.resolve("kblake.toml"), "archive = \"archive\"\nlook-back = \"30d\"\n");
    Path err = directory.resolve("err");
    Process server = KblakeProcess.start(directory, err, "serve", "--listen", "127.0.0.1:0");
    try {
      Await.await("the address", () -> ADDRESS.matcher(Files.readString(err)).find());
      Matcher address = ADDRESS.matcher(Files.readString(err));
      assertThat(address.find()).isTrue();
      for (Map.Entry<String, String> question : questions().entrySet()) {
        assertThat(answer(address.group(), question.getValue()))
            .as(question.getKey())
            .contains("look-back ended at 2015-09-2");
      }
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void answersHaveTheValueThatTheSettingAllows() throws Exception {
    try (ServedSample server = ServedSample.lookingBack(archive, Duration.ofDays(301))) {
      for (Map.Entry<String, String> question : questions().entrySet()) {
        assertThat(answer("http://127.0.0.1:" + server.port(), question.getValue()))
            .as(question.getKey())
            .doesNotContain("look-back");
      }
      String held = "/api/v1/values?channel=A&at=" + MOVED.minus(Duration.ofHours(1));
      assertThat(server.json(held).at("/values/0/held/value").intValue()).isEqualTo(1);
      assertThat(server.json("/api/v1/metadata?channel=A").get("notes")).isEmpty();
    }
    try (ServedSample server = ServedSample.lookingBack(archive, Duration.ofDays(8))) {
      assertThat(server.json("/api/v1/metadata?channel=A").at("/notes/0").textValue())
          .startsWith("look-back ended at ");
    }
  }
}
