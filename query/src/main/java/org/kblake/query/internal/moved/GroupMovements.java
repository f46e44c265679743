package org.kblake.query.internal.moved;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.Movement;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.source.EventRuns;
import org.kblake.query.question.MovedQuery;

/** The channels of one group, and how they moved. */
public final class GroupMovements {

  /** The share of events that arrive within the disorder of a group. */
  private static final double IN_ORDER = 0.95;

  private static final int MOST_LATENESSES = 4096;

  private final WatchTimes times;
  private final List<ChannelTarget> channels;

  /** By the answer's index of the channel's name. */
  private final @Nullable ChannelWatch[] watches;

  private final Sample latenesses = new Sample(MOST_LATENESSES);
  private long latestNanos = Long.MIN_VALUE;

  /**
   * @param names the number of names of the answer
   */
  public GroupMovements(MovedQuery query, List<ChannelTarget> channels, int names) {
    times = WatchTimes.of(query);
    this.channels = List.copyOf(channels);
    watches = new @Nullable ChannelWatch[names];
  }

  /** Reads the events of the group to their end. */
  public void read(EventRuns runs) throws IOException {
    while (runs.next()) {
      EventColumns columns = runs.columns();
      ChannelWatch watch = watches[runs.channel()];
      if (watch == null) {
        watch = new ChannelWatch(times);
        watches[runs.channel()] = watch;
      }
      for (int row = runs.from(); row < runs.to(); row++) {
        watch.add(columns, row);
        addLateness(columns.timeNanos[row]);
      }
    }
    forEach(ChannelWatch::finish);
  }

  private void addLateness(long nanos) {
    latestNanos = Math.max(latestNanos, nanos);
    if (nanos >= times.windowNanos()) {
      latenesses.add((double) (latestNanos - nanos));
    }
  }

  private void forEach(Consumer<ChannelWatch> action) {
    for (ChannelWatch watch : watches) {
      if (watch != null) {
        action.accept(watch);
      }
    }
  }

  /** Returns the channels whose values before the window must be looked up. */
  public List<Channel> unknown() {
    List<Channel> unknown = new ArrayList<>();
    for (ChannelTarget target : channels) {
      ChannelWatch watch = watches[target.index()];
      if (watch != null && watch.needsHeld()) {
        unknown.add(target.channel());
      }
    }
    return unknown;
  }

  /**
   * Adds the values that channels held before the window.
   *
   * @param held a value for each channel of {@link #unknown()}, in its order
   */
  public void judge(List<HeldValue> held) {
    int next = 0;
    for (ChannelTarget target : channels) {
      ChannelWatch watch = watches[target.index()];
      if (watch != null && watch.needsHeld()) {
        watch.judge(held.get(next++));
      }
    }
  }

  /**
   * Returns the movements, in no order.
   *
   * @param spans the coverage of the group
   */
  public List<RankedMovement> movements(List<CoverageSpan> spans) {
    List<TimeRange> gaps = new ArrayList<>();
    for (CoverageSpan span : spans) {
      if (span.kind() != SpanKind.ANSWERED) {
        gaps.add(span.range());
      }
    }
    long disorderNanos = latenesses.count() == 0 ? 0 : (long) latenesses.quantile(IN_ORDER);
    List<RankedMovement> movements = new ArrayList<>();
    for (ChannelTarget target : channels) {
      ChannelWatch watch = watches[target.index()];
      Movement movement = watch == null ? null : watch.movement(target.channel(), gaps);
      if (movement != null) {
        movements.add(new RankedMovement(movement, disorderNanos));
      }
    }
    return movements;
  }
}
