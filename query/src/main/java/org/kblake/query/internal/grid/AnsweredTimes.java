package org.kblake.query.internal.grid;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import org.kblake.core.archive.Interruption;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.coverage.AbsentChannels;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.reading.GroupSource;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.source.RowOrder;

/**
 * The times of a grid at which kblog was running and recorded a channel, and the log can be read.
 * Other times are gaps. Moves from point to point.
 */
final class AnsweredTimes {

  private final List<CoverageSpan> spans;
  private final List<BitSet> absent = new ArrayList<>();
  private int next;
  private boolean answered;

  private AnsweredTimes(List<CoverageSpan> spans, List<ChannelTarget> channels)
      throws InterruptedIOException {
    this.spans = spans;
    AbsentChannels lacking = new AbsentChannels();
    IdentityHashMap<List<String>, BitSet> found = new IdentityHashMap<>();
    for (CoverageSpan span : spans) {
      BitSet without = found.get(span.absent());
      if (without == null) {
        without = new BitSet();
        for (int i = 0; !span.absent().isEmpty() && i < channels.size(); i++) {
          Interruption.check();
          without.set(i, lacking.has(span, channels.get(i).name()));
        }
        found.put(span.absent(), without);
      }
      absent.add(without);
    }
  }

  /**
   * Reads which times are answered: of blocks their lists of segments, of raw logs the headers of
   * events.
   *
   * @param reading a reading of the range that is not read otherwise, whose channels are numbered
   *     from 0 in this order
   */
  static AnsweredTimes read(Reading reading) throws IOException {
    List<PlannedRange> ranges = new ArrayList<>();
    for (PlannedRange planned : reading.ranges()) {
      ranges.add(planned.of(List.of()));
    }
    try (GroupSource source = reading.of(ranges).forward(RowOrder.CHANNELS)) {
      while (source.next()) {
        throw new IllegalStateException("event of a channel that was not requested");
      }
    }
    List<CoverageSpan> answered = new ArrayList<>();
    for (CoverageSpan span : reading.report().stoppableReport().spans()) {
      if (span.kind() == SpanKind.ANSWERED && !span.missing()) {
        answered.add(span);
      }
    }
    return new AnsweredTimes(answered, reading.channels());
  }

  /** Moves to a time, which is not before the previous one. */
  void goTo(long nanos) {
    while (next < spans.size() && spans.get(next).range().toNanos() <= nanos) {
      next++;
    }
    answered = next < spans.size() && spans.get(next).range().fromNanos() <= nanos;
  }

  /** Returns whether a channel's values are known at the time. */
  boolean has(int channel) {
    return answered && !absent.get(next).get(channel);
  }
}
