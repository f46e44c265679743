package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockSummary;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.StoredDamage;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;

/**
 * The metadata of a block that is merged from others. Adjacent spans of a pair become one. Segments
 * are copied with the hashes of their bytes in the log. Not thread safe.
 */
public final class MergedMetadata {

  private final Group group;
  private final List<LogSpan> spans = new ArrayList<>();
  private final List<PairImage> pairs = new ArrayList<>();
  private final List<StoredSegment> segments = new ArrayList<>();
  private final List<StoredDamage> damage = new ArrayList<>();

  private long firstNanos = Long.MAX_VALUE;
  private long lastNanos = Long.MIN_VALUE;
  private long spanFromNanos = Long.MAX_VALUE;
  private long spanToNanos = Long.MIN_VALUE;
  private long events;
  private long strays;

  private boolean continuesPair;
  private int spanShift;

  public MergedMetadata(Group group) {
    this.group = group;
  }

  /**
   * Adds the next block.
   *
   * @throws IllegalArgumentException if it does not begin at the end of the previous block
   * @throws CorruptBlockException if its pair has the name of the previous block's pair, but is
   *     another pair
   */
  public void add(Block block) throws IOException {
    List<PairImage> images = block.pairs();
    continuesPair = continuesPair(block, images.get(0));
    spanShift = spans.size() - (continuesPair ? 1 : 0);
    int segmentShift = segments.size();
    for (int i = 0; i < images.size(); i++) {
      LogSpan span = block.spans().get(i);
      if (i == 0 && continuesPair) {
        long from = spans.get(spanShift).fromOffset();
        spans.set(spanShift, new LogSpan(span.stamp(), from, span.toOffset()));
        pairs.set(spanShift, images.get(i));
      } else {
        spans.add(span);
        pairs.add(images.get(i));
      }
    }
    for (StoredSegment segment : block.segments()) {
      segments.add(segment.inSpan(spanShift + segment.span()));
      events += segment.events();
      strays += segment.strays();
    }
    for (StoredDamage found : block.damage()) {
      damage.add(
          new StoredDamage(
              segmentShift + found.segment(),
              found.offset(),
              found.bytes(),
              found.cut(),
              found.found()));
    }
    BlockSummary summary = block.summary();
    firstNanos = Math.min(firstNanos, summary.firstNanos());
    lastNanos = Math.max(lastNanos, summary.lastNanos());
    spanFromNanos = Math.min(spanFromNanos, summary.spanFromNanos());
    spanToNanos = Math.max(spanToNanos, summary.spanToNanos());
  }

  /** Returns whether a block continues the last pair. Otherwise it begins the next one. */
  private boolean continuesPair(Block block, PairImage image) throws CorruptBlockException {
    LogSpan next = block.spans().get(0);
    LogSpan last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
    if (last == null) {
      return false;
    }
    PairImage lastPair = pairs.get(pairs.size() - 1);
    PairImage.@Nullable Closing closing = lastPair.closing();
    boolean samePair = next.stamp().equals(last.stamp());
    boolean adjoins =
        samePair
            ? next.fromOffset() == last.toOffset()
            : next.stamp().compareTo(last.stamp()) > 0
                && next.fromOffset() == 0
                && closing != null
                && closing.logBytes() == last.toOffset();
    if (!adjoins || !block.group().equals(group)) {
      throw new IllegalArgumentException(
          "blocks do not adjoin: end=" + group + " " + last.to() + ", next=" + block);
    }
    if (samePair
        && !(Arrays.equals(image.indexHead(), lastPair.indexHead())
            && Arrays.equals(image.firstMilestoneSha256(), lastPair.firstMilestoneSha256()))) {
      throw new CorruptBlockException(
          block.directory(),
          0,
          "another pair " + next.stamp() + " than in the block before",
          "the same record table and first milestone");
    }
    return samePair;
  }

  /** Returns whether the last block continues the pair in which the previous block ends. */
  boolean continuesPair() {
    return continuesPair;
  }

  /** Returns the number in the merged block of a span of the last block. */
  int span(int ofBlock) {
    return spanShift + ofBlock;
  }

  public long events() {
    return events;
  }

  public BlockSummary summary() {
    return new BlockSummary(
        group,
        spans,
        firstNanos,
        lastNanos,
        spanFromNanos,
        spanToNanos,
        events,
        strays,
        segments.size());
  }

  public List<StoredSegment> segments() {
    return segments;
  }

  public List<PairImage> pairs() {
    return pairs;
  }

  public List<StoredDamage> damage() {
    return damage;
  }
}
