package org.kblake.server.internal.appliance.sample;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;

/**
 * Makes samples of events in log order: times increase strictly. Of equal times the last sample
 * remains, and samples that are earlier than the one before them are left out. Events without a
 * value are told with the next sample.
 */
final class SampleOrder {

  private static final long SECOND = 1_000_000_000L;

  private final SampleSink sink;
  private final AnsweredSample sample = new AnsweredSample();

  /** The sample that is not passed on yet; null if there is none. */
  private @Nullable EventColumns pending;

  private int pendingRow;
  private long pendingNanos = Long.MIN_VALUE;
  private long lostSeconds = AnsweredSample.ABSENT;
  private long regainedSeconds = AnsweredSample.ABSENT;
  private long pendingLost = AnsweredSample.ABSENT;
  private long pendingRegained = AnsweredSample.ABSENT;

  SampleOrder(SampleSink sink) {
    this.sink = sink;
  }

  /**
   * Takes adjacent events.
   *
   * @return whether more samples are wanted
   */
  boolean take(EventColumns columns, int from, int to) throws IOException {
    for (int row = from; row < to; row++) {
      if (columns.state[row] != EventState.VALUE_CODE) {
        connection(columns.state[row], columns.timeNanos[row]);
        continue;
      }
      long nanos = columns.timeNanos[row];
      if (pending != null && nanos < pendingNanos) {
        continue;
      }
      boolean equal = pending != null && nanos == pendingNanos;
      if (!equal) {
        if (!pass()) {
          return false;
        }
        pendingLost = AnsweredSample.ABSENT;
        pendingRegained = AnsweredSample.ABSENT;
      }
      pending = columns;
      pendingRow = row;
      pendingNanos = nanos;
      pendingLost = lostSeconds == AnsweredSample.ABSENT ? pendingLost : lostSeconds;
      pendingRegained =
          regainedSeconds == AnsweredSample.ABSENT ? pendingRegained : regainedSeconds;
      lostSeconds = AnsweredSample.ABSENT;
      regainedSeconds = AnsweredSample.ABSENT;
    }
    if (pending == columns) {
      // The reader fills its columns again.
      pending = RowCopy.of(columns, pendingRow);
      pendingRow = 0;
    }
    return true;
  }

  private void connection(byte state, long nanos) {
    if (EventState.of(state) == EventState.DISCONNECTED) {
      lostSeconds = Math.floorDiv(nanos, SECOND);
    } else {
      regainedSeconds = Math.floorDiv(nanos, SECOND);
    }
  }

  /** Passes the last sample on. */
  boolean end() throws IOException {
    return pass();
  }

  private boolean pass() throws IOException {
    EventColumns columns = pending;
    if (columns == null) {
      return true;
    }
    sample.set(pendingNanos, columns, pendingRow);
    sample.setConnection(pendingLost, pendingRegained);
    return sink.take(sample);
  }
}
