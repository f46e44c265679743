package org.kblake.query;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Group;
import org.kblake.query.internal.remote.ShapeCode;
import org.kblake.query.internal.source.AnswerPosition;
import org.kblake.query.internal.source.EventRows;

/**
 * What the vectors of an answer do not have: the place in the log after each batch, and the type of
 * each channel. In one batch a channel has one type.
 */
final class SentRows {

  private final EventRows source;
  private final List<Group> groups;
  private final int names;

  /** The rows of held values that are not counted yet. They come first. */
  private int heldRows;

  private final long[] rows;

  /** The shape of each channel, by group, then by name; 0 if it is unknown. */
  private final byte[] shapes;

  private StringJoiner changes = new StringJoiner(" ");

  SentRows(EventRows source, List<Group> groups, List<String> names, int heldRows) {
    this.source = source;
    this.groups = groups;
    this.names = names.size();
    this.heldRows = heldRows;
    rows = new long[groups.size()];
    shapes = new byte[Math.multiplyExact(groups.size(), names.size())];
  }

  /** Returns whether the next rows can be in a batch that has some rows. */
  boolean fits(EventRows next, int rowsOfBatch) {
    EventColumns columns = next.columns();
    byte shape = ShapeCode.of(columns.type(), columns.waveform());
    int channel = next.group() * names + next.channel();
    if (shapes[channel] == shape) {
      return true;
    }
    if (shapes[channel] != 0 && rowsOfBatch > 0) {
      return false;
    }
    shapes[channel] = shape;
    changes.add(channel + "=" + shape);
    return true;
  }

  /** Counts rows of a group. */
  void add(int group, int count) {
    int held = Math.min(heldRows, count);
    heldRows -= held;
    rows[group] += count - held;
  }

  /** Returns the channels whose types are new or changed since the last call. */
  String changes() {
    String changed = changes.toString();
    changes = new StringJoiner(" ");
    return changed;
  }

  /** Returns the place after the rows so far; null if it is unknown. */
  @Nullable AnswerPosition position() throws IOException {
    Map<Group, AnswerPosition.Point> points = new LinkedHashMap<>();
    for (int group = 0; group < rows.length; group++) {
      AnswerPosition.Point point = source.position(group, rows[group]);
      if (point != null) {
        points.put(groups.get(group), point);
      } else if (rows[group] > 0) {
        return null;
      }
    }
    return new AnswerPosition(points);
  }
}
