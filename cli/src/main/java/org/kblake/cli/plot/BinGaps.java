package org.kblake.cli.plot;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;

/** The bins of which a channel's values are not known, or not at all times. */
final class BinGaps {

  /** The least part of a bin in which kblog did not run that is shown. */
  private static final double MIN_SHARE = 0.01;

  private final TimeBins bins;
  private final Map<Gap, BitSet> met = new EnumMap<>(Gap.class);
  private final BitSet unknown = new BitSet();

  private BinGaps(TimeBins bins) {
    this.bins = bins;
  }

  /** Returns the gaps that a coverage report has for a channel. */
  static BinGaps of(CoverageReport report, Channel channel, TimeBins bins) {
    BinGaps gaps = new BinGaps(bins);
    long[] covered = new long[bins.count()];
    for (CoverageSpan span : report.spans()) {
      Gap gap = Gap.of(span, channel.name());
      long from = Math.max(span.range().fromNanos(), bins.range().fromNanos());
      long to = Math.min(span.range().toNanos(), bins.range().toNanos());
      if (gap != null && span.group().equals(channel.group()) && from < to) {
        gaps.add(gap, from, to, covered);
      }
    }
    for (int bin = 0; bin < covered.length; bin++) {
      if (covered[bin] >= bins.endNanos(bin) - bins.beginNanos(bin)) {
        gaps.unknown.set(bin);
      }
    }
    return gaps;
  }

  private void add(Gap gap, long from, long to, long[] covered) {
    int begin = bins.binOf(from);
    int end = bins.binOf(to - 1);
    for (int bin = begin; bin <= end; bin++) {
      long nanos = Math.min(to, bins.endNanos(bin)) - Math.max(from, bins.beginNanos(bin));
      covered[bin] += nanos;
      if (isShown(gap, (double) nanos / (bins.endNanos(bin) - bins.beginNanos(bin)))) {
        met.computeIfAbsent(gap, any -> new BitSet()).set(bin);
      }
    }
  }

  /**
   * Returns whether a gap is shown that covers a part of a bin. A log begins some milliseconds
   * after its time, and ends some milliseconds before the next one.
   */
  private static boolean isShown(Gap gap, double share) {
    return switch (gap) {
      case MISSING -> true;
      case DOWN -> share >= MIN_SHARE;
      case PENDING, NOT_RECORDED -> share >= 1;
    };
  }

  /** Returns whether no time of a bin is known. */
  boolean isUnknown(int bin) {
    return unknown.get(bin);
  }

  /** Returns the gap that a bin meets, the first of {@link Gap} if there are several. */
  @Nullable Gap at(int bin) {
    for (Map.Entry<Gap, BitSet> each : met.entrySet()) {
      if (each.getValue().get(bin)) {
        return each.getKey();
      }
    }
    return null;
  }

  /** Returns whether some bin meets a gap. */
  boolean has(Gap gap) {
    return met.containsKey(gap);
  }

  /** Calls for each span of bins that meet a gap: with the first bin and the bin after the last. */
  void forEachSpan(Gap gap, BiConsumer<Integer, Integer> consumer) {
    BitSet set = met.getOrDefault(gap, new BitSet());
    int from = set.nextSetBit(0);
    while (from >= 0) {
      int to = set.nextClearBit(from);
      consumer.accept(from, to);
      from = set.nextSetBit(to);
    }
  }
}
