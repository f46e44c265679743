package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.PairFixture;

/**
 * A log that grows, and the tail that reads it. The log is that of {@link PairFixture}: three
 * segments of three events. The first elements of their values are
 *
 * <pre>
 *   0.0 0.5 1.0 | 1.0 1.5 2.0 | 2.0 2.5 3.0
 * </pre>
 */
abstract class GrowingTail {

  static final List<Double> ALL = PairFixture.ALL;

  @TempDir Path root;

  PairFixture whole;

  PairFixture pair;

  /**
   * The bytes of the complete files. The files of {@link #pair} have a part of these bytes, which
   * grows.
   */
  byte[] log = {};

  byte[] index = {};

  int headBytes;

  @Nullable LogTail opened;

  final List<Double> values = new ArrayList<>();

  final List<Damage> damage = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    whole = new PairFixture(root.resolve("whole"));
    pair = new PairFixture(root.resolve("growing"));
    pair.settings(ArchiveSettings.defaults().withTail(TailRule.FINAL));
    whole.write();
    pair.milestones.addAll(whole.milestones);
    load();
    Files.createDirectories(pair.log().getParent());
  }

  @AfterEach
  void close() throws IOException {
    if (opened != null) {
      opened.close();
    }
  }

  void load() throws IOException {
    log = Files.readAllBytes(whole.log());
    index = Files.readAllBytes(whole.index());
    headBytes = ByteBuffer.wrap(index).getInt(12);
  }

  /** Extends both files to these sizes. */
  void grow(int logBytes, int indexBytes) throws IOException {
    write(pair.log(), Arrays.copyOf(log, logBytes));
    if (!Files.exists(pair.index()) || Files.size(pair.index()) != indexBytes) {
      write(pair.index(), Arrays.copyOf(index, indexBytes));
    }
  }

  /** Writes in place, because some file systems write a truncated file to the disk at once. */
  private static void write(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), 0);
      channel.truncate(bytes.length);
    }
  }

  int entries(int milestones) {
    return headBytes + 16 * milestones;
  }

  void open() throws IOException {
    open(0);
  }

  void open(long offset) throws IOException {
    opened = LogTail.open(pair.open(), offset, null, damage::add);
    read();
  }

  LogTail tail() {
    return Objects.requireNonNull(opened);
  }

  void refresh() throws IOException {
    tail().refresh();
    read();
  }

  void read() throws IOException {
    while (tail().next()) {
      values.add(Double.longBitsToDouble(tail().scanner().valueBits(0)));
    }
  }

  /** Returns the number of complete events in this many bytes of the log. */
  int eventsIn(int logBytes) throws IOException {
    int events = 0;
    for (int i = 0; i < ALL.size(); i++) {
      long offset = whole.eventOffset(i / 3, i % 3);
      events += offset + ByteBuffer.wrap(log).getInt((int) offset) <= logBytes ? 1 : 0;
    }
    return events;
  }
}
