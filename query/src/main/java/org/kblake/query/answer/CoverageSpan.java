package org.kblake.query.answer;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * A span of an answer's time, and its kind in one group.
 *
 * @param group the group
 * @param kind the kind
 * @param range the times of the span
 * @param file its log, or the missing or damaged file; null if there is none
 * @param bytes the bytes of that log, or the damaged bytes; if another span interrupts this one,
 *     its first span has all bytes
 * @param missing whether events of this span may be missing from the answer
 * @param detail the reason, for messages; may be empty
 * @param absent channels of the question that are not in this pair's record table
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

  /** Returns one line of text: kind, group, from, to, file and reason. */
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
