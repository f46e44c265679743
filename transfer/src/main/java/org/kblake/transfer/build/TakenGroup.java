package org.kblake.transfer.build;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.PairBytes;
import org.kblake.transfer.message.PairPosition;
import org.kblake.transfer.message.ProtocolException;

/** A group whose pairs a builder writes. For one thread. */
final class TakenGroup implements Closeable {

  /** The collector sends no bytes of a pair that was begun before these, unless it asks again. */
  private static final int OPEN_PAIRS = 2;

  private final Group group;
  private final Path directory;
  private final Quota quota;
  private final PairCloser closer;

  /** Those that are open, in the order in which they were used last. */
  private final Map<Long, OpenPair> pairs = new LinkedHashMap<>(4, 0.75f, true);

  /** Why an earlier pair is not on the disk; null if it is, or if nobody knows yet. */
  private volatile @Nullable IOException problem;

  /** A pair that is open. */
  record OpenPair(TargetFile log, TargetFile index) implements Closeable {
    boolean isForced() {
      return log.isForced() && index.isForced();
    }

    void force() throws IOException {
      log.force();
      index.force();
    }

    @Override
    public void close() throws IOException {
      try (log) {
        index.close();
      }
    }
  }

  TakenGroup(Group group, Path root, Quota quota, PairCloser closer) {
    this.group = group;
    this.quota = quota;
    this.closer = closer;
    directory = root.resolve(group.system());
  }

  Group group() {
    return group;
  }

  /**
   * Returns how long the newest pairs are, in their order.
   *
   * @throws IOException if the directory or a file is a link, or cannot be read
   */
  List<PairBytes> pairs(NewestPairs newest) throws IOException {
    quota.requireRoom();
    makeDirectory();
    List<PairBytes> pairs = new ArrayList<>();
    for (Long stamp : newest.of(group, directory)) {
      PairName name = name(stamp);
      pairs.add(
          new PairBytes(
              stamp,
              TargetFile.size(directory.resolve(name.logFile())),
              TargetFile.size(directory.resolve(name.indexFile()))));
    }
    return pairs;
  }

  /** Opens a pair, if it is not open, and returns what it has. */
  PairPosition position(long stamp) throws IOException {
    OpenPair pair = open(stamp);
    return new PairPosition(stamp, pair.log().position(), pair.index().position());
  }

  private void makeDirectory() throws IOException {
    if (!TransferNames.isDirectory(directory)) {
      quota.take(Quota.ENTRY_BYTES);
      TransferNames.makeDirectory(directory);
    }
  }

  private PairName name(long stamp) throws ProtocolException {
    PairName name = TransferNames.pair(group, stamp);
    if (name == null) {
      throw new ProtocolException("no pair has this stamp: group=" + group + ", stamp=" + stamp);
    }
    return name;
  }

  private OpenPair open(long stamp) throws IOException {
    OpenPair known = pairs.get(stamp);
    if (known != null) {
      return known;
    }
    PairName name = name(stamp);
    makeDirectory();
    IOException earlier = problem;
    if (earlier != null) {
      throw new IOException("a pair is not on the disk: " + earlier.getMessage(), earlier);
    }
    closeEarlier();
    TargetFile log = TargetFile.open(directory.resolve(name.logFile()));
    try {
      OpenPair pair = new OpenPair(log, TargetFile.open(directory.resolve(name.indexFile())));
      pairs.put(stamp, pair);
      return pair;
    } catch (IOException e) {
      log.close();
      throw e;
    }
  }

  /**
   * Appends the payload of a frame of this group.
   *
   * @throws ProtocolException if the frame is not one that follows
   * @throws IOException if it cannot be written
   */
  void append(Frame frame, ByteBuffer payload) throws IOException {
    OpenPair pair = open(frame.stamp());
    TargetFile file = frame.kind() == Frame.Kind.LOG ? pair.log() : pair.index();
    file.append(frame.offset(), payload, quota);
  }

  /** Makes room for one more pair. */
  private void closeEarlier() throws IOException {
    while (pairs.size() >= OPEN_PAIRS) {
      Iterator<OpenPair> first = pairs.values().iterator();
      OpenPair pair = first.next();
      first.remove();
      closer.add(new PairCloser.Work(directory, pair, found -> problem = found));
    }
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(pairs.values().toArray(new Closeable[0]));
  }
}
