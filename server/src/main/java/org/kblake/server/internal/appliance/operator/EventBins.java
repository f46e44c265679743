package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.query.EventCursor;
import org.kblake.query.question.EventQuery;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.SampleReader;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * Bins that are made of all events, in log order. As many bins as fit a budget of memory are filled
 * at a time.
 */
final class EventBins implements BinSource {

  private static final int MAX_BINS = 1 << 15;

  private final SampleReader reader;
  private final BinGrid grid;
  private final BinWindow window;

  private int windowBins = MAX_BINS;
  private long first;
  private int bins;
  private int bin;
  private Missing missing = Missing.NOTHING;

  EventBins(SampleReader reader, BinGrid grid, BinWindow window) {
    this.reader = reader;
    this.grid = grid;
    this.window = window;
    first = grid.first();
    bin = -1;
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      bin++;
      if (bin >= bins) {
        first += bins;
        if (first > grid.last()) {
          return false;
        }
        load();
        bin = 0;
      }
      if (window.has(bin)) {
        return true;
      }
    }
  }

  private void load() throws IOException {
    while (true) {
      bins = (int) Math.min(windowBins, grid.last() - first + 1);
      window.clear(bins);
      if (read()) {
        return;
      }
      if (bins == 1) {
        throw new HttpStatusException(
            413, "a bin has too many values for this operator; ask for narrower bins");
      }
      windowBins = Math.max(1, bins / 4);
    }
  }

  private boolean read() throws IOException {
    EventQuery query =
        EventQuery.of(ChannelQuestions.selection(reader.channel()))
            .between(grid.times(first, first + bins))
            .allowIncomplete();
    try (EventCursor cursor = reader.archive().reader().cursor(query)) {
      while (cursor.next()) {
        EventColumns columns = cursor.columns();
        for (int row = cursor.from(); row < cursor.to(); row++) {
          if (columns.state[row] == EventState.VALUE_CODE
              && !window.add((int) (grid.bin(columns.timeNanos[row]) - first), columns, row)) {
            return false;
          }
        }
      }
      missing = missing.and(Missing.of(cursor.coverage()));
      return true;
    }
  }

  @Override
  public long bin() {
    return first + bin;
  }

  @Override
  public void fill(AnsweredSample sample) {
    window.fill(bin, sample);
  }

  @Override
  public boolean fillWith(AnsweredSample sample, EventColumns columns, int row) {
    window.fillWith(sample, columns, row);
    return true;
  }

  @Override
  public Missing missing() {
    return missing;
  }

  @Override
  public void close() {}
}
