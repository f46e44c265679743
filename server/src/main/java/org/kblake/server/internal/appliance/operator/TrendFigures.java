package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.query.EventCursor;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.EventQuery;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.SampleReader;
import org.kblake.server.internal.data.ChannelQuestions;

/** Figures of numbers by a trend, which can use rollups. */
final class TrendFigures implements BinSource {

  private final SampleReader reader;
  private final BinGrid grid;
  private final TrendBins bins;
  private final FigureValue value;
  private final List<Aggregate> aggregates;
  private final Figures figures = new Figures();

  /**
   * @param kind an operator with aggregates
   * @throws org.kblake.query.question.UnsupportedAggregateException if the channel is an enum, a
   *     text or a list
   */
  TrendFigures(SampleReader reader, BinGrid grid, RequestedOperator.Kind kind) throws IOException {
    this.reader = reader;
    this.grid = grid;
    aggregates = aggregates(kind);
    bins = new TrendBins(reader, grid, aggregates);
    value = new FigureValue(kind);
    figures.last = Double.NaN;
  }

  private static List<Aggregate> aggregates(RequestedOperator.Kind kind) {
    Set<Aggregate> needed =
        new LinkedHashSet<>(List.of(Aggregate.COUNT, Aggregate.NAN, Aggregate.SEVERITY));
    needed.addAll(kind.aggregates());
    return List.copyOf(needed);
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
    if (aggregates.contains(Aggregate.LAST)) {
      figures.last = last(bins.number(Aggregate.LAST));
    }
    figures.deviation = figures.count == 1 ? 0 : number(Aggregate.STD);
    figures.severity = bins.severity();
    return true;
  }

  /**
   * Returns the last number up to the bin's end that is not NaN.
   *
   * @param ofBin the bin's last number, which may be NaN
   */
  private double last(double ofBin) throws IOException {
    if (!Double.isNaN(ofBin)) {
      return ofBin;
    }
    double last = figures.last;
    if (figures.count > 0) {
      EventQuery query =
          EventQuery.of(ChannelQuestions.selection(reader.channel()))
              .between(grid.times(bin(), bin() + 1))
              .allowIncomplete();
      try (EventCursor cursor = reader.archive().reader().cursor(query)) {
        while (cursor.next()) {
          for (int row = cursor.from(); row < cursor.to(); row++) {
            double number =
                cursor.columns().state[row] == EventState.VALUE_CODE
                    ? cursor.columns().asDouble(row)
                    : Double.NaN;
            last = Double.isNaN(number) ? last : number;
          }
        }
      }
    }
    return last;
  }

  private double number(Aggregate aggregate) {
    return aggregates.contains(aggregate) ? bins.number(aggregate) : Double.NaN;
  }

  @Override
  public long bin() {
    return bins.bin();
  }

  @Override
  public void fill(AnsweredSample sample) {
    value.fill(sample, figures);
  }

  @Override
  public boolean fillWith(AnsweredSample sample, EventColumns columns, int row) {
    if (columns.waveform() || columns.type() == ValueType.STRING) {
      return false;
    }
    Figures single = new Figures();
    single.setSingle(columns.asDouble(row), columns.severity[row]);
    figures.last = single.last;
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
