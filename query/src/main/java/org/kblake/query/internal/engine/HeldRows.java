package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.source.AnswerPosition;
import org.kblake.query.internal.source.EventRows;

/** The events that set held values, one at a time, then the rows of another source. */
public final class HeldRows extends EventRows {

  private final ChannelResolution resolution;
  private final List<HeldValue> values;
  private final EventRows events;
  private int next;

  /**
   * @param values known values
   * @param events the events after them; closed with this source
   */
  HeldRows(ChannelResolution resolution, List<HeldValue> values, EventRows events) {
    this.resolution = resolution;
    this.values = values;
    this.events = events;
  }

  @Override
  public boolean next() throws IOException {
    if (next == values.size()) {
      return events.next() && moveTo(events, 0);
    }
    HeldValue value = values.get(next++);
    return moveTo(
        value.row(),
        0,
        1,
        resolution.names().indexOf(value.channel().name()),
        resolution.groups().indexOf(value.channel().group()));
  }

  @Override
  public AnswerPosition.@Nullable Point position(int group, long rows) throws IOException {
    return events.position(group, rows);
  }

  @Override
  public void close() throws IOException {
    events.close();
  }
}
