package org.kblake.query.internal.trend;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.model.TimeMask;
import org.kblake.query.internal.reading.GroupSource;
import org.kblake.query.internal.rollup.BlockRollups;
import org.kblake.query.internal.rollup.RollupRanges;

/** Adds the events of a window to aggregates that need no held values. */
final class EventPass extends RollupPass {

  private final TrendWindow window;
  private final ChannelTrend[] into;
  private final @Nullable TimeMask mask;

  EventPass(Input input) {
    super(input, input.reading().report(), input.window().range(), false);
    window = input.window();
    into = input.into();
    mask = input.query().mask();
  }

  @Override
  boolean usesRollups() {
    return mask == null;
  }

  @Override
  void add(int channel, GroupSource rows) throws IOException {
    into[channel].add(rows.columns(), rows.from(), rows.to());
  }

  @Override
  boolean add(int channel, RollupRows from, int row) {
    into[channel].add(from, row);
    return true;
  }

  @Override
  @Nullable RollupRanges find(BlockRollups rollups, int channel, String record) throws IOException {
    return rollups.find(record, window.rollupBins());
  }
}
