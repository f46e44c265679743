package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.answer.LogSegment;

/**
 * Events in the order of the answer, some adjacent rows of one channel at a time. Not thread safe.
 * The columns are valid until the next call of {@link #next}.
 */
public abstract class EventRows implements Closeable {

  private @Nullable EventColumns columns;
  private int from;
  private int to;
  private int channel;
  private int group;

  /**
   * Moves to the next rows, at least one.
   *
   * @return false if there is none
   */
  public abstract boolean next() throws IOException;

  /**
   * Makes rows the present ones.
   *
   * @param channel an index into the channels of the answer
   * @param group an index into the groups of the answer
   * @return false if there is no row
   */
  protected final boolean moveTo(EventColumns columns, int from, int to, int channel, int group) {
    this.columns = columns;
    this.from = from;
    this.to = to;
    this.channel = channel;
    this.group = group;
    return from < to;
  }

  /** Makes the rows of another source the present ones, without the first of them. */
  protected final boolean moveTo(EventRows source, int skipped) {
    return moveTo(source.columns(), source.from + skipped, source.to, source.channel, source.group);
  }

  /** Returns the columns of the rows. */
  public final EventColumns columns() {
    EventColumns present = columns;
    if (present == null) {
      throw new IllegalStateException("no run yet");
    }
    return present;
  }

  /** Returns the first row. */
  public final int from() {
    return from;
  }

  /** Returns the row after the last. */
  public final int to() {
    return to;
  }

  /** Returns the channel of the rows, an index into the channels of the answer. */
  public final int channel() {
    return channel;
  }

  /**
   * Returns the place after some of a group's rows, from which another reader can continue.
   *
   * @param group an index into the groups of the answer
   * @param rows the number of these rows
   * @return null if it is unknown, or the group has not begun
   */
  public AnswerPosition.@Nullable Point position(int group, long rows) throws IOException {
    return null;
  }

  /**
   * Returns the segment of the log that a row is in.
   *
   * @return null if it is unknown
   */
  public @Nullable LogSegment segment(int row) throws IOException {
    return null;
  }

  /** Returns the group of the rows, an index into the groups of the answer. */
  public final int group() {
    return group;
  }
}
