package org.kblake.core.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.CutLogs;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.store.chunk.BlockChunks;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.internal.store.rollup.RollupFile;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.internal.store.rollup.RollupTable;
import org.kblake.core.internal.store.rollup.Rollups;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.log.LogPosition;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * A block of a store: the immutable columns of spans of a group's log. It has no open file, reads
 * files on request, and may be shared by threads. A merge or an eviction may remove its files at
 * any time; then methods throw, and {@link #isRemoved} tells it.
 */
public final class StoredBlock {

  /** The name of the file with rollups, which not every block has. */
  public static final String ROLLUPS = Rollups.FILE_NAME;

  private static final Set<RollupColumn> ROLLUP_COLUMNS =
      EnumSet.of(RollupColumn.SEVERITY, RollupColumn.MIN, RollupColumn.MAX, RollupColumn.MEAN);

  private final Block block;
  private final long boundNanos;

  /**
   * @param boundNanos the archive's disorder bound
   */
  StoredBlock(Block block, long boundNanos) {
    this.block = block;
    this.boundNanos = boundNanos;
  }

  /**
   * Returns the name of the file of events of a type. A block without such events does not have it.
   */
  public static String fileName(ValueType type, boolean waveform) {
    return BlockChunks.fileName(type, waveform);
  }

  /** Returns a line for each log of some blocks that had lost its end when its block was made. */
  public static List<String> lostEnds(List<StoredBlock> blocks) throws IOException {
    return CutLogs.lines(blocks.stream().map(each -> each.block).toList(), LogLayout.installed());
  }

  /** Returns the directory of its files, whose name is that of the block. */
  public Path directory() {
    return block.directory();
  }

  /** Returns whether the block was merged or evicted after it was listed. */
  public boolean isRemoved() {
    return block.isRemoved();
  }

  public Group group() {
    return block.group();
  }

  /** Returns the spans of the log that it has, in log order, one for each pair. */
  public List<LogSpan> spans() {
    return block.spans();
  }

  public LogPosition from() {
    return block.summary().from();
  }

  public LogPosition to() {
    return block.summary().to();
  }

  /** Returns a checksum. Blocks of the same span with the same checksum have the same events. */
  public int checksum() {
    return block.checksum();
  }

  /** Reads what it has of each pair, one for each of {@link #spans}. */
  public List<StoredPair> pairs() throws IOException {
    List<PairImage> images = block.pairs();
    List<StoredPair> pairs = new ArrayList<>();
    for (int i = 0; i < images.size(); i++) {
      pairs.add(new StoredPair(block, i, images.get(i), boundNanos));
    }
    return pairs;
  }

  /**
   * Returns the numbers of its segments that are in some spans of the log.
   *
   * @throws IOException also if a span begins or ends inside of a segment
   */
  public BitSet segmentsIn(List<LogSpan> spans) throws IOException {
    BitSet wanted = new BitSet();
    List<StoredSegment> segments = block.segments();
    for (int i = 0; i < segments.size(); i++) {
      StoredSegment segment = segments.get(i);
      LogSpan own =
          new LogSpan(
              block.spans().get(segment.span()).stamp(),
              segment.startOffset(),
              segment.endOffset());
      for (LogSpan each : spans) {
        if (each.contains(own)) {
          wanted.set(i);
        } else if (each.meets(own)) {
          throw new IOException(
              "a published file ends inside of a segment of a block: block="
                  + block
                  + ", segment at "
                  + own.from()
                  + ", part "
                  + each);
        }
      }
    }
    return wanted;
  }

  /** Returns whether it has rollups that can be read. */
  public boolean hasRollups() {
    if (!Files.exists(directory().resolve(ROLLUPS))) {
      return false;
    }
    try (RollupFile file = RollupFile.open(directory(), checksum())) {
      return !file.all().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Reads its rollups, by channel, width and time.
   *
   * @throws CorruptBlockException if they are missing or damaged; then events take their place
   */
  public void readRollups(Consumer<RollupRow> into) throws IOException {
    try (RollupFile file = RollupFile.open(directory(), checksum())) {
      List<RollupTable> all = new ArrayList<>(file.all());
      all.sort(
          Comparator.comparing(RollupTable::channel).thenComparingLong(RollupTable::widthNanos));
      for (RollupTable each : all) {
        RollupRows rows = each.read(Long.MIN_VALUE, Long.MAX_VALUE, ROLLUP_COLUMNS);
        for (int i = 0; i < rows.count(); i++) {
          into.accept(RollupRow.of(each, rows, i));
        }
      }
    }
  }

  @Override
  public String toString() {
    return block.toString();
  }
}
