package org.kblake.cli.progress;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.LongAdder;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.process.TerminalOutput;

/** A progress bar with work, share, speed, elapsed and remaining time, and events per second. */
final class ProgressOnTerminal implements Progress {

  private static final String CLEAR_LINE =
      TerminalOutput.CONTROL + "G" + TerminalOutput.CONTROL + "K";

  private final String task;
  private final long total;
  private final ProgressUnit unit;
  private final PrintStream err;
  private final PrintStream lines;
  private final LongAdder work = new LongAdder();
  private final LongAdder events = new LongAdder();
  private final long startNanos = System.nanoTime();
  private final Timer delay = new Timer("kblake-progress", true);
  private volatile @Nullable ProgressBar bar;
  private boolean closed;

  ProgressOnTerminal(
      String task, long total, ProgressUnit unit, PrintStream err, long delayMillis) {
    this.task = task;
    this.total = total;
    this.unit = unit;
    this.err = err;
    this.lines = TerminalOutput.lines(err, true);
    if (delayMillis <= 0) {
      show();
      return;
    }
    delay.schedule(
        new TimerTask() {
          @Override
          public void run() {
            show();
          }
        },
        delayMillis);
  }

  private synchronized void show() {
    if (!closed) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(total)
              .startsFrom(work.sum(), Duration.ofNanos(System.nanoTime() - startNanos))
              .setUnit(unit.shown(), unit.amount())
              .setStyle(ProgressBarStyle.ASCII)
              .showSpeed()
              .setConsumer(new ConsoleProgressBarConsumer(err))
              .build();
    }
  }

  @Override
  public void advance(long more, long moreEvents) {
    work.add(more);
    events.add(moreEvents);
    ProgressBar shown = bar;
    if (shown != null) {
      show(shown);
    }
  }

  private void show(ProgressBar shown) {
    shown.stepTo(work.sum());
    double seconds = (System.nanoTime() - startNanos) * 1e-9;
    if (events.sum() > 0 && seconds > 0) {
      shown.setExtraMessage(" " + ProgressText.events(events.sum() / seconds) + " events/s");
    }
  }

  /** Prints a line in one write, so that the thread that draws the bar cannot write in between. */
  @Override
  public void printLine(String line) {
    lines.print((bar == null ? "" : CLEAR_LINE) + line + System.lineSeparator());
  }

  @Override
  public void close() {
    delay.cancel();
    synchronized (this) {
      closed = true;
    }
    ProgressBar shown = bar;
    if (shown != null) {
      show(shown);
      shown.close();
    }
  }
}
