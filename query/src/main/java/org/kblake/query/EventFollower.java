package org.kblake.query;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.internal.follow.FollowSession;
import org.kblake.query.internal.follow.FollowedGroupSource;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.internal.source.MergedGroups;

/**
 * Events from a time on: history, then new events, in one stream without gap or duplicate, some
 * adjacent rows of one channel at a time, as in {@link EventCursor}.
 *
 * <pre>
 *   while (true) {
 *     if (follower.next(Duration.ofSeconds(1))) {
 *       EventColumns columns = follower.columns();
 *       for (int row = follower.from(); row &lt; follower.to(); row++) {
 *         columns.timeNanos[row], columns.state[row], columns.values[row] ...
 *       }
 *     }
 *     follower.notes().forEach(System.err::println);
 *   }
 * </pre>
 *
 * <p>A group's events come in log order. Events of several groups that the same poll of the files
 * finds are merged by time. Events written later come later. There is no queue: for a slow caller,
 * the events are read later from the files, in bounded memory.
 *
 * <p>For one thread at a time, but any thread may close it.
 */
public final class EventFollower extends RowReader {

  private static final long GROUPS_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final FollowSession following;
  private final FollowedLosses losses;
  private final Runnable onHistory;
  private final long pollNanos;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();

  /** The reading thread; it is interrupted when another thread closes this follower. */
  private @Nullable Thread reading;

  private volatile boolean closed;
  private boolean pastHistory;
  private boolean broken;

  /** The events of the last poll; null after they were returned. */
  private @Nullable EventRows rowsOfPoll;

  private @Nullable EventRows rows;
  private long nextPollNanos = System.nanoTime();
  private long nextGroupsNanos = nextPollNanos + GROUPS_NANOS;

  /**
   * @param onHistory called after the history was read, or when the follower is closed before that
   */
  EventFollower(
      FollowSession following, FollowedLosses losses, Runnable onHistory, Runnable onClose) {
    super(new AnswerState(following.query(), following.report(), onClose));
    this.following = following;
    this.losses = losses;
    this.onHistory = onHistory;
    pollNanos = EpochNanos.of(following.query().poll());
  }

  /**
   * Moves to the next rows, at least one. Waits for new events if there is none.
   *
   * @param timeout the longest wait; zero for no wait
   * @return false if there was no row in that time
   * @throws IOException if the follower was closed, or an earlier call was interrupted while it
   *     read
   */
  public boolean next(Duration timeout) throws IOException, InterruptedException {
    long timeoutNanos = Math.max(0, EpochNanos.of(timeout));
    long beginNanos = System.nanoTime();
    lock.lockInterruptibly();
    try {
      rows = null;
      boolean polled = rowsOfPoll != null;
      while (true) {
        requireOpen();
        if (read()) {
          return true;
        }
        long now = System.nanoTime();
        long leftNanos = timeoutNanos - (now - beginNanos);
        // The files are polled if a poll is due within the time, even if the thread was stopped
        // meanwhile.
        if (leftNanos <= 0 && (polled || nextPollNanos - beginNanos > timeoutNanos)) {
          return false;
        }
        long waitNanos = nextPollNanos - now;
        if (waitNanos > 0 && closing.awaitNanos(Math.min(waitNanos, leftNanos)) > 0) {
          requireOpen();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() throws IOException {
    if (closed || broken) {
      throw new IOException(
          (closed ? "follower is closed: " : "follower was interrupted: ") + following.query());
    }
  }

  /** Reads some of the events found, or polls the files if the next poll is due. */
  private boolean read() throws IOException, InterruptedException {
    setReading(Thread.currentThread());
    boolean whole = false;
    try {
      boolean found = nextOfPoll();
      whole = true;
      return found;
    } catch (ClosedByInterruptException e) {
      Thread.interrupted();
      requireOpen();
      InterruptedException interrupted = new InterruptedException(e.getMessage());
      interrupted.initCause(e);
      throw interrupted;
    } finally {
      broken |= !whole;
      setReading(null);
    }
  }

  private synchronized void setReading(@Nullable Thread thread) {
    if (thread == null && closed) {
      // The interrupt came from close().
      Thread.interrupted();
    }
    reading = thread;
  }

  private boolean nextOfPoll() throws IOException {
    EventRows present = rowsOfPoll;
    if (present == null && System.nanoTime() - nextPollNanos >= 0) {
      present = poll();
      rowsOfPoll = present;
    }
    if (present != null && present.next()) {
      rows = present;
      return true;
    }
    rowsOfPoll = null;
    if (present != null) {
      pastHistory();
    }
    return false;
  }

  private void pastHistory() {
    if (!pastHistory) {
      pastHistory = true;
      onHistory.run();
    }
  }

  private EventRows poll() throws IOException {
    long now = System.nanoTime();
    if (now - nextGroupsNanos >= 0) {
      nextGroupsNanos = now + GROUPS_NANOS;
      following.addGroups();
    }
    List<FollowedGroupSource> groups = following.groups();
    for (FollowedGroupSource group : groups) {
      group.poll(now);
    }
    nextPollNanos = now + pollNanos;
    return MergedGroups.of(List.copyOf(groups));
  }

  /**
   * Returns the channels found so far, in the order of the question, then those of later pairs.
   * More may be added at the end by {@link #next}.
   */
  @Override
  public List<Channel> channels() {
    return following.channels().all();
  }

  @Override
  EventRows rows() {
    EventRows present = rows;
    if (present == null) {
      throw new IllegalStateException("no run");
    }
    return present;
  }

  /**
   * Returns the coverage of the history. The time after the end of the logs at the opening is
   * pending. {@link #notes} reports later events of this kind.
   */
  @Override
  public CoverageReport coverage() {
    return super.coverage();
  }

  /**
   * Returns the place in the logs after the present rows, for {@link ArchiveReader#followLogs};
   * null before the first pair was read, and if history and several groups are followed.
   */
  public @Nullable LogPosition position() {
    return following.groups().isEmpty() ? null : following.groups().get(0).position();
  }

  /**
   * Returns whether the logs that {@link ArchiveReader#followLogs} reads have a pair behind one
   * that is not closed yet, or cannot be read.
   */
  public boolean isBehind() {
    return !following.groups().isEmpty() && following.groups().get(0).isBehind();
  }

  /**
   * Notes since the last call, one line each: damage that was skipped, files that are unavailable,
   * files that are available again.
   */
  public List<String> notes() {
    return following.notes().take();
  }

  /**
   * Returns what recorders may have lost of these events and was not told yet: one line on all new
   * spans, and notes. Those of the history come first, so call it behind that, in the thread that
   * reads. It looks at the archive at most each two seconds.
   */
  public List<String> losses() throws IOException {
    return losses.next(channels(), coverage());
  }

  /** Closes the follower. A thread in {@link #next} receives an {@link IOException} at once. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
      Thread reader = reading;
      if (reader != null) {
        reader.interrupt();
      }
    }
    lock.lock();
    try {
      closing.signalAll();
      pastHistory();
      if (state.close()) {
        following.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
