package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.kblake.core.internal.log.pair.IndexEntries;
import org.kblake.core.log.PairName;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.PairBytes;
import org.kblake.transfer.message.PairPosition;

/**
 * Sends the bytes of a pair that grows: those of the log before the entries of the index that point
 * to them. For one thread.
 */
final class PairFeed implements Closeable {

  /** How often to look at a pair whose writer should have ended, in nanoseconds. */
  private static final long EARLIER_NANOS = 1_000_000_000;

  /** How often to look at an index whose log has not grown for a while. */
  private static final long INDEX_NANOS = 50_000_000;

  private static final long QUIET_NANOS = 30_000_000;

  /** Where a pair is in its group. */
  enum Place {
    /** A later one was begun. It is looked at more rarely, unless it has just grown. */
    EARLIER,
    /** It is the last one that was begun, and a later one waits for it. */
    LAST,
    /** It is the last one. Of its index only whole entries are sent that point into the log. */
    NEWEST
  }

  private final long stamp;
  private final SourceFile log;
  private final SourceFile index;
  private final IndexEntries entries;

  /** Up to where log and index are sent before the next look at their sizes. */
  private long logGoal;

  private long indexGoal;
  private boolean complete;
  private long lookedNanos;
  private long indexNanos;
  private long grownNanos = System.nanoTime();

  PairFeed(Path directory, PairName name, long stamp) {
    this.stamp = stamp;
    log = new SourceFile(directory.resolve(name.logFile()));
    index = new SourceFile(directory.resolve(name.indexFile()));
    entries = new IndexEntries(index.path());
  }

  long stamp() {
    return stamp;
  }

  /** Returns whether all bytes were sent at the last look. */
  boolean isComplete() {
    return complete;
  }

  /**
   * Continues where a builder is, which must have the same bytes before.
   *
   * @param isLast whether no pair is later, so that the files cannot be shorter
   * @return whether a file is shorter, so that nothing of it follows
   */
  boolean continueAt(PairPosition position, boolean isLast) throws SourceFileException {
    boolean isLogShorter = log.continueAt(position.log(), isLast);
    boolean isIndexShorter = index.continueAt(position.index(), isLast);
    logGoal = log.sent();
    indexGoal = index.sent();
    return isLogShorter || isIndexShorter;
  }

  /** Returns whether the log was deleted when the builder had its beginning. */
  boolean isGone() {
    return log.isGone();
  }

  /** Returns what was sent. */
  PairBytes sent() {
    return new PairBytes(stamp, log.sent(), index.sent());
  }

  /** Returns how many bytes more the files have than those of a builder. */
  static PairBytes more(Path directory, PairName name, PairBytes has) throws SourceFileException {
    return new PairBytes(
        has.stamp(),
        SourceFile.more(directory.resolve(name.logFile()), has.log()),
        SourceFile.more(directory.resolve(name.indexFile()), has.index()));
  }

  /**
   * Sends a frame, if there is something to send.
   *
   * @param place where the pair is in its group
   */
  boolean send(FrameOutput out, int number, Place place) throws IOException {
    if (log.sent() == logGoal && index.sent() == indexGoal) {
      long now = System.nanoTime();
      if (place == Place.EARLIER
          && complete
          && now - lookedNanos < EARLIER_NANOS
          && now - grownNanos >= EARLIER_NANOS) {
        return false;
      }
      lookedNanos = now;
      if (place == Place.NEWEST && complete && isQuiet(now)) {
        return false;
      }
      look(place == Place.NEWEST, now);
    }
    if (log.isNew()) {
      out.send(new Frame(0, number, stamp, 0, Frame.Kind.LOG), log);
      return true;
    }
    if (index.isNew()) {
      out.send(new Frame(0, number, stamp, 0, Frame.Kind.INDEX), index);
      return true;
    }
    if (log.sent() < logGoal) {
      return send(out, number, Frame.Kind.LOG, logGoal);
    }
    return index.sent() < indexGoal && send(out, number, Frame.Kind.INDEX, indexGoal);
  }

  /** Returns whether it suffices that the log has not grown. */
  private boolean isQuiet(long now) throws SourceFileException {
    boolean grows = log.size() != log.sent();
    grownNanos = grows ? now : grownNanos;
    return !grows && now - grownNanos >= QUIET_NANOS && now - indexNanos < INDEX_NANOS;
  }

  private void look(boolean newest, long now) throws SourceFileException {
    indexNanos = now;
    long indexBytes = index.size();
    logGoal = log.size();
    indexGoal =
        newest && indexBytes > index.sent() ? end(index.sent(), indexBytes, logGoal) : indexBytes;
    complete = log.sent() == logGoal && index.sent() == indexBytes;
  }

  private long end(long from, long to, long logBytes) throws SourceFileException {
    try {
      return entries.end(index.channel(), from, to, logBytes);
    } catch (IOException e) {
      throw new SourceFileException("cannot read: file=" + index.path() + ", " + e.getMessage(), e);
    }
  }

  private boolean send(FrameOutput out, int number, Frame.Kind kind, long goal) throws IOException {
    SourceFile file = kind == Frame.Kind.LOG ? log : index;
    int length = out.permitted(goal - file.sent());
    if (length == 0) {
      return false;
    }
    out.send(new Frame(length, number, stamp, file.sent(), kind), file);
    return true;
  }

  @Override
  public void close() throws IOException {
    try (log) {
      index.close();
    }
  }
}
