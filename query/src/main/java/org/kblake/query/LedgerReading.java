package org.kblake.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.Losses;
import org.kblake.query.answer.LossySpan;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.UnknownChannelException;

/** Reads the spans of losses that meet a range from ledgers. docs/design/losses.md has the form. */
final class LedgerReading {

  /** The spans that are kept. If there are more, neighbours are joined. */
  static final int MOST = 10_000;

  private static final String LOSSES = ":LOSSES";

  /** Statements of later versions may have more. */
  private static final int ELEMENTS = 6;

  private static final long SECOND = 1_000_000_000L;
  private static final long MOST_SECONDS = Long.MAX_VALUE / SECOND - 1;

  /** Doubles above it are not exact. */
  private static final double MOST_NUMBER = 1L << 53;

  private static final double[] NO_NUMBERS = {};

  private static final List<String> REASONS =
      List.of(
          "reason 0",
          "ring full",
          "no writable disk",
          "recorder late",
          "circuit down",
          "canary jumped",
          "recorder crashed",
          "recorder stopped");

  private final Set<Group> groups;
  private final TimeRange range;
  private final List<String> notes = new ArrayList<>();
  private List<LossySpan> spans = new ArrayList<>();
  private int most = MOST;
  private long unread;
  private boolean wasJoined;

  private LedgerReading(Collection<Group> groups, TimeRange range) {
    this.groups = new HashSet<>(groups);
    this.range = range;
  }

  /**
   * Reads the statements from the begin of the range on, because they come later than their spans.
   *
   * @param groups the recorded groups
   */
  static Losses of(ArchiveReader archive, Collection<Group> groups, TimeRange range)
      throws IOException {
    LedgerReading reading = new LedgerReading(groups, range);
    try {
      List<Group> ledgers = archive.ledgers();
      if (ledgers.isEmpty()) {
        return Losses.NONE;
      }
      return reading.read(archive, ledgers, range.fromNanos());
    } catch (IOException e) {
      Interruption.check();
      reading.noteUnread(String.valueOf(e.getMessage()));
    }
    return reading.losses();
  }

  /**
   * Reads later statements of one ledger.
   *
   * @param fromNanos statements before it are not read, nanoseconds since 1970 UTC
   */
  static Losses of(
      ArchiveReader archive,
      Group ledger,
      Collection<Group> groups,
      TimeRange range,
      long fromNanos)
      throws IOException {
    return new LedgerReading(groups, range).read(archive, List.of(ledger), fromNanos);
  }

  private Losses read(ArchiveReader archive, List<Group> ledgers, long fromNanos)
      throws IOException {
    try {
      if (!groups.isEmpty()) {
        statements(archive, ledgers, fromNanos);
      }
    } catch (UnknownChannelException e) {
      if (!e.isCertain()) {
        noteUnread(String.valueOf(e.getMessage()));
      }
    } catch (IOException e) {
      Interruption.check();
      noteUnread(String.valueOf(e.getMessage()));
    }
    return losses();
  }

  private void statements(ArchiveReader archive, List<Group> ledgers, long fromNanos)
      throws IOException {
    EventQuery statements =
        EventQuery.of(new ChannelSelection(ledgers, ChannelSelection.glob("*" + LOSSES).patterns()))
            .between(new TimeRange(fromNanos, Long.MAX_VALUE))
            .withStrays()
            .allowIncomplete();
    try (EventCursor cursor = archive.cursor(statements)) {
      add(cursor);
      note(cursor.coverage().missing());
    }
  }

  private void add(EventCursor cursor) throws IOException {
    List<@Nullable Group> recorded = new ArrayList<>();
    for (Channel channel : cursor.channels()) {
      recorded.add(recorded(channel.name()));
    }
    while (cursor.next()) {
      Group group = recorded.get(cursor.channel());
      if (group != null && groups.contains(group)) {
        EventColumns columns = cursor.columns();
        for (int row = cursor.from(); row < cursor.to(); row++) {
          if (columns.hasValue(row)) {
            add(span(group, columns, row));
          }
        }
      }
    }
  }

  private static @Nullable Group recorded(String channel) {
    try {
      return Group.parse(channel.substring(0, channel.length() - LOSSES.length()));
    } catch (IllegalArgumentException e) {
      // It is another channel that ends like this.
      return null;
    }
  }

  private static @Nullable LossySpan span(Group group, EventColumns columns, int row) {
    double[] numbers = columns.type() == ValueType.DOUBLE ? columns.asDoubles(row) : NO_NUMBERS;
    if (numbers.length < ELEMENTS
        || !Arrays.stream(numbers, 0, ELEMENTS).allMatch(LedgerReading::isWhole)) {
      return null;
    }
    long count = (long) numbers[4];
    if (!isTime(numbers[0], numbers[1]) || !isTime(numbers[2], numbers[3]) || count < -1) {
      return null;
    }
    long from = nanos((long) numbers[0], (long) numbers[1]);
    long to = nanos((long) numbers[2], (long) numbers[3]);
    return from > to
        ? null
        : new LossySpan(group, new TimeRange(from, to), count, reason((long) numbers[5]));
  }

  private static long nanos(long seconds, long more) {
    return seconds * SECOND + more;
  }

  private static boolean isWhole(double number) {
    return Math.abs(number) <= MOST_NUMBER && Math.rint(number) == number;
  }

  private static boolean isTime(double seconds, double nanos) {
    return Math.abs(seconds) <= MOST_SECONDS && nanos >= 0 && nanos < SECOND;
  }

  private static String reason(long code) {
    return code >= 0 && code < REASONS.size() ? REASONS.get((int) code) : "reason " + code;
  }

  private void add(@Nullable LossySpan span) {
    if (span == null) {
      unread++;
    } else if (range.meets(span.range().fromNanos(), span.range().toNanos())) {
      spans.add(span);
      if (spans.size() > most) {
        join();
      }
    }
  }

  /** Joins the nearest neighbours of each group, so that at most about half of the spans remain. */
  private void join() {
    sort();
    long[] gaps = new long[spans.size()];
    int count = 0;
    for (int i = 1; i < spans.size(); i++) {
      if (spans.get(i).group().equals(spans.get(i - 1).group())) {
        gaps[count++] = gap(spans.get(i - 1), spans.get(i));
      }
    }
    Arrays.sort(gaps, 0, count);
    long nearest = gaps[count / 2];
    List<LossySpan> joined = new ArrayList<>();
    for (LossySpan span : spans) {
      int last = joined.size() - 1;
      if (last >= 0
          && joined.get(last).group().equals(span.group())
          && gap(joined.get(last), span) <= nearest) {
        joined.set(last, join(joined.get(last), span));
      } else {
        joined.add(span);
      }
    }
    spans = joined;
    wasJoined = true;
    most = Math.max(MOST, 2 * joined.size());
  }

  private static long gap(LossySpan before, LossySpan after) {
    return EpochNanos.minus(after.range().fromNanos(), before.range().toNanos());
  }

  private static LossySpan join(LossySpan before, LossySpan after) {
    TimeRange hull =
        new TimeRange(
            before.range().fromNanos(),
            Math.max(before.range().toNanos(), after.range().toNanos()));
    long count =
        before.isCounted() && after.isCounted()
            ? EpochNanos.plus(before.count(), after.count())
            : LossySpan.UNKNOWN;
    String reason = before.reason().equals(after.reason()) ? before.reason() : "several reasons";
    return new LossySpan(before.group(), hull, count, reason);
  }

  private void note(List<CoverageSpan> missing) {
    if (!missing.isEmpty()) {
      int more = missing.size() - 1;
      noteUnread(missing.get(0) + (more == 0 ? "" : "; and " + more + " other spans"));
    }
  }

  private void noteUnread(String reason) {
    notes.add("the ledger of losses is incomplete: " + reason);
  }

  private void sort() {
    spans.sort(
        Comparator.comparing(LossySpan::group)
            .thenComparingLong(span -> span.range().fromNanos())
            .thenComparingLong(span -> span.range().toNanos()));
  }

  private Losses losses() {
    sort();
    if (unread > 0) {
      notes.add(
          unread == 1
              ? "1 statement of losses cannot be read"
              : unread + " statements of losses cannot be read");
    }
    if (wasJoined) {
      notes.add("there are more than " + MOST + " lossy spans: neighbours are joined");
    }
    return new Losses(true, spans, notes);
  }
}
