package org.kblake.core.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.kblake.core.internal.log.encode.EventEncoder;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;

/**
 * A writer of one pair, as kblog writes it: events and milestones to the log, milestone entries to
 * the index. Milestones have the states of the events written before. Bytes are passed to the files
 * when the buffer is full, at {@link #flush()} and at {@link #close()}; to the log always before
 * the index. For one thread.
 */
public final class LogWriter implements Closeable {

  private static final int BUFFER_BYTES = 1 << 20;
  private static final int INDEX_BUFFER_BYTES = 1 << 12;

  private final LogLayout layout;
  private final RecordTable records;
  private final EventEncoder encoder;
  private final RecordStates states;
  private final FileChannel index;
  private final FileChannel log;
  private final Path logPath;

  private ByteBuffer buffer;
  private int used;
  private long flushedBytes;
  private ByteBuffer indexBuffer;
  private int indexUsed;

  private LogWriter(
      LogLayout layout,
      ByteOrder order,
      RecordTable records,
      FileChannel index,
      FileChannel log,
      Path logPath) {
    this.layout = layout;
    this.records = records;
    this.encoder = new EventEncoder(layout, order, records);
    this.states = new RecordStates(layout, order, records);
    this.index = index;
    this.log = log;
    this.logPath = logPath;
    buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).order(order);
    indexBuffer = ByteBuffer.allocateDirect(INDEX_BUFFER_BYTES).order(order);
  }

  /**
   * Creates files as {@link #create(Path, Group, String, LogLayout, ByteOrder, RecordTable)} does,
   * in the reference layout.
   */
  public static LogWriter create(
      Path root, Group group, String stamp, ByteOrder order, RecordTable records)
      throws IOException {
    return create(root, group, stamp, ReferenceLayout.INSTANCE, order, records);
  }

  /**
   * Creates both files of a pair, with the whole record table in the index, and the directories
   * that they need.
   *
   * @param root the archive's root
   * @param stamp 14 digits: see {@link PairName}
   * @throws java.nio.file.FileAlreadyExistsException if one of the files exists
   */
  public static LogWriter create(
      Path root, Group group, String stamp, LogLayout layout, ByteOrder order, RecordTable records)
      throws IOException {
    PairName name = new PairName(group.name(), stamp);
    Path directory = Files.createDirectories(root.resolve(group.system()));
    FileChannel index = createFile(directory.resolve(name.indexFile()));
    try {
      Path logPath = directory.resolve(name.logFile());
      FileChannel log = createFile(logPath);
      try {
        writeFully(index, ByteBuffer.wrap(layout.encodeIndex(records, order)));
        return new LogWriter(layout, order, records, index, log, logPath);
      } catch (Throwable e) {
        FirstFailure.close(e, log);
        throw e;
      }
    } catch (Throwable e) {
      FirstFailure.close(e, index);
      throw e;
    }
  }

  private static FileChannel createFile(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /**
   * Takes the states of the records from the writer of another pair, as kblog does if it begins a
   * pair while it runs. The other one may be closed.
   *
   * @throws IllegalArgumentException if it has another record table or byte order
   */
  public void continueFrom(LogWriter before) {
    states.copy(before.states);
  }

  /** Forgets the states of the records: milestones have no values until others are written. */
  public void clearStates() {
    states.clear();
  }

  /** Returns the bytes that a milestone would take now. */
  public long milestoneBytes() {
    return states.milestoneBytes();
  }

  /** Returns the bytes of the log so far. This is the offset of the next event. */
  public long logBytes() {
    return flushedBytes + used;
  }

  /** Returns the bytes that the log may still grow by. Then a new pair must be begun. */
  public long freeBytes() {
    return layout.maxLogBytes() - logBytes();
  }

  /**
   * Writes a connection event.
   *
   * @param ordinal the record
   * @param nanos the event's time, nanoseconds since 1970 UTC
   */
  public void connection(int ordinal, long nanos, boolean connected, int severity, int status)
      throws IOException {
    int at = room(encoder.eventBytes(ordinal, 0));
    int state = connected ? EventState.CONNECTED.code() : EventState.DISCONNECTED.code();
    wrote(ordinal, at, encoder.connection(buffer, at, ordinal, nanos, state, severity, status));
  }

  /**
   * Writes a value of one number, given as bits ({@code Double.doubleToRawLongBits} or the int).
   */
  public void number(int ordinal, long nanos, int severity, int status, long bits)
      throws IOException {
    int at = room(encoder.eventBytes(ordinal, 1));
    wrote(ordinal, at, encoder.number(buffer, at, ordinal, nanos, severity, status, bits));
  }

  /** Writes a value of several numbers, given as bits. */
  public void numbers(
      int ordinal, long nanos, int severity, int status, long[] bits, int from, int elements)
      throws IOException {
    int at = room(encoder.eventBytes(ordinal, elements));
    wrote(
        ordinal,
        at,
        encoder.numbers(buffer, at, ordinal, nanos, severity, status, bits, from, elements));
  }

  /** Writes a value of one or more texts: see {@link EventEncoder#texts}. */
  public void texts(
      int ordinal,
      long nanos,
      int severity,
      int status,
      byte[] text,
      int[] starts,
      int from,
      int elements)
      throws IOException {
    int at = room(encoder.eventBytes(ordinal, elements));
    wrote(
        ordinal,
        at,
        encoder.texts(buffer, at, ordinal, nanos, severity, status, text, starts, from, elements));
  }

  /** Writes a value of one text of at most 40 bytes. */
  public void text(int ordinal, long nanos, int severity, int status, byte[] utf8)
      throws IOException {
    texts(ordinal, nanos, severity, status, utf8, new int[] {0, utf8.length}, 0, 1);
  }

  /** Writes an event whose value is given as its bytes in the log. */
  public void raw(int ordinal, long nanos, int state, int severity, int status, byte[] value)
      throws IOException {
    int at = room(layout.recordHeaderBytes() + value.length);
    wrote(ordinal, at, encoder.raw(buffer, at, ordinal, nanos, state, severity, status, value));
  }

  /** Writes a milestone and its entry in the index. */
  public void milestone(long nanos) throws IOException {
    long offset = logBytes();
    milestoneOutsideIndex(nanos);
    milestoneEntry(nanos, offset);
  }

  /** Writes a milestone without an index entry. */
  public void milestoneOutsideIndex(long nanos) throws IOException {
    long bytes = states.milestoneBytes();
    requireLog(bytes);
    int at = room(layout.eventHeaderBytes());
    used += encoder.milestoneHeader(buffer, at, nanos, states);
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      int entryAt = room(states.entryBytes(ordinal));
      used += states.putEntry(ordinal, buffer, entryAt);
    }
  }

  /** Writes a milestone's entry to the index only. */
  public void milestoneEntry(long nanos, long offset) throws IOException {
    int bytes = layout.milestoneEntryBytes();
    if (indexUsed + bytes > indexBuffer.capacity()) {
      flush();
    }
    layout.putMilestoneEntry(indexBuffer, indexUsed, nanos, offset);
    indexUsed += bytes;
  }

  /** Appends bytes to the log without encoding: damage, zeros, an incomplete event. */
  public void rawBytes(byte[] bytes) throws IOException {
    buffer.put(room(bytes.length), bytes);
    used += bytes.length;
  }

  /** Passes all bytes written to the file system, first to the log, then to the index. */
  public void flush() throws IOException {
    flushLog();
    writeFully(index, indexBuffer.limit(indexUsed).position(0));
    indexBuffer.clear();
    indexUsed = 0;
  }

  @Override
  public void close() throws IOException {
    try (log;
        index) {
      flush();
    }
  }

  private void flushLog() throws IOException {
    writeFully(log, buffer.limit(used).position(0));
    buffer.clear();
    flushedBytes += used;
    used = 0;
  }

  /** Returns the buffer position for the next bytes, after making room for them. */
  private int room(int bytes) throws IOException {
    requireLog(bytes);
    if (bytes > buffer.capacity() - used) {
      flushLog();
      if (bytes > buffer.capacity()) {
        buffer = ByteBuffer.allocateDirect(bytes).order(encoder.order());
      }
    }
    return used;
  }

  private void requireLog(long bytes) {
    if (logBytes() + bytes > layout.maxLogBytes()) {
      throw new IllegalStateException(
          "log is full, begin a new pair: file="
              + logPath
              + ", bytes="
              + logBytes()
              + ", most="
              + layout.maxLogBytes());
    }
  }

  /**
   * Updates the states from the bytes just written, so that they have the times that a reader
   * decodes.
   */
  private void wrote(int ordinal, int at, int bytes) {
    used += bytes;
    int fixed = layout.recordHeaderBytes();
    states.apply(
        ordinal,
        layout.nanos(buffer, at),
        layout.state(buffer, at),
        layout.severity(buffer, at),
        layout.status(buffer, at),
        buffer,
        at + fixed,
        bytes - fixed);
  }

  private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
