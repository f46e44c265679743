package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * A question about events: channels, range, and form of the answer. Immutable; each method returns
 * a changed copy. The look-back of its scope has an effect only with {@link #withHeld}, and the
 * mask none.
 */
public final class EventQuery implements Question<EventQuery> {

  /** The default number of rows of a batch. They fill an Arrow buffer of 512 KiB exactly. */
  public static final int DEFAULT_BATCH_ROWS = 64_512;

  /** The default number of bytes of texts and lists in a batch. */
  public static final long DEFAULT_BATCH_BYTES = 16L << 20;

  private static final long MAX_BATCH_BYTES = 1L << 30;
  private static final int MAX_BATCH_ROWS = 1 << 24;

  private Scope scope;
  private long last;
  private boolean asDouble;
  private boolean withStrays;
  private boolean withLogOrder;
  private int batchRows = DEFAULT_BATCH_ROWS;
  private long batchBytes = DEFAULT_BATCH_BYTES;
  private boolean newestPair;
  private boolean withHeld;
  private @Nullable EventFilter filter;
  private boolean withGroup;

  private EventQuery(Scope scope) {
    this.scope = scope;
  }

  /** Returns a question about all events of the channels, without a range. */
  public static EventQuery of(ChannelSelection channels) {
    return new EventQuery(Scope.of(channels).lookBackNanos(0));
  }

  /** Returns a copy with a change. */
  private EventQuery changed(Consumer<EventQuery> change) {
    EventQuery copy = new EventQuery(scope);
    copy.last = last;
    copy.asDouble = asDouble;
    copy.withStrays = withStrays;
    copy.withLogOrder = withLogOrder;
    copy.batchRows = batchRows;
    copy.batchBytes = batchBytes;
    copy.newestPair = newestPair;
    copy.withHeld = withHeld;
    copy.filter = filter;
    copy.withGroup = withGroup;
    change.accept(copy);
    return copy;
  }

  @Override
  public Scope scope() {
    return scope;
  }

  @Override
  public EventQuery with(Scope newScope) {
    return changed(copy -> copy.scope = newScope);
  }

  /** Sets the range: from a time on, included, to a time, not included. */
  public EventQuery between(Instant from, Instant to) {
    return between(EpochNanos.range(from, to));
  }

  /** Sets the range. */
  public EventQuery between(TimeRange newRange) {
    return with(scope.between(newRange));
  }

  /**
   * Restricts the answer to events of the newest pair whose record table can be read. Newer pairs
   * are skipped. If such a pair is not readable yet, the coverage has a note. Otherwise it counts
   * as missing. Cannot be combined with {@link #last}.
   */
  public EventQuery inNewestPair() {
    return changed(copy -> copy.newestPair = true);
  }

  /**
   * Restricts the answer to the last events of every channel in the range, in log order. Set the
   * range's end. Its begin limits the search. Without a begin only channels recorded at the range's
   * end match; names without a channel there are searched everywhere.
   *
   * @param events number of events of each channel, at least 1
   */
  public EventQuery last(long events) {
    if (events < 1) {
      throw new IllegalArgumentException("events must be at least 1: events=" + events);
    }
    return changed(copy -> copy.last = events);
  }

  /**
   * Begins the answer with the event that set the value of each channel just before the range: the
   * last value event in log order before the range's begin, without strays. These rows are sorted
   * by time. The range must have a begin. Cannot be combined with {@link #last} and {@link
   * #inNewestPair}.
   *
   * @param lookBack the length of the search backwards; older values do not count
   */
  public EventQuery withHeld(Duration lookBack) {
    if (lookBack.isNegative()) {
      throw new IllegalArgumentException("look-back is negative: " + lookBack);
    }
    return changed(
        copy -> {
          copy.scope = scope.lookBack(lookBack);
          copy.withHeld = true;
        });
  }

  /**
   * Restricts the answer to rows that a filter selects. All rows of the question are read. {@link
   * #last} counts rows before the filter.
   */
  public EventQuery where(EventFilter newFilter) {
    return changed(copy -> copy.filter = newFilter);
  }

  /** Adds the column {@code group}, even if only one group answers. */
  public EventQuery withGroup() {
    return changed(copy -> copy.withGroup = true);
  }

  /** Returns values of every type as doubles. A text is NaN. */
  public EventQuery asDouble() {
    return changed(copy -> copy.asDouble = true);
  }

  /**
   * Adds the column {@code stray}, and the strays of the segments whose spans meet the range, at
   * any time.
   */
  public EventQuery withStrays() {
    return changed(copy -> copy.withStrays = true);
  }

  /**
   * Adds the place of each event in the log: {@code latenessNanos} and {@code tie} of the columns,
   * and {@link org.kblake.query.EventCursor#segment}. The events of a segment are in log order if
   * they are sorted by time + lateness, then by tie. The answer must be of one group, and without
   * {@link #last} and {@link #where}. Raw logs are then read twice.
   */
  public EventQuery withLogOrder() {
    return changed(copy -> copy.withLogOrder = true);
  }

  /**
   * Sets the largest size of batches.
   *
   * @param rows the most rows, at least 1
   * @param bytes the most bytes of texts and lists; a batch has at least one row of any length
   */
  public EventQuery batches(int rows, long bytes) {
    if (rows < 1 || rows > MAX_BATCH_ROWS || bytes < 1 || bytes > MAX_BATCH_BYTES) {
      throw new IllegalArgumentException(
          "batch size is out of bounds: rows="
              + rows
              + " (1 to "
              + MAX_BATCH_ROWS
              + "), bytes="
              + bytes
              + " (1 to "
              + MAX_BATCH_BYTES
              + ")");
    }
    return changed(
        copy -> {
          copy.batchRows = rows;
          copy.batchBytes = bytes;
        });
  }

  /** Returns the question about the values held just before the range; null for none. */
  public @Nullable HeldQuery heldBefore() {
    long fromNanos = scope.range().fromNanos();
    return withHeld && fromNanos > Long.MIN_VALUE ? new HeldQuery(scope.at(fromNanos - 1)) : null;
  }

  /** Returns whether only the newest pair is read. */
  public boolean isOfNewestPair() {
    return newestPair;
  }

  /** Returns the largest number of events of each channel; 0 for all. */
  public long lastEvents() {
    return last;
  }

  /** Returns the filter of rows; null for none. */
  public @Nullable EventFilter filter() {
    return filter;
  }

  /** Returns whether the column {@code group} is requested. */
  public boolean hasGroup() {
    return withGroup;
  }

  /** Returns whether values of every type are returned as doubles. */
  public boolean isAsDouble() {
    return asDouble;
  }

  /** Returns whether strays are included. */
  public boolean hasStrays() {
    return withStrays;
  }

  /** Returns whether the places of events in the log are included. */
  public boolean hasLogOrder() {
    return withLogOrder;
  }

  /** Returns the largest number of rows of a batch. */
  public int batchRows() {
    return batchRows;
  }

  /** Returns the largest number of bytes of texts and lists in a batch of more than one row. */
  public long batchBytes() {
    return batchBytes;
  }

  @Override
  public String toString() {
    return scope.channelsAndRange();
  }
}
