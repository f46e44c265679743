package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.CommandFixture;

/** Answers about closed ranges have a tag, which changes with everything that may change them. */
final class KeptAnswersTest {

  private static final String CHANNEL = "channel=VA_CCG:D02_013:CUR";
  private static final String RANGE = "&from=2016-05-16T00:00&to=2016-05-16T01:00";
  private static final String TREND = "/api/v1/trend?points=0&bins=10&" + CHANNEL + RANGE;
  private static final String APPLIANCE =
      "?pv=VA_CCG:D02_013:CUR&from=2016-05-15T15:10:00Z&to=2016-05-15T15:20:00Z";
  private static final String SAMPLES =
      "/archive/1/samples/VA_CCG:D02_013:CUR?start=1463324400000000000&end=1463324460000000000";

  /** Every door that answers about a range, or an instant. */
  private static final List<String> CLOSED =
      List.of(
          TREND,
          "/api/v1/trend?points=100000&" + CHANNEL + RANGE,
          "/api/v1/data?" + CHANNEL + RANGE,
          "/api/v1/data?format=csv&" + CHANNEL + RANGE,
          "/api/v1/data?format=arrow&" + CHANNEL + RANGE,
          "/api/v1/values?" + CHANNEL + "&at=2016-05-16T00:30",
          "/api/v1/table?every=1min&" + CHANNEL + RANGE,
          "/api/v1/table?every=1min&format=arrow&" + CHANNEL + RANGE,
          "/api/v1/coverage?" + CHANNEL + RANGE,
          "/api/v1/coverage?group=VA/CCG" + RANGE,
          "/retrieval/data/getData.raw" + APPLIANCE,
          "/retrieval/data/getData.json" + APPLIANCE,
          "/archappl_retrieve/data/getData.qw" + APPLIANCE,
          "/retrieval/data/getData.csv" + APPLIANCE,
          "/retrieval/data/getData.txt" + APPLIANCE,
          "/retrieval/data/getData.svg" + APPLIANCE,
          "/retrieval/data/getDataForPVs.json" + APPLIANCE,
          SAMPLES,
          SAMPLES + "&count=10");

  private static final List<String> OPEN =
      List.of(
          "/api/v1/archive",
          "/api/v1/channels?search=ccg",
          "/api/v1/metadata?" + CHANNEL,
          "/api/v1/status",
          "/api/v1/trend?" + CHANNEL + "&from=2016-05-16T00:00&to=now+1h",
          "/api/v1/values?" + CHANNEL + "&at=2016-05-16T21:00:01",
          "/api/v1/coverage?group=VA/CCG&from=2016-05-16&to=now+1s",
          "/api/v1/trend?" + CHANNEL + "&from=2001-01-01&to=2001-01-02",
          "/api/v1/trend?" + CHANNEL + "&from=2001-01-02&to=2001-01-01",
          "/api/v1/data?format=arrow&select=name:VA_CCG:D02_013:CUR"
              + "&range=1463324400000000000..1463324460000000000",
          "/retrieval/data/getData.json?pv=VA_CCG:D02_013:CUR",
          "/retrieval/bpl/getMatchingPVs?pv=*",
          "/retrieval/bpl/getVersion",
          "/archive/1/channels-by-pattern/*");

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeEach
  void start() throws Exception {
    fixture = CommandFixture.mixed(directory);
    server = ServedSample.described(fixture.archive(), directory.resolve("channels"));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static String tag(HttpResponse<?> answer) {
    return answer.headers().firstValue("ETag").orElse("none");
  }

  private String tagOf(String path) throws Exception {
    return tag(server.get(path));
  }

  /** Checks that an answer is not kept, neither by a browser nor by a proxy. */
  private void isNotKept(String path) throws Exception {
    HttpResponse<String> answer = server.get(path);
    assertThat(answer.headers().map()).as(path).doesNotContainKey("etag");
    assertThat(answer.headers().allValues("Cache-Control")).as(path).containsExactly("no-store");
  }

  @Test
  void aClientKeepsItsAnswerAboutAClosedRange() throws Exception {
    for (String path : CLOSED) {
      HttpResponse<String> answer = server.get(path);
      assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
      assertThat(tag(answer)).as(path).matches("\"[A-Za-z0-9_-]{43}\"");
      assertThat(answer.headers().firstValue("Kblake-Complete")).contains("true");
      assertThat(answer.headers().allValues("Cache-Control"))
          .as(path)
          .containsExactly("private, no-cache");
      assertThat(answer.headers().firstValue("Vary")).contains("Accept-Encoding");
      for (String sent : List.of(tag(answer), "\"x\", W/" + tag(answer))) {
        HttpResponse<String> kept = server.get(path, "If-None-Match", sent);
        assertThat(kept.statusCode()).as(path).isEqualTo(304);
        assertThat(kept.body()).isEmpty();
        assertThat(tag(kept)).isEqualTo(tag(answer));
        assertThat(kept.headers().allValues("Cache-Control")).containsExactly("private, no-cache");
      }
      for (String sent : List.of("\"x\"", "*", tag(answer).replace("\"", ""))) {
        HttpResponse<String> other = server.get(path, "If-None-Match", sent);
        assertThat(other.statusCode()).as(path).isEqualTo(200);
        assertThat(other.body()).isEqualTo(answer.body());
      }
    }
    assertThat(CLOSED.stream().map(this::quietTag)).doesNotHaveDuplicates();
  }

  private String quietTag(String path) {
    try {
      return tagOf(path);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void otherAnswersAreNotKept() throws Exception {
    for (String path : OPEN) {
      isNotKept(path);
    }
  }

  /** The log is made unreadable in a way that shows only when its events are read. */
  @Test
  void aKeptAnswerIsConfirmedWithoutAReadOfEvents() throws Exception {
    String tag = tagOf(TREND);
    for (String log : List.of("CCG_20160516000000.log2", "CCG_20160516002717.log2")) {
      Path file = fixture.archive().resolve("VA").resolve(log);
      FileTime modified = Files.getLastModifiedTime(file);
      byte[] damaged = Files.readAllBytes(file);
      java.util.Arrays.fill(damaged, damaged.length / 2, damaged.length, (byte) 0x7f);
      Files.write(file, damaged, StandardOpenOption.WRITE);
      Files.setLastModifiedTime(file, modified);
    }
    assertThat(server.get(TREND, "If-None-Match", tag).statusCode()).isEqualTo(304);
    HttpResponse<String> read = server.get(TREND);
    assertThat(read.headers().firstValue("Kblake-Complete")).contains("false");
    isNotKept(TREND);
    for (String path : List.of("data?", "data?format=csv&", "coverage?")) {
      isNotKept("/api/v1/" + path + CHANNEL + RANGE);
    }
    isNotKept("/retrieval/data/getData.json" + APPLIANCE.replace(":20:", ":50:"));
  }

  private void changes(Change change) throws Exception {
    String tag = tagOf(TREND);
    change.make();
    HttpResponse<String> after = server.get(TREND, "If-None-Match", tag);
    assertThat(after.statusCode()).isEqualTo(200);
    assertThat(tag(after)).isNotEqualTo(tag);
  }

  /** Changes something that an answer depends on. */
  @FunctionalInterface
  private interface Change {
    void make() throws Exception;
  }

  private Path log(String name) {
    return fixture.archive().resolve("VA").resolve(name);
  }

  private static void closed(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2020-02-02T00:00:00Z")));
  }

  /** Late or disordered segments may have times of a range that was closed before. */
  @Test
  void aLogThatGrowsAgainChangesTheTag() throws Exception {
    Path last = log("CCG_20160516002717.log2");
    changes(
        () -> {
          Files.write(last, new byte[64], StandardOpenOption.APPEND);
          closed(last);
        });
    // It may grow further.
    Files.setLastModifiedTime(last, FileTime.from(Instant.now()));
    isNotKept(TREND);
  }

  /** A log of a volume that was away, or a copy that arrives later. */
  @Test
  void aLogThatLandsLaterChangesTheTag() throws Exception {
    List<String> names = List.of("CCG_20160516002717.log1", "CCG_20160516002717.log2");
    for (String name : names) {
      Files.move(log(name), directory.resolve(name));
    }
    String range = "&from=2016-05-16T00:00&to=2016-05-16T00:20";
    String path = "/api/v1/trend?points=0&bins=10&" + CHANNEL + range;
    String tag = tagOf(path);
    assertThat(tag).isNotEqualTo("none");
    for (String name : names) {
      Files.move(directory.resolve(name), log(name));
    }
    assertThat(server.get(path, "If-None-Match", tag).statusCode()).isEqualTo(200);
  }

  /** Clocks are set back by up to a day, so a growing log may get events of the day before it. */
  @Test
  void aGrowingLogLeavesRangesOpenThatEndWithinADayBeforeIt() throws Exception {
    for (String end : List.of(".log1", ".log2")) {
      Files.copy(log("CCG_20160516002717" + end), log("CCG_20160517020000" + end));
    }
    assertThat(tagOf(TREND)).isNotEqualTo("none");
    isNotKept(TREND.replace("to=2016-05-16T01:00", "to=2016-05-16T02:00"));
    closed(log("CCG_20160517020000.log1"));
    isNotKept(TREND.replace("to=2016-05-16T01:00", "to=2016-05-16T02:00"));
  }

  @Test
  void anotherFileOfTheSameNameChangesTheTag() throws Exception {
    Path index = log("CCG_20160516000000.log1");
    changes(
        () -> {
          FileTime modified = Files.getLastModifiedTime(index);
          Path copy = Files.copy(index, index.resolveSibling("copy"));
          Files.setLastModifiedTime(copy, modified);
          Files.move(copy, index, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        });
  }

  @Test
  void metadataChangeTheTag() throws Exception {
    Path folder = Files.createDirectories(directory.resolve("channels/VA/CCG"));
    changes(
        () ->
            Files.writeString(folder.resolve("channels.csv"), "name,unit\nVA_CCG:D02_013:CUR,A\n"));
  }

  /** Sums of rollups may differ from sums of events in the last digit. */
  @Test
  void blocksThatAreMadeOrRemovedChangeTheTag() throws Exception {
    server.close();
    CommandFixture stored = fixture;
    stored.backfill();
    server = new ServedSample(stored.archive(), stored.store());
    String tag = tagOf(TREND);
    String body = server.get(TREND).body();
    changes(() -> removed(stored.store().resolve("VA/CCG")));
    changes(stored::backfill);
    assertThat(server.get(TREND).body()).isEqualTo(body);
    assertThat(tagOf(TREND)).as("the same block again").isEqualTo(tag);
  }

  private static void removed(Path group) throws IOException {
    try (java.util.stream.Stream<Path> files = Files.walk(group)) {
      Consumer<Path> delete = file -> assertThat(file.toFile().delete()).isTrue();
      files.sorted(java.util.Comparator.reverseOrder()).forEach(delete);
    }
  }

  @Test
  void compressedAnswersAndThoseOfAnotherProcessHaveOtherTags() throws Exception {
    String tag = tagOf(TREND);
    String compressed = tag(server.get(TREND, "Accept-Encoding", "gzip"));
    assertThat(compressed).isNotEqualTo(tag).isNotEqualTo("none");
    try (ServedSample other = new ServedSample(fixture.archive(), null)) {
      assertThat(tag(other.get(TREND))).isNotEqualTo(tag).isNotEqualTo("none");
    }
  }

  /** Relative times name another range each time. */
  @Test
  void aRelativeRangeIsNotTakenForAnother() throws Exception {
    String path = "/api/v1/trend?" + CHANNEL + "&from=now-21h&to=now-20h";
    String tag = tagOf(path);
    assertThat(server.get(path, "If-None-Match", tag).statusCode())
        .as("a fixed clock")
        .isEqualTo(304);
    assertThat(tagOf(path.replace("21h", "1260min"))).isNotEqualTo(tag);
  }
}
