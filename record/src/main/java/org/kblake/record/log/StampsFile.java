package org.kblake.record.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairName;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/**
 * The file beside a pair that says which event of each record is the last in the log, so that
 * another recorder can go on after it. It is written after the log, so it may lack events that the
 * log has, and never has more. For one thread.
 *
 * <pre>
 *   BLOCK 0: magic (4) | version (4) | records (4) | 0 (4) | bytes of the log (8)
 *            | time of this write (8) | check (4)
 *   RECORD:  offset in the log (8) | stamp (8) | received (8) | number (4) | hash (4)
 *            | connections (2) | kind (1) | exact (1) | check (4)
 * </pre>
 *
 * Blocks have 4,096 bytes, 102 records each in the order of the index. A record of zeros has had no
 * event.
 */
public final class StampsFile implements Closeable {

  private static final int BLOCK = 4096;
  private static final int RECORD = 40;
  private static final int PER_BLOCK = BLOCK / RECORD;
  private static final int MAGIC = 0x4B425354;
  private static final int VERSION = 1;
  private static final int HEADER = 36;
  private static final int CONNECTIONS = 32;
  private static final int KIND = 34;
  private static final int EXACT = 35;
  private static final int CHECK = 36;

  private final WrittenFile file;
  private final StampOrder[] orders;
  private final long[] offsets;
  private final BitSet changed = new BitSet();

  /** A block, as it is in the file. */
  private final ByteBuffer block = ByteBuffer.allocate(BLOCK);

  private StampsFile(WrittenFile file, StampOrder[] orders) {
    this.file = file;
    this.orders = orders;
    offsets = new long[orders.length];
    for (int record = 0; record < orders.length; record++) {
      offsets[record] = -1;
      changed.set(record, orders[record].hasEvent());
    }
  }

  /** Returns the file of a pair. No reader of logs takes it for one. */
  public static Path path(Path directory, PairName pair) {
    return directory.resolve("." + pair.group() + "_" + pair.stamp() + ".stamps");
  }

  /** Returns the pair of such a file, or null if it is none. */
  public static @Nullable PairName pair(String file) {
    return file.startsWith(".") && file.endsWith(".stamps")
        ? PairName.ofFile(file.substring(1, file.length() - ".stamps".length()) + ".log2")
        : null;
  }

  /**
   * Creates the file, without bytes.
   *
   * @param orders what earlier pairs have of each record
   */
  static StampsFile create(LogFiles files, Path path, List<StampOrder> orders) throws IOException {
    return new StampsFile(files.create(path), orders.toArray(StampOrder[]::new));
  }

  /** Returns what the pair and those before it have of a record. */
  StampOrder order(int record) {
    return orders[record];
  }

  /**
   * Counts an event of the log.
   *
   * @param offset its first byte in the log
   */
  void take(int record, long offset, ChannelEvent event) {
    orders[record].take(event);
    offsets[record] = offset;
    changed.set(record);
  }

  /**
   * Writes the blocks with changed records. If this fails, it may be repeated.
   *
   * @param logBytes the bytes of the log that the file system has, all counted events included
   * @param nanos the present time, nanoseconds since 1970 UTC
   */
  void write(long logBytes, long nanos) throws IOException {
    for (int record = changed.nextSetBit(0); record >= 0; record = changed.nextSetBit(record)) {
      int first = record / PER_BLOCK * PER_BLOCK;
      int end = Math.min(first + PER_BLOCK, orders.length);
      block.clear();
      for (int each = first; each < end; each++) {
        put((each - first) * RECORD, each);
      }
      file.write(block.limit((end - first) * RECORD), BLOCK + (long) first / PER_BLOCK * BLOCK);
      record = end;
    }
    block.clear();
    block.putInt(0, MAGIC).putInt(4, VERSION).putInt(8, orders.length).putInt(12, 0);
    block.putLong(16, logBytes).putLong(24, nanos).putInt(32, check(block, 0, 32));
    file.write(block.limit(HEADER), 0);
    changed.clear();
  }

  private void put(int at, int record) {
    StampOrder order = orders[record];
    if (!order.hasEvent()) {
      for (int i = 0; i < RECORD; i += Integer.BYTES) {
        block.putInt(at + i, 0);
      }
      return;
    }
    block.putLong(at, offsets[record]).putLong(at + 8, order.stamp());
    block.putLong(at + 16, order.receivedNanos()).putInt(at + 24, order.number());
    block.putInt(at + 28, order.hash());
    block.putShort(at + CONNECTIONS, (short) Math.min(Short.MAX_VALUE, order.connections()));
    block.put(at + KIND, (byte) (1 + order.kind().ordinal()));
    block.put(at + EXACT, (byte) (order.isExact() ? 1 : 0));
    block.putInt(at + CHECK, check(block, at, CHECK));
  }

  private static int check(ByteBuffer bytes, int from, int length) {
    int sum = MAGIC;
    for (int at = from; at < from + length; at += Integer.BYTES) {
      sum = 31 * sum + bytes.getInt(at);
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /**
   * What a file says.
   *
   * @param logBytes the bytes of the log, so many at least, of which it knows the events
   * @param nanos when it was written, nanoseconds since 1970 UTC
   * @param records each record, null where it is damaged
   */
  public record Content(long logBytes, long nanos, List<@Nullable Written> records) {}

  /**
   * The last event of a record.
   *
   * @param offset its first byte in the log; -1 if it is in an earlier pair, or there is none
   * @param order the order of the values up to it
   */
  public record Written(long offset, StampOrder order) {}

  /**
   * Reads a file.
   *
   * @return null if it was not written whole, or is none
   */
  public static @Nullable Content read(Path path) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
    if (bytes.limit() < HEADER
        || bytes.getInt(0) != MAGIC
        || bytes.getInt(4) != VERSION
        || bytes.getInt(32) != check(bytes, 0, 32)) {
      return null;
    }
    List<@Nullable Written> records = new ArrayList<>();
    for (int record = 0; record < bytes.getInt(8); record++) {
      int at = BLOCK + record / PER_BLOCK * BLOCK + record % PER_BLOCK * RECORD;
      if (at + RECORD > bytes.limit() || isZero(bytes, at)) {
        records.add(new Written(-1, new StampOrder()));
      } else if (bytes.getInt(at + CHECK) != check(bytes, at, CHECK)) {
        records.add(null);
      } else {
        records.add(new Written(bytes.getLong(at), order(bytes, at)));
      }
    }
    return new Content(bytes.getLong(16), bytes.getLong(24), records);
  }

  /** Returns when a file was last written, nanoseconds since 1970 UTC; 0 if it has no such time. */
  public static long writtenNanos(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      ByteBuffer bytes = ByteBuffer.wrap(in.readNBytes(HEADER));
      return bytes.limit() < HEADER ? 0 : bytes.getLong(24);
    }
  }

  private static boolean isZero(ByteBuffer bytes, int at) {
    for (int i = 0; i < RECORD; i += Integer.BYTES) {
      if (bytes.getInt(at + i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static StampOrder order(ByteBuffer bytes, int at) {
    EventKind kind = EventKind.values()[bytes.get(at + KIND) - 1];
    boolean isExact = bytes.get(at + EXACT) != 0;
    return new StampOrder(
            kind, bytes.getLong(at + 8), bytes.getInt(at + 24), isExact, bytes.getInt(at + 28))
        .with(bytes.getShort(at + CONNECTIONS), bytes.getLong(at + 16));
  }
}
