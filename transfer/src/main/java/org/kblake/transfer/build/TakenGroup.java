package org.kblake.transfer.build;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.message.PairPosition;
import org.kblake.transfer.message.ProtocolException;

/** A group whose pairs a builder writes. For one thread. */
final class TakenGroup implements Closeable {

  /** The collector looks at no older pairs. */
  private static final int OPEN_PAIRS = 2;

  private final Group group;
  private final Path directory;
  private final Quota quota;
  private final TreeMap<Long, OpenPair> pairs = new TreeMap<>();

  private record OpenPair(TargetFile log, TargetFile index) implements Closeable {
    @Override
    public void close() throws IOException {
      try (log) {
        index.close();
      }
    }
  }

  TakenGroup(Group group, Path root, Quota quota) {
    this.group = group;
    this.quota = quota;
    directory = root.resolve(group.system());
  }

  Group group() {
    return group;
  }

  /**
   * Opens the newest pairs.
   *
   * @return what they have, in their order
   * @throws IOException if the directory or a file is a link, or cannot be opened
   */
  List<PairPosition> positions() throws IOException {
    makeDirectory();
    TreeSet<Long> stamps = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        PairName name = PairName.ofFile(file.getFileName().toString());
        Long stamp =
            name == null || !name.group().equals(group.name()) ? null : TransferNames.stamp(name);
        if (stamp != null) {
          stamps.add(stamp);
        }
      }
    }
    while (stamps.size() > OPEN_PAIRS) {
      stamps.pollFirst();
    }
    List<PairPosition> positions = new ArrayList<>();
    for (Long stamp : stamps) {
      OpenPair pair = open(stamp);
      positions.add(new PairPosition(stamp, pair.log().position(), pair.index().position()));
    }
    return positions;
  }

  private void makeDirectory() throws IOException {
    if (!TransferNames.isDirectory(directory)) {
      try {
        Files.createDirectory(directory);
      } catch (FileAlreadyExistsException e) {
        throw new IOException(
            "not a directory, or a link, which transfers do not follow: " + directory, e);
      }
    }
  }

  private OpenPair open(long stamp) throws IOException {
    PairName name = TransferNames.pair(group, stamp);
    if (name == null) {
      throw new ProtocolException("no pair has this stamp: group=" + group + ", stamp=" + stamp);
    }
    makeDirectory();
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

  /** Appends the payload of a frame of this group. */
  void append(Frame frame, ByteBuffer payload) throws IOException {
    OpenPair pair = pairs.get(frame.stamp());
    if (pair == null) {
      if (!pairs.isEmpty() && frame.stamp() < pairs.lastKey()) {
        throw new ProtocolException(
            "frame is of an earlier pair: group=" + group + ", stamp=" + frame.stamp());
      }
      pair = open(frame.stamp());
      closeEarlier();
    }
    TargetFile file = frame.kind() == Frame.Kind.LOG ? pair.log() : pair.index();
    file.append(frame.offset(), payload, quota);
  }

  private void closeEarlier() throws IOException {
    Iterator<Map.Entry<Long, OpenPair>> each = pairs.entrySet().iterator();
    for (int extra = pairs.size() - OPEN_PAIRS; extra > 0; extra--) {
      each.next().getValue().close();
      each.remove();
    }
  }

  @Override
  public void close() throws IOException {
    for (OpenPair each : pairs.values()) {
      each.close();
    }
  }
}
