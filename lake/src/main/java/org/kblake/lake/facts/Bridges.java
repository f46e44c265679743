package org.kblake.lake.facts;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.FirstWrites;
import org.kblake.core.model.EpochNanos;

/** The times from the ends of pairs to the first writes of others, in which kblog was running. */
final class Bridges {

  private final FirstWrites firstWrites = new FirstWrites();

  Bridges(List<PublishedSpan> publishedSpans) {
    for (PublishedSpan published : publishedSpans) {
      if (published.from() == 0) {
        firstWrites.add(published.pair(), published.begin());
      }
    }
  }

  /** Returns the time after a span, or null if its pair goes on or kblog was not running. */
  PublishedSpan.@Nullable Times after(PublishedSpan published) {
    Long next =
        published.closes() ? firstWrites.ofAnother(published.pair(), published.end()) : null;
    return next != null && EpochNanos.minus(next, published.end()) <= published.silence()
        ? new PublishedSpan.Times(published.end(), next)
        : null;
  }
}
