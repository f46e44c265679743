package org.kblake.cli.progress;

import java.io.PrintStream;
import java.util.concurrent.atomic.LongAdder;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar with bytes, share, speed, elapsed and remaining time, and events per second. */
final class ProgressOnTerminal implements Progress {

  private static final long MEBIBYTE = 1 << 20;

  private static final String CLEAR_LINE = "\r\u001b[K";

  private final ProgressBar bar;
  private final PrintStream err;
  private final LongAdder events = new LongAdder();
  private final long startNanos = System.nanoTime();

  ProgressOnTerminal(String task, long totalBytes, PrintStream err) {
    this.err = err;
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(totalBytes)
            .setUnit(" MiB", MEBIBYTE)
            .setStyle(ProgressBarStyle.ASCII)
            .showSpeed()
            .setConsumer(new ConsoleProgressBarConsumer(err))
            .build();
  }

  @Override
  public void advance(long bytes, long moreEvents) {
    events.add(moreEvents);
    bar.stepBy(bytes);
    double seconds = (System.nanoTime() - startNanos) * 1e-9;
    if (moreEvents > 0 && seconds > 0) {
      bar.setExtraMessage(" " + ProgressText.events(events.sum() / seconds) + " events/s");
    }
  }

  /** Prints a line in one write, so that the thread that draws the bar cannot write in between. */
  @Override
  public void printLine(String line) {
    err.print(CLEAR_LINE + line + System.lineSeparator());
  }

  @Override
  public void close() {
    bar.close();
  }
}
