package org.kblake.lake.facts;

import java.util.List;
import org.kblake.core.log.LogSpan;

/**
 * A span of a pair's log that is in the tables, and the times of its writes. All times are
 * nanoseconds since 1970 UTC.
 *
 * @param block the name of its block, as data files have it
 * @param pair the {@code yyyymmddhhmmss} of the pair's files
 * @param from the first byte
 * @param to the byte behind the last
 * @param begin the time of its first milestone
 * @param lastWrite the time of its last event or milestone
 * @param end the time up to which the log is known: the milestone that follows, if one does
 * @param silence the longest time between writes while the archiver runs, nanoseconds
 * @param closes whether the pair was closed, and its log ends with this span
 * @param written the times in which the archiver wrote, in log order; after a clock was set back
 *     they may be behind {@code end}
 * @param damaged the times of segments with damaged bytes
 */
public record PublishedSpan(
    String block,
    String pair,
    long from,
    long to,
    long begin,
    long lastWrite,
    long end,
    long silence,
    boolean closes,
    List<Times> written,
    List<Times> damaged) {

  /**
   * An interval of time.
   *
   * @param from its begin
   * @param to its end, which is not in it
   */
  public record Times(long from, long to) {}

  public PublishedSpan {
    written = List.copyOf(written);
    damaged = List.copyOf(damaged);
  }

  LogSpan logSpan() {
    return new LogSpan(pair, from, to);
  }
}
