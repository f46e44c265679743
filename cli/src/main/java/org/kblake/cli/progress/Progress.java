package org.kblake.cli.progress;

import java.io.PrintStream;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Shows the progress of a task. Any thread may call {@link #advance}, which is cheap. Callers call
 * it for each step of work, not for each event.
 */
public interface Progress extends AutoCloseable {

  /**
   * Adds to the work that is done.
   *
   * @param work the bytes of raw log, or the groups, since the last call
   * @param events the events since the last call; a task that never reports events is shown without
   *     them
   */
  void advance(long work, long events);

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

  /**
   * Returns a progress bar for a terminal. Nothing is shown of a task that ends before the delay.
   *
   * @param delayMillis the time until the bar is shown
   */
  static Progress bar(
      String task, long total, ProgressUnit unit, PrintStream err, long delayMillis) {
    return new ProgressOnTerminal(task, total, unit, err, delayMillis);
  }

  /**
   * Returns a progress that prints a line at an interval, for logs.
   *
   * @param nanoClock a clock such as {@link System#nanoTime}
   */
  static Progress lines(
      String task, long total, ProgressUnit unit, PrintStream err, LongSupplier nanoClock) {
    return new ProgressLines(task, total, unit, err, nanoClock);
  }
}
