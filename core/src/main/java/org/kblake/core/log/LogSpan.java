package org.kblake.core.log;

/**
 * A span of one pair's log, in whole segments.
 *
 * @param stamp the pair, by the {@code yyyymmddhhmmss} of its file names
 * @param fromOffset the offset of the first segment's milestone in the log file
 * @param toOffset the offset behind the last segment
 */
public record LogSpan(String stamp, long fromOffset, long toOffset) {

  public LogSpan {
    if (fromOffset < 0 || toOffset <= fromOffset) {
      throw new IllegalArgumentException(
          "stretch is empty: stamp=" + stamp + ", from=" + fromOffset + ", to=" + toOffset);
    }
  }

  public long bytes() {
    return toOffset - fromOffset;
  }

  public LogPosition from() {
    return new LogPosition(stamp, fromOffset);
  }

  public LogPosition to() {
    return new LogPosition(stamp, toOffset);
  }

  /** Returns whether every byte of another span is in this one. */
  public boolean contains(LogSpan other) {
    return stamp.equals(other.stamp)
        && fromOffset <= other.fromOffset
        && other.toOffset <= toOffset;
  }

  /** Returns whether two spans share a byte. */
  public boolean meets(LogSpan other) {
    return stamp.equals(other.stamp) && fromOffset < other.toOffset && other.fromOffset < toOffset;
  }
}
