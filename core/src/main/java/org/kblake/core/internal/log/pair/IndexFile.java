package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.IndexHeader;
import org.kblake.core.layout.IndexInput;
import org.kblake.core.layout.IndexInput.CutException;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.TooNewException;

/**
 * An index as decoded from its bytes: layout, byte order, records, and the position of the
 * milestone entries.
 *
 * @param layout the layout that recognised the file
 * @param order the byte order of the pair
 * @param records the record table
 * @param bytes the whole file
 * @param milestoneTableOffset the offset of the milestone entries in the file
 */
public record IndexFile(
    LogLayout layout,
    ByteOrder order,
    RecordTable records,
    ByteBuffer bytes,
    long milestoneTableOffset) {

  /**
   * The limit for an index. Real ones are far smaller. A larger file is not an index, and is not
   * read into memory.
   */
  private static final long MAX_BYTES = 256L << 20;

  private static final int FIRST_READ_BYTES = 1 << 16;

  /**
   * Reads a whole index into memory.
   *
   * @param access limits the rate
   * @throws CorruptLogException if the file is too large for an index
   */
  public static ByteBuffer read(Path file, FileAccess access) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(FIRST_READ_BYTES);
      while (readSome(channel, bytes, access) >= 0) {
        if (bytes.hasRemaining()) {
          continue;
        }
        if (bytes.capacity() >= MAX_BYTES) {
          throw new CorruptLogException(
              "not an index of KEKBLog",
              file,
              0,
              channel.size() + " bytes",
              "at most " + MAX_BYTES);
        }
        bytes = ByteBuffer.allocate(2 * bytes.capacity()).put(bytes.flip());
      }
      // Many indexes stay in memory, and most are far smaller than the first read.
      bytes.flip();
      return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }
  }

  private static int readSome(FileChannel channel, ByteBuffer into, FileAccess access)
      throws IOException {
    if (access.isThrottled()) {
      long left = channel.size() - into.position();
      int wanted = (int) Math.max(1, Math.min(left, into.remaining()));
      into.limit(into.position() + access.acquire(wanted));
    }
    int count = channel.read(into);
    into.limit(into.capacity());
    return count;
  }

  /**
   * Decodes an index.
   *
   * @param bytes the whole file
   * @param growing whether zeros at the end may be bytes that are not written yet
   * @param listener receives header fields and record entries; null for none
   * @throws CutException if the file, or its written part, ends inside header or record table
   * @throws CorruptLogException if header or record table are invalid
   * @throws TooNewException if the index has a later version
   */
  public static IndexFile decode(
      Path file,
      ByteBuffer bytes,
      List<LogLayout> layouts,
      boolean growing,
      IndexInput.@Nullable Listener listener)
      throws IOException {
    boolean tooShort = false;
    for (LogLayout layout : layouts) {
      if (bytes.limit() < layout.magicBytes()) {
        tooShort = true;
        continue;
      }
      ByteOrder order = layout.recognise(bytes);
      if (order != null) {
        ByteBuffer index = bytes.duplicate().order(order).position(0);
        try {
          return decode(file, index, layout, listener);
        } catch (CorruptLogException | TooNewException e) {
          if (growing && isZero(index, index.position(), index.limit())) {
            throw new CutException("record table", index.position());
          }
          throw e;
        }
      }
      tooShort |= growing && isZero(bytes, layout.magicBytes(), bytes.limit());
    }
    if (tooShort) {
      throw new CutException("magic", bytes.limit());
    }
    throw new CorruptLogException(
        "not an index of KEKBLog", file, 0, "bytes " + firstBytes(bytes), magics(layouts));
  }

  private static IndexFile decode(
      Path file, ByteBuffer bytes, LogLayout layout, IndexInput.@Nullable Listener listener)
      throws IOException {
    IndexInput in = new IndexInput(file, bytes, listener);
    IndexHeader header = layout.readHeader(in);
    // The list grows with the entries read. The count in the header may be wrong.
    List<RecordEntry> entries = new ArrayList<>();
    Set<Integer> ids = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < header.recordCount(); i++) {
      int offset = in.position();
      in.beginRecord(i);
      RecordEntry entry = layout.readRecord(in);
      if (entry.id() < 0) {
        throw in.corrupt(offset, "id=" + entry.id(), "0 or more");
      }
      if (entry.elementCount() < 1) {
        throw in.corrupt(offset, "elements=" + entry.elementCount(), "1 or more");
      }
      if (!ids.add(entry.id())) {
        throw in.corrupt(offset, "id=" + entry.id() + " a second time", "an id of its own");
      }
      if (!names.add(entry.name())) {
        throw in.corrupt(offset, "name=" + entry.name() + " a second time", "a name of its own");
      }
      entries.add(entry);
    }
    if (header.milestoneTableOffset() < in.position()) {
      throw in.corrupt(
          0,
          "milestone table offset=" + header.milestoneTableOffset(),
          "behind the record table, at least " + in.position());
    }
    return new IndexFile(
        layout,
        bytes.order(),
        new RecordTable(entries),
        bytes.position(0),
        header.milestoneTableOffset());
  }

  /** Returns the damage of a closed index as a whole, or null. */
  public @Nullable Damage tableDamage(Path file) {
    if (milestoneTableOffset <= bytes.limit()) {
      return null;
    }
    return new Damage(
        file,
        0,
        0,
        "milestone table offset="
            + milestoneTableOffset
            + ", expected at most the file's "
            + bytes.limit()
            + " bytes",
        Damage.Kind.INDEX);
  }

  /**
   * Returns the number of written milestone entries. A last entry that is incomplete or all zero
   * does not count.
   */
  public int milestoneEntries() {
    int size = layout.milestoneEntryBytes();
    long count = Math.max(0, bytes.limit() - milestoneTableOffset) / size;
    while (count > 0 && isZero(bytes, entryAt((int) count - 1), entryAt((int) count))) {
      count--;
    }
    return (int) count;
  }

  /** Returns the position of a milestone's entry in the index. */
  public int entryAt(int i) {
    return (int) milestoneTableOffset + i * layout.milestoneEntryBytes();
  }

  /** Returns the log offset in a milestone's entry. */
  long logOffset(int i) {
    return layout.milestoneEntryOffset(bytes, entryAt(i));
  }

  /** Returns the time in a milestone's entry, or {@link LogLayout#IMPOSSIBLE_NANOS}. */
  long nanos(int i) {
    return layout.milestoneEntryNanos(bytes, entryAt(i));
  }

  /**
   * Returns the same index with new bytes. Returns null if layout, byte order or records have
   * changed.
   *
   * @param now the whole file, read again
   */
  @Nullable IndexFile again(ByteBuffer now) {
    int head = (int) Math.min(milestoneTableOffset, Integer.MAX_VALUE);
    boolean same =
        head <= bytes.limit()
            && head <= now.limit()
            && bytes.slice(0, head).mismatch(now.slice(0, head)) < 0;
    return same
        ? new IndexFile(
            layout, order, records, now.duplicate().order(order).position(0), milestoneTableOffset)
        : null;
  }

  private static boolean isZero(ByteBuffer bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes.get(at) != 0) {
        return false;
      }
    }
    return true;
  }

  private static String firstBytes(ByteBuffer bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(8, bytes.limit()); i++) {
      text.append(String.format(Locale.ROOT, "%02x", bytes.get(i)));
    }
    return text.toString();
  }

  public static String magics(List<LogLayout> layouts) {
    StringBuilder text = new StringBuilder();
    for (LogLayout layout : layouts) {
      text.append(text.isEmpty() ? "" : " or ").append(layout.magicText());
    }
    return text.toString();
  }
}
