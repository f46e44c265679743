package org.kblake.core.internal.store.rollup;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.kblake.core.columns.Codec;

/**
 * The directory of a rollup file, big-endian. It lies between the row groups and the footer, where
 * Parquet has page indexes. Other readers of Parquet ignore it. Each entry ends with a CRC-32C of
 * its other bytes.
 *
 * <pre>
 *   ENTRY    name hash u64 | name offset u32 | name bytes u32 | width in seconds u32 | rows u32
 *            | rows of the channel in the block u64 | first page u32 | pages u32
 *            | type u32 | crc                                                          * entries
 *   PAGE     rows u32 | first bin i64 | last bin i64 | (offset u64 | bytes u32) * columns | crc
 *                                                                                          * pages
 *   NAMES    UTF-8, no terminators; a name must have the hash of its entries
 *   LOCATOR  magic u64 | version u32 | stamp u32 | offset of the directory u64 | entries u32
 *            | pages u32 | name bytes u32 | codec of numbers u32 | crc
 * </pre>
 *
 * The locator ends where the footer begins. Entries are sorted by name hash, as signed numbers. The
 * stamp is the checksum of the head of the block's sections: a file of another block has another
 * one. Types are those of the directory of chunks. Columns are those of {@link RollupColumn}.
 */
final class RollupDirectoryLayout {

  static final long MAGIC = 0x4B424C414B45524FL; // "KBLAKERO"
  static final int CRC_BYTES = 4;
  static final int ENTRY_BYTES = 8 + 4 * 4 + 8 + 3 * 4 + CRC_BYTES;
  static final int PAGE_BYTES = 4 + 2 * 8 + RollupColumn.columns() * 12 + CRC_BYTES;
  static final int LOCATOR_BYTES = 8 + 2 * 4 + 8 + 4 * 4 + CRC_BYTES;

  /**
   * The end of the directory.
   *
   * @param stamp the checksum of the block's head
   * @param offset the position of the first entry in the file
   * @param codec the codec of the columns of numbers; the others are not compressed
   */
  record Locator(int stamp, long offset, int entries, int pages, int nameBytes, Codec codec) {

    long entryOffset(int index) {
      return offset + (long) index * ENTRY_BYTES;
    }

    long pageOffset(int index) {
      return entryOffset(entries) + (long) index * PAGE_BYTES;
    }

    long nameOffset(int at) {
      return pageOffset(pages) + at;
    }

    /** Returns the position of the locator itself. */
    long end() {
      return nameOffset(nameBytes);
    }

    void put(ByteBuffer into) {
      int from = into.position();
      into.putLong(MAGIC).putInt(Rollups.VERSION).putInt(stamp).putLong(offset);
      into.putInt(entries).putInt(pages).putInt(nameBytes).putInt(codec.ordinal());
      seal(into, from);
    }
  }

  private RollupDirectoryLayout() {}

  /** Returns the hash of a name, as in the block's directory of chunks. */
  static long hash(byte[] name) {
    long hash = 0xCBF29CE484222325L;
    for (byte b : name) {
      hash = (hash ^ (b & 0xFF)) * 0x100000001B3L;
    }
    hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
    return hash ^ (hash >>> 32);
  }

  static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /** Appends the checksum of the entry that begins at a position of the buffer. */
  static void seal(ByteBuffer buffer, int from) {
    buffer.putInt(crc(buffer, from, buffer.position()));
  }

  /** Returns whether the entry in the buffer's bytes [from, to) ends with its checksum. */
  static boolean sound(ByteBuffer buffer, int from, int to) {
    return buffer.getInt(to - CRC_BYTES) == crc(buffer, from, to - CRC_BYTES);
  }

  private static int crc(ByteBuffer buffer, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().position(from).limit(to));
    return (int) crc.getValue();
  }
}
