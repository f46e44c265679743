package org.kblake.test.read.damage;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;

/**
 * Two closed pairs of a group. The first one has 24 milestones, ten minutes apart, with five events
 * behind each. The second one follows without a pause.
 */
final class LostEndFixture {

  static final Group GROUP = new Group("VA", "CCG");
  static final int MILESTONES = 24;
  static final int EVENTS = 5;

  /** 2016-05-16 09:00 in Tokyo. */
  static final long BEGIN = 1_463_356_800_000_000_000L;

  static final long MINUTE = 60_000_000_000L;

  /** After both pairs. */
  static final Instant NOW = Instant.parse("2016-05-16T12:00:00Z");

  private static final int LATER_MILESTONES = 6;

  private final CommandFixture command;
  private final long[] offsets = new long[MILESTONES];
  private final byte[] whole;

  LostEndFixture(Path directory) throws IOException {
    command = new CommandFixture(directory);
    write("20160516090000", 0, MILESTONES, offsets);
    write("20160516130000", MILESTONES, LATER_MILESTONES, new long[LATER_MILESTONES]);
    whole = Files.readAllBytes(log());
    TestStores.closePairs(command.archive());
  }

  private void write(String stamp, int first, int milestones, long[] begins) throws IOException {
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "A", ValueType.LONG, 1)));
    try (LogWriter writer =
        LogWriter.create(command.archive(), GROUP, stamp, ByteOrder.BIG_ENDIAN, records)) {
      for (int i = 0; i < milestones; i++) {
        begins[i] = writer.logBytes();
        long nanos = BEGIN + (first + i) * 10L * MINUTE;
        writer.milestone(nanos);
        for (int event = 1; event <= EVENTS; event++) {
          writer.number(0, nanos + event * MINUTE, 0, 0, first + i);
        }
      }
    }
  }

  Path log() {
    return command.archive().resolve("VA/CCG_20160516090000.log2");
  }

  Path index() {
    return command.archive().resolve("VA/CCG_20160516090000.log1");
  }

  Path archive() {
    return command.archive();
  }

  Path store() {
    return command.store();
  }

  /** Returns the offset of a milestone of the first pair. */
  long offset(int milestone) {
    return offsets[milestone];
  }

  /** Cuts the log of the first pair. */
  void cut(long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(log(), StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
    TestStores.closePairs(command.archive());
  }

  /** Makes the log whole again. */
  void putBack() throws IOException {
    Files.write(log(), whole);
    TestStores.closePairs(command.archive());
  }

  void removeSecondPair() throws IOException {
    Files.delete(command.archive().resolve("VA/CCG_20160516130000.log1"));
    Files.delete(command.archive().resolve("VA/CCG_20160516130000.log2"));
  }

  void backfill() throws Exception {
    TestStores.backfill(
        Archive.open(command.archive(), ArchiveSettings.defaults()), command.store());
  }

  /** Makes a store of the first segments, and a mirror that has a copy of the first pair. */
  void mirror(Path directory) throws Exception {
    mirror(directory, new TimeRange(BEGIN, BEGIN + 30 * MINUTE), 0);
  }

  /** Makes a store without blocks, and a mirror that has the first pair from an offset on. */
  void mirrorFrom(Path directory, long fromOffset) throws Exception {
    mirror(directory, new TimeRange(BEGIN - 300 * MINUTE, BEGIN - 200 * MINUTE), fromOffset);
  }

  private void mirror(Path directory, TimeRange stored, long fromOffset) throws Exception {
    Archive archive = Archive.open(command.archive(), ArchiveSettings.defaults());
    TestStores.backfill(archive, command.store(), stored);
    TestStores.mirror(command.store(), directory, archive.pairs(GROUP).get(0), fromOffset);
  }

  KblakeRun run(String... args) {
    return command.runner().at(NOW).run(args);
  }

  /** Runs a command whose words have no blanks. */
  KblakeRun runLine(String line) {
    return run(line.split(" "));
  }

  KblakeRun kblogrd(String... args) {
    return command.runner().at(NOW).kblogrd(args);
  }
}
