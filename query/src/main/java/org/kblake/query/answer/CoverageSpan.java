package org.kblake.query.answer;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * A part of an answer's range, and what became of it in one group.
 *
 * @param group the group
 * @param kind what became of it
 * @param range from when to when
 * @param file the log that holds it, or the file that is missing or damaged; null where there is
 *     none
 * @param bytes of that log; of damage, how many bytes are damaged. Where something else interrupts
 *     a span, all bytes are with its first part
 * @param missing whether events of this span may be missing from the answer
 * @param detail why, for people; empty where there is nothing to say
 * @param absent channels that were asked for and are not in this pair's record table
 */
public record CoverageSpan(
    Group group,
    SpanKind kind,
    TimeRange range,
    @Nullable Path file,
    long bytes,
    boolean missing,
    String detail,
    List<String> absent) {

  public CoverageSpan {
    absent = List.copyOf(absent);
  }

  /** One line for people: kind, group, from, to, file and why. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(kind.text()).append(": group=").append(group);
    text.append(", from=").append(EpochNanos.instant(range.fromNanos()));
    text.append(", to=").append(EpochNanos.instant(range.toNanos()));
    if (file != null) {
      text.append(", file=").append(file).append(", bytes=").append(bytes);
    }
    if (!detail.isEmpty()) {
      text.append(", ").append(detail);
    }
    return text.toString();
  }
}
