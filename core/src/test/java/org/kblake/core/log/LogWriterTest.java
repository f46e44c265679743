package org.kblake.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

class LogWriterTest {

  private static final Group GROUP = Group.parse("BM/DCCT");
  private static final String STAMP = "20220315031800";
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** 2022-03-15T03:18:00 in Tokyo, which is 1016129880 s after 1990. */
  private static final long BEGIN_NANOS = 1_647_281_880L * SECOND_NANOS;

  private static final int BEGIN_SECONDS = 1_016_129_880;

  private static final RecordTable RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(1, "BM_DCCT:HCUR", ValueType.DOUBLE, 1),
              new RecordEntry(3, "BM_MODE:STAT", ValueType.STRING, 1),
              new RecordEntry(7, "BM_BLM:D1:ADC", ValueType.FLOAT, 4)));

  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bytesAreThoseOfTheReferenceLayout(boolean bigEndian) throws IOException {
    ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    try (LogWriter writer = create(order)) {
      writer.milestone(BEGIN_NANOS);
      writer.connection(0, BEGIN_NANOS + 5, true, 0, 0);
      writer.number(0, BEGIN_NANOS + 6, 1, 4, Double.doubleToRawLongBits(1.5));
      writer.text(1, BEGIN_NANOS + 7, 0, 0, "Beam".getBytes(StandardCharsets.UTF_8));
      long[] wave = {Float.floatToRawIntBits(1), Float.floatToRawIntBits(Float.NaN)};
      writer.numbers(2, BEGIN_NANOS + 8, 0, 0, wave, 0, 2);
      writer.milestone(BEGIN_NANOS + SECOND_NANOS);
    }

    ByteBuffer log =
        ByteBuffer.wrap(Files.readAllBytes(root.resolve("BM/DCCT_" + STAMP + ".log2")));
    assertThat(log.order(order).getInt()).isEqualTo(16 + 3 * 28);
    assertThat(log.getInt()).isEqualTo(-1);
    assertThat(log.getInt()).isEqualTo(BEGIN_SECONDS);
    assertThat(log.getInt()).isZero();
    log.position(100);
    assertHeader(log, 20, 1, 5);
    assertThat(log.getInt()).isEqualTo(bigEndian ? 0x01000000 : 0x00000001);
    assertHeader(log, 28, 1, 6);
    assertThat(log.getInt()).isEqualTo(bigEndian ? 0x02010004 : 0x00040102);
    assertThat(log.getDouble()).isEqualTo(1.5);
    assertHeader(log, 60, 3, 7);
    log.position(log.position() + 4);
    byte[] text = new byte[40];
    log.get(text);
    assertThat(text).startsWith('B', 'e', 'a', 'm', 0).endsWith(0);
    assertHeader(log, 28, 7, 8);
    log.position(log.position() + 4);
    assertThat(log.getFloat()).isEqualTo(1f);
    assertThat(log.getFloat()).isNaN();
    assertThat(log.getInt()).isEqualTo(16 + 3 * 28 + 8 + 40 + 8);

    ByteBuffer index =
        ByteBuffer.wrap(Files.readAllBytes(root.resolve("BM/DCCT_" + STAMP + ".log1")));
    assertThat(index.order(order).getInt(0)).isEqualTo(0x4B424C31);
    int table = index.getInt(12);
    assertThat(index.limit()).isEqualTo(table + 2 * 16);
    assertThat(index.getInt(table + 16)).isEqualTo(BEGIN_SECONDS + 1);
    assertThat(index.getInt(table + 24)).isEqualTo(100 + 20 + 28 + 60 + 28);
  }

  private static void assertHeader(ByteBuffer log, int length, int id, int nanos) {
    assertThat(log.getInt()).isEqualTo(length);
    assertThat(log.getInt()).isEqualTo(id);
    assertThat(log.getInt()).isEqualTo(BEGIN_SECONDS);
    assertThat(log.getInt()).isEqualTo(nanos);
  }

  @Test
  void snapshotSeesRecordsAndMilestones() throws IOException {
    try (LogWriter writer = create(ByteOrder.LITTLE_ENDIAN)) {
      writer.milestone(BEGIN_NANOS);
      writer.milestone(BEGIN_NANOS + 60 * SECOND_NANOS);
    }
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    assertThat(archive.groups()).containsExactly(GROUP);
    Pair pair = archive.pairs(GROUP).get(0);
    assertThat(pair.beginNanos()).isEqualTo(BEGIN_NANOS);
    PairLog log = pair.open();
    assertThat(log.records().entries()).isEqualTo(RECORDS.entries());
    assertThat(log.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(log.growing()).isTrue();
    assertThat(log.milestones().count()).isEqualTo(2);
    assertThat(log.milestones().offset(1)).isEqualTo(100);
    assertThat(log.milestoneIntervalNanos()).isEqualTo(60 * SECOND_NANOS);
    assertThat(log.indexDamage()).isEmpty();
  }

  @Test
  void aPairThatExistsIsNotOverwritten() throws IOException {
    create(ByteOrder.BIG_ENDIAN).close();
    assertThatThrownBy(() -> create(ByteOrder.BIG_ENDIAN))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  /** The buffer has 1 MiB. Events cross its end several times. */
  @Test
  void logsMayBeLongerThanTheBuffer() throws IOException {
    int events = 200_000;
    try (LogWriter writer = create(ByteOrder.LITTLE_ENDIAN)) {
      writer.milestone(BEGIN_NANOS);
      for (int i = 0; i < events; i++) {
        writer.number(0, BEGIN_NANOS + i, 0, 0, i);
      }
      assertThat(writer.logBytes()).isEqualTo(100 + 28L * events);
    }
    ByteBuffer log =
        ByteBuffer.wrap(Files.readAllBytes(root.resolve("BM/DCCT_" + STAMP + ".log2")));
    log.order(ByteOrder.LITTLE_ENDIAN);
    assertThat(log.limit()).isEqualTo(100 + 28 * events);
    for (int i = 0; i < events; i++) {
      assertThat(log.getLong(100 + 28 * i + 20)).isEqualTo(i);
    }
  }

  private LogWriter create(ByteOrder order) throws IOException {
    return LogWriter.create(root, GROUP, STAMP, ReferenceLayout.INSTANCE, order, RECORDS);
  }
}
