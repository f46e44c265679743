package org.kblake.cli.plot;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.SpanKind;

/** Plots of one channel from events and spans of a test. */
final class TestPlots {

  static final Channel CHANNEL = new Channel(new Group("VA", "CCG"), "VA:1");

  private static final long LOOK_BACK_NANOS = Long.MAX_VALUE;

  private TestPlots() {}

  /** An event of doubles. */
  record Event(long nanos, EventState state, double value) {

    static Event of(long nanos, double value) {
      return new Event(nanos, EventState.VALUE, value);
    }
  }

  static EventColumns columns(List<Event> events) {
    EventColumns columns = new EventColumns(ValueType.DOUBLE, false, Math.max(1, events.size()));
    for (Event event : events) {
      columns.timeNanos[columns.count] = event.nanos;
      columns.state[columns.count] = (byte) event.state.code();
      columns.values[columns.count++] = Double.doubleToRawLongBits(event.value);
    }
    return columns;
  }

  static ChannelBins bins(TimeBins bins, List<Event> events) {
    ChannelBins values = new ChannelBins(bins, LOOK_BACK_NANOS);
    values.add(columns(events), 0, events.size());
    values.finish();
    return values;
  }

  static CoverageSpan span(SpanKind kind, long from, long to, boolean missing) {
    TimeRange range = new TimeRange(from, to);
    return new CoverageSpan(CHANNEL.group(), kind, range, null, 0, missing, "", List.of());
  }

  static Plot plot(TimeRange range, int columns, List<Event> events, CoverageSpan... spans) {
    TimeBins bins = TimeBins.of(range, columns);
    CoverageReport report = new CoverageReport(range, List.of(spans), 0, 0, List.of());
    List<Plot.Panel> panels = new ArrayList<>();
    panels.add(
        new Plot.Panel("VA:1", "", false, bins(bins, events), BinGaps.of(report, CHANNEL, bins)));
    return new Plot(bins, ZoneOffset.UTC, panels);
  }
}
