package org.kblake.server.internal.appliance.operator;

import org.kblake.server.internal.appliance.request.RequestRange;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.SampleReader;

/** Makes the source of an answer's samples for each operator. */
public final class Operators {

  private Operators() {}

  /**
   * @throws org.kblake.server.internal.http.RequestException if the range has too many bins
   */
  public static SampleSource source(
      SampleReader reader, RequestRange range, RequestedOperator operator) {
    return switch (operator.kind()) {
      case RAW -> sink -> reader.samples(range.fromNanos(), range.toNanos(), sink);
      case NTH -> new NthSamples(reader, range, operator.number());
      case NCOUNT -> new SampleCount(reader, range);
      case OPTIMIZED, OPTIMIZED_WITH_LAST, FEW -> new OptimizedSamples(reader, range, operator);
      case FIRST,
          LAST,
          MEAN,
          MIN,
          MAX,
          COUNT,
          MEDIAN,
          STD,
          VARIANCE,
          POPULATION_VARIANCE,
          JITTER,
          KURTOSIS,
          SKEWNESS,
          STATISTICS ->
          new BinnedSamples(reader, BinGrid.of(range, operator.number()), operator, null);
    };
  }
}
