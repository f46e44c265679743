package org.kblake.cli.plot;

import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/**
 * Reads the events of a plot in one pass, into bins. A {@link org.kblake.query.TrendReader} is not
 * enough: it has neither the least state of an enum nor the times of disconnections.
 *
 * @param channels the channels of the plot, whose values are numbers or enums
 * @param range the range, not empty
 * @param lookBack the greatest age of a held value
 */
public record PlotReader(List<ChannelInfo> channels, TimeRange range, Duration lookBack) {

  public PlotReader {
    channels = List.copyOf(channels);
  }

  /** Returns whether the values of a channel can be plotted. */
  public static boolean canPlot(ChannelInfo channel) {
    return !channel.waveform() && channel.type() != ValueType.STRING;
  }

  /** Returns the question about the events of the plot. */
  public EventQuery query() {
    Set<String> names = new LinkedHashSet<>();
    channels.forEach(info -> names.add(info.channel().name()));
    return EventQuery.of(
            new ChannelSelection(groups(), names.stream().map(ChannelPattern::knownName).toList()))
        .between(range)
        .withHeld(lookBack)
        .allowIncomplete();
  }

  /** Returns the groups of the channels. */
  public List<Group> groups() {
    return channels.stream().map(info -> info.channel().group()).distinct().toList();
  }

  /**
   * Reads the plot.
   *
   * @param cursor a cursor of {@link #query}, which is read to its end
   * @param columns the greatest number of bins
   * @param zone the zone of the plot's times
   * @param units gives the unit of a channel's values; empty if it is unknown
   */
  public Plot read(EventCursor cursor, int columns, ZoneId zone, Function<Channel, String> units)
      throws IOException {
    TimeBins bins = TimeBins.of(range, columns);
    List<ChannelBins> values = new ArrayList<>();
    for (int i = 0; i < cursor.channels().size(); i++) {
      values.add(new ChannelBins(bins, lookBack.toNanos()));
    }
    for (HeldValue held : cursor.held()) {
      cursor.next();
      if (isNumeric(cursor.columns())) {
        values
            .get(cursor.channel())
            .hold(held.row(), held.connection() == HeldValue.Connection.DISCONNECTED);
      }
    }
    while (cursor.next()) {
      // The type of a channel may have changed
      if (isNumeric(cursor.columns())) {
        values.get(cursor.channel()).add(cursor.columns(), cursor.from(), cursor.to());
      }
    }
    values.forEach(ChannelBins::finish);
    return new Plot(bins, zone, panels(cursor.channels(), values, bins, cursor.coverage(), units));
  }

  private static boolean isNumeric(EventColumns columns) {
    return !columns.waveform() && columns.type() != ValueType.STRING;
  }

  private List<Plot.Panel> panels(
      List<Channel> names,
      List<ChannelBins> values,
      TimeBins bins,
      CoverageReport coverage,
      Function<Channel, String> units) {
    boolean severalGroups = groups().size() > 1;
    List<Plot.Panel> panels = new ArrayList<>();
    for (ChannelInfo info : channels) {
      Channel channel = info.channel();
      int index = names.indexOf(channel);
      panels.add(
          new Plot.Panel(
              severalGroups ? channel.toString() : channel.name(),
              units.apply(channel),
              info.type() == ValueType.ENUM,
              index < 0 ? new ChannelBins(bins, 0) : values.get(index),
              BinGaps.of(coverage, channel, bins)));
    }
    return panels;
  }
}
