package org.kblake.record.importing;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.core.internal.log.encode.PairEncoder;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.record.importing.ImportReport.Kind;

/**
 * Writes events as the pairs of a group: milestones at an interval, a new pair when a channel has
 * another type or longer values, and before a log is too large. For one thread, which closes it.
 */
final class ImportLog implements Closeable {

  private static final int MOST_CHANGES = 100;

  private final ImportTarget target;
  private final ImportSettings settings;
  private final ImportReport report;
  private final long nowMillis;
  private final List<String> names = new ArrayList<>();
  private final ValueType[] types;
  private final int[] elements;
  private final int[] changes;

  private @Nullable PairFiles pair;
  private @Nullable PairEncoder before;
  private boolean hasOtherTypes;
  private long milestoneNanos;
  private long latestNanos;
  private long orderNanos = Long.MIN_VALUE;
  private long eventsThere;
  private long events;
  private int pairs;

  /**
   * @throws IOException if milestones of these channels would be too large
   */
  ImportLog(
      ImportTarget target,
      ImportSettings settings,
      ImportReport report,
      List<SourceChannel> channels,
      long nowMillis)
      throws IOException {
    this.target = target;
    this.settings = settings;
    this.report = report;
    this.nowMillis = nowMillis;
    types = new ValueType[channels.size()];
    elements = new int[channels.size()];
    changes = new int[channels.size()];
    for (int i = 0; i < types.length; i++) {
      SourceChannel channel = channels.get(i);
      names.add(channel.name());
      types[i] = channel.type();
      elements[i] = channel.elements();
    }
    if (largestMilestone() > settings.largestMilestone()) {
      throw new RequestException(
          "values of all channels together are too large for a milestone; import fewer channels"
              + " into a group, or raise --largest-log: bytes="
              + largestMilestone()
              + ", most="
              + settings.largestMilestone());
    }
  }

  private long largestMilestone() {
    LogLayout layout = PairFiles.LAYOUT;
    long bytes = layout.eventHeaderBytes();
    for (int i = 0; i < types.length; i++) {
      bytes += layout.stateEntryBytes() + (long) elements[i] * types[i].bytes();
    }
    return bytes;
  }

  /** Returns the number of events written. */
  long events() {
    return events;
  }

  /** Returns the number of pairs begun. */
  int pairs() {
    return pairs;
  }

  /** Writes an event, later in the order of the source than those before. */
  void write(SourceEvent event) throws IOException {
    if (takesType(event)) {
      append(event);
    }
    pass(event);
  }

  private void append(SourceEvent event) throws IOException {
    int bytes = PairFiles.LAYOUT.recordHeaderBytes() + event.value().length;
    PairFiles open = pair;
    if (open == null || hasOtherTypes || !hasRoom(open, bytes)) {
      end();
      open = begin(event.nanos());
    } else {
      open = milestones(open, event.nanos(), bytes);
    }
    open.event(event);
    latestNanos = Math.max(latestNanos, event.nanos());
    events++;
  }

  /** Notes the place of an event that is written, or left out: an import does not read it again. */
  void pass(SourceEvent event) {
    if (event.orderNanos() != orderNanos) {
      orderNanos = event.orderNanos();
      eventsThere = target.state().untilNanos() == orderNanos ? target.state().eventsThere() : 0;
    }
    eventsThere++;
  }

  private boolean takesType(SourceEvent event) {
    int channel = event.channel();
    boolean isOther = event.type() != types[channel];
    int count = Math.max(1, event.elements());
    if (event.state() != EventState.VALUE || (!isOther && count <= elements[channel])) {
      return true;
    }
    ValueType formerType = types[channel];
    int formerElements = elements[channel];
    types[channel] = event.type();
    elements[channel] = isOther ? count : powerOfTwo(count);
    if (largestMilestone() > settings.largestMilestone()) {
      report.count(
          Kind.REFUSED,
          "value is too large for a milestone: channel=%s, elements=%d"
              .formatted(names.get(channel), count));
    } else if (changes[channel] == MOST_CHANGES) {
      report.count(Kind.OTHER_TYPE);
    } else {
      changes[channel]++;
      hasOtherTypes = true;
      return true;
    }
    types[channel] = formerType;
    elements[channel] = formerElements;
    return false;
  }

  private static int powerOfTwo(int count) {
    return count > 1 << 29 ? count : Math.max(1, Integer.highestOneBit(2 * count - 1));
  }

  private boolean hasRoom(PairFiles open, long bytes) {
    long milestones = 3 * open.encoder().milestoneBytes() + 2 * bytes;
    return open.logBytes() + bytes + milestones <= settings.largestLogBytes();
  }

  /** Writes the milestones that an event needs before it. */
  private PairFiles milestones(PairFiles open, long nanos, int bytes) throws IOException {
    PairFiles now = open;
    if (nanos < latestNanos - settings.backNanos()) {
      now.milestone(latestNanos);
      milestone(now, nanos);
      latestNanos = nanos;
      return now;
    }
    if (nanos - latestNanos > settings.silenceNanos()) {
      milestone(now, nanos);
    }
    while (nanos - milestoneNanos >= settings.milestoneNanos()) {
      long next = milestoneNanos + settings.milestoneNanos();
      if (hasRoom(now, bytes)) {
        milestone(now, next);
      } else {
        end();
        now = begin(next);
      }
    }
    return now;
  }

  private void milestone(PairFiles open, long nanos) throws IOException {
    open.milestone(nanos);
    milestoneNanos = nanos;
  }

  private PairFiles begin(long nanos) throws IOException {
    List<RecordEntry> entries = new ArrayList<>();
    for (int i = 0; i < types.length; i++) {
      entries.add(new RecordEntry(i, names.get(i), types[i], elements[i]));
    }
    PairFiles begun = target.create(target.nextName(nanos), new RecordTable(entries), before);
    pair = begun;
    pairs++;
    hasOtherTypes = false;
    latestNanos = nanos;
    milestone(begun, nanos);
    return begun;
  }

  /** Ends the pair, which then belongs to the group. */
  void end() throws IOException {
    PairFiles open = pair;
    if (open == null) {
      return;
    }
    if (latestNanos > milestoneNanos) {
      milestone(open, latestNanos);
    }
    try (open) {
      open.finish(latestNanos, nowMillis);
      target.add(open.name(), orderNanos, eventsThere, names);
    }
    before = open.encoder();
    pair = null;
  }

  /** Removes a pair that was not ended. */
  @Override
  public void close() throws IOException {
    if (pair != null) {
      pair.close();
    }
  }
}
