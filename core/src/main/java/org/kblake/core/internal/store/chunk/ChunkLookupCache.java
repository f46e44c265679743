package org.kblake.core.internal.store.chunk;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.cache.WeightedCache;
import org.kblake.core.internal.parquet.file.RowGroupLayout;

/**
 * A cache of the chunks of channels and the layouts of their pages. Entries stay valid because
 * blocks never change. Looking up a channel in the blocks of a year takes longer than reading an
 * hour of it. Safe for many threads.
 */
public final class ChunkLookupCache {

  /**
   * The limit in pages, of about 60 bytes each. A lookup and a chunk each count as {@link
   * #LOOKUP_PAGES}.
   */
  private static final int MAX_PAGES = 100_000;

  private static final int LOOKUP_PAGES = 4;

  private final WeightedCache<Key, Entry> entries = new WeightedCache<>(MAX_PAGES);

  /** A key without a reference to the block, so that blocks out of use can be garbage collected. */
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

  /** The chunks of a channel, and the page layouts of those that were read. */
  private static final class Entry {
    private final List<Chunk> chunks;
    private final @Nullable RowGroupLayout[] layouts;
    private int pages;

    Entry(List<Chunk> chunks) {
      this.chunks = chunks;
      this.layouts = new RowGroupLayout[chunks.size()];
      this.pages = LOOKUP_PAGES * (1 + chunks.size());
    }

    /** Returns the index of a chunk, or -1 if it is not one of these. */
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

  /** Returns a channel's chunks in a block, or null if they are not in the cache. */
  @Nullable List<Chunk> chunks(BlockChunks block, String channel) {
    Entry entry = entries.get(new Key(block, channel));
    return entry == null ? null : entry.chunks;
  }

  /** Returns the layout of a chunk's pages, or null if it is not in the cache. */
  synchronized @Nullable RowGroupLayout pages(BlockChunks block, Chunk chunk) {
    Entry entry = entries.get(new Key(block, chunk.channel()));
    int index = entry == null ? -1 : entry.indexOf(chunk);
    return entry == null || index < 0 ? null : entry.layouts[index];
  }

  /**
   * Adds the chunks of a channel.
   *
   * @param chunks all chunks of the channel in the block; the list is never changed
   */
  void keep(BlockChunks block, String channel, List<Chunk> chunks) {
    Entry entry = new Entry(chunks);
    entries.put(new Key(block, channel), entry, entry.pages);
  }

  /** Adds the layout of a chunk's pages, if its channel is in the cache. */
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
