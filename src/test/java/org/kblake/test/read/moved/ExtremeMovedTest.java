package org.kblake.test.read.moved;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.MovedQuery;

/**
 * The same movement of numbers of all sizes: multiplied by a power of two, a habit and the distance
 * from it stay the same.
 */
final class ExtremeMovedTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final long SECOND = 1_000_000_000L;
  private static final Instant AT = Instant.parse("2024-05-20T03:00:00Z");
  private static final long AT_NANOS = AT.getEpochSecond() * SECOND;

  /** Exponents of two: usual, of 1e300, of 1e306, of 1e-160, of 1e-300, and of denormal numbers. */
  private static final int[] POWERS = {0, 996, 1016, -531, -996, -1040};

  @TempDir Path root;

  @Test
  void movementsDoNotDependOnTheSizeOfNumbers() throws IOException {
    Files.createDirectories(root.resolve("SYS"));
    Files.writeString(root.resolve("SYS").resolve("KEKBLog.list"), "VA CCG\n");
    List<RecordEntry> records = new ArrayList<>();
    for (int power : POWERS) {
      records.add(new RecordEntry(records.size(), "N" + power, ValueType.DOUBLE, 1));
    }
    records.add(new RecordEntry(records.size(), "ACROSS", ValueType.DOUBLE, 1));
    long from = AT_NANOS - 3700 * SECOND;
    String stamp = PairName.at(GROUP.name(), from, ZoneId.of("Asia/Tokyo")).stamp();
    Random random = new Random(1);
    try (LogWriter writer =
        LogWriter.create(root, GROUP, stamp, ByteOrder.LITTLE_ENDIAN, new RecordTable(records))) {
      writer.milestone(from);
      for (long nanos = from; nanos < AT_NANOS; nanos += SECOND) {
        write(writer, nanos, random.nextGaussian());
      }
      write(writer, AT_NANOS + SECOND, 9);
      write(writer, AT_NANOS + 2 * SECOND, 9.5);
      writer.milestone(AT_NANOS + 10 * SECOND);
    }
    Map<String, Movement> moved = new HashMap<>();
    try (ArchiveReader reader =
        ArchiveReader.builder()
            .archive(root)
            .settings(ArchiveSettings.defaults().withTail(TailRule.FINAL))
            .open()) {
      reader
          .moved(MovedQuery.of(ChannelSelection.glob("*"), AT))
          .all()
          .forEach(each -> moved.put(each.channel().name(), each));
    }
    assertThat(moved).hasSize(POWERS.length + 1);
    double usual = Objects.requireNonNull(moved.get("N0")).z();
    assertThat(usual).isBetween(6.0, 20.0);
    for (int power : POWERS) {
      // Denormal numbers have fewer digits.
      double error = power < -1000 ? 1e-5 : 1e-12;
      Movement each = Objects.requireNonNull(moved.get("N" + power));
      assertThat(each.z()).as("N" + power).isCloseTo(usual, offset(error * usual));
      assertThat(each.onsetNanos()).as("N" + power).isEqualTo(AT_NANOS + SECOND);
      assertThat(each.measure()).isEqualTo(Objects.requireNonNull(moved.get("N0")).measure());
    }
    Movement across = Objects.requireNonNull(moved.get("ACROSS"));
    assertThat(across.onsetNanos()).isEqualTo(AT_NANOS + SECOND);
    assertThat(across.z()).isFinite().isGreaterThan(1e3);
  }

  /** ACROSS goes from the least numbers to the greatest. */
  private static void write(LogWriter writer, long nanos, double number) throws IOException {
    for (int record = 0; record < POWERS.length; record++) {
      write(writer, record, nanos, Math.scalb(number, POWERS[record]));
    }
    double across = number < 8 ? -1.7e308 + Math.scalb(number, 1000) : 1.7e308;
    write(writer, POWERS.length, nanos, across);
  }

  private static void write(LogWriter writer, int record, long nanos, double number)
      throws IOException {
    writer.number(record, nanos, 0, 0, Double.doubleToRawLongBits(number));
  }
}
