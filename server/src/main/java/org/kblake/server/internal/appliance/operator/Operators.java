package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.server.internal.appliance.request.RequestRange;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.SampleReader;

/** Makes the source of an answer's samples for each operator. */
public final class Operators {

  private static final long SECOND = 1_000_000_000L;
  private static final long MAX_BYTES = 64L << 20;
  private static final long SAMPLE_BYTES = 100;

  /** The values of bins that are kept at a time. */
  private static final long VALUES_BYTES = 16L << 20;

  private static final long BIN_BYTES = 200;
  private static final long MAX_BINS = 1 << 15;

  private Operators() {}

  /** Returns about the bytes that the source of an answer's samples keeps. */
  public static long bytes(ChannelInfo channel, RequestRange range, RequestedOperator operator) {
    long bins = (range.toNanos() - range.fromNanos()) / SECOND / Math.max(1, operator.number());
    long ofBins = Math.min(MAX_BINS, Math.max(1, bins)) * BIN_BYTES;
    return switch (operator.kind().origin()) {
      case SAMPLES, NTH, NUMBER -> 0;
      case POINTS ->
          Math.min(
              MAX_BYTES,
              operator.number() * (SAMPLE_BYTES + (long) Long.BYTES * channel.elementCount()));
      case ROWS -> ofBins + VALUES_BYTES;
      case FIGURES ->
          operator.kind() == RequestedOperator.Kind.MEDIAN ? ofBins + VALUES_BYTES : ofBins;
    };
  }

  /**
   * Refuses an operator for numbers if the channel has texts or lists in the range. A source finds
   * out, too, but maybe after the begin of an answer that has several channels.
   *
   * @throws org.kblake.server.internal.http.HttpStatusException if it is refused
   */
  public static void requireNumbers(
      SampleReader reader, RequestRange range, RequestedOperator operator) throws IOException {
    if (operator.kind().needsNumbers()) {
      ChannelInfo info = reader.type(range.fromNanos(), range.toNanos());
      if (info != null && (info.waveform() || info.type() == ValueType.STRING)) {
        throw FigureWindow.refused(info.waveform());
      }
    }
  }

  /**
   * @throws org.kblake.server.internal.http.HttpStatusException if the range has too many bins
   */
  public static SampleSource source(
      SampleReader reader, RequestRange range, RequestedOperator operator) {
    return switch (operator.kind().origin()) {
      case SAMPLES -> sink -> reader.samples(range.fromNanos(), range.toNanos(), sink);
      case NTH -> new NthSamples(reader, range, operator.number());
      case NUMBER -> new SampleCount(reader, range);
      case POINTS -> new OptimizedSamples(reader, range, operator);
      case ROWS, FIGURES ->
          new BinnedSamples(reader, BinGrid.of(range, operator.number()), operator, null);
    };
  }
}
