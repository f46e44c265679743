package org.kblake.cli.plot;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.kblake.cli.draw.TimeAxis;
import org.kblake.cli.draw.ValueAxis;

/**
 * Channels over time. Each has a panel with its own axis of values. The panels have one axis of
 * time.
 *
 * @param bins the bins of all panels
 * @param zone the zone of the axis of time
 * @param panels from top to bottom, at least one
 */
public record Plot(TimeBins bins, ZoneId zone, List<Panel> panels) {

  public Plot {
    panels = List.copyOf(panels);
  }

  /**
   * A channel.
   *
   * @param title the channel's name
   * @param unit the unit of its values; empty if it is unknown
   * @param discrete whether values between integers have no meaning
   * @param values the events
   * @param gaps the times without events
   */
  public record Panel(
      String title, String unit, boolean discrete, ChannelBins values, BinGaps gaps) {}

  /** Returns the number of events of all channels in the range. */
  public long events() {
    return panels.stream().mapToLong(panel -> panel.values.events()).sum();
  }

  TimeAxis timeAxis() {
    return new TimeAxis(bins.range().fromNanos(), bins.range().toNanos(), zone);
  }

  List<Trace.Line> lines(Panel panel) {
    return Trace.of(panel.values, panel.gaps, bins.count());
  }

  /** Returns an axis of the finite values of lines. */
  static ValueAxis valueAxis(List<Trace.Line> lines) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (Trace.Line line : lines) {
      for (double value : line.values()) {
        if (Double.isFinite(value)) {
          least = Math.min(least, value);
          greatest = Math.max(greatest, value);
        }
      }
    }
    return ValueAxis.of(least, greatest);
  }

  /** Returns the ticks of a panel's values. */
  static List<ValueAxis.Tick> ticks(Panel panel, ValueAxis axis, int most) {
    List<ValueAxis.Tick> ticks = axis.ticks(Math.max(2, most));
    if (!panel.discrete) {
      return ticks;
    }
    List<ValueAxis.Tick> integers = new ArrayList<>();
    for (ValueAxis.Tick tick : ticks) {
      if (tick.value() == Math.rint(tick.value())) {
        integers.add(new ValueAxis.Tick(tick.value(), ValueAxis.text(tick.value())));
      }
    }
    return integers;
  }

  /** Returns the least and the greatest value of a panel's events; empty if it has none. */
  static String figures(Panel panel) {
    double least = panel.values.least();
    double greatest = panel.values.greatest();
    return Double.isNaN(least)
        ? ""
        : "min " + ValueAxis.text(least) + ", max " + ValueAxis.text(greatest);
  }

  /** Returns the kinds of gaps that some panel has. */
  Set<Gap> gaps() {
    Set<Gap> gaps = EnumSet.noneOf(Gap.class);
    for (Gap gap : Gap.values()) {
      if (panels.stream().anyMatch(panel -> panel.gaps.has(gap))) {
        gaps.add(gap);
      }
    }
    return gaps;
  }

  /** Returns whether some channel was disconnected at some time. */
  boolean hasDisconnections() {
    return panels.stream().anyMatch(panel -> panel.values.hasDisconnections());
  }
}
