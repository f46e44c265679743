package org.kblake.ship.work;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.format.text.EventLines;

/** Writes the events of a group as the lines of {@code kblake get}. Groups share the lines. */
public final class TextSink implements GroupSink {

  private static final int MOST_ROWS = 10_000;

  private final EventLines lines;
  private int rows;
  private long written;

  public TextSink(EventLines lines) {
    this.lines = lines;
  }

  @Override
  public void add(Channel channel, EventColumns events, int from, int to) throws IOException {
    int begin = from;
    for (int row = from; row <= to; row++) {
      if (row == to || events.stray[row] != 0) {
        if (begin < row) {
          lines.write(channel, events, begin, row);
          written += row - begin;
        }
        begin = row + 1;
      }
    }
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
  public long delivered() {
    return written;
  }

  @Override
  public Kept keep() {
    return new Kept(0, Map.of());
  }

  @Override
  public @Nullable String refusal() {
    return null;
  }

  @Override
  public void close() {}
}
