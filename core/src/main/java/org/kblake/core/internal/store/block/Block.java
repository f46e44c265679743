package org.kblake.core.internal.store.block;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.store.chunk.BlockChunks;
import org.kblake.core.internal.store.chunk.ChunkLookupCache;
import org.kblake.core.model.Group;

/**
 * The immutable columnar image of a stretch of a group's log. A handle: it holds a few hundred
 * bytes and no open file, fetches the rest when asked, and may be shared by threads.
 */
public final class Block {

  private static final int LITTLE_DAMAGE = 4;

  private final Path directory;
  private final BlockName name;
  private final BlockSummary summary;
  private final int checksum;
  private volatile @Nullable SegmentList segments;
  private final AtomicReferenceArray<@Nullable StretchTimes> times;
  private final List<PairIdentity> identities;
  private final BlockChunks chunks;
  private volatile @Nullable List<StoredDamage> littleDamage;

  private Block(
      Path directory, BlockName name, BlockSections.Head head, @Nullable ChunkLookupCache memory) {
    this.directory = directory;
    this.name = name;
    summary = head.summary();
    checksum = head.checksum();
    chunks = new BlockChunks(directory, checksum, summary.segments(), memory);
    identities = head.identities();
    times = new AtomicReferenceArray<>(summary.stretches().size());
  }

  /**
   * @param memory where lookups of channels are kept; null to keep none
   * @throws CorruptBlockException if the block's own account cannot be read
   */
  public static Block open(
      Path directory, BlockName name, Group group, @Nullable ChunkLookupCache memory)
      throws IOException {
    BlockSections.Head head = BlockSections.readHead(directory);
    BlockSummary summary = head.summary();
    if (!summary.group().equals(group)
        || summary.stretches().isEmpty()
        || !summary.from().equals(name.from())
        || !summary.to().equals(name.to())) {
      throw new CorruptBlockException(
          directory.resolve(BlockSections.FILE_NAME),
          0,
          summary.group() + " " + summary.stretches(),
          group + " " + name);
    }
    return new Block(directory, name, head, memory);
  }

  public Path directory() {
    return directory;
  }

  public BlockSummary summary() {
    return summary;
  }

  public Group group() {
    return summary.group();
  }

  public List<Stretch> stretches() {
    return summary.stretches();
  }

  /** Of two blocks of the same stretch the one of the higher generation is the newer. */
  public int generation() {
    return name.generation();
  }

  /** Of two blocks of the same name those are the same that have the same checksum. */
  public int checksum() {
    return checksum;
  }

  /** Whether the other one has the same name and content, not just the same name. */
  public boolean isSameAs(Block other) {
    return checksum == other.checksum && directory.equals(other.directory);
  }

  /** The block's segments in log order; {@link EventColumns#segment} counts in this list. */
  public List<StoredSegment> segments() throws IOException {
    return list().range(0, summary.segments());
  }

  /** As {@link #segments()}, read again, and also where they leave a gap in a stretch. */
  public List<StoredSegment> listedSegments() throws IOException {
    return BlockSections.readSegments(directory);
  }

  /**
   * Some of {@link #segments()}, of which not all are read for that.
   *
   * @return those in [from, to), the first of them at 0
   */
  public List<StoredSegment> segments(int from, int to) throws IOException {
    return list().range(from, to);
  }

  /** One of {@link #segments()}. */
  public StoredSegment segment(int number) throws IOException {
    return list().range(number, number + 1).get(0);
  }

  /**
   * The first segment of one of {@link #stretches()}; of the one behind the last the number of
   * segments.
   */
  public int firstSegment(int stretch) throws IOException {
    return list().firstOf(stretch);
  }

  /** When one of {@link #stretches()} has events, found out once. */
  public StretchTimes times(int stretch) throws IOException {
    StretchTimes known = times.get(stretch);
    if (known == null) {
      known = StretchTimes.of(segments(firstSegment(stretch), firstSegment(stretch + 1)));
      times.set(stretch, known);
    }
    return known;
  }

  /** Whether the segments of a stretch were read, so that they are at hand. */
  public boolean hasSegments(int stretch) {
    SegmentList known = segments;
    return known != null && known.has(known.firstOf(stretch), known.firstOf(stretch + 1));
  }

  private SegmentList list() throws IOException {
    SegmentList known = segments;
    if (known == null) {
      synchronized (this) {
        known = segments;
        if (known == null) {
          known = SegmentList.open(directory, summary);
          segments = known;
        }
      }
    }
    return known;
  }

  /** What the block keeps of its pairs, one for each of {@link #stretches()}. */
  public List<PairImage> pairs() throws IOException {
    return BlockSections.readPairs(directory, summary.stretches().size());
  }

  /** Places of the log that could not be read as events. */
  public List<StoredDamage> damage() throws IOException {
    return BlockSections.readDamage(directory);
  }

  /** As {@link #damage}; where that is little, it is read once. */
  public List<StoredDamage> lastingDamage() throws IOException {
    List<StoredDamage> known = littleDamage;
    if (known == null) {
      known = damage();
      if (known.size() <= LITTLE_DAMAGE) {
        littleDamage = List.copyOf(known);
      }
    }
    return known;
  }

  /** What the log's bytes have that the columns do not say. The caller closes it. */
  public Patch.Reader patch() throws IOException {
    return Patch.Reader.of(directory.resolve(Patch.FILE_NAME));
  }

  /** Whether a stretch of this block was made from the pair with this identity. */
  public boolean isOf(int stretch, PairIdentity pair) {
    return identities.get(stretch).isSame(pair);
  }

  /** Its events, chunk by chunk. */
  public BlockChunks chunks() {
    return chunks;
  }

  /**
   * Reads every byte of the block but the patch: also what no read of its events needs.
   *
   * @throws CorruptBlockException naming the first thing that is not as it was written
   */
  public void check() throws IOException {
    BlockProof.run(this);
  }

  /** Bytes of all its files. */
  public long storedBytes() throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        bytes += Files.size(file);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return bytes;
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
