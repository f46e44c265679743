package org.kblake.lake.facts;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.writes.FirstWrites;
import org.kblake.core.internal.time.EpochNanos;

/** The times from the ends of pairs to the first writes of others, in which kblog was running. */
final class Bridges {

  private final FirstWrites firstWrites = new FirstWrites();

  Bridges(List<LogPart> parts) {
    for (LogPart part : parts) {
      if (part.from() == 0) {
        firstWrites.add(part.pair(), part.begin());
      }
    }
  }

  /** Returns the time after a part, or null if its pair goes on or kblog was not running. */
  LogPart.@Nullable Span after(LogPart part) {
    Long next = part.closes() ? firstWrites.ofAnother(part.pair(), part.end()) : null;
    return next != null && EpochNanos.minus(next, part.end()) <= part.silence()
        ? new LogPart.Span(part.end(), next)
        : null;
  }
}
