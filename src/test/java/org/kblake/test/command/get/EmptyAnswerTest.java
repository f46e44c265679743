package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/** Standard error explains an answer of {@code kblake get} that has no rows. */
final class EmptyAnswerTest {

  private static final String CHANNEL = "VA_CCG:D02_013:CUR";

  /** The times of the channel's pairs and its last value, as the sample's list of events has. */
  private static final String FACTS =
      "; VA_CCG:D02_013:CUR was recorded from 2016-05-16 00:00:00 to 2016-05-16 00:34:21,"
          + " last value 0 at 2016-05-16 00:34:21\n";

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  /** Runs the command without a store, so that no line reports that there is none. */
  private KblakeRun get(String options) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", fixture.archive().toString())
        .run(("get " + options).split(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "json", "arrow", "parquet"})
  void statesTheRangeAndTheLastValueInEveryFormat(String format) {
    KblakeRun run = get("--from 2019 --to 2020 -f " + format + " " + CHANNEL);
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "no events from 2019-01-01 00:00:00 to 2020-01-01 00:00:00 (archiver down)" + FACTS);
  }

  /** Columns and raw logs have the same line. */
  @Test
  void columnsHaveTheSameLine() throws Exception {
    fixture.backfill();
    for (String source : List.of("auto", "store")) {
      KblakeRun run =
          fixture.run("get", "--from", "2019", "--to", "2020", "--source", source, CHANNEL);
      assertThat(run.err()).startsWith("no events from 2019-01-01 00:00:00 to ").endsWith(FACTS);
    }
  }

  /** The last hour of an archive that has ended is such an answer. */
  @Test
  void lastHourAndLastEventsAndTablesAreExplained() {
    assertThat(get(CHANNEL).err())
        .startsWith("no events from 2016-05-16 08:40:00 to 2016-05-16 09:40:00 (archiver down)")
        .endsWith(FACTS);
    assertThat(get("--last 3 --from 2016-05-17 --to 2016-05-18 " + CHANNEL).err())
        .startsWith("no events from 2016-05-17 00:00:00 to ")
        .endsWith(FACTS);
    assertThat(get("--wide --every 1d --from 2018 --to 20180103 " + CHANNEL).err())
        .startsWith("no values from 2018-01-01 00:00:00 to 2018-01-03 00:00:00")
        .contains(FACTS + "look-back ended at ");
    // The search for a value held at an instant has no limit.
    assertThat(get("--at 2018 " + CHANNEL).err()).isEmpty();
  }

  @Test
  void saysThatNothingWasRecordedYet() {
    assertThat(get("--from 2015 --to 20150102 " + CHANNEL).err())
        .isEqualTo(
            "no events from 2015-01-01 00:00:00 to 2015-01-02 00:00:00 (not recorded); "
                + CHANNEL
                + " was recorded from 2016-05-16 00:00:00 to 2016-05-16 00:34:21\n");
  }

  /** A channel that did not change held a value. */
  @Test
  void statesTheValueHeldInASilentRange() {
    KblakeRun run = get("--from 2016-05-16T00:12:35 --to 2016-05-16T00:12:35.001 " + CHANNEL);
    assertThat(run.err())
        .startsWith("no events from 2016-05-16 00:12:35 to 2016-05-16 00:12:35")
        .containsPattern(", held -?\\S+ since 2016-05-16 00:12:\\d\\d\n$");
  }

  @Test
  void namesThreeChannels() {
    assertThat(get("--from 2019 --to 2020 VA*").err())
        .hasLineCount(1)
        .containsPattern("(; VA_CCG:\\S+ was recorded from [^;]*){3}; and \\d+ more channels\n$");
  }

  @Test
  void countsTheChannelsItDoesNotName() {
    String four = "VA_CCG:D04_000:PRES VA_CCG:D07_001:XPOS VA_CCG:D01_023:XPOS " + CHANNEL;
    assertThat(get("--from 2019 --to 2020 " + four).err()).endsWith("; and 1 more channel\n");
  }

  @Test
  void isQuietOnRequestAndIfThereAreRows() {
    assertThat(get("-q --from 2019 --to 2020 " + CHANNEL).err()).isEmpty();
    assertThat(get("--from 2016 --to 2017 " + CHANNEL).err()).doesNotContain("no events");
  }

  /** A log that cannot be read may have events, so nothing is claimed of its time. */
  @Test
  void claimsNothingOfAnUnreadableLog() throws IOException {
    Files.delete(fixture.archive().resolve("VA/CCG_20160516000000.log2"));
    KblakeRun run = get("--from 2016-05-16T00:20 --to 2016-05-16T00:21 " + CHANNEL);
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .startsWith(
            "no events from 2016-05-16 00:20:00 to 2016-05-16 00:21:00 in what could be read")
        .doesNotContain("held")
        .doesNotContain("last value");
  }
}
