package org.kblake.core.internal.store.chunk;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.kblake.core.columns.EventColumn;

/**
 * The bytes of a chunk directory, {@code chunks.kb}, big-endian. Every entry ends with a CRC-32C of
 * its other bytes, so that a lookup can check the few entries that it reads.
 *
 * <pre>
 *   HEADER     magic u64 | files u32 | chunks u32 | row groups u32 | pages u32 | name bytes u32 | crc
 *   FILE       type u8 | waveform u8 | 0 u16 | file bytes u64 | crc                      * files
 *   CHUNK      name hash u64 | name offset u32 | name bytes u32 | row group u32
 *              | first row u32 | rows u32 | first page u32 | pages u32
 *              | first nanos i64 | last nanos i64 | first value nanos i64 | crc          * chunks
 *   ROW GROUP  file u32 | first page entry u32 | pages u32
 *              | (encoding u8 | codec u8 | constant? u8 | 0 u8
 *                 | constant i64 | offset u64 | dictionary bytes u32) * columns | crc    * row groups
 *   PAGE       first row u32 | first nanos i64 | last nanos i64
 *              | start u32 * columns | crc                                               * pages
 *   NAMES      UTF-8, no terminators; a name must have the hash of its chunks' entries
 * </pre>
 *
 * Chunks are sorted by name hash, then by row group. A page's rows and column starts are counted as
 * in {@link org.kblake.core.internal.parquet.file.RowGroupLayout}. A row group of n pages has n + 1
 * entries. The last entry contains the end of the last page.
 */
public final class ChunkDirectoryLayout {

  public static final String FILE_NAME = "chunks.kb";
  static final long MAGIC = 0x4B424C414B454344L; // "KBLAKECD"

  static final int HEADER_BYTES = 8 + 5 * 4 + 4;
  static final int FILE_BYTES = 4 + 8 + 4;
  static final int CHUNK_BYTES = 8 + 7 * 4 + 3 * 8 + 4;
  static final int COLUMN_BYTES = 4 + 8 + 8 + 4;
  static final int ROW_GROUP_BYTES = 3 * 4 + EventColumn.count() * COLUMN_BYTES + 4;
  static final int PAGE_BYTES = 4 + 8 + 8 + EventColumn.count() * 4 + 4;

  /** The number of entries of each kind, and the offsets that follow from them. */
  record Counts(int files, int chunks, int rowGroups, int pages, int nameBytes) {

    long fileOffset(int index) {
      return HEADER_BYTES + (long) index * FILE_BYTES;
    }

    long chunkOffset(int index) {
      return fileOffset(files) + (long) index * CHUNK_BYTES;
    }

    long rowGroupOffset(int index) {
      return chunkOffset(chunks) + (long) index * ROW_GROUP_BYTES;
    }

    long pageOffset(int index) {
      return rowGroupOffset(rowGroups) + (long) index * PAGE_BYTES;
    }

    long nameOffset(int offset) {
      return pageOffset(pages) + offset;
    }

    long fileBytes() {
      return nameOffset(nameBytes);
    }
  }

  private ChunkDirectoryLayout() {}

  /**
   * Returns the 64-bit FNV-1a hash of a name in UTF-8, mixed so that its high bits are evenly
   * distributed.
   */
  static long hash(String name) {
    return hash(name.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the hash of a name in UTF-8. */
  static long hash(byte[] name) {
    long hash = 0xCBF29CE484222325L;
    for (byte b : name) {
      hash = (hash ^ (b & 0xFF)) * 0x100000001B3L;
    }
    hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
    return hash ^ (hash >>> 32);
  }

  /** Appends the checksum of the entry that begins at a position of the buffer. */
  static void seal(ByteBuffer buffer, int from) {
    buffer.putInt(crc(buffer, from, buffer.position()));
  }

  /** Returns whether the entry in the buffer's bytes [from, to) ends with its checksum. */
  static boolean sound(ByteBuffer buffer, int from, int to) {
    return buffer.getInt(to - 4) == crc(buffer, from, to - 4);
  }

  private static int crc(ByteBuffer buffer, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().position(from).limit(to));
    return (int) crc.getValue();
  }
}
