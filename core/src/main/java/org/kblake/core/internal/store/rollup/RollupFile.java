package org.kblake.core.internal.store.rollup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.core.internal.store.rollup.RollupDirectoryLayout.Locator;
import org.kblake.core.model.ValueType;

/**
 * The rollup file of a block, open. A lookup reads some entries of the directory. The footer is not
 * read. Not thread safe.
 */
public final class RollupFile implements Closeable {

  private static final int TAIL_BYTES = 8;
  private static final int SEARCH_ENTRIES = 64;

  /** A larger directory is never read at once. */
  private static final int MAX_LOADED_BYTES = 16 << 20;

  private final FileByteSource source;
  private final Locator locator;

  /** All entries and all names, after {@link #loadDirectory}. */
  private @Nullable ByteBuffer loadedEntries;

  private byte @Nullable [] loadedNames;

  private RollupFile(FileByteSource source, Locator locator) {
    this.source = source;
    this.locator = locator;
  }

  /**
   * @param block the block's directory
   * @param stamp the checksum of the block's head
   * @throws IOException if the file is missing, of another block or version, or damaged; then the
   *     events take its place
   */
  public static RollupFile open(Path block, int stamp) throws IOException {
    FileByteSource source = new FileByteSource(block.resolve(Rollups.FILE_NAME));
    try {
      return new RollupFile(source, locator(source, stamp));
    } catch (Throwable e) {
      FirstFailure.close(e, source);
      throw e;
    }
  }

  private static Locator locator(FileByteSource source, int stamp) throws IOException {
    long size = source.size();
    if (size < TAIL_BYTES + RollupDirectoryLayout.LOCATOR_BYTES) {
      throw corrupt(source, 0, size + " bytes", "a rollup file");
    }
    ByteBuffer tail = read(source, size - TAIL_BYTES, TAIL_BYTES);
    long end =
        size - TAIL_BYTES - Integer.toUnsignedLong(tail.order(ByteOrder.LITTLE_ENDIAN).getInt());
    long at = end - RollupDirectoryLayout.LOCATOR_BYTES;
    if (at < 0) {
      throw corrupt(source, size - TAIL_BYTES, "a footer larger than the file", "a footer");
    }
    ByteBuffer found = read(source, at, RollupDirectoryLayout.LOCATOR_BYTES);
    if (!RollupDirectoryLayout.sound(found, 0, found.limit())
        || found.getLong() != RollupDirectoryLayout.MAGIC) {
      throw corrupt(source, at, "other bytes", "the end of a directory of rollups");
    }
    int version = found.getInt();
    int foundStamp = found.getInt();
    if (version != Rollups.VERSION || foundStamp != stamp) {
      throw corrupt(
          source,
          at,
          "version " + version + ", stamp " + foundStamp,
          "version " + Rollups.VERSION + ", stamp " + stamp);
    }
    long offset = found.getLong();
    int entries = found.getInt();
    int pages = found.getInt();
    int nameBytes = found.getInt();
    int codec = found.getInt();
    if (offset < 0
        || entries < 0
        || pages < 0
        || nameBytes < 0
        || codec < 0
        || codec >= Codec.values().length) {
      throw corrupt(source, at, "a negative number", "a directory of rollups");
    }
    Locator locator = new Locator(stamp, offset, entries, pages, nameBytes, Codec.values()[codec]);
    if (locator.end() != at) {
      throw corrupt(source, at, "a directory up to " + locator.end(), Long.toString(at));
    }
    return locator;
  }

  /** Reads the directory at once, so that to look up many channels takes no more reads. */
  public void loadDirectory() throws IOException {
    long bytes = (long) locator.entries() * RollupDirectoryLayout.ENTRY_BYTES + locator.nameBytes();
    if (bytes <= MAX_LOADED_BYTES) {
      ByteBuffer entries = entries(0, locator.entries());
      loadedNames = read(source, locator.nameOffset(0), locator.nameBytes()).array();
      loadedEntries = entries;
    }
  }

  /** Returns the rollups of a channel, the finest first. The list is empty if it has none. */
  public List<RollupTable> find(String channel) throws IOException {
    byte[] name = RollupDirectoryLayout.bytes(channel);
    long hash = RollupDirectoryLayout.hash(name);
    List<RollupTable> found = new ArrayList<>();
    int from = firstOf(hash);
    boolean beyond = false;
    while (from < locator.entries() && !beyond) {
      int entries = Math.min(SEARCH_ENTRIES, locator.entries() - from);
      ByteBuffer buffer = entries(from, entries);
      for (int i = 0; i < entries; i++) {
        int at = i * RollupDirectoryLayout.ENTRY_BYTES;
        if (buffer.getLong(at) == hash && Arrays.equals(name(buffer, at), name)) {
          found.add(table(channel, buffer, at));
        }
      }
      beyond = buffer.getLong((entries - 1) * RollupDirectoryLayout.ENTRY_BYTES) > hash;
      from += entries;
    }
    found.sort((a, b) -> Long.compare(a.widthNanos(), b.widthNanos()));
    return found;
  }

  /** Returns every rollup, in the order of the directory. */
  public List<RollupTable> all() throws IOException {
    List<RollupTable> all = new ArrayList<>();
    for (int from = 0; from < locator.entries(); from += SEARCH_ENTRIES) {
      int entries = Math.min(SEARCH_ENTRIES, locator.entries() - from);
      ByteBuffer buffer = entries(from, entries);
      for (int i = 0; i < entries; i++) {
        int at = i * RollupDirectoryLayout.ENTRY_BYTES;
        String channel = new String(name(buffer, at), StandardCharsets.UTF_8);
        all.add(table(channel, buffer, at));
      }
    }
    return all;
  }

  /** Returns an entry at or before the first one of a hash, by less than a search reads. */
  private int firstOf(long hash) throws IOException {
    int low = 0;
    int high = locator.entries();
    while (high - low > SEARCH_ENTRIES) {
      int middle = (low + high) >>> 1;
      if (entries(middle, 1).getLong(0) < hash) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private ByteBuffer entries(int from, int count) throws IOException {
    int bytes = RollupDirectoryLayout.ENTRY_BYTES;
    ByteBuffer loaded = loadedEntries;
    return loaded == null
        ? sound(locator.entryOffset(from), count, bytes)
        : loaded.slice(from * bytes, count * bytes);
  }

  /** Reads entries that have checksums. */
  private ByteBuffer sound(long offset, int count, int bytes) throws IOException {
    ByteBuffer buffer = read(source, offset, count * bytes);
    for (int i = 0; i < count; i++) {
      if (!RollupDirectoryLayout.sound(buffer, i * bytes, (i + 1) * bytes)) {
        throw corrupt(source, offset + (long) i * bytes, "another checksum", "that of the entry");
      }
    }
    return buffer;
  }

  private byte[] name(ByteBuffer entry, int at) throws IOException {
    int offset = entry.getInt(at + 8);
    int length = entry.getInt(at + 12);
    if (offset < 0 || length < 0 || (long) offset + length > locator.nameBytes()) {
      throw corrupt(source, locator.nameOffset(0), "name at " + offset, "a name inside the file");
    }
    byte[] name = new byte[length];
    byte[] loaded = loadedNames;
    if (loaded == null) {
      source.read(locator.nameOffset(offset), ByteBuffer.wrap(name));
    } else {
      System.arraycopy(loaded, offset, name, 0, length);
    }
    if (RollupDirectoryLayout.hash(name) != entry.getLong(at)) {
      throw corrupt(source, locator.nameOffset(offset), "another name", "that of the entry");
    }
    return name;
  }

  private RollupTable table(String channel, ByteBuffer entry, int at) throws IOException {
    int seconds = entry.getInt(at + 16);
    int rows = entry.getInt(at + 20);
    long events = entry.getLong(at + 24);
    int firstPage = entry.getInt(at + 32);
    int pages = entry.getInt(at + 36);
    int type = entry.getInt(at + 40);
    if (type < 0 || type >= ValueType.count()) {
      throw corrupt(source, locator.offset(), "type " + type, "a value type");
    }
    if (firstPage < 0
        || pages < 1
        || (long) firstPage + pages > locator.pages()
        || rows < pages
        || rows > (long) pages * Rollups.PAGE_ROWS) {
      throw corrupt(source, locator.offset(), rows + " rows in " + pages + " pages", "the pages");
    }
    return new RollupTable(
        this, channel, ValueType.of(type), Rollups.nanos(seconds), rows, events, firstPage, pages);
  }

  /** Reads the entries of pages. */
  ByteBuffer pages(int first, int count) throws IOException {
    return sound(locator.pageOffset(first), count, RollupDirectoryLayout.PAGE_BYTES);
  }

  FileByteSource source() {
    return source;
  }

  /** Returns the position at which pages end. */
  long endOfPages() {
    return locator.offset();
  }

  Codec codec() {
    return locator.codec();
  }

  private static ByteBuffer read(FileByteSource source, long offset, int length)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    source.read(offset, bytes);
    return bytes.flip();
  }

  static CorruptBlockException corrupt(
      FileByteSource source, long offset, String found, String expected) {
    return new CorruptBlockException(source.file(), offset, found, expected);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
