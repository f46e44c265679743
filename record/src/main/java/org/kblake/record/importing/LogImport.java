package org.kblake.record.importing;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import org.kblake.core.model.TimeRange;

/** Copies the events of a source into a group, from where an earlier import ended. */
public final class LogImport {

  private static final int EVENTS_AT_ONCE = 1 << 12;

  private final ImportSource source;
  private final ImportTarget target;
  private final ImportSettings settings;
  private final ImportReport report;
  private final Clock clock;

  /** Learns of the progress. */
  @FunctionalInterface
  public interface Listener {
    /**
     * @param work the work since the last call, in the unit of the source
     * @param events the events since the last call
     */
    void advanced(long work, long events);
  }

  /** The extent of what was written. */
  public record Summary(long events, int pairs) {}

  public LogImport(
      ImportSource source,
      ImportTarget target,
      ImportSettings settings,
      ImportReport report,
      Clock clock) {
    this.source = source;
    this.target = target;
    this.settings = settings;
    this.report = report;
    this.clock = clock;
  }

  /**
   * Copies the events of a range.
   *
   * @throws InterruptedIOException if the thread is interrupted; whole pairs stay
   */
  public Summary run(TimeRange range, Listener listener) throws IOException {
    try (ImportLog log =
        new ImportLog(target, settings, report, source.channels(), clock.millis())) {
      copy(log, range, listener);
      log.end();
      if (target.isContinued()) {
        target.addToList();
      }
      return new Summary(log.events(), log.pairs());
    }
  }

  private void copy(ImportLog log, TimeRange range, Listener listener) throws IOException {
    long until = target.state().untilNanos();
    long skipped = target.state().eventsThere();
    long workBefore = 0;
    long eventsBefore = 0;
    int read = 0;
    SourceEvent event = source.next();
    // What is later is left to another import.
    while (event != null && event.orderNanos() < range.toNanos()) {
      boolean isImported =
          event.orderNanos() < until || (event.orderNanos() == until && skipped-- > 0);
      if (!isImported && range.contains(event.nanos())) {
        log.write(event);
      } else if (!isImported) {
        log.pass(event);
      }
      if (++read % EVENTS_AT_ONCE == 0) {
        listener.advanced(source.work() - workBefore, log.events() - eventsBefore);
        workBefore = source.work();
        eventsBefore = log.events();
        if (Thread.interrupted()) {
          throw new InterruptedIOException();
        }
      }
      event = source.next();
    }
    listener.advanced(source.work() - workBefore, log.events() - eventsBefore);
  }
}
