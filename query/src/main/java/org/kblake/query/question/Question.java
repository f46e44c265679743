package org.kblake.query.question;

import java.time.Duration;
import org.kblake.core.model.TimeRange;

/**
 * A question: a {@link Scope}, and what is asked about it. Immutable; each method that sets
 * something returns a changed copy. A question ignores settings of its scope that do not concern
 * it.
 *
 * @param <Q> the type of the question
 */
public interface Question<Q> {

  /** Returns the scope. */
  Scope scope();

  /** Returns the same question about another scope. */
  Q with(Scope scope);

  /** Returns the channels of the question. */
  default ChannelSelection channels() {
    return scope().channels();
  }

  /** Returns the times of the question. */
  default TimeRange range() {
    return scope().range();
  }

  /** Returns the source of the answer. */
  default Source source() {
    return scope().source();
  }

  /** Returns the greatest age of a held value in nanoseconds. */
  default long lookBackNanos() {
    return scope().lookBackNanos();
  }

  /** Returns whether the answer may be incomplete. */
  default boolean allowsIncomplete() {
    return scope().allowsIncomplete();
  }

  /** Sets the source of the answer. */
  default Q from(Source source) {
    return with(scope().from(source));
  }

  /** Sets the greatest age of a held value; an older value is not known. */
  default Q lookBack(Duration duration) {
    return with(scope().lookBack(duration));
  }

  /**
   * Allows an incomplete answer, from which events may be missing because a log cannot be read: it
   * is returned without an exception. Its coverage lists the missing spans.
   */
  default Q allowIncomplete() {
    return with(scope().allowIncomplete());
  }
}
