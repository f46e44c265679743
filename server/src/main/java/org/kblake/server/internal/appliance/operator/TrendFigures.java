package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.query.question.Aggregate;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.Sample;
import org.kblake.server.internal.appliance.sample.SampleReader;

/** Figures of numbers by a trend, which can use rollups. */
final class TrendFigures implements BinSource {

  private final TrendBins bins;
  private final FigureValue value;
  private final List<Aggregate> aggregates;
  private final Figures figures = new Figures();

  /**
   * @throws org.kblake.query.question.UnsupportedAggregateException if the channel is an enum, a
   *     text or a list
   */
  TrendFigures(SampleReader reader, BinGrid grid, RequestedOperator.Kind kind) throws IOException {
    aggregates = aggregates(kind);
    bins = new TrendBins(reader, grid, aggregates);
    value = new FigureValue(kind);
  }

  /** Returns whether a trend has all figures of an operator. */
  static boolean has(RequestedOperator.Kind kind) {
    return switch (kind) {
      case MEAN, MIN, MAX, COUNT, STD, VARIANCE, POPULATION_VARIANCE, JITTER, STATISTICS -> true;
      case OPTIMIZED, OPTIMIZED_WITH_LAST -> true;
      case RAW, FIRST, LAST, MEDIAN, KURTOSIS, SKEWNESS, NCOUNT, NTH, FEW -> false;
    };
  }

  private static List<Aggregate> aggregates(RequestedOperator.Kind kind) {
    List<Aggregate> needed =
        new ArrayList<>(List.of(Aggregate.COUNT, Aggregate.NAN, Aggregate.SEVERITY));
    switch (kind) {
      case MEAN -> needed.add(Aggregate.MEAN);
      case MIN -> needed.add(Aggregate.MIN);
      case MAX -> needed.add(Aggregate.MAX);
      case STD, VARIANCE, POPULATION_VARIANCE -> needed.add(Aggregate.STD);
      case JITTER -> needed.addAll(List.of(Aggregate.MEAN, Aggregate.STD));
      case STATISTICS, OPTIMIZED ->
          needed.addAll(List.of(Aggregate.MEAN, Aggregate.STD, Aggregate.MIN, Aggregate.MAX));
      case OPTIMIZED_WITH_LAST ->
          needed.addAll(
              List.of(Aggregate.MEAN, Aggregate.STD, Aggregate.MIN, Aggregate.MAX, Aggregate.LAST));
      case RAW, FIRST, LAST, COUNT, MEDIAN, KURTOSIS, SKEWNESS, NCOUNT, NTH, FEW -> {}
    }
    return needed;
  }

  @Override
  public boolean next() throws IOException {
    if (!bins.next()) {
      return false;
    }
    figures.count = bins.count() - (long) bins.number(Aggregate.NAN);
    figures.mean = number(Aggregate.MEAN);
    figures.min = number(Aggregate.MIN);
    figures.max = number(Aggregate.MAX);
    figures.last = number(Aggregate.LAST);
    figures.deviation = figures.count == 1 ? 0 : number(Aggregate.STD);
    figures.severity = bins.severity();
    return true;
  }

  private double number(Aggregate aggregate) {
    return aggregates.contains(aggregate) ? bins.number(aggregate) : Double.NaN;
  }

  @Override
  public long bin() {
    return bins.bin();
  }

  @Override
  public void fill(Sample sample) {
    value.fill(sample, figures);
  }

  @Override
  public boolean fillWith(Sample sample, EventColumns columns, int row) {
    if (columns.waveform() || columns.type() == ValueType.STRING) {
      return false;
    }
    Figures single = new Figures();
    single.setSingle(columns.asDouble(row), columns.severity[row]);
    value.fill(sample, single);
    return true;
  }

  @Override
  public Missing missing() {
    return bins.missing();
  }

  @Override
  public void close() {
    bins.close();
  }
}
