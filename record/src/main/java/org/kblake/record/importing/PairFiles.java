package org.kblake.record.importing;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.encode.PairEncoder;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.log.PairName;

/**
 * A pair that is being written under other names, which no reader takes for a pair. {@link #finish}
 * makes it whole and durable, and the target then gives it its names. Closing it before removes it.
 */
final class PairFiles implements Closeable {

  static final LogLayout LAYOUT = ReferenceLayout.INSTANCE;

  private static final ByteOrder ORDER = ByteOrder.BIG_ENDIAN;
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int FIRST_ENTRIES = 64;

  /** A pair that was changed so long ago counts as closed. */
  private static final long CLOSED_MILLIS = TimeUnit.HOURS.toMillis(2);

  private final Path directory;
  private final PairName name;
  private final PairEncoder encoder;
  private final FileChannel log;
  private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ORDER);
  private int used;
  private long writtenBytes;
  private ByteBuffer entries = entries(FIRST_ENTRIES);
  private int entryBytes;
  private boolean isWhole;

  private PairFiles(Path directory, PairName name, RecordTable records, FileChannel log) {
    this.directory = directory;
    this.name = name;
    this.log = log;
    encoder = new PairEncoder(LAYOUT, ORDER, records);
  }

  /**
   * Begins a pair.
   *
   * @param before the encoder of the pair before it, whose states it takes; null for none
   */
  static PairFiles create(
      Path directory, PairName name, RecordTable records, @Nullable PairEncoder before)
      throws IOException {
    Path logPath = unfinished(directory, name.logFile());
    PairFiles pair =
        new PairFiles(directory, name, records, FileChannel.open(logPath, CREATE_NEW, WRITE));
    if (before != null) {
      pair.encoder.continueFrom(before);
    }
    return pair;
  }

  /** Returns the name of a file while its pair is being written. */
  static Path unfinished(Path directory, String file) {
    return directory.resolve("." + file + ".import");
  }

  /** Returns the pair of a file that is being written, or null if it is another file. */
  static @Nullable PairName unfinishedPair(String file) {
    boolean isUnfinished = file.startsWith(".") && file.endsWith(".import");
    return isUnfinished
        ? PairName.ofFile(file.substring(1, file.length() - ".import".length()))
        : null;
  }

  PairName name() {
    return name;
  }

  PairEncoder encoder() {
    return encoder;
  }

  /** Returns the bytes of the log. */
  long logBytes() {
    return writtenBytes + used;
  }

  /** Appends an event. */
  void event(SourceEvent event) throws IOException {
    byte[] value = event.value();
    int fixed = LAYOUT.recordHeaderBytes();
    int at = room(fixed + value.length);
    buffer.put(at + fixed, value);
    encoder.event(
        buffer,
        at,
        event.channel(),
        event.nanos(),
        event.state().code(),
        event.severity(),
        event.status(),
        value.length);
    used += fixed + value.length;
  }

  /** Appends a milestone and its entry. */
  void milestone(long nanos) throws IOException {
    long offset = logBytes();
    int at = room(Math.toIntExact(encoder.milestoneBytes()));
    used += encoder.milestone(buffer, at, nanos);
    int bytes = LAYOUT.milestoneEntryBytes();
    if (entryBytes + bytes > entries.capacity()) {
      entries = ByteBuffer.wrap(Arrays.copyOf(entries.array(), 2 * entries.capacity()));
      entries.order(ORDER);
    }
    LAYOUT.putMilestoneEntry(entries, entryBytes, nanos, offset);
    entryBytes += bytes;
  }

  private static ByteBuffer entries(int number) {
    return ByteBuffer.allocate(number * LAYOUT.milestoneEntryBytes()).order(ORDER);
  }

  private int room(int bytes) throws IOException {
    if (used + bytes > buffer.capacity()) {
      flush();
      if (bytes > buffer.capacity()) {
        buffer = ByteBuffer.allocate(bytes).order(ORDER);
      }
    }
    return used;
  }

  private void flush() throws IOException {
    write(log, ByteBuffer.wrap(buffer.array(), 0, used));
    writtenBytes += used;
    used = 0;
  }

  private static void write(FileChannel file, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  /**
   * Writes all bytes and syncs both files.
   *
   * @param lastNanos the time of the last event, which the files get: they are closed
   */
  void finish(long lastNanos, long nowMillis) throws IOException {
    flush();
    log.force(true);
    log.close();
    Path index = unfinished(directory, name.indexFile());
    try (FileChannel out = FileChannel.open(index, CREATE_NEW, WRITE)) {
      write(out, ByteBuffer.wrap(LAYOUT.encodeIndex(encoder.records(), ORDER)));
      write(out, ByteBuffer.wrap(entries.array(), 0, entryBytes));
      out.force(true);
    }
    long millis = Math.min(nowMillis - CLOSED_MILLIS, TimeUnit.NANOSECONDS.toMillis(lastNanos));
    FileTime time = FileTime.fromMillis(millis);
    Files.setLastModifiedTime(index, time);
    Files.setLastModifiedTime(unfinished(directory, name.logFile()), time);
    isWhole = true;
  }

  /** Removes the files unless they are whole. */
  @Override
  public void close() throws IOException {
    try (log) {
      if (!isWhole) {
        Files.deleteIfExists(unfinished(directory, name.logFile()));
        Files.deleteIfExists(unfinished(directory, name.indexFile()));
      }
    }
  }
}
