package org.kblake.ship.work;

import java.io.IOException;
import java.util.Map;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.format.text.EventLines;

/** Writes the events of a group as the lines of {@code kblake get}. Groups share the lines. */
public final class TextSink implements EventSink {

  private static final int MOST_ROWS = 10_000;

  private final EventLines lines;
  private int rows;

  public TextSink(EventLines lines) {
    this.lines = lines;
  }

  @Override
  public void add(Channel channel, EventColumns events, int from, int to) throws IOException {
    lines.write(channel, events, from, to);
    rows += to - from;
  }

  @Override
  public boolean hasRoom() {
    return rows < MOST_ROWS;
  }

  @Override
  public void deliver() throws IOException {
    rows = 0;
    lines.flush();
  }

  @Override
  public Map<String, String> ranks() {
    return Map.of();
  }
}
