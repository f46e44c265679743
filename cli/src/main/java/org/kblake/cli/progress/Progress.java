package org.kblake.cli.progress;

import java.io.PrintStream;
import java.util.function.LongSupplier;

/**
 * Shows how far a task is. {@link #advance} may be called by any thread and costs next to nothing;
 * call it per piece of work, not per event.
 */
public interface Progress extends AutoCloseable {

  /**
   * Says that more of the task is done.
   *
   * @param bytes of raw log, since the last call
   * @param events since the last call; a task that never says any is shown without
   */
  void advance(long bytes, long events);

  /** Writes a line that the user must see, without spoiling what is shown. */
  void say(String line);

  /** Ends the show; what stands on the screen stays. */
  @Override
  void close();

  /** Shows messages only. */
  static Progress silent(PrintStream err) {
    return new SilentProgress(err);
  }

  /** A bar for a terminal. */
  static Progress bar(String task, long totalBytes, PrintStream err) {
    return new ProgressOnTerminal(task, totalBytes, err);
  }

  /**
   * A line now and then, for logs.
   *
   * @param nanoClock as {@link System#nanoTime}
   */
  static Progress lines(String task, long totalBytes, PrintStream err, LongSupplier nanoClock) {
    return new ProgressLines(task, totalBytes, err, nanoClock);
  }
}
