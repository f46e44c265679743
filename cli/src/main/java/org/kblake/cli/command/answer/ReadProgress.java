package org.kblake.cli.command.answer;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.Session;
import org.kblake.cli.progress.Progress;
import org.kblake.query.EventCursor;
import org.kblake.query.EventReader;
import org.kblake.query.GridReader;
import org.kblake.query.TrendReader;
import org.kblake.query.answer.ReadPlan;

/**
 * Shows the progress of a long read. Nothing is shown in the first second, and most reads take
 * less. A thread polls the read. The read itself reports no progress.
 */
public final class ReadProgress implements AutoCloseable {

  private static final long DELAY_MILLIS = 1000;
  private static final long INTERVAL_MILLIS = 250;

  /** A read in progress. */
  public interface Read {

    /**
     * Returns the bytes of log that correspond to the events read so far. Any thread may call it.
     */
    long bytesRead();

    /** Returns the plan of the read. */
    ReadPlan plan() throws IOException;

    static Read of(EventReader reader) {
      return new Read() {
        @Override
        public long bytesRead() {
          return reader.bytesRead();
        }

        @Override
        public ReadPlan plan() throws IOException {
          return reader.plan();
        }
      };
    }

    /** Returns the read of a grid. Each point counts as an equal share of the log. */
    static Read of(GridReader grid) {
      return new Read() {
        private long rawBytes;

        @Override
        public long bytesRead() {
          return (long) (grid.share() * (double) rawBytes);
        }

        @Override
        public ReadPlan plan() throws IOException {
          ReadPlan plan = grid.plan();
          rawBytes = plan.rawBytes();
          return plan;
        }
      };
    }

    static Read of(TrendReader trend) {
      return new Read() {
        @Override
        public long bytesRead() {
          return trend.bytesRead();
        }

        @Override
        public ReadPlan plan() throws IOException {
          return trend.plan();
        }
      };
    }

    static Read of(EventCursor cursor) {
      return new Read() {
        @Override
        public long bytesRead() {
          return cursor.bytesRead();
        }

        @Override
        public ReadPlan plan() throws IOException {
          return cursor.plan();
        }
      };
    }
  }

  private final Session session;
  private final String command;
  private final Read read;
  private final @Nullable ScheduledExecutorService clock;
  private @Nullable Progress progress;
  private long shownBytes;
  private boolean closed;

  private ReadProgress(
      Session session, String command, Read read, @Nullable ScheduledExecutorService clock) {
    this.session = session;
    this.command = command;
    this.read = read;
    this.clock = clock;
  }

  /**
   * Prepares to show the progress of a read.
   *
   * @param dataOnTerminal whether the answer itself goes to the terminal; then no progress is shown
   */
  public static ReadProgress of(Session session, Read read, boolean dataOnTerminal) {
    return dataOnTerminal ? new ReadProgress(session, "get", read, null) : of(session, "get", read);
  }

  /**
   * Prepares to show the progress of a read whose answer is written after its end.
   *
   * @param command the name of the command
   */
  public static ReadProgress of(Session session, String command, Read read) {
    if (!session.showsProgress()) {
      return new ReadProgress(session, command, read, null);
    }
    return new ReadProgress(
        session,
        command,
        read,
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "kblake-progress");
              thread.setDaemon(true);
              return thread;
            }));
  }

  /** Starts the clock when the read begins. */
  public void begin() {
    if (clock != null) {
      var unused =
          clock.scheduleWithFixedDelay(
              this::show, DELAY_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void show() {
    if (closed) {
      return;
    }
    long bytes = read.bytesRead();
    Progress bar = progress;
    if (bar == null) {
      bar = session.progress(command, totalBytes());
      progress = bar;
    }
    bar.advance(bytes - shownBytes, 0);
    shownBytes = bytes;
  }

  private long totalBytes() {
    try {
      return read.plan().rawBytes();
    } catch (IOException e) {
      // The read gets the same error and reports it
      return 0;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (clock != null) {
      clock.shutdownNow();
    }
    if (progress != null) {
      progress.close();
    }
  }
}
