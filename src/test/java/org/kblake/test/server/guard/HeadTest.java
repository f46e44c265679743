package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.server.RawExchange;
import org.kblake.test.server.ServedSample;

/**
 * HEAD has the status and the headers of GET at every door, and no body. Clients such as fsspec ask
 * for the length first, and take what they are told: a length of 0 is an empty table.
 */
final class HeadTest {

  private static final String RANGE = "&from=2016-05-16T00:00&to=2016-05-16T01:00";
  private static final String WRONG_RANGE = "&from=2016-05-16T01:00&to=yesteryear";
  private static final String CHANNEL = "channel=VA_CCG:D02_013:CUR";
  private static final String UNKNOWN = "channel=VA_CCG:NOTHING";

  /** Headers whose values depend on the time, or only on the body. */
  private static final List<String> OF_BODY =
      List.of(
          "date",
          "content-length",
          "kblake-complete",
          "kblake-missing",
          "etag",
          "cache-control",
          "vary");

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeEach
  void start() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    server = new ServedSample(fixture.archive(), null);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private record Header(String status, Map<String, String> fields, int bodyBytes) {}

  private Header ask(String method, String path) throws Exception {
    String answer = RawExchange.ask(server.port(), RawExchange.request(method, path));
    int end = answer.indexOf("\r\n\r\n");
    List<String> lines = answer.substring(0, end).lines().toList();
    Map<String, String> fields = new TreeMap<>();
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      fields.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
    }
    return new Header(lines.get(0), fields, answer.length() - end - 4);
  }

  private void check(String path, int status) throws Exception {
    Header get = ask("GET", path);
    Header head = ask("HEAD", path);
    assertThat(get.status()).as(path).startsWith("HTTP/1.1 " + status);
    assertThat(head.status()).as(path).isEqualTo(get.status());
    assertThat(head.bodyBytes()).as(path).isZero();
    String length = head.fields().get("content-length");
    if (length != null) {
      assertThat(length).as(path).isEqualTo(String.valueOf(get.bodyBytes()));
    }
    String cache = head.fields().get("cache-control");
    assertThat(cache).as(path).isIn(null, get.fields().get("cache-control"));
    for (String name : OF_BODY) {
      String value = get.fields().remove(name);
      String ofHead = head.fields().remove(name);
      if (name.startsWith("kblake") && ofHead != null || name.equals("etag") && ofHead != null) {
        assertThat(ofHead).as(path + " " + name).isEqualTo(value);
      }
    }
    // A body without a length is sent in chunks or up to the end of the connection.
    get.fields().remove("transfer-encoding");
    head.fields().remove("transfer-encoding");
    assertThat(head.fields()).as(path).isEqualTo(get.fields());
  }

  @Test
  void ownApi() throws Exception {
    for (String path : List.of("data", "table", "trend", "values")) {
      String more = path.equals("table") ? "&every=1min" : path.equals("trend") ? "&bins=10" : "";
      String times = path.equals("values") ? "&at=2016-05-16T00:30" : RANGE;
      check("/api/v1/" + path + "?" + CHANNEL + times + more, 200);
      check("/api/v1/" + path + "?" + UNKNOWN + times + more, 404);
      check("/api/v1/" + path + "?" + times.substring(1) + more, 400);
      check(
          "/api/v1/"
              + path
              + "?"
              + CHANNEL
              + (path.equals("values") ? "&at=never" : WRONG_RANGE)
              + more,
          400);
    }
    for (String format : List.of("csv", "json", "arrow")) {
      check("/api/v1/data?" + CHANNEL + RANGE + "&format=" + format, 200);
      check("/api/v1/data?" + UNKNOWN + RANGE + "&format=" + format, 404);
    }
    check("/api/v1/data?" + CHANNEL + RANGE + "&format=xml", 400);
    check("/api/v1/table?" + CHANNEL + RANGE + "&every=1min&format=arrow", 200);
    check("/api/v1/table?" + CHANNEL + RANGE, 400);
    check("/api/v1/table?" + CHANNEL + RANGE + "&every=1ns", 413);
    check("/api/v1/nothing", 404);
    check("/api/v1/channels?search=CUR", 200);
    check("/api/v1/archive", 200);
    check("/api/v1/status", 200);
  }

  @Test
  void answersThatAreComputedBeforeTheyAreWritten() throws Exception {
    for (String format : List.of("json", "csv")) {
      String condition = "condition=VA_CCG:D02_013:CUR%20%3E%200&format=" + format;
      check("/api/v1/when?" + condition + RANGE, 200);
      check("/api/v1/when?" + condition.replace("D02", "D99") + RANGE, 404);
      check("/api/v1/when?" + condition + WRONG_RANGE, 400);
    }
    check("/api/v1/when?" + RANGE.substring(1), 400);
    check("/api/v1/moved?" + CHANNEL + "&at=2016-05-16T00:30", 200);
    check("/api/v1/moved?" + UNKNOWN + "&at=2016-05-16T00:30", 404);
    check("/api/v1/moved?" + CHANNEL, 400);
    check("/api/v1/diff?" + CHANNEL + "&at=2016-05-16T00:30&and=2016-05-16T00:40", 200);
    check("/api/v1/diff?" + UNKNOWN + "&at=2016-05-16T00:30&and=2016-05-16T00:40", 404);
    check("/api/v1/diff?" + CHANNEL + "&at=2016-05-16T00:30", 400);
  }

  @Test
  void archiverAppliance() throws Exception {
    String range = "&from=2016-05-15T15:00:00Z&to=2016-05-15T16:00:00Z";
    for (String base : List.of("/retrieval", "/archappl_retrieve")) {
      for (String form : List.of("json", "qw", "raw", "csv", "txt", "svg")) {
        String data = base + "/data/getData." + form + "?pv=";
        check(data + "VA_CCG:D02_013:CUR" + range, 200);
        check(data + "VA_CCG:NOTHING" + range, 404);
        check(data + "VA_CCG:D02_013:CUR&from=never&to=2016-05-15T16:00:00Z", 400);
        check(data + "mean_60(VA_CCG:D02_013:CUR)" + range, 200);
        check(data + "optimized_10(VA_CCG:D02_013:CUR)" + range, 200);
        check(data + "linear(VA_CCG:D02_013:CUR)" + range, 400);
        // No sample: an empty body, whose length is known.
        check(data + "VA_CCG:D02_013:CUR&from=1999-01-01T00:00:00Z&to=1999-01-02T00:00:00Z", 200);
      }
      check(base + "/data/getData.xml?pv=VA_CCG:D02_013:CUR" + range, 400);
      check(base + "/data/getDataForPVs.json?pv=VA_CCG:D02_013:CUR" + range, 200);
      check(base + "/data/getDataForPVs.json?pv=VA_CCG:NOTHING" + range, 404);
      check(base + "/bpl/getMetadata?pv=VA_CCG:D02_013:CUR", 200);
      check(base + "/bpl/getMetadata?pv=VA_CCG:NOTHING", 404);
      check(base + "/ping", 200);
    }
    String samples = "/archive/1/samples/";
    String nanos = "?start=1463324400000000000&end=1463328000000000000";
    check(samples + "VA_CCG:D02_013:CUR" + nanos, 200);
    check(samples + "VA_CCG:D02_013:CUR" + nanos + "&count=10", 200);
    check(samples + "VA_CCG:NOTHING" + nanos, 404);
    check(samples + "VA_CCG:D02_013:CUR?start=1&end=x", 400);
  }

  /** The answer of GET has no end. */
  @Test
  void liveStreams() throws Exception {
    Header head = ask("HEAD", "/api/v1/live?" + CHANNEL);
    assertThat(head.status()).startsWith("HTTP/1.1 200");
    assertThat(head.bodyBytes()).isZero();
    assertThat(head.fields())
        .containsEntry("content-type", "text/event-stream; charset=utf-8")
        .doesNotContainKey("content-length");
    check("/api/v1/live?" + UNKNOWN, 404);
    check("/api/v1/live?" + CHANNEL + "&from=never", 400);
  }

  /** Clients ask for the length first: an answer that has none must not say 0. */
  @Test
  void headOfEventsHasNoLengthOfZero() throws Exception {
    for (String form : List.of("csv", "json", "arrow")) {
      assertThat(ask("HEAD", "/api/v1/data?" + CHANNEL + RANGE + "&format=" + form).fields())
          .doesNotContainEntry("content-length", "0")
          .containsEntry("accept-ranges", "none");
    }
  }
}
