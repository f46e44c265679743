package org.kblake.core.internal.store.chunk;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.cache.WeightedCache;
import org.kblake.core.internal.parquet.file.RowGroupLayout;

/**
 * Where the chunks of channels are, kept for the next question: blocks never change, and to look a
 * channel of a year up takes longer than to read an hour of it. Safe for many threads.
 */
public final class ChunkLookupCache {

  /** A page takes about 60 bytes; a lookup and a chunk are counted as {@link #LOOKUP_PAGES}. */
  private static final int MOST_PAGES = 100_000;

  private static final int LOOKUP_PAGES = 4;

  private final WeightedCache<Key, Entry> entries = new WeightedCache<>(MOST_PAGES);

  /** Not the block itself: one that is not in use any more may go. */
  private static final class Key {
    private final Path directory;
    private final int checksum;
    private final String channel;

    Key(BlockChunks block, String channel) {
      this.directory = block.directory();
      this.checksum = block.checksum();
      this.channel = channel;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && checksum == key.checksum
          && channel.equals(key.channel)
          && directory.equals(key.directory);
    }

    @Override
    public int hashCode() {
      return 31 * checksum + channel.hashCode();
    }
  }

  /** A channel's chunks, and where the pages are of those that were read. */
  private static final class Entry {
    private final List<Chunk> chunks;
    private final @Nullable RowGroupLayout[] layouts;
    private int pages;

    Entry(List<Chunk> chunks) {
      this.chunks = chunks;
      this.layouts = new RowGroupLayout[chunks.size()];
      this.pages = LOOKUP_PAGES * (1 + chunks.size());
    }

    /** One of the chunks by its number; -1 if it is none of them. */
    int indexOf(Chunk chunk) {
      for (int i = 0; i < chunks.size(); i++) {
        Chunk each = chunks.get(i);
        if (each.rowGroup() == chunk.rowGroup() && each.firstRow() == chunk.firstRow()) {
          return i;
        }
      }
      return -1;
    }
  }

  /** A channel's chunks in a block; null if they are not known. */
  @Nullable List<Chunk> chunks(BlockChunks block, String channel) {
    Entry entry = entries.get(new Key(block, channel));
    return entry == null ? null : entry.chunks;
  }

  /** Where a chunk's pages are; null if it is not known. */
  synchronized @Nullable RowGroupLayout pages(BlockChunks block, Chunk chunk) {
    Entry entry = entries.get(new Key(block, chunk.channel()));
    int index = entry == null ? -1 : entry.indexOf(chunk);
    return entry == null || index < 0 ? null : entry.layouts[index];
  }

  /**
   * Keeps what was found of a channel.
   *
   * @param chunks all of its chunks in the block; not changed any more
   */
  void keep(BlockChunks block, String channel, List<Chunk> chunks) {
    Entry entry = new Entry(chunks);
    entries.put(new Key(block, channel), entry, entry.pages);
  }

  /** Keeps where the pages of a chunk are, if its channel was looked up. */
  synchronized void keep(BlockChunks block, Chunk chunk, RowGroupLayout layout) {
    Key key = new Key(block, chunk.channel());
    Entry entry = entries.get(key);
    int index = entry == null ? -1 : entry.indexOf(chunk);
    if (entry != null && index >= 0 && entry.layouts[index] == null) {
      entry.layouts[index] = layout;
      entry.pages += layout.pages();
      entries.put(key, entry, entry.pages);
    }
  }
}
