package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.message.Control.Position;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.PairPosition;

/** Sends the bytes of a group to a builder, pair after pair. For one thread. */
final class GroupFeed implements Closeable {

  /** The frames of a turn. More would delay other groups, fewer cost more looks at them. */
  private static final int MAX_FRAMES = 8;

  private final Group group;
  private final int number;
  private final PairList list;

  /** The last pair that was begun, and the one before, whose writer may be late. */
  private final Deque<PairFeed> pairs = new ArrayDeque<>();

  private boolean begun;

  /** When to look again, and how long to rest after it, if the group does not grow. */
  private long dueNanos = System.nanoTime();

  private long restNanos = BuilderSession.ACTIVE_NANOS;

  GroupFeed(Group group, int number, PairList list) {
    this.group = group;
    this.number = number;
    this.list = list;
  }

  Group group() {
    return group;
  }

  int number() {
    return number;
  }

  boolean hasBegun() {
    return begun;
  }

  /** Continues where a builder is. */
  void begin(Position position) throws IOException {
    for (PairPosition each : position.pairs()) {
      add(each.stamp()).continueAt(each);
    }
    begun = true;
  }

  private PairFeed add(long stamp) throws IOException {
    PairName name = TransferNames.pair(group, stamp);
    if (name == null) {
      throw new IOException("no pair has this stamp: group=" + group + ", stamp=" + stamp);
    }
    PairFeed feed = new PairFeed(list.directory(group), name, stamp);
    pairs.addLast(feed);
    return feed;
  }

  /** Returns after how many nanoseconds to look at the files of the group; 0 or less for now. */
  long dueIn(long nowNanos) {
    return begun ? dueNanos - nowNanos : BuilderSession.IDLE_NANOS;
  }

  /**
   * Sends some frames, if there is something to send, and the credit permits it.
   *
   * @return whether there may be more
   */
  boolean sendSome(FrameOutput out, long nowNanos) throws IOException {
    for (int i = 0; i < MAX_FRAMES; i++) {
      if (!send(out)) {
        if (i > 0 || out.isExhausted()) {
          restNanos = BuilderSession.ACTIVE_NANOS;
        } else {
          dueNanos = nowNanos + restNanos;
          restNanos = Math.min(BuilderSession.IDLE_NANOS, restNanos + restNanos / 8);
        }
        return i > 0;
      }
    }
    return true;
  }

  /**
   * Sends a frame, if there is something to send, and the credit permits it.
   *
   * @return whether there may be more
   */
  private boolean send(FrameOutput out) throws IOException {
    Long next = next();
    for (PairFeed each : pairs) {
      if (each.send(out, number, next == null && each == pairs.peekLast())) {
        return true;
      }
      if (!each.isComplete()) {
        return false;
      }
    }
    if (next == null) {
      return false;
    }
    add(next);
    if (pairs.size() > 2) {
      Objects.requireNonNull(pairs.pollFirst()).close();
    }
    return true;
  }

  private @Nullable Long next() {
    PairFeed last = pairs.peekLast();
    return list.after(group, last == null ? -1 : last.stamp());
  }

  /** Tells the builder that the group is given to it. */
  void give(FrameOutput out) throws IOException {
    out.send(Frame.Kind.GIVE, number, group.toString());
  }

  @Override
  public void close() throws IOException {
    for (PairFeed each : pairs) {
      each.close();
    }
  }
}
