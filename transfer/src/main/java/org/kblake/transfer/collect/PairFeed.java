package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.kblake.core.internal.log.pair.IndexEntries;
import org.kblake.core.log.PairName;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.PairPosition;

/**
 * Sends the bytes of a pair that grows: those of the log before the entries of the index that point
 * to them. For one thread.
 */
final class PairFeed implements Closeable {

  private final long stamp;
  private final SourceFile log;
  private final SourceFile index;
  private final IndexEntries entries;

  /** Up to where log and index are sent before the next look at their sizes. */
  private long logGoal;

  private long indexGoal;
  private boolean complete;

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

  /** Continues where a builder is, which must have the same bytes before. */
  void continueAt(PairPosition position) throws IOException {
    log.continueAt(position.log());
    index.continueAt(position.index());
    logGoal = log.sent();
    indexGoal = index.sent();
  }

  /**
   * Sends a frame, if there is something to send.
   *
   * @param newest whether the pair is the last one of its group
   */
  boolean send(FrameOutput out, int number, boolean newest) throws IOException {
    if (log.sent() == logGoal && index.sent() == indexGoal) {
      look(newest);
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

  private void look(boolean newest) throws IOException {
    long indexBytes = index.size();
    logGoal = log.size();
    indexGoal =
        newest && indexBytes > index.sent()
            ? entries.end(index.channel(), index.sent(), indexBytes, logGoal)
            : indexBytes;
    complete = log.sent() == logGoal && index.sent() == indexBytes;
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
