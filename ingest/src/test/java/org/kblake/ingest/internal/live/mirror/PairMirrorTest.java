package org.kblake.ingest.internal.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.live.state.Counters;

/**
 * What a copy holds while its log is written, one look after the other. Bytes settle at once, so
 * that what is read by one look may be verified by the next.
 */
final class PairMirrorTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final String STAMP = "20160516090000";
  private static final Duration NEVER = Duration.ofDays(1);

  @TempDir private Path directory;

  private final Counters counters = new Counters();
  private final List<String> differences = new ArrayList<>();
  private Path root = Path.of("");

  @BeforeEach
  void makeDirectories() throws IOException {
    root = Files.createDirectories(directory.resolve("archive"));
    Files.createDirectories(directory.resolve("store"));
  }

  private Archive archive(TailRule tail) throws IOException {
    return Archive.open(root, ArchiveSettings.defaults().withTail(tail).withSettleNanos(0));
  }

  private LogWriter writer(String stamp) throws IOException {
    RecordTable records =
        new RecordTable(List.of(new RecordEntry(1, "VALCCG:PRES", ValueType.DOUBLE, 1)));
    return LogWriter.create(root, GROUP, stamp, ByteOrder.LITTLE_ENDIAN, records);
  }

  /** A milestone and events, the last byte of each of which is not zero. */
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
    SourceReads reads = new SourceReads(ArchiveSettings.defaults(), counters);
    return new PairMirror(
        pair, mirror.files(GROUP, pair.stamp()), reads, counters, NEVER, differences::add);
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

  private static void look(PairMirror mirror) throws IOException {
    mirror.advance(0, true);
  }

  /** On a local disk, too, a writer may make room before it writes. */
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
      // what has become other bytes, then what is behind it
      look(mirror);
      look(mirror);
      look(mirror);
      assertThat(copied()).isEqualTo(Files.readAllBytes(pair.logPath()));
    }
    assertThat(differences).isEmpty();
  }

  /** A look reads page after page while a writer fills them in. */
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

  /** kblog may have been silent for an hour, and go on. */
  @Test
  void theNewestPairIsNeverWhole() throws IOException {
    try (LogWriter writer = writer(STAMP);
        LogWriter next = writer("20160516100000")) {
      write(writer, 0, 1000);
      write(next, 3600, 1000);
      Archive archive = archive(TailRule.FINAL);
      Pair listed = archive.pairs(GROUP).get(0);
      for (Path file : List.of(listed.indexPath(), listed.logPath())) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
      }
      PairMirror mirror = mirror(archive.pair(GROUP, STAMP, null));
      look(mirror);
      look(mirror);
      assertThat(copied()).isEqualTo(Files.readAllBytes(listed.logPath()));
      assertThat(copy().closed()).isFalse();
      mirror.listed(listed);
      look(mirror);
      assertThat(copy().closed()).isTrue();
    }
  }
}
