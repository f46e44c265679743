package org.kblake.core.internal.store.rollup;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.store.rollup.RollupDirectoryLayout.Locator;
import org.kblake.core.model.ValueType;

/** Collects the directory of a rollup file while the file is written. */
final class RollupDirectoryWriter {

  private final List<Entry> entries = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final List<Page> pages = new ArrayList<>();
  private int pagesOfEntries;

  private record Entry(
      String channel,
      ValueType type,
      long hash,
      int seconds,
      int rows,
      long events,
      int firstPage,
      int pages) {}

  /**
   * A page of each column.
   *
   * @param offsets the position of each column's page in the file
   */
  record Page(int rows, long firstBin, long lastBin, long[] offsets, int[] bytes) {}

  /** Returns whether a channel has an entry. */
  boolean has(String channel) {
    return names.contains(channel);
  }

  /** Returns the bytes that rows take in the directory. */
  static long bytes(int pages) {
    return RollupDirectoryLayout.ENTRY_BYTES + (long) pages * RollupDirectoryLayout.PAGE_BYTES;
  }

  /** Adds rows of a channel. Their pages are added later, in the order of the entries. */
  void entry(
      String channel, ValueType type, long widthNanos, int rows, long events, int pageCount) {
    names.add(channel);
    entries.add(
        new Entry(
            channel,
            type,
            RollupDirectoryLayout.hash(RollupDirectoryLayout.bytes(channel)),
            Rollups.seconds(widthNanos),
            rows,
            events,
            pagesOfEntries,
            pageCount));
    pagesOfEntries += pageCount;
  }

  void page(Page page) {
    pages.add(page);
  }

  /**
   * Appends the directory.
   *
   * @param offset the position of the directory in the file
   */
  void put(int stamp, long offset, Codec codec, ByteOutput out) {
    List<Entry> sorted = new ArrayList<>(entries);
    sorted.sort(Comparator.comparingLong(Entry::hash).thenComparing(Entry::channel));
    Map<String, Integer> nameOffsets = new HashMap<>();
    ByteOutput nameBytes = new ByteOutput(1 << 10);
    for (Entry entry : sorted) {
      byte[] name = RollupDirectoryLayout.bytes(entry.channel);
      if (nameOffsets.putIfAbsent(entry.channel, nameBytes.size) == null) {
        nameBytes.write(name, 0, name.length);
      }
    }
    byte[] bytes = new byte[RollupDirectoryLayout.PAGE_BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (Entry entry : sorted) {
      buffer.clear();
      buffer.putLong(entry.hash).putInt(nameOffsets.getOrDefault(entry.channel, 0));
      buffer.putInt(RollupDirectoryLayout.bytes(entry.channel).length).putInt(entry.seconds);
      buffer.putInt(entry.rows).putLong(entry.events).putInt(entry.firstPage).putInt(entry.pages);
      buffer.putInt(entry.type.code());
      RollupDirectoryLayout.seal(buffer, 0);
      out.write(bytes, 0, buffer.position());
    }
    for (Page page : pages) {
      buffer.clear();
      buffer.putInt(page.rows).putLong(page.firstBin).putLong(page.lastBin);
      for (int i = 0; i < page.bytes.length; i++) {
        buffer.putLong(page.offsets[i]).putInt(page.bytes[i]);
      }
      RollupDirectoryLayout.seal(buffer, 0);
      out.write(bytes, 0, buffer.position());
    }
    out.write(nameBytes.bytes, 0, nameBytes.size);
    buffer.clear();
    new Locator(stamp, offset, sorted.size(), pages.size(), nameBytes.size, codec).put(buffer);
    out.write(bytes, 0, buffer.position());
  }
}
