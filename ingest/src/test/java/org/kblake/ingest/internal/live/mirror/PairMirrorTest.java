package org.kblake.ingest.internal.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;

/**
 * The contents of a copy while its log is written, one update after the other. By default, bytes
 * settle at once, so that one update reads them and the next may verify them. The test sets the
 * time.
 */
final class PairMirrorTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final String STAMP = "20160516090000";
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration SETTLE = Duration.ofSeconds(2);

  @TempDir private Path directory;

  private final Counters counters = new Counters();
  private final List<String> differences = new ArrayList<>();
  private Path root = Path.of("");
  private long nowNanos = 1_000;

  @BeforeEach
  void makeDirectories() throws IOException {
    root = Files.createDirectories(directory.resolve("archive"));
    Files.createDirectories(directory.resolve("store"));
  }

  private Archive archive(TailRule tail) throws IOException {
    return archive(tail, Duration.ZERO);
  }

  private Archive archive(TailRule tail, Duration settle) throws IOException {
    return Archive.open(
        root, ArchiveSettings.defaults().withTail(tail).withSettleNanos(settle.toNanos()));
  }

  private LogWriter writer(String stamp) throws IOException {
    RecordTable records =
        new RecordTable(List.of(new RecordEntry(1, "VALCCG:PRES", ValueType.DOUBLE, 1)));
    return LogWriter.create(root, GROUP, stamp, ByteOrder.LITTLE_ENDIAN, records);
  }

  /** Writes a milestone and events. The last byte of each event is not zero. */
  private static void write(LogWriter writer, int second, int events) throws IOException {
    long nanos = Instant.parse("2016-05-16T00:00:00Z").getEpochSecond() + second;
    writer.milestone(nanos * 1_000_000_000L);
    for (int i = 0; i < events; i++) {
      writer.number(0, nanos * 1_000_000_000L + i, 0, 0, Double.doubleToRawLongBits(i + 1.5));
    }
    writer.flush();
  }

  private PairMirror mirror(Pair pair) throws IOException {
    Mirror mirror = Mirror.make(directory.resolve("store"), directory.resolve("mirror"));
    SourceReads reads = new SourceReads(counters);
    return new PairMirror(
        pair,
        mirror.files(GROUP, pair.stamp()),
        new MirrorContext(reads, counters, DAY, 0, () -> nowNanos, Clock.systemUTC()),
        differences::add);
  }

  private LogCopy copy() {
    Mirror mirror = Objects.requireNonNull(Mirror.of(directory.resolve("store")));
    return Objects.requireNonNull(mirror.copy(GROUP, STAMP));
  }

  private byte[] copied() throws IOException {
    LogCopy copy = copy();
    ByteBuffer bytes = ByteBuffer.allocate((int) copy.endOffset());
    try (LogCopy.Reader reader = copy.open()) {
      assertThat(reader.read(bytes, 0)).isEqualTo(bytes.capacity());
    }
    return bytes.array();
  }

  /** Makes a complete copy: the first update reads it, the second verifies it. */
  private PairMirror verified(Pair pair) throws IOException {
    PairMirror mirror = mirror(pair);
    look(mirror);
    look(mirror);
    return mirror;
  }

  private static void look(PairMirror mirror) throws IOException {
    mirror.advance(0, true);
  }

  /** A writer may reserve space before it writes, on a local disk, too. */
  @ParameterizedTest
  @EnumSource(
      value = TailRule.class,
      names = {"FINAL", "PROVISIONAL"})
  void zerosAtTheEndAreNotVerified(TailRule tail) throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 1000);
      Pair pair = archive(tail).pairs(GROUP).get(0);
      byte[] written = Files.readAllBytes(pair.logPath());
      try (RandomAccessFile log = new RandomAccessFile(pair.logPath().toFile(), "rw")) {
        log.setLength(written.length + 5_000);
      }
      PairMirror mirror = mirror(pair);
      look(mirror);
      look(mirror);
      look(mirror);
      assertThat(copied()).isEqualTo(written);
      write(writer, 60, 1000);
      // First the changed bytes, then those behind them.
      look(mirror);
      look(mirror);
      look(mirror);
      assertThat(copied()).isEqualTo(Files.readAllBytes(pair.logPath()));
    }
    assertThat(differences).isEmpty();
  }

  /** An update reads page after page while a writer fills them in. */
  @ParameterizedTest
  @EnumSource(
      value = TailRule.class,
      names = {"FINAL", "PROVISIONAL"})
  void zerosBetweenOtherBytesAreReadTwice(TailRule tail) throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 1000);
      Pair pair = archive(tail).pairs(GROUP).get(0);
      byte[] written = Files.readAllBytes(pair.logPath());
      try (RandomAccessFile log = new RandomAccessFile(pair.logPath().toFile(), "rw")) {
        log.seek(5_000);
        log.write(new byte[3_000]);
        PairMirror mirror = mirror(pair);
        look(mirror);
        assertThat(copied()).isEmpty();
        log.seek(5_000);
        log.write(written, 5_000, 3_000);
        look(mirror);
        assertThat(copied()).isEmpty();
        look(mirror);
        assertThat(copied()).isEqualTo(written);
      }
    }
    assertThat(differences).isEmpty();
  }

  /** kblog may be silent for an hour and then continue. */
  @Test
  void theNewestPairIsNeverComplete() throws IOException {
    try (LogWriter writer = writer(STAMP);
        LogWriter next = writer("20160516100000")) {
      write(writer, 0, 1000);
      write(next, 3600, 1000);
      Archive archive = archive(TailRule.FINAL);
      Pair listed = archive.pairs(GROUP).get(0);
      for (Path file : List.of(listed.indexPath(), listed.logPath())) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
      }
      PairMirror mirror = mirror(archive.pair(GROUP, STAMP));
      look(mirror);
      look(mirror);
      assertThat(copied()).isEqualTo(Files.readAllBytes(listed.logPath()));
      assertThat(copy().closed()).isFalse();
      mirror.listed(listed);
      look(mirror);
      assertThat(copy().closed()).isTrue();
    }
  }

  /**
   * Bytes that were read once may still change. They are verified if a later read gives the same.
   */
  @Test
  void bytesAreVerifiedAfterTheSettleTime() throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 100);
      Pair pair = archive(TailRule.PROVISIONAL, SETTLE).pairs(GROUP).get(0);
      byte[] written = Files.readAllBytes(pair.logPath());
      PairMirror mirror = mirror(pair);
      look(mirror);
      nowNanos += SETTLE.toNanos() - 1;
      look(mirror);
      assertThat(copied()).isEmpty();
      nowNanos++;
      look(mirror);
      assertThat(copied()).isEqualTo(written);
      // The settle time of bytes that were written meanwhile begins here.
      write(writer, 60, 100);
      look(mirror);
      assertThat(copied()).isEqualTo(written);
      nowNanos += SETTLE.toNanos();
      look(mirror);
      assertThat(copied()).isEqualTo(Files.readAllBytes(pair.logPath()));
    }
    assertThat(counters.get(Count.MIRROR_DIFFERENCES)).isZero();
  }

  /** A network file system may show a stale page before newer ones. */
  @Test
  void pageThatEndsInZerosSettlesForAMinuteIfTailsAreProvisional() throws IOException {
    for (TailRule tail : List.of(TailRule.PROVISIONAL, TailRule.FINAL)) {
      root = Files.createDirectories(directory.resolve(tail + "/archive"));
      try (LogWriter writer = writer(STAMP)) {
        write(writer, 0, 1000);
        Pair pair = archive(tail, SETTLE).pairs(GROUP).get(0);
        try (RandomAccessFile log = new RandomAccessFile(pair.logPath().toFile(), "rw")) {
          log.seek(4096);
          log.write(new byte[4096]);
        }
        PairMirror mirror = mirror(pair);
        look(mirror);
        nowNanos += SETTLE.toNanos();
        look(mirror);
        if (tail == TailRule.PROVISIONAL) {
          assertThat(copied()).isEmpty();
          nowNanos += SETTLE.multipliedBy(29).toNanos();
          look(mirror);
        }
        assertThat(copied()).isEqualTo(Files.readAllBytes(pair.logPath()));
        Mirror.make(directory.resolve("store"), directory.resolve("mirror"))
            .files(GROUP, STAMP)
            .delete();
      }
    }
  }

  @Test
  void changedBytesWaitAgain() throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 100);
      Pair pair = archive(TailRule.FINAL, SETTLE).pairs(GROUP).get(0);
      PairMirror mirror = mirror(pair);
      look(mirror);
      change(pair, 500);
      nowNanos += SETTLE.toNanos();
      look(mirror);
      assertThat(copied()).isEmpty();
      nowNanos += SETTLE.toNanos();
      look(mirror);
      assertThat(copied()).isEqualTo(Files.readAllBytes(pair.logPath()));
    }
    // No wrong byte was verified.
    assertThat(differences).isEmpty();
  }

  private static void change(Pair pair, long offset) throws IOException {
    try (RandomAccessFile log = new RandomAccessFile(pair.logPath().toFile(), "rw")) {
      log.seek(offset);
      int before = log.read();
      log.seek(offset);
      log.write(before ^ 0x55);
    }
  }

  @Test
  void verifiedBytesAreComparedWithTheLogAtIntervals() throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 100);
      Pair pair = archive(TailRule.FINAL).pairs(GROUP).get(0);
      byte[] before = Files.readAllBytes(pair.logPath());
      PairMirror mirror = verified(pair);
      change(pair, 500);
      look(mirror);
      assertThat(copied()).isEqualTo(before);
      nowNanos += DAY.toNanos();
      look(mirror);
      assertThat(differences)
          .singleElement()
          .asString()
          .startsWith("mirror had other bytes than the log");
      assertThat(counters.get(Count.MIRROR_DIFFERENCES)).isEqualTo(1);
      look(mirror);
      look(mirror);
      assertThat(copied()).isEqualTo(Files.readAllBytes(pair.logPath()));
      assertThat(differences).hasSize(1);
    }
  }

  /**
   * A block of the pair was discarded because the log has other bytes. The copy may be wrong, too.
   */
  @Test
  void verifiedBytesAreComparedAtOnceOnRequest() throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 100);
      Pair pair = archive(TailRule.FINAL).pairs(GROUP).get(0);
      PairMirror mirror = verified(pair);
      change(pair, 500);
      mirror.compareSoon();
      look(mirror);
      assertThat(differences).hasSize(1);
      assertThat(copied().length).isLessThanOrEqualTo(500);
    }
  }

  /** A new process compares the existing copy with the log and continues it. */
  @Test
  void copyOfAnEarlierProcessIsContinued() throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 100);
      Pair pair = archive(TailRule.FINAL).pairs(GROUP).get(0);
      PairMirror unused = verified(pair);
      byte[] before = copied();
      counters.reset();
      write(writer, 60, 100);
      PairMirror next = mirror(pair);
      look(next);
      assertThat(copied()).isEqualTo(before);
      look(next);
      assertThat(copied()).isEqualTo(Files.readAllBytes(pair.logPath()));
      assertThat(differences).isEmpty();
      // The beginning was compared, the end was read twice.
      long whole = Files.size(pair.logPath());
      assertThat(counters.get(Count.MIRROR_READ_BYTES)).isEqualTo(2 * whole - before.length);
    }
  }

  @Test
  void wrongCopyOfAnEarlierProcessIsReplaced() throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 100);
      Pair pair = archive(TailRule.FINAL).pairs(GROUP).get(0);
      PairMirror unused = verified(pair);
      change(pair, 500);
      PairMirror next = mirror(pair);
      look(next);
      assertThat(differences).hasSize(1);
      look(next);
      assertThat(copied()).isEqualTo(Files.readAllBytes(pair.logPath()));
    }
  }

  @Test
  void replacedLogIsCopiedAgain() throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 100);
      Pair pair = archive(TailRule.FINAL).pairs(GROUP).get(0);
      PairMirror mirror = verified(pair);
      byte[] written = Files.readAllBytes(pair.logPath());
      Path other = directory.resolve("other");
      Files.write(other, written);
      Files.move(other, pair.logPath(), StandardCopyOption.REPLACE_EXISTING);
      look(mirror);
      assertThat(copied()).isEmpty();
      look(mirror);
      assertThat(copied()).isEqualTo(written);
      assertThat(differences).hasSize(1);
    }
  }

  /** The budget is used up. The copy stays as it is. */
  @Test
  void copyDoesNotGrowBeyondTheBudget() throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 100);
      Pair pair = archive(TailRule.FINAL).pairs(GROUP).get(0);
      PairMirror mirror = verified(pair);
      byte[] before = copied();
      write(writer, 60, 100);
      mirror.advance(0, false);
      mirror.advance(0, false);
      assertThat(copied()).isEqualTo(before);
      look(mirror);
      look(mirror);
      assertThat(copied()).isEqualTo(Files.readAllBytes(pair.logPath()));
    }
  }

  /** Files have one MiB. The first two and some of the third are in blocks. */
  @Test
  void filesInBlocksAreRemoved() throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 100_000);
      Pair pair = archive(TailRule.FINAL).pairs(GROUP).get(0);
      PairMirror mirror = verified(pair);
      assertThat(copy().fromOffset()).isZero();
      byte[] log = Files.readAllBytes(pair.logPath());
      assertThat(log.length).isGreaterThan((2 << 20) + 600_000);
      mirror.advance((2 << 20) + 500_000, true);
      LogCopy copy = copy();
      assertThat(copy.fromOffset()).isEqualTo(2 << 20);
      assertThat(copy.endOffset()).isEqualTo(log.length);
      // The first file stays, because it has the log's first event.
      Mirror mirrored = Mirror.make(directory.resolve("store"), directory.resolve("mirror"));
      assertThat(mirrored.files(GROUP, STAMP).bytes()).isLessThan(log.length - 1_000_000);
      assertThat(pair.openCopy(copy).firstEvent()).isEqualTo(pair.open().firstEvent());
      ByteBuffer bytes = ByteBuffer.allocate(log.length - (2 << 20));
      try (LogCopy.Reader reader = copy.open()) {
        assertThat(reader.read(bytes, 2 << 20)).isEqualTo(bytes.capacity());
      }
      assertThat(bytes.array()).isEqualTo(Arrays.copyOfRange(log, 2 << 20, log.length));
    }
  }

  /** Readers identify the pair by its first event, even if the copy begins later. */
  @Test
  void copyThatBeginsBehindBlocksHasTheFirstEvent() throws IOException {
    try (LogWriter writer = writer(STAMP)) {
      write(writer, 0, 100_000);
      Pair pair = archive(TailRule.FINAL).pairs(GROUP).get(0);
      PairMirror mirror = mirror(pair);
      mirror.advance((2 << 20) + 500_000, true);
      mirror.advance((2 << 20) + 500_000, true);
      assertThat(copy().fromOffset()).isEqualTo(2 << 20);
      assertThat(pair.openCopy(copy()).firstEvent()).isEqualTo(pair.open().firstEvent());
    }
  }
}
