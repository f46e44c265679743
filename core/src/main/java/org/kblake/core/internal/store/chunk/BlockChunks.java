package org.kblake.core.internal.store.chunk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.ValueType;

/** The chunks of a block, and their files. It has no open file. Safe for many threads. */
public final class BlockChunks {

  /** So many channels are looked up one by one. */
  private static final int FEW_NAMES = 64;

  /** All chunks are read if there are at most so many for each wanted channel. */
  private static final long CHUNKS_OF_A_NAME = 32;

  private final Path directory;
  private final int checksum;
  private final int segments;
  private final @Nullable ChunkLookupCache memory;

  /**
   * @param directory the block's directory
   * @param checksum distinguishes blocks of the same name
   * @param segments the number of segments of the block
   * @param memory the cache of channel lookups; null for none
   */
  public BlockChunks(
      Path directory, int checksum, int segments, @Nullable ChunkLookupCache memory) {
    this.directory = directory;
    this.checksum = checksum;
    this.segments = segments;
    this.memory = memory;
  }

  Path directory() {
    return directory;
  }

  int checksum() {
    return checksum;
  }

  int segments() {
    return segments;
  }

  /**
   * Returns a channel's chunks, in log order within each type. The list is empty if the block has
   * no events of the channel.
   */
  public List<Chunk> find(String channel) throws IOException {
    ChunkLookupCache known = memory;
    List<Chunk> found = known == null ? null : known.chunks(this, channel);
    if (found == null) {
      try (ChunkDirectory chunks = ChunkDirectory.open(directory)) {
        found = Collections.unmodifiableList(chunks.find(channel));
      }
      if (known != null) {
        known.keep(this, channel, found);
      }
    }
    return found;
  }

  /**
   * Returns whether {@link #all} takes less time, and not much more memory, than to look up so many
   * channels one by one.
   */
  public boolean areMany(int channels) throws IOException {
    if (channels <= FEW_NAMES) {
      return false;
    }
    try (ChunkDirectory chunks = ChunkDirectory.open(directory)) {
      return chunks.size() <= CHUNKS_OF_A_NAME * channels;
    }
  }

  /** Returns the chunks of channels, and perhaps of others. */
  public List<Chunk> find(Set<String> channels) throws IOException {
    if (areMany(channels.size())) {
      return all();
    }
    List<Chunk> found = new ArrayList<>();
    for (String channel : channels) {
      found.addAll(find(channel));
    }
    return found;
  }

  /** Returns the layout of a chunk's pages if it is in the cache, otherwise null. */
  @Nullable RowGroupLayout knownPages(Chunk chunk) {
    ChunkLookupCache known = memory;
    return known == null ? null : known.pages(this, chunk);
  }

  /** Puts the layout of a chunk's pages into the cache. */
  void keepPages(Chunk chunk, RowGroupLayout pages) {
    ChunkLookupCache known = memory;
    if (known != null) {
      known.keep(this, chunk, pages);
    }
  }

  /** Returns every chunk of the block. */
  public List<Chunk> all() throws IOException {
    try (ChunkDirectory chunks = ChunkDirectory.open(directory)) {
      return chunks.all();
    }
  }

  /** Returns the number of chunks, without reading them. */
  public int count() throws IOException {
    try (ChunkDirectory chunks = ChunkDirectory.open(directory)) {
      return chunks.size();
    }
  }

  /**
   * Returns whether all columns have codecs of a profile. Columns that a codec does not make
   * smaller are not compressed in any profile.
   */
  public boolean areCompressedAs(WriteProfile profile) throws IOException {
    try (ChunkDirectory chunks = ChunkDirectory.open(directory)) {
      return profile.codecs().containsAll(chunks.codecs());
    }
  }

  /**
   * Returns the block's Parquet files after a check that each exists in its full length.
   *
   * @throws CorruptBlockException with the first file that is missing or has another length
   */
  public List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    try (ChunkDirectory chunks = ChunkDirectory.open(directory)) {
      for (ChunkDirectory.FileEntry entry : chunks.files()) {
        Path file = directory.resolve(fileName(entry.type(), entry.waveform()));
        try {
          long bytes = Files.size(file);
          if (bytes != entry.bytes()) {
            throw new CorruptBlockException(file, 0, bytes + " bytes", entry.bytes() + " bytes");
          }
        } catch (NoSuchFileException e) {
          throw new CorruptBlockException(file, 0, "no file", entry.bytes() + " bytes");
        }
        files.add(file);
      }
    }
    return files;
  }

  public static String fileName(ValueType type, boolean waveform) {
    return type.text().toLowerCase(Locale.ROOT) + (waveform ? "-waveform" : "") + ".parquet";
  }
}
