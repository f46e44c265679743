package org.kblake.cli.progress;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Prints a plain line every ten seconds. The thread that calls {@link #advance} prints it. */
final class ProgressLines implements Progress {

  private static final long INTERVAL_NANOS = 10_000_000_000L;

  private final String task;
  private final long total;
  private final ProgressUnit unit;
  private final PrintStream err;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private final AtomicLong nextNanos;
  private final LongAdder work = new LongAdder();
  private final LongAdder events = new LongAdder();

  ProgressLines(
      String task, long total, ProgressUnit unit, PrintStream err, LongSupplier nanoClock) {
    this.task = task;
    this.total = total;
    this.unit = unit;
    this.err = err;
    this.nanoClock = nanoClock;
    this.startNanos = nanoClock.getAsLong();
    this.nextNanos = new AtomicLong(startNanos + INTERVAL_NANOS);
  }

  @Override
  public void advance(long more, long moreEvents) {
    work.add(more);
    events.add(moreEvents);
    long now = nanoClock.getAsLong();
    long next = nextNanos.get();
    if (now - next >= 0 && nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
      err.println(
          ProgressText.line(
              task, unit, work.sum(), total, events.sum(), (now - startNanos) * 1e-9));
    }
  }

  @Override
  public void printLine(String line) {
    err.println(line);
  }

  @Override
  public void close() {}
}
