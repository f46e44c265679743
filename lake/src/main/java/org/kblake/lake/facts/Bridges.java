package org.kblake.lake.facts;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.writes.FirstWrites;
import org.kblake.core.internal.time.EpochNanos;

/** The times from the ends of pairs to the first writes of others, in which kblog was running. */
final class Bridges {

  private final FirstWrites firstWrites = new FirstWrites();

  Bridges(List<PublishedSpan> logSpans) {
    for (PublishedSpan logSpan : logSpans) {
      if (logSpan.from() == 0) {
        firstWrites.add(logSpan.pair(), logSpan.begin());
      }
    }
  }

  /** Returns the time after a span, or null if its pair goes on or kblog was not running. */
  PublishedSpan.@Nullable Span after(PublishedSpan logSpan) {
    Long next = logSpan.closes() ? firstWrites.ofAnother(logSpan.pair(), logSpan.end()) : null;
    return next != null && EpochNanos.minus(next, logSpan.end()) <= logSpan.silence()
        ? new PublishedSpan.Span(logSpan.end(), next)
        : null;
  }
}
