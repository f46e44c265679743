package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.RowCopy;
import org.kblake.server.internal.appliance.sample.SampleSink;

/** Samples in memory. */
final class SampleBuffer {

  private final List<EventColumns> columns = new ArrayList<>();
  private long[] lostSeconds = new long[16];
  private long[] regainedSeconds = new long[16];
  private int count;

  void add(AnsweredSample sample) {
    EventColumns from = sample.columns();
    EventColumns to = columns.isEmpty() ? null : columns.get(columns.size() - 1);
    if (to == null || to.type() != from.type() || to.waveform() != from.waveform()) {
      to = new EventColumns(from.type(), from.waveform(), 16);
      columns.add(to);
    }
    RowCopy.append(from, sample.row(), to);
    if (count == lostSeconds.length) {
      lostSeconds = Arrays.copyOf(lostSeconds, count * 2);
      regainedSeconds = Arrays.copyOf(regainedSeconds, count * 2);
    }
    lostSeconds[count] = sample.lostSeconds();
    regainedSeconds[count] = sample.regainedSeconds();
    count++;
  }

  int count() {
    return count;
  }

  /** Passes the samples on. Returns whether more are wanted. */
  boolean into(SampleSink sink) throws IOException {
    AnsweredSample sample = new AnsweredSample();
    int at = 0;
    for (EventColumns each : columns) {
      for (int row = 0; row < each.count; row++) {
        sample.set(each.timeNanos[row], each, row);
        sample.setConnection(lostSeconds[at], regainedSeconds[at]);
        at++;
        if (!sink.take(sample)) {
          return false;
        }
      }
    }
    return true;
  }
}
