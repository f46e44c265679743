package org.kblake.lake.publish;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.LogSpan;
import org.kblake.core.internal.store.block.StoredSegment;

/** Which segments of a block are in some stretches of the log. */
public final class RowSlices {

  private RowSlices() {}

  /**
   * Returns the numbers of the segments in some stretches.
   *
   * @throws IOException if a stretch begins or ends inside of a segment
   */
  public static BitSet of(Block block, List<LogSpan> part) throws IOException {
    BitSet wanted = new BitSet();
    List<StoredSegment> segments = block.segments();
    for (int i = 0; i < segments.size(); i++) {
      StoredSegment segment = segments.get(i);
      LogSpan own =
          new LogSpan(
              block.spans().get(segment.span()).stamp(),
              segment.startOffset(),
              segment.endOffset());
      for (LogSpan each : part) {
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
}
