package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.question.UnsupportedAggregateException;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.SampleReader;
import org.kblake.server.internal.appliance.sample.SampleSink;
import org.kblake.server.internal.data.ChannelQuestions;

/**
 * A sample for each bin, at its middle. The last event before the range is a bin of its own just
 * before the first bin, unless an event is at the begin of the range.
 */
final class BinnedSamples implements SampleSource {

  private final SampleReader reader;
  private final BinGrid grid;
  private final RequestedOperator operator;
  private final @Nullable SampleSource otherwise;

  /**
   * @param otherwise the samples if the values are texts or lists; null to refuse them
   */
  BinnedSamples(
      SampleReader reader,
      BinGrid grid,
      RequestedOperator operator,
      @Nullable SampleSource otherwise) {
    this.reader = reader;
    this.grid = grid;
    this.operator = operator;
    this.otherwise = otherwise;
  }

  @Override
  public Missing into(SampleSink sink) throws IOException {
    BinSource bins = trend();
    if (bins == null && otherwise != null && !hasNumbers()) {
      return otherwise.into(sink);
    }
    try (BinSource source = bins == null ? events() : bins) {
      Filling filling = new Filling(sink);
      HeldValues held = reader.heldAt(grid.range().fromNanos());
      HeldValue before = held.values().get(0);
      if (before.isKnown()
          && before.sinceNanos() < grid.range().fromNanos()
          && source.fillWith(filling.sample, before.row(), 0)) {
        filling.pass(grid.first() - 1);
      }
      while (!filling.ended && source.next()) {
        filling.fillTo(source.bin());
        source.fill(filling.sample);
        filling.pass(source.bin());
      }
      filling.fillTo(grid.last() + 1);
      return Missing.of(held.coverage()).and(source.missing());
    }
  }

  /** Returns null if a trend does not have the figures, or not of the type of the values. */
  private @Nullable BinSource trend() throws IOException {
    if (operator.kind().aggregates().isEmpty()) {
      return null;
    }
    try {
      return new TrendFigures(reader, grid, operator.kind());
    } catch (UnsupportedAggregateException e) {
      return null;
    }
  }

  private boolean hasNumbers() throws IOException {
    return reader
        .archive()
        .reader()
        .channels(
            ChannelQuestions.selection(reader.channel()), grid.times(grid.first(), grid.last() + 1))
        .stream()
        .noneMatch(info -> info.waveform() || info.type() == ValueType.STRING);
  }

  private BinSource events() {
    RequestedOperator.Kind kind = operator.kind();
    BinWindow window =
        kind.origin() == RequestedOperator.Origin.ROWS
            ? new RowWindow(kind == RequestedOperator.Kind.LAST)
            : new FigureWindow(kind);
    return new EventBins(reader, grid, window);
  }

  /** Passes samples on, and fills the bins between them. */
  private final class Filling {
    private final SampleSink sink;
    private final AnsweredSample sample = new AnsweredSample();
    private long nextBin = Long.MIN_VALUE;
    private boolean ended;

    Filling(SampleSink sink) {
      this.sink = sink;
    }

    void pass(long bin) throws IOException {
      sample.setTimeNanos(grid.middleNanos(bin));
      ended = ended || !sink.take(sample);
      nextBin = bin + 1;
    }

    /** Passes what empty bins have on, for each bin up to one. */
    void fillTo(long bin) throws IOException {
      if (nextBin == Long.MIN_VALUE || !operator.fills()) {
        return;
      }
      if (nextBin < bin) {
        FigureValue.empty(operator.kind(), sample);
      }
      while (nextBin < bin && !ended) {
        pass(nextBin);
      }
    }
  }
}
