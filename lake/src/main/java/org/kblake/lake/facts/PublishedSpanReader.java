package org.kblake.lake.facts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.log.LogSpan;
import org.kblake.core.log.WriteTimes;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.StoredBlock;
import org.kblake.core.store.StoredPair;
import org.kblake.lake.table.DataName;

/** Finds the times of writes of a span of a block. */
public final class PublishedSpanReader {

  private PublishedSpanReader() {}

  /** Returns a span of the log as a block has it. */
  public static PublishedSpan read(StoredBlock block, PublishedSpan published) throws IOException {
    List<LogSpan> spans = block.spans();
    int pair = 0;
    while (!spans.get(pair).contains(published.logSpan())) {
      pair++;
    }
    return read(block, block.pairs().get(pair), published.logSpan());
  }

  /**
   * Reads the times of a span.
   *
   * @param wanted bytes of the pair's log that the block has, in whole segments
   */
  static PublishedSpan read(StoredBlock block, StoredPair pair, LogSpan wanted) throws IOException {
    WriteTimes times = pair.times(wanted);
    boolean closes = pair.closesWith(wanted);
    return new PublishedSpan(
        DataName.block(block),
        wanted.stamp(),
        wanted.fromOffset(),
        wanted.toOffset(),
        times.beginNanos(),
        times.lastWriteNanos(),
        closes ? times.lastWriteNanos() : times.endNanos(),
        times.silenceNanos(),
        closes,
        spans(times.written()),
        spans(times.damaged()));
  }

  private static List<PublishedSpan.Times> spans(List<TimeRange> ranges) {
    List<PublishedSpan.Times> spans = new ArrayList<>();
    for (TimeRange range : ranges) {
      spans.add(new PublishedSpan.Times(range.fromNanos(), range.toNanos()));
    }
    return spans;
  }
}
