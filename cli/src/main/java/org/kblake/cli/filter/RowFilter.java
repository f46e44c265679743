package org.kblake.cli.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeMask;
import org.kblake.format.argument.ConditionArgument;
import org.kblake.query.question.EventFilter;

/**
 * The rows that {@code --where}, {@code --severity} and {@code --when} select: those that meet all.
 * For one answer. Not thread safe.
 */
public final class RowFilter implements EventFilter {

  private static final List<String> SEVERITIES = List.of("no", "minor", "major", "invalid");

  private final List<ConditionArgument> conditions = new ArrayList<>();
  private final int leastSeverity;
  private final @Nullable TimeMask times;
  private long removed;

  private RowFilter(int leastSeverity, @Nullable TimeMask times) {
    this.leastSeverity = leastSeverity;
    this.times = times;
  }

  /**
   * Parses conditions.
   *
   * @param severity the least severity; null for any
   * @throws UsageException if a text is not one
   */
  public static RowFilter of(List<String> conditions, @Nullable String severity) {
    int least = severity == null ? 0 : SEVERITIES.indexOf(severity.toLowerCase(Locale.ROOT));
    if (least < 0) {
      throw new UsageException(
          "--severity '" + severity + "' is not one of " + String.join(", ", SEVERITIES));
    }
    RowFilter filter = new RowFilter(least, null);
    for (String condition : conditions) {
      try {
        filter.conditions.add(ConditionArgument.ofRows(condition));
      } catch (IllegalArgumentException e) {
        throw new UsageException("--where " + e.getMessage(), e);
      }
    }
    return filter;
  }

  /** Returns a filter of these rows at some times only. */
  public static RowFilter within(@Nullable RowFilter rows, TimeMask times) {
    RowFilter filter = new RowFilter(rows == null ? 0 : rows.leastSeverity, times);
    if (rows != null) {
      filter.conditions.addAll(rows.conditions);
    }
    return filter;
  }

  /** Returns the names of severities, the least first. */
  public static List<String> severities() {
    return SEVERITIES;
  }

  /**
   * Checks that an answer has the channels that conditions name.
   *
   * @throws UsageException if one is missing
   */
  @Override
  public void check(List<Channel> channels) {
    for (ConditionArgument condition : conditions) {
      String name = condition.channel();
      if (name != null && channels.stream().noneMatch(each -> each.name().equals(name))) {
        throw new UsageException(
            "--where names a channel that the answer does not have: "
                + name
                + "; write value for all channels");
      }
    }
  }

  @Override
  public int nextMatch(String channel, EventColumns events, int from, int to) {
    int next = EventFilter.super.nextMatch(channel, events, from, to);
    removed += next - from;
    return next;
  }

  /** Returns whether rows are selected at no time. */
  public boolean isNever() {
    return times != null && times.isEmpty();
  }

  /** Returns the number of events of the answer so far that do not match. */
  public long removed() {
    return removed;
  }

  @Override
  public boolean matches(String channel, EventColumns events, int row) {
    if (events.severity[row] < leastSeverity
        || times != null && !times.contains(events.timeNanos[row])) {
      return false;
    }
    for (int i = 0; i < conditions.size(); i++) {
      if (!conditions.get(i).matches(channel, events, row)) {
        return false;
      }
    }
    return true;
  }
}
