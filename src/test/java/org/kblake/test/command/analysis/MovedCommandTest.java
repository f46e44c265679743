package org.kblake.test.command.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.format.text.Rfc4180;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;

/** {@code kblake moved} on groups of one channel. Each channel steps at noon. */
final class MovedCommandTest {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final long SECOND = 1_000_000_000L;
  private static final long AT_NANOS =
      Instant.parse("2024-05-20T03:00:00Z").getEpochSecond() * SECOND;
  private static final long FROM_NANOS = AT_NANOS - 7200 * SECOND;
  private static final String AT = "2024-05-20T12:00";

  @TempDir Path directory;

  private KblakeRun moved(int groups, String... args) throws IOException {
    CommandFixture fixture = new CommandFixture(directory);
    if (!Files.exists(fixture.archive())) {
      write(fixture.archive(), groups);
    }
    List<String> all = new ArrayList<>(List.of("moved", "--source=raw"));
    all.addAll(List.of(args));
    return fixture.run(all.toArray(String[]::new));
  }

  private static void write(Path archive, int groups) throws IOException {
    Random random = new Random(1);
    StringBuilder list = new StringBuilder();
    for (int number = 0; number < groups; number++) {
      Group group = new Group("VA", "G" + number);
      list.append("VA G").append(number).append('\n');
      RecordTable records =
          new RecordTable(List.of(new RecordEntry(0, "CH" + number, ValueType.DOUBLE, 1)));
      String stamp = PairName.at(group.name(), FROM_NANOS, ZONE).stamp();
      try (LogWriter writer =
          LogWriter.create(archive, group, stamp, ByteOrder.LITTLE_ENDIAN, records)) {
        writer.milestone(FROM_NANOS);
        for (long nanos = FROM_NANOS; nanos < AT_NANOS + 60 * SECOND; nanos += SECOND) {
          long late = nanos + number * 1_000_000L;
          double value = random.nextGaussian() + (nanos >= AT_NANOS ? 100 + number : 0);
          writer.number(0, late, 0, 0, Double.doubleToRawLongBits(value));
        }
        writer.milestone(AT_NANOS + 61 * SECOND);
      }
    }
    Path system = Files.createDirectories(archive.resolve("SYS"));
    Files.writeString(system.resolve("KEKBLog.list"), list);
    TestStores.closePairs(archive);
  }

  @Test
  void anArchiveOfOneChannelHasOneRow() throws Exception {
    KblakeRun run = moved(1, "--at", AT, "-f", "csv");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    List<List<String>> rows = Rfc4180.parse(run.out());
    assertThat(rows.get(0))
        .containsExactly("onset", "seconds", "measure", "z", "before", "after", "group", "channel");
    assertThat(rows).hasSize(2);
    assertThat(rows.get(1).subList(0, 3))
        .containsExactly("2024-05-20T12:00:00+09:00", "0.0", "level");
    assertThat(rows.get(1).subList(6, 8)).containsExactly("VA/G0", "CH0");
    assertThat(Double.parseDouble(rows.get(1).get(3))).isBetween(70.0, 130.0);
  }

  @Test
  void formatsHaveTheSameRows() throws Exception {
    List<List<String>> csv = Rfc4180.parse(moved(5, "--at", AT, "-f", "csv").out());
    JsonNode json = new ObjectMapper().readTree(moved(5, "--at", AT, "-f", "json").out());
    KblakeRun text = moved(5, "--at", AT, "-n", "2");
    assertThat(csv).hasSize(6);
    assertThat(json).hasSize(5);
    List<String> lines = text.out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(text.err()).isEqualTo("3 more channels moved later; -n shows more\n");
    for (int row = 0; row < 5; row++) {
      assertThat(json.get(row).get("channel").asText()).isEqualTo("CH" + row);
      for (int column = 0; column < 8; column++) {
        assertThat(json.get(row).get(csv.get(0).get(column)).asText())
            .isEqualTo(csv.get(row + 1).get(column));
      }
    }
    assertThat(lines.get(0)).isEqualTo("SECONDS  MEASURE  Z       BEFORE    AFTER    CHANNEL");
    assertThat(lines.get(2)).endsWith("CH1").startsWith("  0.001  level ");
    assertThat(lines).allMatch(line -> line.length() <= 80);
  }

  /** Nothing moved at a time without events. The gaps of all groups are one line. */
  @Test
  void timesOutsideOfTheArchiveAreGaps() throws Exception {
    KblakeRun before = moved(5, "--at", "2024-05-01", "-f", "csv");
    assertThat(before.status()).isZero();
    assertThat(before.out().lines()).hasSize(1);
    assertThat(before.err().lines())
        .containsExactly(
            "no channel left its habit",
            "gap: not recorded: VA/G0, VA/G1, VA/G2 and 2 more groups"
                + " from 2024-04-30T22:59:30+09:00 to 2024-05-01T00:00:05+09:00");
    KblakeRun after = moved(5, "--at", "2024-06-01", "-f", "csv");
    assertThat(after.status()).isZero();
    assertThat(after.out().lines()).hasSize(1);
    assertThat(after.err()).contains("no channel left its habit", "gap: archiver down: VA/G0");
  }

  @Test
  void wrongQuestionsAreRefusedInOneLine() throws Exception {
    assertThat(moved(1).err()).contains("give --at TIME: the instant");
    KblakeRun empty = moved(1, "--at", AT, "--before", "0s", "--after", "0s");
    assertThat(empty.status()).isEqualTo(2);
    assertThat(empty.err()).contains("the window is empty");
    KblakeRun brief = moved(1, "--at", AT, "--baseline", "10s");
    assertThat(brief.status()).isEqualTo(2);
    assertThat(brief.err()).contains("the baseline is shorter than a minute");
    KblakeRun unknown = moved(1, "--at", AT, "NOWHERE");
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.err()).contains("NOWHERE").hasLineCount(1);
  }
}
