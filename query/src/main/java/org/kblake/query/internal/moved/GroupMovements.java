package org.kblake.query.internal.moved;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.Movement;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.reading.GroupSource;
import org.kblake.query.internal.source.PlaceLostException;
import org.kblake.query.question.MovedQuery;
import org.kblake.query.question.ReadListener;

/** The channels of one group, and how they moved. */
public final class GroupMovements {

  /** A listener is told of so many events at a time. */
  private static final int REPORTED_EVENTS = 1 << 14;

  private final WatchTimes times;
  private final List<ChannelTarget> channels;

  /** By the answer's index of the channel's name. */
  private final @Nullable ChannelWatch[] watches;

  private final Disorder disorder;

  /**
   * @param names the number of names of the answer
   */
  public GroupMovements(MovedQuery query, List<ChannelTarget> channels, int names) {
    times = WatchTimes.of(query);
    disorder = new Disorder(times.windowNanos());
    this.channels = List.copyOf(channels);
    watches = new @Nullable ChannelWatch[names];
  }

  /**
   * Reads the events of the group to their end.
   *
   * @param listener receives the bytes of log and the events, now and then
   * @throws PlaceLostException if the events must be read again in log order
   */
  public void read(GroupSource rows, ReadListener listener) throws IOException {
    long unreported = 0;
    while (rows.next()) {
      EventColumns columns = rows.columns();
      ChannelWatch watch = watches[rows.channel()];
      if (watch == null) {
        watch = new ChannelWatch(times);
        watches[rows.channel()] = watch;
      }
      for (int row = rows.from(); row < rows.to(); row++) {
        watch.add(columns, row);
      }
      disorder.add(rows);
      unreported += rows.to() - rows.from();
      if (unreported >= REPORTED_EVENTS) {
        listener.read(rows.takeBytesRead(), unreported);
        unreported = 0;
      }
    }
    listener.read(rows.takeBytesRead(), unreported);
    for (ChannelWatch watch : watches) {
      Interruption.check();
      if (watch != null) {
        watch.finish();
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
  public void judge(List<HeldValue> held) throws InterruptedIOException {
    int next = 0;
    for (ChannelTarget target : channels) {
      Interruption.check();
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
  public List<RankedMovement> movements(List<CoverageSpan> spans) throws InterruptedIOException {
    List<TimeRange> gaps = new ArrayList<>();
    for (CoverageSpan span : spans) {
      if (span.kind() != SpanKind.ANSWERED) {
        gaps.add(span.range());
      }
    }
    long disorderNanos = disorder.nanos();
    List<RankedMovement> movements = new ArrayList<>();
    for (ChannelTarget target : channels) {
      Interruption.check();
      ChannelWatch watch = watches[target.index()];
      Movement movement = watch == null ? null : watch.movement(target.channel(), gaps);
      if (movement != null) {
        movements.add(new RankedMovement(movement, disorderNanos));
      }
    }
    return movements;
  }
}
