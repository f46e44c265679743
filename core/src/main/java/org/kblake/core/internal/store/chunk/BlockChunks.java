package org.kblake.core.internal.store.chunk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.ValueType;

/** The chunks of a block, and the files that they are in. Holds no open file; for many threads. */
public final class BlockChunks {

  private final Path directory;
  private final int checksum;
  private final int segments;
  private final @Nullable ChunkLookupCache memory;

  /**
   * @param directory the block's
   * @param checksum distinguishes blocks of one directory
   * @param segments how many the block has
   * @param memory where lookups of channels are kept; null to keep none
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

  /** A channel's chunks, in log order within each type; none if it has no event here. */
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

  /** Where the pages of a chunk are, if that is at hand. */
  @Nullable RowGroupLayout knownPages(Chunk chunk) {
    ChunkLookupCache known = memory;
    return known == null ? null : known.pages(this, chunk);
  }

  /** Says where the pages of a chunk are. */
  void keepPages(Chunk chunk, RowGroupLayout pages) {
    ChunkLookupCache known = memory;
    if (known != null) {
      known.keep(this, chunk, pages);
    }
  }

  /** Every chunk of the block. */
  public List<Chunk> all() throws IOException {
    try (ChunkDirectory chunks = ChunkDirectory.open(directory)) {
      return chunks.all();
    }
  }

  /** How many chunks there are, without a look at them. */
  public int count() throws IOException {
    try (ChunkDirectory chunks = ChunkDirectory.open(directory)) {
      return chunks.size();
    }
  }

  /**
   * Whether columns are compressed as a profile asks. What a codec does not make smaller is not
   * compressed, whatever was asked.
   */
  public boolean areCompressedAs(WriteProfile profile) throws IOException {
    try (ChunkDirectory chunks = ChunkDirectory.open(directory)) {
      return profile.codecs().containsAll(chunks.codecs());
    }
  }

  /**
   * The block's Parquet files, after a look at whether each is there in its full length.
   *
   * @throws CorruptBlockException naming one that is missing or cut
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
