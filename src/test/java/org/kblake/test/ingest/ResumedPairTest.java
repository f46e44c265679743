package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.oracle.AnswerLines;

/**
 * A pair whose transfer was cut in an event, which was stored as a closed pair, and which grew when
 * the transfer went on: columns and log give the same answer at each moment.
 */
final class ResumedPairTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final String LOG = "VA/CCG_20160516090000.log2";
  private static final String INDEX = "VA/CCG_20160516090000.log1";
  private static final long BEGIN_NANOS = 1_463_356_800_000_000_000L;
  private static final long DAY_NANOS = 86_400_000_000_000L;
  private static final int EVENTS = 300;

  private static final RecordTable RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(0, "A", ValueType.LONG, 1),
              new RecordEntry(1, "B", ValueType.DOUBLE, 50),
              new RecordEntry(2, "C", ValueType.STRING, 1)));

  @TempDir Path directory;

  /** The bytes of the index that belong to a number of bytes of the log. */
  private final TreeMap<Long, Long> entries = new TreeMap<>();

  @Test
  void aPairThatWasCutAndStoredHoldsAllWhenItGoesOn() throws Exception {
    Path whole = directory.resolve("whole");
    write(whole);
    Seeds.each("resumed-pair", Seeds.cases(8, 40), seed -> cut(whole, seed));
  }

  private void cut(Path whole, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] log = Files.readAllBytes(whole.resolve(LOG));
    byte[] index = Files.readAllBytes(whole.resolve(INDEX));
    Path root = directory.resolve("archive" + seed);
    Path store = directory.resolve("store" + seed);
    Files.createDirectories(root.resolve("VA"));
    boolean isSuperseded = random.nextBoolean();
    if (isSuperseded) {
      writer(root, "20160518090000", 2 * DAY_NANOS).close();
    }
    long bytes = entries.firstKey();
    int cuts = 1 + random.nextInt(3);
    for (int i = 0; i < cuts; i++) {
      bytes = random.nextLong(bytes, log.length);
      put(root, log, index, bytes);
      TestStores.closePairs(root);
      TestStores.backfill(archive(root), store);
      List<String> raw = read(root, null);
      assertThat(read(root, store)).as("cut at %d", bytes).isEqualTo(raw);
      assertThat(read(root, store, Source.STORE)).as("cut at %d", bytes).isEqualTo(raw);
    }
    put(root, log, index, log.length);
    // It has just changed.
    Files.setLastModifiedTime(root.resolve(LOG), FileTime.from(Instant.now()));
    List<String> raw = read(root, null);
    assertThat(raw).hasSize(EVENTS + (isSuperseded ? 1 : 0));
    assertThat(read(root, store)).as("before it is stored again").isEqualTo(raw);
    TestStores.closePairs(root);
    assertThat(read(root, store)).as("when it is closed").isEqualTo(raw);
    TestStores.backfill(archive(root), store);
    assertThat(read(root, store)).as("after it is stored again").isEqualTo(raw);
    assertThat(TestStores.verify(archive(root), store)).isEmpty();
  }

  private void put(Path root, byte[] log, byte[] index, long bytes) throws IOException {
    Files.write(root.resolve(LOG), Arrays.copyOf(log, (int) bytes));
    long ofIndex = bytes == log.length ? index.length : entries.floorEntry(bytes).getValue();
    Files.write(root.resolve(INDEX), Arrays.copyOf(index, (int) ofIndex));
  }

  private static LogWriter writer(Path root, String stamp, long afterNanos) throws IOException {
    LogWriter writer = LogWriter.create(root, GROUP, stamp, ByteOrder.LITTLE_ENDIAN, RECORDS);
    writer.milestone(BEGIN_NANOS + afterNanos);
    writer.number(0, BEGIN_NANOS + afterNanos, 0, 0, 1);
    writer.flush();
    return writer;
  }

  private void write(Path root) throws IOException {
    try (LogWriter writer = writer(root, "20160516090000", 0)) {
      note(root);
      for (int i = 1; i < EVENTS; i++) {
        long nanos = BEGIN_NANOS + i * 1_000_000_000L;
        if (i % 60 == 0) {
          writer.milestone(nanos);
        }
        switch (i % 3) {
          case 0 -> writer.number(0, nanos, 0, 0, i);
          case 1 -> writer.numbers(1, nanos, 0, 0, new long[50], 0, 50);
          default -> writer.text(2, nanos, 0, 0, ("text " + i).getBytes(StandardCharsets.UTF_8));
        }
        writer.flush();
        note(root);
      }
    }
  }

  private void note(Path root) throws IOException {
    entries.put(Files.size(root.resolve(LOG)), Files.size(root.resolve(INDEX)));
  }

  private static Archive archive(Path root) throws IOException {
    return Archive.open(root, ArchiveSettings.defaults());
  }

  private static List<String> read(Path root, @Nullable Path store) throws IOException {
    return read(root, store, Source.AUTO);
  }

  private static List<String> read(Path root, @Nullable Path store, Source source)
      throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root);
    try (ArchiveReader reader = (store == null ? builder : builder.store(store)).open()) {
      return AnswerLines.read(
              reader,
              EventQuery.of(ChannelSelection.all(GROUP)).between(TimeRange.ALL).from(source))
          .events();
    }
  }
}
