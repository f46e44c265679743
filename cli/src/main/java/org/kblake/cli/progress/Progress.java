package org.kblake.cli.progress;

import java.io.PrintStream;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Shows the progress of a task. Any thread may call {@link #advance}, which is cheap. Callers call
 * it for each piece of work, not for each event.
 */
public interface Progress extends AutoCloseable {

  /**
   * Adds to the work that is done.
   *
   * @param bytes the bytes of raw log since the last call
   * @param events the events since the last call; a task that never reports events is shown without
   *     them
   */
  void advance(long bytes, long events);

  /** Prints a line that the user must see, without damage to the shown progress. */
  void printLine(String line);

  /** Ends the progress. The shown text stays on the screen. */
  @Override
  void close();

  /**
   * Returns a progress that prints lines of messages only.
   *
   * @param lines prints a line
   */
  static Progress silent(Consumer<String> lines) {
    return new SilentProgress(lines);
  }

  /** Returns a progress bar for a terminal. */
  static Progress bar(String task, long totalBytes, PrintStream err) {
    return new ProgressOnTerminal(task, totalBytes, err);
  }

  /**
   * Returns a progress that prints a line at an interval, for logs.
   *
   * @param nanoClock a clock such as {@link System#nanoTime}
   */
  static Progress lines(String task, long totalBytes, PrintStream err, LongSupplier nanoClock) {
    return new ProgressLines(task, totalBytes, err, nanoClock);
  }
}
