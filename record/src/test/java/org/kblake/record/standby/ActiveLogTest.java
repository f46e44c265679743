package org.kblake.record.standby;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.record.log.GroupLog;
import org.kblake.record.log.LogFiles;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.PairDirectories;
import org.kblake.record.log.RecordClock;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/** What a standby finds of the log of another recorder, whatever was written last. */
class ActiveLogTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final long SECOND = 1_000_000_000;
  private static final int RECORDS = 250;
  private static final long KEEP = 60 * SECOND;

  @TempDir Path root;
  private long now = 1_700_000_000L * SECOND;

  private final RecordClock clock =
      new RecordClock() {
        @Override
        public long wallNanos() {
          return now;
        }

        @Override
        public long monotonicNanos() {
          return now;
        }
      };

  private GroupLog begin() throws Exception {
    return begin(true);
  }

  private GroupLog begin(boolean keepsStamps) throws Exception {
    Files.createDirectories(root.resolve("SYS"));
    LogSettings settings = LogSettings.of(root, ArchiveSettings.defaults());
    PairDirectories directories = new PairDirectories(LogFiles.DISK);
    GroupLog log = new GroupLog(GROUP, settings, directories, clock, line -> {});
    if (keepsStamps) {
      log.keepStamps();
    }
    log.begin(table(), now);
    return log;
  }

  private static RecordTable table() {
    return new RecordTable(
        Stream.iterate(0, record -> record + 1)
            .limit(RECORDS)
            .map(record -> new RecordEntry(record, "R" + record, ValueType.DOUBLE, 1))
            .toList());
  }

  private void value(GroupLog log, int record, int stamp, double value) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(24).putInt(8, stamp).putDouble(16, value);
    ChannelEvent event =
        new ChannelEvent()
            .begin(record, EventKind.VALUE, now)
            .typed(ValueType.DOUBLE, 1)
            .with(bytes, 0, 24);
    log.append(record, now, now, event);
  }

  private void pass(GroupLog log) throws Exception {
    now += SECOND;
    log.turn(false);
  }

  private ActiveLog read() throws Exception {
    return ActiveLog.read(root, GROUP, KEEP);
  }

  private Mark mark(int record) throws Exception {
    return Objects.requireNonNull(read().mark("R" + record));
  }

  private Path stamps() throws Exception {
    try (Stream<Path> files = Files.list(root.resolve("VA"))) {
      return files.filter(file -> file.toString().endsWith(".stamps")).findFirst().orElseThrow();
    }
  }

  @Test
  void stampsHaveTheLastValueOfEachRecord() throws Exception {
    GroupLog log = begin();
    for (int record = 0; record < RECORDS - 1; record++) {
      value(log, record, 7, 1);
      value(log, record, 8, 0);
      value(log, record, 8, 1);
    }
    pass(log);
    for (int record = 0; record < RECORDS - 1; record++) {
      assertThat(mark(record).order().stamp()).isEqualTo(8);
      assertThat(mark(record).order().number()).isEqualTo(2);
      assertThat(mark(record).order().isExact()).isTrue();
      assertThat(mark(record).later()).isEmpty();
    }
    assertThat(read().mark("R" + (RECORDS - 1))).isNull();
    assertThat(read().aliveNanos()).isEqualTo(now);
  }

  /** A kill between both writes: stamps that were written first would have lost these events. */
  @Test
  void whatTheStampsLackIsReadFromTheLog() throws Exception {
    GroupLog log = begin();
    value(log, 3, 7, 1);
    pass(log);
    byte[] before = Files.readAllBytes(stamps());
    value(log, 3, 8, 2);
    value(log, 4, 8, 3);
    pass(log);
    Files.write(stamps(), before);
    assertThat(mark(3).order().stamp()).isEqualTo(7);
    assertThat(mark(3).later()).hasSize(1);
    assertThat(mark(4).order().hasEvent()).isFalse();
    assertThat(mark(4).later()).hasSize(1);
  }

  /** Blocks are written before the first one, which says how far the log was read. */
  @Test
  void aRecordThatIsNewerThanTheFirstBlockIsNotCountedTwice() throws Exception {
    GroupLog log = begin();
    value(log, 3, 7, 1);
    pass(log);
    byte[] before = Files.readAllBytes(stamps());
    value(log, 3, 8, 2);
    pass(log);
    try (RandomAccessFile file = new RandomAccessFile(stamps().toFile(), "rw")) {
      file.write(before, 0, 36);
    }
    assertThat(mark(3).order().stamp()).isEqualTo(8);
    assertThat(mark(3).later()).isEmpty();
  }

  @Test
  void aDamagedRecordIsNotKnown() throws Exception {
    GroupLog log = begin();
    value(log, 3, 7, 1);
    value(log, 4, 7, 1);
    pass(log);
    try (RandomAccessFile file = new RandomAccessFile(stamps().toFile(), "rw")) {
      file.seek(4096 + 3 * 40 + 12);
      file.write(99);
    }
    assertThat(read().mark("R3")).isNull();
    assertThat(mark(4).order().stamp()).isEqualTo(7);
  }

  /** After a power cut the log may be shorter than the stamps say. */
  @Test
  void stampsOfEventsThatTheLogLacksAreNotUsed() throws Exception {
    GroupLog log = begin();
    value(log, 4, 7, 1);
    pass(log);
    Path file = log();
    long bytes = Files.size(file);
    value(log, 3, 7, 1);
    pass(log);
    try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
      cut.setLength(bytes);
    }
    assertThat(read().mark("R3")).isNull();
    assertThat(mark(4).order().stamp()).isEqualTo(7);
  }

  private Path log() throws Exception {
    try (Stream<Path> files = Files.list(root.resolve("VA"))) {
      return files.filter(file -> file.toString().endsWith(".log2")).findFirst().orElseThrow();
    }
  }

  /** A kill in the middle of the head, or a full disk, leaves a part of the newest index. */
  @Test
  void anIndexThatWasCutOrIsDamagedHasNoRecords() throws Exception {
    GroupLog log = begin();
    value(log, 3, 7, 1);
    pass(log);
    byte[] index = Files.readAllBytes(root.resolve("VA/CCG_" + name() + ".log1"));
    Path newer = root.resolve("VA/CCG_20990101000000.log1");
    Files.write(root.resolve("VA/CCG_20990101000000.log2"), new byte[0]);
    for (int bytes = 0; bytes < 600; bytes++) {
      Files.write(newer, Arrays.copyOf(index, bytes));
      assertThat(mark(3).order().stamp()).as("%d bytes", bytes).isEqualTo(7);
      Files.write(newer, Arrays.copyOf(Arrays.copyOf(index, bytes), index.length));
      assertThat(mark(3).order().stamp()).as("zeros after %d bytes", bytes).isEqualTo(7);
      index[bytes] ^= (byte) 0xFF;
      Files.write(newer, index);
      assertThat(mark(3).order().stamp()).as("damaged byte %d", bytes).isEqualTo(7);
      index[bytes] ^= (byte) 0xFF;
    }
  }

  /** A recorder without stamps may have written for weeks since. */
  @Test
  void stampsThatAreOlderThanAStandbysEventsAreNotUsed() throws Exception {
    GroupLog log = begin();
    value(log, 3, 7, 1);
    pass(log);
    log.close();
    now += KEEP / 2;
    GroupLog plain = begin(false);
    value(plain, 3, 8, 1);
    pass(plain);
    assertThat(mark(3).later()).hasSize(1);
    plain.begin(table(), now);
    value(plain, 3, 9, 1);
    pass(plain);
    assertThat(mark(3).later()).hasSize(2);
    now += KEEP;
    plain.begin(table(), now);
    value(plain, 3, 10, 1);
    pass(plain);
    assertThat(read().mark("R3")).isNull();
    assertThat(read().aliveNanos()).isZero();
    assertThat(read().doubles()).isZero();
  }

  /** Events without end, and no milestone among them, need no memory without end. */
  @Test
  void stampsThatLackVeryManyEventsAreNotUsed() throws Exception {
    GroupLog log = begin();
    value(log, 3, 7, 1);
    pass(log);
    byte[] before = Files.readAllBytes(stamps());
    for (int i = 0; i < 1 << 20; i++) {
      value(log, 4, i, i);
    }
    pass(log);
    Files.write(stamps(), before);
    assertThat(mark(4).later()).hasSize(1 << 20);
    value(log, 3, 8, 2);
    pass(log);
    Files.write(stamps(), before);
    assertThat(read().mark("R3")).isNull();
    assertThat(read().mark("R4")).isNull();
  }

  @Test
  void aNewPairHasTheStampsOfTheOneBefore() throws Exception {
    GroupLog log = begin();
    value(log, 3, 7, 1);
    pass(log);
    log.begin(table(), now);
    value(log, 4, 8, 1);
    assertThat(mark(3).order().stamp()).isEqualTo(7);
    pass(log);
    assertThat(mark(3).order().stamp()).isEqualTo(7);
    assertThat(mark(4).order().stamp()).isEqualTo(8);
    assertThat(stamps()).hasFileName(".CCG_" + name() + ".stamps");
  }

  private String name() throws Exception {
    try (Stream<Path> files = Files.list(root.resolve("VA"))) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(file -> file.endsWith(".log2"))
          .map(file -> file.substring(4, 18))
          .max(String::compareTo)
          .orElseThrow();
    }
  }

  @Test
  void whatTheOtherOneStillWritesIsCounted() throws Exception {
    GroupLog log = begin();
    value(log, 3, 7, 1);
    pass(log);
    ActiveLog read = read();
    assertThat(read.doubles()).isZero();
    value(log, 3, 8, 1);
    value(log, 4, 8, 1);
    pass(log);
    assertThat(read.doubles()).isEqualTo(2);
    assertThat(read.doubles()).isZero();
  }
}
