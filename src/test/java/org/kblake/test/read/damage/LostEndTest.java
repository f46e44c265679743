package org.kblake.test.read.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.server.ServedSample;

/**
 * A closed log that ends before its index: bytes were there. Each door says that the rest of the
 * pair is damaged, whether it reads the log or a block that was made of it.
 */
final class LostEndTest {

  private static final String LOST = "milestones lost=22";
  private static final int INCOMPLETE = 3;
  private static final String RANGE = " --from 2016-05-16T09:00 --to 2016-05-16T14:00";

  @TempDir Path directory;

  private LostEndFixture fixture;

  @BeforeEach
  void write() throws IOException {
    fixture = new LostEndFixture(directory);
  }

  /** Cuts the log in the middle of the second segment, so that 22 milestones are lost. */
  private void cut(boolean stored) throws Exception {
    fixture.cut((fixture.offset(1) + fixture.offset(2)) / 2);
    if (stored) {
      fixture.backfill();
    }
  }

  private static void assertSaid(KblakeRun run) {
    assertSaid(run, LOST);
  }

  private static void assertSaid(KblakeRun run, String lost) {
    assertThat(run.status()).as("%s", run).isEqualTo(INCOMPLETE);
    assertThat(run.err().lines().filter(line -> line.contains(lost)).toList())
        .as("%s", run)
        .hasSizeBetween(1, 2);
    assertThat(run.err()).as("%s", run).contains(logName());
  }

  private static String logName() {
    return "CCG_20160516090000.log2";
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyQuestionOfTheCommandSaysSo(boolean stored) throws Exception {
    cut(stored);
    for (String question :
        List.of(
            "get A" + RANGE,
            "get A -f json" + RANGE,
            "get A -f arrow -o answer.arrow" + RANGE,
            "get A -f parquet -o answer.parquet" + RANGE,
            "get A --at 2016-05-16T12:00",
            "get A --wide --every 10min" + RANGE,
            "get A --aggregate mean --every 1h" + RANGE,
            "get A --last 100" + RANGE,
            "get A --held" + RANGE,
            "build A --event A>0" + RANGE,
            "moved --at 2016-05-16T12:00 -g VA/CCG",
            "when A>0" + RANGE,
            "diff --at 2016-05-16T09:05 --and 2016-05-16T12:00 -g VA/CCG")) {
      assertSaid(fixture.runLine(question));
    }
    KblakeRun run = fixture.kblogrd("-r", "A", "-t", "20160516090000-20160516140000", "VA/CCG");
    assertSaid(run);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reportsOnTheArchiveSaySo(boolean stored) throws Exception {
    cut(stored);
    KblakeRun coverage = fixture.runLine("coverage -f json" + RANGE);
    assertSaid(coverage);
    assertThat(coverage.out()).contains(": \"damaged\"").doesNotContain(": \"archiver down\"");
    KblakeRun status = fixture.runLine("status");
    assertSaid(status);
    assertThat(fixture.runLine("check process").out()).contains("lost its end");
    assertThat(fixture.runLine("doctor").out()).contains("lost its end");
    if (stored) {
      KblakeRun verify = fixture.runLine("verify");
      assertSaid(verify);
      assertThat(verify.out()).doesNotContain("proved");
      KblakeRun hashes = fixture.runLine("verify --no-archive");
      assertThat(hashes.status()).isEqualTo(INCOMPLETE);
      assertThat(hashes.err()).contains(LOST);
    }
  }

  @Test
  void backfillReportsItAndGoesOn() throws Exception {
    cut(false);
    KblakeRun first = fixture.runLine("backfill");
    assertSaid(first);
    // The second pair is in columns nevertheless.
    assertThat(fixture.runLine("get A --from 2016-05-16T13:20 --source store").status()).isZero();
    assertSaid(fixture.runLine("backfill"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void serversSaySo(boolean stored) throws Exception {
    cut(stored);
    try (ServedSample server =
        new ServedSample(fixture.archive(), stored ? fixture.store() : null)) {
      String times = "from=2016-05-16T09:00&to=2016-05-16T14:00";
      assertThat(get(server, "/api/v1/trend?channel=A&bins=10&" + times))
          .contains("damaged")
          .contains(LOST);
      assertThat(get(server, "/api/v1/coverage?group=VA/CCG&" + times)).contains("damaged");
      assertThat(
              get(
                  server,
                  "/retrieval/data/getData.json?pv=A&from=2016-05-16T00:00:00Z"
                      + "&to=2016-05-16T05:00:00Z"))
          .contains("\"complete\":false", "damaged");
    }
  }

  /** Each form of the Archiver Appliance says so as docs/server.md describes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachFormOfTheArchiverApplianceSaysSo(boolean stored) throws Exception {
    cut(stored);
    String times = "&from=2016-05-16T00:00:00Z&to=2016-05-16T05:00:00Z";
    try (ServedSample server =
        new ServedSample(fixture.archive(), stored ? fixture.store() : null)) {
      Map<String, String> marks = new TreeMap<>();
      for (String pv : List.of("A", "mean_600(A)", "lastSample_600(A)", "optimized_20(A)")) {
        marks.put("getData.json?pv=" + pv, "\"complete\":false");
        marks.put("getData.qw?pv=" + pv, "\"complete\":false");
        marks.put("getDataForPVs.json?pv=" + pv, "\"complete\":false");
        marks.put("getData.csv?pv=" + pv, "# incomplete: ");
        marks.put("getData.txt?pv=" + pv, "# incomplete: ");
        marks.put("getData.raw?pv=" + pv, "incomplete");
        marks.put("getData.svg?pv=" + pv, "kblake-complete=[false]");
      }
      for (Map.Entry<String, String> mark : marks.entrySet()) {
        String answer = get(server, "/retrieval/data/" + mark.getKey() + times);
        assertThat(answer).as(mark.getKey()).startsWith("200").contains(mark.getValue());
        assertThat(answer.contains("kblake-complete=[true]")).as(answer).isFalse();
      }
      HttpResponse<String> held =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(
                          URI.create(
                              "http://127.0.0.1:"
                                  + server.port()
                                  + "/retrieval/data/getDataAtTime?at=2016-05-16T03:00:00Z"))
                      .POST(HttpRequest.BodyPublishers.ofString("[\"A\"]"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(held.headers().firstValue("Kblake-Complete")).contains("false");
      assertThat(held.headers().firstValue("Kblake-Missing").orElse(""))
          .contains("damaged: group=VA/CCG");
    }
  }

  private static String get(ServedSample server, String path) throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.headers().map() + " " + response.body();
  }

  /** The columns were made before the log was cut. Answers come from them. */
  @Test
  void columnsThatHaveTheLostEndAnswerCompletely() throws Exception {
    fixture.backfill();
    String whole = fixture.runLine("get A" + RANGE).out();
    for (long bytes :
        new long[] {(fixture.offset(1) + fixture.offset(2)) / 2, fixture.offset(1) + 2, 0, 2, 10}) {
      fixture.cut(bytes);
      KblakeRun get = fixture.runLine("get A" + RANGE);
      assertThat(get.status()).as("%s", get).isZero();
      assertThat(get.out()).isEqualTo(whole);
      assertThat(get.err()).contains("shorter than its columns");
      assertThat(fixture.runLine("coverage" + RANGE).status()).isZero();
      assertThat(fixture.runLine("backfill").out()).contains("blocks");
      assertThat(fixture.runLine("get A" + RANGE).out()).isEqualTo(whole);
      assertThat(fixture.runLine("status").err()).contains("lost its end");
      KblakeRun verify = fixture.runLine("verify");
      assertThat(verify.status()).as("%s", verify).isEqualTo(1);
      assertThat(verify.err()).contains("shorter than its columns", "keep the block");
    }
  }

  /** Nothing but a block shows that the last segment of the newest pair was longer. */
  @Test
  void newestLogThatLostBytesOfItsLastSegmentIsReadFromColumns() throws Exception {
    fixture.removeSecondPair();
    fixture.backfill();
    String whole = fixture.runLine("get A" + RANGE).out();
    fixture.cut(Files.size(fixture.log()) - 30);
    KblakeRun get = fixture.runLine("get A" + RANGE);
    assertThat(get.out()).isEqualTo(whole);
    assertThat(get.status()).isZero();
    assertThat(fixture.runLine("status").err()).contains("shorter than its columns");
  }

  @Test
  void emptyLogWithAFullIndexIsDamaged() throws Exception {
    fixture.cut(0);
    KblakeRun get = fixture.runLine("get A" + RANGE);
    assertThat(get.status()).as("%s", get).isEqualTo(INCOMPLETE);
    assertThat(get.err()).contains("milestones lost=24");
    assertThat(fixture.runLine("coverage" + RANGE).err()).contains("milestones lost=24");
  }

  /** The begin of a milestone is not the milestone: it is lost, from the log and from a block. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void logThatEndsInsideItsLastMilestoneIsDamaged(boolean stored) throws Exception {
    fixture.cut(fixture.offset(LostEndFixture.MILESTONES - 1) + 5);
    String lost = "milestones lost=1,";
    if (stored) {
      fixture.backfill();
      assertSaid(fixture.runLine("verify"), lost);
    }
    for (String question :
        List.of("get A" + RANGE, "get A --at 2016-05-16T12:55", "coverage" + RANGE, "status")) {
      assertSaid(fixture.runLine(question), lost);
    }
    assertSaid(fixture.kblogrd("-t", "20160516090000-20160516140000", "VA/CCG"), lost);
    assertSaid(fixture.runLine("backfill"), lost);
  }

  /** kblog stopped behind the last milestone: nothing shows that more was written. */
  @Test
  void logThatEndsBehindItsLastMilestoneIsComplete() throws Exception {
    fixture.cut(fixture.offset(LostEndFixture.MILESTONES - 1) + 100);
    KblakeRun get = fixture.runLine("get A" + RANGE);
    assertThat(get.status()).as("%s", get).isZero();
    assertThat(fixture.runLine("status").err()).doesNotContain("lost");
  }

  /** A block that was made of the cut log must not stand for the whole one. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void logThatIsPutBackIsReadAsAWhole(boolean atMilestone) throws Exception {
    String whole = fixture.runLine("get A" + RANGE).out();
    fixture.cut(atMilestone ? fixture.offset(2) : (fixture.offset(20) + fixture.offset(21)) / 2);
    fixture.backfill();
    // Without the log, the block says that it has not all of it.
    KblakeRun stored = fixture.runLine("get A --source store" + RANGE);
    assertThat(stored.status()).as("%s", stored).isEqualTo(INCOMPLETE);
    fixture.putBack();
    KblakeRun get = fixture.runLine("get A" + RANGE);
    assertThat(get.out()).isEqualTo(whole);
    assertThat(get.status()).as("%s", get).isZero();
    fixture.runLine("backfill");
    KblakeRun again = fixture.runLine("get A --source store" + RANGE);
    assertThat(again.out()).as("%s", again).isEqualTo(whole);
    assertThat(fixture.runLine("verify").out()).contains("proved byte for byte");
    assertThat(fixture.runLine("backfill").status()).isZero();
  }
}
