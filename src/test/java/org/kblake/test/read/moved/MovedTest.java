package org.kblake.test.read.moved;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.Movement;
import org.kblake.query.answer.Movement.Measure;
import org.kblake.query.answer.Movements;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.MovedQuery;

/** What counts as movement, and what does not, on logs of a few channels. */
final class MovedTest {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final Group GROUP = new Group("VA", "CCG");
  private static final long SECOND = 1_000_000_000L;
  private static final Instant AT = Instant.parse("2024-05-20T03:00:00Z");
  private static final long AT_NANOS = AT.getEpochSecond() * SECOND;
  private static final long FROM_NANOS = AT_NANOS - 3700 * SECOND;

  private static final int LEVEL = 0;
  private static final int OTHER = 1;
  private static final int STATUS = 2;
  private static final int QUIET = 3;
  private static final int TEXT = 4;

  private static final RecordTable RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(0, "LEVEL", ValueType.DOUBLE, 1),
              new RecordEntry(1, "OTHER", ValueType.DOUBLE, 1),
              new RecordEntry(2, "STATUS", ValueType.ENUM, 1),
              new RecordEntry(3, "QUIET", ValueType.DOUBLE, 1),
              new RecordEntry(4, "TEXT", ValueType.STRING, 1)));

  private final Random random = new Random(1);

  @TempDir Path root;

  @BeforeEach
  void list() throws IOException {
    Files.createDirectories(root.resolve("SYS"));
    Files.writeString(root.resolve("SYS").resolve("KEKBLog.list"), "VA CCG\n");
  }

  private LogWriter begin(long nanos) throws IOException {
    String stamp = PairName.at(GROUP.name(), nanos, ZONE).stamp();
    LogWriter writer = LogWriter.create(root, GROUP, stamp, ByteOrder.LITTLE_ENDIAN, RECORDS);
    writer.milestone(nanos);
    return writer;
  }

  /** Writes values with normal noise every second, as far as the records are not left out. */
  private void noise(LogWriter writer, long fromNanos, long toNanos) throws IOException {
    for (long nanos = fromNanos; nanos < toNanos; nanos += SECOND) {
      value(writer, LEVEL, nanos, random.nextGaussian());
      value(writer, OTHER, nanos + SECOND / 2, random.nextGaussian());
    }
  }

  private static void value(LogWriter writer, int record, long nanos, double number)
      throws IOException {
    writer.number(record, nanos, 0, 0, Double.doubleToRawLongBits(number));
  }

  private void habit(LogWriter writer) throws IOException {
    value(writer, QUIET, FROM_NANOS, 7);
    writer.number(STATUS, FROM_NANOS, 0, 0, 1);
    writer.text(TEXT, FROM_NANOS, 0, 0, new byte[] {'a'});
    noise(writer, FROM_NANOS, AT_NANOS);
  }

  private Movements moved() throws IOException {
    try (ArchiveReader reader =
        ArchiveReader.builder()
            .archive(root)
            .settings(ArchiveSettings.defaults().withTail(TailRule.FINAL))
            .open()) {
      return reader.moved(MovedQuery.of(ChannelSelection.glob("*"), AT));
    }
  }

  /** A ledger of losses moves whenever something is lost, and is no cause of anything. */
  @Test
  void aLedgerIsRankedOnlyIfItIsAskedFor() throws IOException {
    Group ledger = new Group("Kblake", "Record");
    for (Group group : List.of(GROUP, ledger)) {
      try (LogWriter writer =
          LogWriter.create(
              root,
              group,
              PairName.at(group.name(), FROM_NANOS, ZONE).stamp(),
              ByteOrder.LITTLE_ENDIAN,
              RECORDS)) {
        writer.milestone(FROM_NANOS);
        habit(writer);
        value(writer, LEVEL, AT_NANOS + SECOND, 100);
        writer.milestone(AT_NANOS + 400 * SECOND);
      }
    }
    Files.writeString(root.resolve("SYS/KEKBLog.list"), "VA CCG\nKblake Record\n");
    assertThat(groups(ChannelSelection.glob("*"))).containsOnly(GROUP);
    assertThat(groups(ChannelSelection.names("LEVEL"))).containsOnly(GROUP, ledger);
    assertThat(groups(ChannelSelection.glob("L*").in(ledger))).containsOnly(ledger);
  }

  private List<Group> groups(ChannelSelection asked) throws IOException {
    try (ArchiveReader reader =
        ArchiveReader.builder()
            .archive(root)
            .settings(ArchiveSettings.defaults().withTail(TailRule.FINAL))
            .open()) {
      return reader.moved(MovedQuery.of(asked, AT)).all().stream()
          .map(each -> each.channel().group())
          .toList();
    }
  }

  @Test
  void noiseIsNoMovement() throws IOException {
    try (LogWriter writer = begin(FROM_NANOS)) {
      habit(writer);
      noise(writer, AT_NANOS, AT_NANOS + 5 * SECOND);
      writer.milestone(AT_NANOS + 10 * SECOND);
    }
    assertThat(moved().all()).isEmpty();
  }

  /** The onset of a level is that of its first value off the habit, even if it is not beyond 6. */
  @Test
  void eachMeasureHasItsOnset() throws IOException {
    try (LogWriter writer = begin(FROM_NANOS)) {
      habit(writer);
      value(writer, LEVEL, AT_NANOS + 1, 5.3);
      writer.number(STATUS, AT_NANOS + 2 * SECOND, 0, 0, 3);
      value(writer, LEVEL, AT_NANOS + 3 * SECOND, 9);
      writer.connection(OTHER, AT_NANOS + 3 * SECOND, false, 3, 0);
      value(writer, QUIET, AT_NANOS + 4 * SECOND, 0);
      writer.text(TEXT, AT_NANOS + 4 * SECOND + 1, 0, 0, new byte[] {'b'});
      writer.milestone(AT_NANOS + 10 * SECOND);
    }
    assertThat(moved().all())
        .extracting(
            each -> each.channel().name(),
            Movement::measure,
            each -> each.onsetNanos() - AT_NANOS,
            Movement::after)
        .containsExactly(
            tuple("LEVEL", Measure.LEVEL, 1L, "5.3"),
            tuple("STATUS", Measure.STATE, 2 * SECOND, "3"),
            tuple("OTHER", Measure.CONNECTION, 3 * SECOND, "disconnected"),
            tuple("QUIET", Measure.STATE, 4 * SECOND, "0.0"),
            tuple("TEXT", Measure.STATE, 4 * SECOND + 1, "b"));
  }

  @Test
  void anAlarmThatWasRareIsMovement() throws IOException {
    try (LogWriter writer = begin(FROM_NANOS)) {
      habit(writer);
      writer.number(LEVEL, AT_NANOS + SECOND, 2, 3, Double.doubleToRawLongBits(0.1));
      writer.milestone(AT_NANOS + 10 * SECOND);
    }
    assertThat(moved().all())
        .extracting(Movement::measure, Movement::before, Movement::after)
        .containsExactly(tuple(Measure.SEVERITY, "no alarm", "major"));
  }

  /** A set point that leaves zero was set. A flag that leaves zero moved. */
  @ParameterizedTest
  @CsvSource({"0.441, 0", "1, 1"})
  void aRareNumberThatLeavesZeroMovesOnlyIfItIsWhole(double after, int movements)
      throws IOException {
    try (LogWriter writer = begin(FROM_NANOS)) {
      value(writer, QUIET, FROM_NANOS, 0);
      noise(writer, FROM_NANOS, AT_NANOS);
      value(writer, QUIET, AT_NANOS + SECOND, after);
      writer.milestone(AT_NANOS + 10 * SECOND);
    }
    assertThat(moved().all()).hasSize(movements);
  }

  /** A status of last month changes: its value before comes from the log before the baseline. */
  @Test
  void theValueBeforeTheBaselineIsLookedUp() throws IOException {
    try (LogWriter writer = begin(FROM_NANOS - 7200 * SECOND)) {
      writer.number(STATUS, FROM_NANOS - 7000 * SECOND, 0, 0, 1);
      writer.number(QUIET, FROM_NANOS - 7000 * SECOND, 0, 0, 0);
      for (int hour = 1; hour < 3; hour++) {
        writer.milestone(FROM_NANOS - (2 - hour) * 3600L * SECOND);
      }
      noise(writer, FROM_NANOS + SECOND, AT_NANOS);
      writer.number(STATUS, AT_NANOS + SECOND, 0, 0, 2);
      value(writer, QUIET, AT_NANOS + SECOND, 0);
      writer.milestone(AT_NANOS + 10 * SECOND);
    }
    assertThat(moved().all())
        .extracting(each -> each.channel().name(), Movement::before, Movement::after)
        .containsExactly(tuple("STATUS", "1", "2"));
  }

  /** What changed while the archiver was down has no onset. It is a gap, and no movement. */
  @Test
  void gapsOfTheArchiverAreNoMovement() throws IOException {
    try (LogWriter writer = begin(FROM_NANOS)) {
      for (long nanos = FROM_NANOS; nanos < AT_NANOS - 600 * SECOND; nanos += 60 * SECOND) {
        writer.milestone(nanos);
        noise(writer, nanos, nanos + 60 * SECOND);
      }
    }
    try (LogWriter writer = begin(AT_NANOS - 2 * SECOND)) {
      value(writer, LEVEL, AT_NANOS + SECOND, 50);
      value(writer, OTHER, AT_NANOS + SECOND, -50);
      writer.number(STATUS, AT_NANOS + SECOND, 0, 0, 2);
      writer.milestone(AT_NANOS + 10 * SECOND);
    }
    Movements moved = moved();
    assertThat(moved.all()).isEmpty();
    assertThat(moved.gaps()).anyMatch(span -> span.kind() == SpanKind.ARCHIVER_DOWN);
  }

  /** Events arrive up to 100 ms late, so onsets within 100 ms are sorted by size. */
  @Test
  void onsetsWithinTheDisorderAreSortedBySize() throws IOException {
    try (LogWriter writer = begin(FROM_NANOS)) {
      habit(writer);
      for (int i = 0; i < 20; i++) {
        long nanos = AT_NANOS + SECOND + i * SECOND / 10;
        value(writer, OTHER, nanos, 0.1);
        value(writer, LEVEL, nanos - SECOND / 10, 0.1);
      }
      value(writer, LEVEL, AT_NANOS + 4 * SECOND, 20);
      value(writer, OTHER, AT_NANOS + 4 * SECOND + SECOND / 20, 40);
      writer.milestone(AT_NANOS + 10 * SECOND);
    }
    assertThat(moved().all())
        .extracting(each -> each.channel().name())
        .containsExactly("OTHER", "LEVEL");
  }
}
