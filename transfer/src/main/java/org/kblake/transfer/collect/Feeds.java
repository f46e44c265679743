package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferLog;
import org.kblake.transfer.message.Control;
import org.kblake.transfer.message.Control.Denied;
import org.kblake.transfer.message.Control.Has;
import org.kblake.transfer.message.Control.Position;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.ProtocolException;

/** The groups that a builder has of a collector. For one thread, except for {@link #answer}. */
final class Feeds implements Closeable {

  private static final long RETRY_NANOS = 30_000_000_000L;

  private final PairList list;
  private final FrameOutput out;
  private final TransferLog log;
  private final Map<Group, GroupFeed> feeds = new TreeMap<>();
  private final Map<Integer, GroupFeed> byNumber = new HashMap<>();
  private final Map<Group, Long> failedNanos = new HashMap<>();

  /** Answers of the builder that wait for the thread. */
  private final ConcurrentLinkedQueue<Control> answers = new ConcurrentLinkedQueue<>();

  /** Why groups are not sent. */
  private final Map<Group, String> failures = new ConcurrentSkipListMap<>();

  private List<GroupFeed> order = List.of();
  private int numbers;
  private volatile long behind = 1;
  private volatile long failedPairs;

  Feeds(PairList list, FrameOutput out, TransferLog log) {
    this.list = list;
    this.out = out;
    this.log = log;
  }

  /**
   * Takes an answer of the builder.
   *
   * @throws ProtocolException if there are more than what was asked for
   */
  void answer(Control answer) throws ProtocolException {
    if (!out.isAnswer()) {
      throw new ProtocolException("the builder answers what it was not asked");
    }
    answers.add(answer);
  }

  /** Gives and takes groups, so that the builder has those that it should have. */
  void update(Predicate<Group> wanted) throws IOException {
    for (GroupFeed each : order) {
      if (!wanted.test(each.group())) {
        out.send(Frame.Kind.TAKE, each.number(), "");
        remove(each);
      }
    }
    long now = System.nanoTime();
    failedNanos.values().removeIf(failed -> now - failed >= RETRY_NANOS);
    for (Group group : list.pairs().keySet()) {
      if (!feeds.containsKey(group) && !failedNanos.containsKey(group) && wanted.test(group)) {
        GroupFeed feed = new GroupFeed(group, ++numbers, list, log::warn);
        feeds.put(group, feed);
        byNumber.put(feed.number(), feed);
        feed.give(out);
      }
    }
    order = new ArrayList<>(feeds.values());
    behind = order.stream().mapToLong(GroupFeed::behind).sum();
    failures.keySet().removeIf(group -> !wanted.test(group));
    failedPairs =
        failures.keySet().stream()
            .filter(group -> !feeds.containsKey(group))
            .mapToLong(group -> list.pairs(group).length)
            .sum();
  }

  /** Returns how many pairs were not wholly sent at the last update. For any thread. */
  long behind() {
    return behind;
  }

  /** Returns the same with all pairs of groups that are not sent. For any thread. */
  long missingPairs() {
    return behind + failedPairs;
  }

  /** Returns why groups are not sent. For any thread. */
  List<String> failures() {
    return List.copyOf(failures.values());
  }

  /**
   * Sends some frames of each group that has something to send.
   *
   * @return whether there may be more
   */
  boolean send() throws IOException {
    takeAnswers();
    boolean more = false;
    long nowNanos = System.nanoTime();
    for (GroupFeed each : order) {
      if (each.hasBegun() && each.dueIn(nowNanos) <= 0) {
        more |= send(each, nowNanos);
      }
    }
    return more;
  }

  /** Returns after how many nanoseconds a group is due. */
  long dueIn() {
    long nowNanos = System.nanoTime();
    long due = BuilderSession.IDLE_NANOS;
    for (GroupFeed each : order) {
      due = Math.min(due, each.dueIn(nowNanos));
    }
    return due;
  }

  private boolean send(GroupFeed feed, long nowNanos) throws IOException {
    try {
      return feed.sendSome(out, nowNanos);
    } catch (ChangedFileException e) {
      // Given again, the group is compared with what the builder has.
      log.warn("group is given again: group=" + feed.group() + ", " + e.getMessage());
      out.send(Frame.Kind.TAKE, feed.number(), "");
      remove(feed);
      return true;
    } catch (SourceFileException e) {
      fail(feed, e);
      return false;
    }
  }

  private void fail(GroupFeed feed, IOException problem) throws IOException {
    String reason = "group=" + feed.group() + ", " + problem.getMessage();
    log.warn("group is not sent: " + reason);
    out.send(Frame.Kind.FAILED, feed.number(), reason);
    failedNanos.put(feed.group(), System.nanoTime());
    failures.put(feed.group(), reason);
    remove(feed);
  }

  private void takeAnswers() throws IOException {
    for (Control each = answers.poll(); each != null; each = answers.poll()) {
      if (each instanceof Has has) {
        take(byNumber.get(has.number()), feed -> begin(feed, has));
      } else if (each instanceof Position position) {
        take(byNumber.get(position.number()), feed -> feed.continueAt(position.pair()));
      } else if (each instanceof Denied denied) {
        take(
            byNumber.get(denied.number()),
            feed -> {
              failedNanos.put(feed.group(), System.nanoTime());
              failures.put(feed.group(), "the builder denies it: " + denied.reason());
              remove(feed);
            });
      }
    }
  }

  /** Work on a group. */
  private interface Work {
    void on(GroupFeed feed) throws IOException;
  }

  /**
   * @param feed null if it was taken in the meantime
   */
  private void take(@Nullable GroupFeed feed, Work work) throws IOException {
    if (feed != null) {
      try {
        work.on(feed);
      } catch (SourceFileException e) {
        fail(feed, e);
      }
    }
  }

  private void begin(GroupFeed feed, Has has) throws IOException {
    if (feed.hasBegun()) {
      throw new ProtocolException("the builder states twice what it has: " + feed.group());
    }
    feed.begin(has);
    failures.remove(feed.group());
  }

  private void remove(GroupFeed feed) throws IOException {
    feeds.remove(feed.group());
    byNumber.remove(feed.number());
    order = new ArrayList<>(feeds.values());
    feed.close();
  }

  @Override
  public void close() throws IOException {
    for (GroupFeed each : feeds.values()) {
      each.close();
    }
  }
}
