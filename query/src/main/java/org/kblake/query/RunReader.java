package org.kblake.query;

import java.io.IOException;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.query.internal.source.EventRuns;

/**
 * A reader of events run after run. A run is adjacent events of one channel, in the order of the
 * answer.
 */
public abstract sealed class RunReader implements AutoCloseable permits EventCursor, EventFollower {

  RunReader() {}

  /** Returns the source whose present run is read. */
  abstract EventRuns run();

  /** Returns the channels of the answer, in the order of the question. */
  public abstract List<Channel> channels();

  /**
   * Returns the columns of the run. They are valid until the next run is read. Not to be changed.
   */
  public final EventColumns columns() {
    return run().columns();
  }

  /** Returns the run's first row. */
  public final int from() {
    return run().from();
  }

  /** Returns the row after the run's last. */
  public final int to() {
    return run().to();
  }

  /** Returns the run's channel, an index into {@link #channels()}. */
  public int channel() {
    return run().channel();
  }

  @Override
  public abstract void close() throws IOException;
}
