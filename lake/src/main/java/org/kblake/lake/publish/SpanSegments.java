package org.kblake.lake.publish;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.LogSpan;
import org.kblake.core.internal.store.block.StoredSegment;

/** Which segments of a block are in some spans of the log. */
public final class SpanSegments {

  private SpanSegments() {}

  /**
   * Returns the numbers of the segments in some spans.
   *
   * @throws IOException if a span begins or ends inside of a segment
   */
  public static BitSet of(Block block, List<LogSpan> spans) throws IOException {
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
}
