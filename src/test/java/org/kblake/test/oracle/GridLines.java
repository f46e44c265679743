package org.kblake.test.oracle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.GridReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.GridQuery;

/** Converts grids to text, a line for each point and channel, to be compared bit for bit. */
public final class GridLines {

  private GridLines() {}

  /**
   * A grid.
   *
   * @param values a line for each point and channel
   * @param connections a line for each connection event
   * @param coverage its coverage report
   */
  public record Lines(List<String> values, List<String> connections, CoverageReport coverage) {}

  public static Lines read(ArchiveReader archive, GridQuery query) throws IOException {
    List<String> values = new ArrayList<>();
    List<String> connections = new ArrayList<>();
    try (GridReader grid = archive.grid(query)) {
      String[] last = new String[grid.channels().size()];
      Arrays.fill(last, "unknown");
      while (grid.next()) {
        addConnections(grid, connections);
        for (int channel = 0; channel < grid.channels().size(); channel++) {
          String value = value(grid, channel);
          if (!grid.isNew(channel) && !value.equals(last[channel])) {
            throw new AssertionError(
                grid.channels().get(channel) + " is not new: " + last[channel] + ", " + value);
          }
          last[channel] = value;
          values.add(line(grid.timeNanos(), grid.channels().get(channel), value));
        }
      }
      addConnections(grid, connections);
      return new Lines(values, connections, grid.coverage());
    }
  }

  private static void addConnections(GridReader grid, List<String> lines) {
    for (int i = 0; i < grid.connections(); i++) {
      lines.add(
          grid.connectionNanos(i)
              + " "
              + grid.channels().get(grid.connectionChannel(i))
              + " "
              + grid.connectionState(i).code());
    }
  }

  private static String value(GridReader grid, int channel) {
    if (!grid.isKnown(channel)) {
      return "unknown";
    }
    EventColumns columns = grid.columns(channel);
    int row = grid.row(channel);
    return grid.sinceNanos(channel)
        + " "
        + columns.severity[row]
        + " "
        + Short.toUnsignedInt(columns.status[row])
        + " "
        + text(columns, row);
  }

  private static String line(long nanos, Channel channel, String value) {
    return nanos + " " + channel + " " + value;
  }

  private static String text(EventColumns columns, int row) {
    if (!columns.waveform()) {
      return element(columns, row);
    }
    StringBuilder text = new StringBuilder("[");
    for (int i = columns.listStarts[row]; i < columns.listStarts[row + 1]; i++) {
      text.append(text.length() == 1 ? "" : " ").append(element(columns, i));
    }
    return text.append("]").toString();
  }

  private static String element(EventColumns columns, int element) {
    return switch (columns.type()) {
      case STRING ->
          new String(
              columns.text,
              columns.textStarts[element],
              columns.textStarts[element + 1] - columns.textStarts[element],
              StandardCharsets.UTF_8);
      case DOUBLE -> "d" + Long.toHexString(columns.values[element]);
      case FLOAT -> "f" + Integer.toHexString((int) columns.values[element]);
      case SHORT, ENUM, CHAR, LONG -> Long.toString(columns.values[element]);
    };
  }

  /** Returns the lines of a grid according to the events of {@link NaiveReader}. */
  public static List<String> naively(
      GridQuery query, List<Channel> channels, Map<Channel, List<NaiveReader.Event>> events) {
    return naively(query, channels, events, null);
  }

  /**
   * Returns the same lines.
   *
   * @param coverage the coverage outside of which there are gaps, if the question has them
   */
  public static List<String> naively(
      GridQuery query,
      List<Channel> channels,
      Map<Channel, List<NaiveReader.Event>> events,
      @Nullable CoverageReport coverage) {
    List<String> lines = new ArrayList<>();
    for (long point = 0; point < query.points(); point++) {
      long nanos = query.pointNanos(point);
      for (Channel channel : channels) {
        NaiveReader.Event held = null;
        NaiveReader.Event last = null;
        for (NaiveReader.Event event : events.getOrDefault(channel, List.of())) {
          if (!event.stray() && event.nanos() <= nanos) {
            last = event;
            held = event.state() == 2 ? event : held;
          }
        }
        boolean isGap =
            query.nullInGaps()
                && (last == null
                    || last.state() == 0
                    || coverage == null
                    || !TrendBins.isAnswered(coverage, channel, nanos));
        lines.add(
            line(
                nanos,
                channel,
                held == null || isGap
                    ? "unknown"
                    : held.nanos()
                        + " "
                        + held.severity()
                        + " "
                        + held.status()
                        + " "
                        + text(held)));
      }
    }
    return lines;
  }

  /** Returns the connection events of one group according to {@link NaiveReader}. */
  public static List<String> connectionsNaively(
      GridQuery query, List<Channel> channels, List<NaiveReader.Event> events) {
    Map<String, Channel> byName = new HashMap<>();
    channels.forEach(channel -> byName.put(channel.name(), channel));
    return events.stream()
        .filter(
            event ->
                byName.containsKey(event.record())
                    && !event.stray()
                    && event.state() != EventState.VALUE_CODE
                    && event.nanos() >= query.startNanos()
                    && event.nanos() < query.connectionsToNanos())
        .sorted(Comparator.comparingLong(NaiveReader.Event::nanos))
        .map(event -> event.nanos() + " " + byName.get(event.record()) + " " + event.state())
        .toList();
  }

  /** Returns a value as text. */
  static String text(NaiveReader.Event event) {
    StringBuilder text = new StringBuilder();
    for (Object element : event.value()) {
      text.append(text.isEmpty() ? "" : " ");
      if (event.type().equals(ValueType.DOUBLE.text())) {
        text.append("d").append(Long.toHexString((Long) element));
      } else if (event.type().equals(ValueType.FLOAT.text())) {
        text.append("f").append(Integer.toHexString(((Long) element).intValue()));
      } else {
        text.append(element);
      }
    }
    return event.elementCount() > 1 ? "[" + text + "]" : text.toString();
  }

  /** Returns the value of an event as text, with numbers as doubles. */
  public static String textAsDouble(NaiveReader.Event event) {
    List<Object> elements = new ArrayList<>();
    for (Object element : event.value()) {
      elements.add(
          event.type().equals(ValueType.DOUBLE.text())
              ? Double.longBitsToDouble((Long) element)
              : event.type().equals(ValueType.FLOAT.text())
                  ? (Object) (double) Float.intBitsToFloat(((Long) element).intValue())
                  : element);
    }
    return AnswerLines.text(
        AnswerLines.asDouble(event.elementCount() > 1 ? elements : elements.get(0)));
  }
}
