package org.kblake.core.internal.store.block;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.store.chunk.BlockChunks;
import org.kblake.core.internal.store.chunk.ChunkLookupCache;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;

/**
 * The immutable columns of a span of a group's log. This object takes a few hundred bytes, has no
 * open file, reads its files on request, and may be shared by threads.
 */
public final class Block {

  private static final int MAX_KEPT_DAMAGE = 4;
  private static final long UNKNOWN = -1;

  private final Path directory;
  private final BlockName name;
  private final BlockSummary summary;
  private final int checksum;
  private volatile @Nullable SegmentList segments;
  private final AtomicReferenceArray<@Nullable SpanTimes> times;
  private final List<PairIdentity> identities;
  private final BlockChunks chunks;
  private final long storedBytes;
  private volatile @Nullable List<StoredDamage> keptDamage;

  private Block(
      Path directory,
      BlockName name,
      BlockSections.Head head,
      @Nullable ChunkLookupCache memory,
      long storedBytes) {
    this.storedBytes = storedBytes;
    this.directory = directory;
    this.name = name;
    summary = head.summary();
    checksum = head.checksum();
    chunks = new BlockChunks(directory, checksum, summary.segments(), memory);
    identities = head.identities();
    times = new AtomicReferenceArray<>(summary.spans().size());
  }

  /**
   * @param memory the cache of channel lookups; null for none
   * @throws CorruptBlockException if the block's summary is damaged, or is of another block
   */
  public static Block open(
      Path directory, BlockName name, Group group, @Nullable ChunkLookupCache memory)
      throws IOException {
    BlockSections.Head head = BlockSections.readHead(directory);
    BlockSummary summary = head.summary();
    if (!summary.group().equals(group)
        || summary.spans().isEmpty()
        || !summary.from().equals(name.from())
        || !summary.to().equals(name.to())) {
      throw new CorruptBlockException(
          directory.resolve(BlockSections.FILE_NAME),
          0,
          summary.group() + " " + summary.spans(),
          group + " " + name);
    }
    return new Block(directory, name, head, memory, UNKNOWN);
  }

  /**
   * Returns a complete block that is in a temporary directory as it will be in its own. Once it is
   * there it may be merged and removed at any time.
   */
  static Block complete(Path temporary, Path directory, BlockName name) throws IOException {
    BlockSections.Head head = BlockSections.readHead(temporary);
    return new Block(directory, name, head, null, storedBytes(temporary));
  }

  public Path directory() {
    return directory;
  }

  /** Returns whether the block was merged or evicted after it was opened. */
  public boolean isRemoved() {
    return Files.notExists(directory);
  }

  public BlockSummary summary() {
    return summary;
  }

  public Group group() {
    return summary.group();
  }

  public List<LogSpan> spans() {
    return summary.spans();
  }

  /** Returns the spans of the log that are in some blocks, no two of which share a byte. */
  public static Coverage coverage(List<Block> blocks) {
    return new Coverage(blocks.stream().flatMap(block -> block.spans().stream()).toList());
  }

  /**
   * Returns the generation. Of two blocks of the same span the one with the higher generation is
   * newer.
   */
  public int generation() {
    return name.generation();
  }

  /**
   * Returns the checksum of the block's head. Two blocks of the same name are equal if their
   * checksums are equal.
   */
  public int checksum() {
    return checksum;
  }

  /** Returns whether another block has the same name and contents. */
  public boolean isSameAs(Block other) {
    return checksum == other.checksum && directory.equals(other.directory);
  }

  /**
   * Returns the block's segments in log order. {@link EventColumns#segment} is an index into this
   * list.
   */
  public List<StoredSegment> segments() throws IOException {
    return list().range(0, summary.segments());
  }

  /**
   * Returns the same as {@link #segments()}, read again from the file, and even if the segments of
   * a span have a gap.
   */
  public List<StoredSegment> listedSegments() throws IOException {
    return BlockSections.readSegments(directory);
  }

  /**
   * Returns some of {@link #segments()} without reading all of them.
   *
   * @return the segments [from, to)
   */
  public List<StoredSegment> segments(int from, int to) throws IOException {
    return list().range(from, to);
  }

  /** Returns one of {@link #segments()}. */
  public StoredSegment segment(int number) throws IOException {
    return list().range(number, number + 1).get(0);
  }

  /**
   * Returns the number of the first segment of one of {@link #spans()}. For the span behind the
   * last it is the number of segments.
   */
  public int firstSegment(int span) throws IOException {
    return list().firstOf(span);
  }

  /** Returns the times of the events of one of {@link #spans()}. They are read once. */
  public SpanTimes times(int span) throws IOException {
    SpanTimes known = times.get(span);
    if (known == null) {
      known = SpanTimes.of(segments(firstSegment(span), firstSegment(span + 1)));
      times.set(span, known);
    }
    return known;
  }

  /** Returns whether the segments of a span are in memory. */
  public boolean hasSegments(int span) {
    SegmentList known = segments;
    return known != null && known.has(known.firstOf(span), known.firstOf(span + 1));
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

  /** Returns what is stored of its pairs, one for each of {@link #spans()}. */
  public List<PairImage> pairs() throws IOException {
    return BlockSections.readPairs(directory, summary.spans().size());
  }

  /** Returns the places of the log that could not be read as events. */
  public List<StoredDamage> damage() throws IOException {
    return BlockSections.readDamage(directory);
  }

  /** Returns the same as {@link #damage}. A short list is read once and kept. */
  public List<StoredDamage> lastingDamage() throws IOException {
    List<StoredDamage> known = keptDamage;
    if (known == null) {
      known = damage();
      if (known.size() <= MAX_KEPT_DAMAGE) {
        keptDamage = List.copyOf(known);
      }
    }
    return known;
  }

  /**
   * Returns a reader of the patch: the bytes of the log that do not follow from the columns. The
   * caller closes it.
   */
  public Patch.Reader patch() throws IOException {
    return Patch.Reader.of(directory.resolve(Patch.FILE_NAME));
  }

  /** Returns whether a span of this block was made from the pair with an identity. */
  public boolean isOf(int span, PairIdentity pair) {
    return identities.get(span).isSame(pair);
  }

  /**
   * Returns the SHA-256 of the head of the index of a span's pair. Pairs with equal heads have
   * equal record tables.
   */
  public byte[] indexHeadSha256(int span) {
    return identities.get(span).indexHeadSha256();
  }

  /** Returns the events, chunk by chunk. */
  public BlockChunks chunks() {
    return chunks;
  }

  /**
   * Reads every byte of the block except the patch, also those that reads of events do not need.
   *
   * @throws CorruptBlockException with the first difference from what was written
   */
  public void check() throws IOException {
    BlockProof.run(this);
  }

  /** Returns the size of all its files in bytes. */
  public long storedBytes() throws IOException {
    return storedBytes == UNKNOWN ? storedBytes(directory) : storedBytes;
  }

  private static long storedBytes(Path directory) throws IOException {
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
