package org.kblake.core.internal.store.block;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.store.file.Sha256;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.log.LogSpan;

/** Rewrites the description of a block with right checksums, as a program error would. */
public final class RewrittenBlock {

  private RewrittenBlock() {}

  /** Extends the last span of a block beyond its segments. */
  public static void endAt(Block block, long offset) throws IOException {
    write(block, endingAt(block, offset), block.segments());
  }

  /**
   * Removes the last segment from the list of a block and shortens the span. The rows of the
   * segment stay.
   */
  public static void dropLastSegment(Block block) throws IOException {
    List<StoredSegment> segments = block.segments();
    int last = segments.size() - 1;
    write(block, endingAt(block, segments.get(last).startOffset()), segments.subList(0, last));
  }

  private static List<LogSpan> endingAt(Block block, long offset) {
    List<LogSpan> spans = new ArrayList<>(block.spans());
    LogSpan last = spans.remove(spans.size() - 1);
    spans.add(new LogSpan(last.stamp(), last.fromOffset(), offset));
    return spans;
  }

  private static void write(Block block, List<LogSpan> spans, List<StoredSegment> segments)
      throws IOException {
    BlockSummary of = block.summary();
    BlockSummary summary =
        new BlockSummary(
            of.group(),
            spans,
            of.firstNanos(),
            segments.stream().mapToLong(StoredSegment::lastNanos).max().orElseThrow(),
            of.spanFromNanos(),
            segments.stream().mapToLong(StoredSegment::spanToNanos).max().orElseThrow(),
            of.events(),
            of.strays(),
            segments.size());
    List<PairImage> pairs = block.pairs();
    List<PairIdentity> identities =
        pairs.stream()
            .map(
                pair ->
                    new PairIdentity(
                        Sha256.of(pair.indexHead()), pair.firstMilestoneSha256(), true))
            .toList();
    List<StoredDamage> damage = block.damage();
    Path file = block.directory().resolve(BlockSections.FILE_NAME);
    Files.delete(file);
    try (StoreFiles.Output output = StoreFiles.LOCAL.create(file)) {
      BlockSections.write(output, summary, identities, segments, pairs, damage);
    }
    BlockName name = new BlockName(summary.from(), summary.to(), block.generation());
    Files.move(block.directory(), block.directory().resolveSibling(name.toString()));
  }
}
