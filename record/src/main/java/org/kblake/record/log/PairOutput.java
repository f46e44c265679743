package org.kblake.record.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.encode.PairEncoder;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.log.PairName;
import org.kblake.record.source.ChannelEvent;

/**
 * The two files of a pair that is recorded. Events and milestones are put into memory, and written
 * by {@link #write}: first the head of the index, then the log, then the entries of the milestones
 * that are in the log. A failed write may be repeated.
 */
final class PairOutput implements Closeable {

  static final LogLayout LAYOUT = ReferenceLayout.INSTANCE;

  private static final int INDEX_BYTES = 1 << 12;
  private static final int LOG_BYTES = 1 << 14;

  private final PairName name;
  private final Path logPath;
  private final AppendedFile index;
  private final AppendedFile log;
  private final PairEncoder encoder;
  private final EventBytes events;
  private final List<Entry> entries = new ArrayList<>();
  private boolean hasHead;
  private boolean hasFailedSync;

  /**
   * Whether a write failed: a file may lack earlier bytes then, as over NFS, until it is synced.
   */
  private boolean hasFailedWrite;

  /** For another recorder; null if there is none. */
  private @Nullable StampsFile stamps;

  /** Events since the last sync. */
  private long unsynced;

  /** The earliest time of these events. */
  private long unsyncedFromNanos = Long.MAX_VALUE;

  /** The earliest time of events since the last sync, or since the last write without syncs. */
  private long unwrittenFromNanos = Long.MAX_VALUE;

  /** A milestone that the index does not have yet. */
  private record Entry(long nanos, long offset) {}

  private PairOutput(
      PairName name, Path logPath, AppendedFile index, AppendedFile log, PairEncoder encoder) {
    this.name = name;
    this.logPath = logPath;
    this.index = index;
    this.log = log;
    this.encoder = encoder;
    events = new EventBytes(LAYOUT, encoder);
  }

  /**
   * Creates both files, without bytes.
   *
   * @throws java.nio.file.FileAlreadyExistsException if one of them exists
   */
  static PairOutput create(
      LogFiles files, Path directory, PairName name, ByteOrder order, RecordTable records)
      throws IOException {
    Path indexPath = directory.resolve(name.indexFile());
    Path logPath = directory.resolve(name.logFile());
    WrittenFile indexFile = files.create(indexPath);
    try {
      AppendedFile index = new AppendedFile(indexFile, order, INDEX_BYTES);
      byte[] head = LAYOUT.encodeIndex(records, order);
      int at = index.room(head.length);
      index.buffer().put(at, head);
      index.append(head.length);
      AppendedFile log = new AppendedFile(files.create(logPath), order, LOG_BYTES);
      return new PairOutput(name, logPath, index, log, new PairEncoder(LAYOUT, order, records));
    } catch (Throwable e) {
      try (indexFile) {
        files.discard(indexPath);
      }
      throw e;
    }
  }

  PairName name() {
    return name;
  }

  PairEncoder encoder() {
    return encoder;
  }

  /**
   * Begins a file of stamps beside the pair.
   *
   * @param orders what earlier pairs have of each record
   */
  void keepStamps(LogFiles files, Path path, List<StampOrder> orders) throws IOException {
    stamps = StampsFile.create(files, path, orders);
  }

  /** Returns where a record is, the events in memory included; null without stamps. */
  @Nullable StampOrder order(int record) {
    StampsFile kept = stamps;
    return kept == null ? null : kept.order(record);
  }

  /**
   * Writes the stamps, if the log has all their events.
   *
   * @param nanos the present time, nanoseconds since 1970 UTC
   */
  void writeStamps(long nanos) throws IOException {
    StampsFile kept = stamps;
    if (kept != null && log.writtenBytes() == log.bytes()) {
      kept.write(log.bytes(), nanos);
    }
  }

  /** Returns the bytes of the log, those in memory included. */
  long logBytes() {
    return log.bytes();
  }

  /** Returns the number of events that the files do not have whole, or may not have. */
  long missing() {
    return hasFailedSync ? unsynced : inMemory();
  }

  /** Returns the earliest time of these events, or a later one if there are none. */
  long missingFromNanos() {
    return hasFailedSync ? unsyncedFromNanos : unwrittenFromNanos;
  }

  /** Counts the events of which memory has the end. The buffer begins with an event. */
  private long inMemory() {
    long events = 0;
    ByteBuffer buffer = log.buffer();
    int at = 0;
    while (log.bufferOffset() + at < log.bytes()) {
      boolean isEvent = LAYOUT.id(buffer, at) != LogLayout.MILESTONE_ID;
      at += LAYOUT.length(buffer, at);
      events += isEvent && log.bufferOffset() + at > log.writtenBytes() ? 1 : 0;
    }
    return events;
  }

  /** Returns the number of bytes that are only in memory, those of entries to come included. */
  long bytesInMemory() {
    return log.bytes()
        - log.writtenBytes()
        + index.bytes()
        - index.writtenBytes()
        + (long) entries.size() * LAYOUT.milestoneEntryBytes();
  }

  /** Returns whether bytes are only in memory. */
  boolean isDirty() {
    return bytesInMemory() > 0;
  }

  /** Puts an event into memory. If memory is full and cannot be written, nothing has changed. */
  void event(int ordinal, long nanos, ChannelEvent event) throws IOException {
    int bytes = EventBytes.length(LAYOUT, event);
    int at = room(bytes);
    events.put(log.buffer(), at, ordinal, nanos, event);
    if (stamps != null) {
      stamps.take(ordinal, log.bytes(), event);
    }
    append(bytes, nanos);
  }

  private void append(int bytes, long nanos) {
    log.append(bytes);
    unsynced++;
    unsyncedFromNanos = Math.min(unsyncedFromNanos, nanos);
    unwrittenFromNanos = Math.min(unwrittenFromNanos, nanos);
  }

  /** Puts a milestone into memory, as {@link #event} does. */
  void milestone(long nanos) throws IOException {
    room(Math.toIntExact(encoder.milestoneBytes()));
    milestoneInMemory(nanos);
  }

  /** Puts a milestone into memory, whatever its size. */
  void milestoneInMemory(long nanos) {
    long offset = log.bytes();
    int at = log.roomInMemory(Math.toIntExact(encoder.milestoneBytes()));
    log.append(encoder.milestone(log.buffer(), at, nanos));
    entries.add(new Entry(nanos, offset));
  }

  /** Returns the events that the log does not have whole; null if it has all. */
  @Nullable KeptEvents kept() {
    ByteBuffer buffer = log.buffer();
    int end = Math.toIntExact(log.bytes() - log.bufferOffset());
    int at = 0;
    while (at < end && log.bufferOffset() + at + LAYOUT.length(buffer, at) <= log.writtenBytes()) {
      at += LAYOUT.length(buffer, at);
    }
    KeptEvents kept = new KeptEvents(encoder.records(), buffer, at, end);
    return kept.events() == 0 ? null : kept;
  }

  /** Puts an event of a lost pair into memory, which has its bytes at a position. */
  void kept(int ordinal, ByteBuffer from, int fromAt) {
    int bytes = LAYOUT.length(from, fromAt);
    int at = log.roomInMemory(bytes);
    int header = LAYOUT.recordHeaderBytes();
    long nanos = LAYOUT.nanos(from, fromAt);
    log.buffer().put(at + header, from, fromAt + header, bytes - header);
    encoder.event(
        log.buffer(),
        at,
        ordinal,
        nanos,
        LAYOUT.state(from, fromAt),
        LAYOUT.severity(from, fromAt),
        LAYOUT.status(from, fromAt),
        bytes - header);
    append(bytes, nanos);
  }

  /** Lets the buffer grow once, for bytes that follow. */
  void reserve(long bytes) {
    log.roomInMemory(Math.toIntExact(bytes));
  }

  private int room(int bytes) throws IOException {
    try {
      if (log.mustWrite(bytes)) {
        writeHead();
      }
      return log.room(bytes);
    } catch (IOException e) {
      hasFailedWrite = true;
      throw e;
    }
  }

  private void writeHead() throws IOException {
    if (!hasHead) {
      index.write();
      hasHead = true;
    }
  }

  /**
   * Writes what is in memory.
   *
   * @param sync whether to sync it, the log before entries of the index
   * @param withEntries whether to write entries of the index
   * @throws PairLostException if a sync failed: then nobody knows what is on the disk
   */
  void write(boolean sync, boolean withEntries) throws IOException {
    boolean forces = sync || hasFailedWrite;
    try {
      writeHead();
      log.write();
      if (forces) {
        force(log);
      }
      if (withEntries) {
        unwrittenFromNanos = Long.MAX_VALUE;
        writeEntries();
      }
    } catch (IOException e) {
      hasFailedWrite = true;
      throw e;
    }
    if (withEntries && forces) {
      force(index);
    }
    if (forces) {
      unsynced = 0;
      unsyncedFromNanos = Long.MAX_VALUE;
      hasFailedWrite = false;
    }
  }

  private void writeEntries() throws IOException {
    int bytes = LAYOUT.milestoneEntryBytes();
    index.write();
    for (Entry entry : entries) {
      int at = index.room(bytes);
      LAYOUT.putMilestoneEntry(index.buffer(), at, entry.nanos(), entry.offset());
      index.append(bytes);
    }
    entries.clear();
    index.write();
  }

  private void force(AppendedFile file) throws IOException {
    try {
      file.force();
    } catch (IOException e) {
      hasFailedSync = true;
      throw new PairLostException(
          "log could not be synced, a new pair is begun: file=" + logPath + ", " + e, e);
    }
  }

  /**
   * Checks that the log is still at its place.
   *
   * @throws PairLostException if it is not
   */
  void requireThere(LogFiles files) throws IOException {
    long bytes = files.bytes(logPath);
    if (bytes < log.writtenBytes()) {
      throw new PairLostException(
          "log is gone or shorter than written, a new pair is begun: file="
              + logPath
              + ", bytes="
              + bytes
              + ", written="
              + log.writtenBytes());
    }
  }

  /**
   * Closes the files after they were written.
   *
   * @throws PairLostException if this failed: then they may lack what was not synced
   */
  void end() throws IOException {
    try {
      close();
    } catch (IOException e) {
      hasFailedSync = true;
      throw new PairLostException("log could not be closed: file=" + logPath + ", " + e, e);
    }
  }

  /** Closes and removes both files, which nobody has seen with bytes. */
  void discard(LogFiles files) throws IOException {
    try {
      close();
    } finally {
      files.discard(logPath);
      files.discard(logPath.resolveSibling(name.indexFile()));
    }
  }

  /** Closes the files. What is in memory is lost. */
  @Override
  public void close() throws IOException {
    try (log;
        index) {
      StampsFile kept = stamps;
      if (kept != null) {
        kept.close();
      }
    }
  }
}
