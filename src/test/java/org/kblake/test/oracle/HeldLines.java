package org.kblake.test.oracle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.query.ArchiveReader;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.UnknownChannelException;

/** Converts held values to text, a line for each channel, to be compared bit for bit. */
public final class HeldLines {

  private HeldLines() {}

  /** Returns the values, or null if one of the channels is unknown at the instant. */
  public static @Nullable List<String> read(ArchiveReader reader, HeldQuery query)
      throws IOException {
    try {
      return of(reader.held(query));
    } catch (UnknownChannelException e) {
      return null;
    }
  }

  public static List<String> of(HeldValues values) {
    List<String> lines = new ArrayList<>();
    for (HeldValue value : values.values()) {
      lines.add(
          value.channel().name()
              + " "
              + (value.isKnown()
                  ? value.sinceNanos()
                      + " "
                      + value.severity()
                      + " "
                      + value.status()
                      + " "
                      + AnswerLines.text(value.value())
                  : "unknown")
              + " "
              + value.connection());
    }
    return lines;
  }

  /** Returns the lines according to the events of one group of {@link NaiveReader}. */
  public static List<String> naively(
      HeldQuery query, List<Channel> channels, List<NaiveReader.Event> events) {
    Map<String, NaiveReader.Event> values = new HashMap<>();
    Map<String, NaiveReader.Event> lastEvents = new HashMap<>();
    for (NaiveReader.Event event : events) {
      if (!event.stray()
          && event.nanos() <= query.atNanos()
          && event.nanos() >= query.atNanos() - query.lookBackNanos()) {
        lastEvents.put(event.record(), event);
        if (event.state() == 2) {
          values.put(event.record(), event);
        }
      }
    }
    List<String> lines = new ArrayList<>();
    for (Channel channel : channels) {
      NaiveReader.Event value = values.get(channel.name());
      NaiveReader.Event event = lastEvents.get(channel.name());
      String connection =
          event == null ? "UNKNOWN" : event.state() == 0 ? "DISCONNECTED" : "CONNECTED";
      lines.add(
          channel.name()
              + " "
              + (value == null
                  ? "unknown"
                  : value.nanos()
                      + " "
                      + value.severity()
                      + " "
                      + value.status()
                      + " "
                      + GridLines.text(value))
              + " "
              + connection);
    }
    return lines;
  }
}
