package org.kblake.server.internal.appliance.sample;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.HeldValues;
import org.kblake.query.TrendReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.TrendQuery;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.data.ServedArchive;

/** Reads the samples of a channel: the last one at or before a time, and those after it. */
public final class SampleReader {

  private final ServedArchive archive;
  private final ArchiveReader reader;
  private final Channel channel;

  public SampleReader(ServedArchive archive, Channel channel) {
    this.archive = archive;
    reader = archive.reader();
    this.channel = channel;
  }

  /** Returns the archive. */
  public ServedArchive archive() {
    return archive;
  }

  /** Returns the channel. */
  public Channel channel() {
    return channel;
  }

  /**
   * Reads the last sample at or before a time, then the samples after it.
   *
   * @param fromNanos nanoseconds since 1970 UTC
   * @param toNanos nanoseconds since 1970 UTC, included
   * @return what is missing
   */
  public Missing samples(long fromNanos, long toNanos, SampleSink sink) throws IOException {
    SampleOrder order = new SampleOrder(sink);
    if (fromNanos == toNanos) {
      return held(fromNanos, order);
    }
    EventQuery query =
        EventQuery.of(ChannelQuestions.selection(channel))
            .between(new TimeRange(fromNanos + 1, toNanos + 1))
            .withHeld(archive.lookBack())
            .allowIncomplete();
    try (EventCursor cursor = reader.cursor(query)) {
      while (cursor.next()) {
        if (!order.take(cursor.columns(), cursor.from(), cursor.to())) {
          return Missing.NOTHING;
        }
      }
      order.end();
      return Missing.of(cursor.coverage());
    }
  }

  private Missing held(long nanos, SampleOrder order) throws IOException {
    HeldValues values = heldAt(nanos);
    HeldValue value = values.values().get(0);
    if (value.isKnown()) {
      EventColumns row = value.row();
      if (order.take(row, 0, 1)) {
        order.end();
      }
    }
    return Missing.of(values.coverage());
  }

  /**
   * Returns the type of the samples in a range: double if there are numbers of several types.
   *
   * @param fromNanos nanoseconds since 1970 UTC
   * @param toNanos nanoseconds since 1970 UTC, included
   * @return null if no record table of the range has the channel
   */
  public @Nullable ChannelInfo type(long fromNanos, long toNanos) throws IOException {
    TrendQuery query =
        new TrendQuery(
            archive
                .scope(ChannelQuestions.selection(channel))
                .between(new TimeRange(fromNanos, toNanos + 1)),
            Long.MAX_VALUE,
            List.of(Aggregate.COUNT));
    try (TrendReader trend = reader.trend(query)) {
      return trend.infos().isEmpty() ? null : trend.infos().get(0);
    }
  }

  /** Returns the last sample at or before a time, and what is missing before it. */
  public HeldValues heldAt(long nanos) throws IOException {
    return reader.held(archive.heldQuery(ChannelQuestions.selection(channel), nanos));
  }
}
