package org.kblake.test.oracle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.query.EventFollower;

/**
 * Converts the events of a follower to text, one event a line: channel, time, state, severity,
 * status, value.
 */
public final class FollowedLines {

  /**
   * The timeout of a wait. It is longer than the shortest poll interval, so that files are polled
   * at least once.
   */
  private static final Duration TIMEOUT = Duration.ofMillis(11);

  private final EventFollower follower;
  private final List<String> lines = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  public FollowedLines(EventFollower follower) {
    this.follower = follower;
  }

  /** Reads all available events, and returns all lines so far. */
  public List<String> read() throws IOException, InterruptedException {
    while (follower.next(TIMEOUT)) {
      take();
    }
    notes.addAll(follower.notes());
    return lines;
  }

  /** Adds the rows of the current run. */
  void take() {
    EventColumns columns = follower.columns();
    String channel = follower.channels().get(follower.channel()).name();
    for (int row = follower.from(); row < follower.to(); row++) {
      lines.add(
          channel
              + "\t"
              + columns.timeNanos[row]
              + "\t"
              + columns.state[row]
              + "\t"
              + columns.severity[row]
              + "\t"
              + (columns.status[row] & 0xFFFF)
              + "\t"
              + value(columns, row));
    }
  }

  /** Returns all notes so far. */
  public List<String> notes() {
    return notes;
  }

  private static String value(EventColumns columns, int row) {
    if (columns.state[row] != 2) {
      return "";
    }
    int from = columns.waveform() ? columns.listStarts[row] : row;
    int to = columns.waveform() ? columns.listStarts[row + 1] : row + 1;
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(text.isEmpty() ? "" : " ");
      if (columns.type() == ValueType.STRING) {
        int start = columns.textStarts[i];
        int bytes = columns.textStarts[i + 1] - start;
        text.append(new String(columns.text, start, bytes, StandardCharsets.UTF_8));
      } else if (columns.type() == ValueType.FLOAT) {
        text.append((int) columns.values[i]);
      } else {
        text.append(columns.values[i]);
      }
    }
    return text.toString();
  }

  /** Returns the line that a follower must give for an event. */
  public static String line(NaiveReader.Event event) {
    StringBuilder text = new StringBuilder();
    if (event.state() == 2) {
      for (Object element : event.value()) {
        text.append(text.isEmpty() ? "" : " ");
        text.append(event.type().equals("float") ? ((Long) element).intValue() : element);
      }
    }
    return event.record()
        + "\t"
        + event.nanos()
        + "\t"
        + event.state()
        + "\t"
        + event.severity()
        + "\t"
        + event.status()
        + "\t"
        + text;
  }
}
