package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.answer.LogSegment;

/**
 * Events in the order of the answer, run after run. A run consists of adjacent events of one
 * channel. Not thread safe. The run's columns are valid until the next call of {@link #next}.
 */
public abstract class EventRuns implements Closeable {

  private @Nullable EventColumns columns;
  private int from;
  private int to;
  private int channel;
  private int group;

  /**
   * Moves to the next run, which has at least one row.
   *
   * @return false if there is none
   */
  public abstract boolean next() throws IOException;

  /**
   * Makes rows the present run.
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

  /** Makes the run of another source the present run, without its first rows. */
  protected final boolean moveTo(EventRuns source, int skipped) {
    return moveTo(source.columns(), source.from + skipped, source.to, source.channel, source.group);
  }

  /** Returns the columns of the run. */
  public final EventColumns columns() {
    EventColumns present = columns;
    if (present == null) {
      throw new IllegalStateException("no run yet");
    }
    return present;
  }

  /** Returns the run's first row. */
  public final int from() {
    return from;
  }

  /** Returns the row after the run's last. */
  public final int to() {
    return to;
  }

  /** Returns the run's channel, an index into the channels of the answer. */
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
   * Returns the segment of the log that one of the run's rows is in.
   *
   * @return null if it is unknown
   */
  public @Nullable LogSegment segment(int row) throws IOException {
    return null;
  }

  /** Returns the run's group, an index into the groups of the answer. */
  public final int group() {
    return group;
  }
}
