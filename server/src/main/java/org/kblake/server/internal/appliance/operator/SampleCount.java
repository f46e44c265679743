package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.query.question.Aggregate;
import org.kblake.server.internal.appliance.request.RequestRange;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.SampleReader;
import org.kblake.server.internal.appliance.sample.SampleSink;

/** The number of value events in a range as one sample at its begin. */
final class SampleCount implements SampleSource {

  private static final int SECONDS = 3600;

  private final SampleReader reader;
  private final RequestRange range;

  SampleCount(SampleReader reader, RequestRange range) {
    this.reader = reader;
    this.range = range;
  }

  @Override
  public Missing into(SampleSink sink) throws IOException {
    long count = 0;
    Missing missing;
    try (TrendBins bins =
        new TrendBins(reader, BinGrid.of(range, SECONDS), List.of(Aggregate.COUNT))) {
      while (bins.next()) {
        count += bins.count();
      }
      missing = bins.missing();
    }
    EventColumns columns = new EventColumns(ValueType.LONG, false, 1);
    columns.count = 1;
    columns.state[0] = EventState.VALUE_CODE;
    columns.values[0] = Math.min(count, Integer.MAX_VALUE);
    AnsweredSample sample = new AnsweredSample();
    sample.set(range.fromNanos(), columns, 0);
    sink.take(sample);
    return missing;
  }
}
