package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.test.fixture.CommandFixture;

/** {@code /api/v1/status} and {@code /api/v1/coverage}. */
final class StatusApiTest {

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeEach
  void start() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    fixture.backfill();
    server = new ServedSample(fixture.archive(), fixture.store());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void write(String run) throws IOException {
    Files.writeString(directory.resolve("store/kblake-run.json"), run);
  }

  @Test
  void withoutAProcessGroupsHaveTheirNewestEventsOldestFirst() throws Exception {
    JsonNode status = server.json("/api/v1/status?time=nanos");
    assertThat(status.get("process").get("state").textValue()).isEqualTo("none");
    assertThat(status.get("groups")).hasSize(server.reader().groups().size());
    long before = Long.MIN_VALUE;
    for (JsonNode each : status.get("groups")) {
      Group group = Group.parse(each.get("group").textValue());
      long newest = each.get("newest").asLong();
      assertThat(newest).isEqualTo(server.reader().latestEvent(group).orElseThrow());
      assertThat(newest).isGreaterThanOrEqualTo(before);
      assertThat(each.get("age").doubleValue())
          .isEqualTo(Math.max(0, ServedSample.NOW.toEpochMilli() * 1_000_000 - newest) / 1e6);
      assertThat(each.get("state").textValue()).isEqualTo("ok");
      assertThat(each.get("lag").isNull()).isTrue();
      before = newest;
    }
  }

  @Test
  void aRunningProcessAddsLagBytesJobsAndProblems() throws Exception {
    List<Group> groups = server.reader().groups();
    String worst = groups.get(groups.size() - 1).toString();
    write(
        """
        {"state": "running", "host": "h", "written": "2016-05-16T11:59:50Z", "everySeconds": 5,
         "groups": [{"group": "%s", "lagSeconds": 7, "storedBytes": 123, "mode": "follow"}],
         "problems": ["damaged log: group=%s", "the disk is full", "not of a group: %s_NEW"],
         "requests": [{"what": "backfill %s", "state": "working"}]}
        """
            .formatted(worst, worst, worst, worst));
    JsonNode status = server.json("/api/v1/status");
    JsonNode first = status.get("groups").get(0);
    assertThat(first.get("group").textValue()).isEqualTo(worst);
    assertThat(first.get("state").textValue()).isEqualTo("critical");
    assertThat(first.get("lag").intValue()).isEqualTo(7000);
    assertThat(first.get("storeBytes").intValue()).isEqualTo(123);
    assertThat(first.get("jobs").get(0).textValue()).isEqualTo("backfill " + worst + ": working");
    assertThat(first.get("problems").get(0).textValue()).isEqualTo("damaged log: group=" + worst);
    assertThat(status.get("process").get("state").textValue()).isEqualTo("running");
    assertThat(status.get("problems")).hasSize(2);
    assertThat(status.get("problems").get(0).textValue()).isEqualTo("the disk is full");
  }

  @Test
  void everyFieldMayBeMissingOrWrong() throws Exception {
    for (String run :
        List.of(
            "{}",
            "{\"state\": 5, \"written\": \"soon\", \"everySeconds\": 1e300, \"since\": []}",
            "{\"written\": \"2016-05-16T11:59:50Z\", \"groups\": {\"a\": 1}, \"problems\": 7,"
                + " \"requests\": [1, {}]}",
            "{\"groups\": [null, {\"group\": []}, {\"group\": \"x\"}], \"problems\": [null]}")) {
      write(run);
      JsonNode status = server.json("/api/v1/status");
      assertThat(status.get("groups")).as(run).hasSize(server.reader().groups().size());
      assertThat(status.get("problems")).as(run).isEmpty();
    }
    for (String run : List.of("", "[]", "{\"groups\": [", "\"running\"")) {
      write(run);
      JsonNode status = server.json("/api/v1/status");
      assertThat(status.get("process").get("state").textValue()).isEqualTo("none");
      assertThat(status.get("problems")).as(run).hasSize(1);
    }
    write("{\"state\": \"running\", \"written\": \"2016-05-16T11:00:00Z\"}");
    assertThat(server.json("/api/v1/status").get("process").get("state").textValue())
        .isEqualTo("silent");
  }

  /** The coverage is that of an answer which is read whole. */
  @Test
  void coverageIsThatOfAnAnswer() throws Exception {
    for (Group group : server.reader().groups()) {
      JsonNode answer =
          server.json("/api/v1/coverage?time=nanos&from=2016-05-15&to=2016-05-18&group=" + group);
      assertThat(answer.get("coverage").get(0).get("group").textValue())
          .isEqualTo(group.toString());
      TimeRange range = new TimeRange(answer.get("from").asLong(), answer.get("to").asLong());
      List<String> expected = new ArrayList<>();
      EventQuery query =
          EventQuery.of(new ChannelSelection(List.of(group), ChannelSelection.glob("*").patterns()))
              .between(range)
              .allowIncomplete();
      try (EventCursor cursor = server.reader().cursor(query)) {
        while (cursor.next()) {
          assertThat(cursor.to()).isGreaterThan(cursor.from());
        }
        for (CoverageSpan span : cursor.coverage().spans()) {
          expected.add(
              span.kind().text().replace(' ', '-')
                  + " "
                  + span.range().fromNanos()
                  + " "
                  + span.range().toNanos());
        }
      }
      List<String> actual = new ArrayList<>();
      for (JsonNode span : answer.get("coverage").get(0).get("spans")) {
        actual.add(
            span.get("state").textValue()
                + " "
                + span.get("from").textValue()
                + " "
                + span.get("to").textValue());
      }
      assertThat(actual).as("%s", group).isEqualTo(expected).isNotEmpty();
    }
  }

  @Test
  void coverageOfAChannelIsThatOfItsGroup() throws Exception {
    String range = "&from=2016-05-16T00:00&to=2016-05-16T01:00";
    JsonNode ofChannel = server.json("/api/v1/coverage?channel=VA_CCG:D02_013:CUR" + range);
    String group = ofChannel.get("coverage").get(0).get("group").textValue();
    assertThat(server.json("/api/v1/coverage?group=" + group + range)).isEqualTo(ofChannel);
    server.error("/api/v1/coverage", 400);
    server.error("/api/v1/coverage?group=NO/NE", 404);
    server.error("/api/v1/coverage?channel=NONE", 404);
    JsonNode later =
        server.json("/api/v1/coverage?group=" + group + "&from=2001-01-01&to=2001-01-02");
    assertThat(later.get("coverage").get(0).get("spans").get(0).get("state").textValue())
        .isEqualTo("not-recorded");
  }
}
