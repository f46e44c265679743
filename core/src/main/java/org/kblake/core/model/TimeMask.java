package org.kblake.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A set of instants: ranges of time that ascend and do not adjoin. Immutable.
 *
 * <p>Example: the times at which a condition is met.
 */
public final class TimeMask {

  /** The mask without any instant. */
  public static final TimeMask NONE = new TimeMask(List.of());

  private final List<TimeRange> ranges;
  private final long[] begins;

  private TimeMask(List<TimeRange> ranges) {
    this.ranges = List.copyOf(ranges);
    begins = ranges.stream().mapToLong(TimeRange::fromNanos).toArray();
  }

  /** Returns the instants that are in any of some ranges, which may overlap and be in any order. */
  public static TimeMask of(List<TimeRange> ranges) {
    List<TimeRange> sorted =
        ranges.stream()
            .filter(range -> range.fromNanos() < range.toNanos())
            .sorted((a, b) -> Long.compare(a.fromNanos(), b.fromNanos()))
            .toList();
    List<TimeRange> joined = new ArrayList<>(sorted.size());
    for (TimeRange range : sorted) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).toNanos() >= range.fromNanos()) {
        long end = Math.max(joined.get(last).toNanos(), range.toNanos());
        joined.set(last, new TimeRange(joined.get(last).fromNanos(), end));
      } else {
        joined.add(range);
      }
    }
    return joined.isEmpty() ? NONE : new TimeMask(joined);
  }

  /** Returns the ranges, the earliest first. Two of them neither overlap nor adjoin. */
  public List<TimeRange> ranges() {
    return ranges;
  }

  /** Returns whether no instant is in this mask. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Returns whether an instant is in this mask, in nanoseconds since 1970 UTC. */
  public boolean contains(long nanos) {
    int at = indexAt(nanos);
    return at < begins.length && begins[at] <= nanos;
  }

  /**
   * Returns the index of the first range that ends after an instant, in nanoseconds since 1970 UTC;
   * the number of ranges if none does.
   */
  public int indexAt(long nanos) {
    int low = 0;
    int high = begins.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges.get(middle).toNanos() > nanos) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Returns the instants that are in both masks. */
  public TimeMask and(TimeMask other) {
    List<TimeRange> both = new ArrayList<>();
    int mine = 0;
    int others = 0;
    while (mine < ranges.size() && others < other.ranges.size()) {
      TimeRange a = ranges.get(mine);
      TimeRange b = other.ranges.get(others);
      long from = Math.max(a.fromNanos(), b.fromNanos());
      long to = Math.min(a.toNanos(), b.toNanos());
      if (from < to) {
        both.add(new TimeRange(from, to));
      }
      if (a.toNanos() <= b.toNanos()) {
        mine++;
      } else {
        others++;
      }
    }
    return of(both);
  }

  /** Returns the instants that are in any of the two masks. */
  public TimeMask or(TimeMask other) {
    List<TimeRange> any = new ArrayList<>(ranges);
    any.addAll(other.ranges);
    return of(any);
  }

  /** Returns the instants of this mask that are not in another. */
  public TimeMask without(TimeMask other) {
    List<TimeRange> rest = new ArrayList<>();
    int next = 0;
    for (TimeRange range : ranges) {
      long at = range.fromNanos();
      while (next < other.ranges.size() && other.ranges.get(next).toNanos() <= at) {
        next++;
      }
      for (int i = next; i < other.ranges.size(); i++) {
        TimeRange hole = other.ranges.get(i);
        if (hole.fromNanos() >= range.toNanos()) {
          break;
        }
        if (at < hole.fromNanos()) {
          rest.add(new TimeRange(at, hole.fromNanos()));
        }
        at = Math.max(at, hole.toNanos());
      }
      if (at < range.toNanos()) {
        rest.add(new TimeRange(at, range.toNanos()));
      }
    }
    return of(rest);
  }

  /** Returns the number of ranges, and the first and last instant. */
  @Override
  public String toString() {
    return isEmpty()
        ? "no instant"
        : ranges.size()
            + " ranges from "
            + begins[0]
            + " to "
            + ranges.get(ranges.size() - 1).toNanos();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TimeMask mask && ranges.equals(mask.ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }
}
