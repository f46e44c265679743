package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.LocalDisks;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.file.LogFile;
import org.kblake.core.internal.log.file.LogSource;
import org.kblake.core.internal.log.file.TailZeros;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.IndexInput.CutException;
import org.kblake.core.layout.TooNewException;

/**
 * Takes the snapshot of a pair. It reads the index first and the size of the log afterwards. Thus
 * the index may lag behind the log, but not the reverse.
 */
final class PairReader {

  private final Pair pair;
  private final @Nullable PairLog before;
  private final ArchiveSettings settings;
  private final List<Damage> damage = new ArrayList<>();

  private PairReader(Pair pair, @Nullable PairLog before) {
    this.pair = pair;
    this.before = before;
    this.settings = pair.archive().settings();
  }

  /**
   * @param before an earlier snapshot of the pair, or null
   */
  static PairLog read(Pair pair, @Nullable LogCopy copy, @Nullable PairLog before)
      throws IOException {
    return new PairReader(pair, before).read(copy);
  }

  static PairLog readCopy(Pair pair, LogCopy copy) throws IOException {
    return new PairReader(pair, null).readCopy(copy);
  }

  private PairLog readCopy(LogCopy copy) throws IOException {
    PairFileState fileState =
        new PairFileState(
            new FileState(copy.index().limit(), copy.indexModified(), null),
            new FileState(copy.endOffset(), copy.logModified(), null),
            copy.endOffset(),
            false,
            copy.closed(),
            true,
            false);
    LogSource source = pair.source(null, copy, false);
    IndexFile index = decode(copy.index(), copy.closed());
    try (LogFile log = source.open()) {
      return snapshot(index, log, fileState, source);
    }
  }

  private PairLog read(@Nullable LogCopy copy) throws IOException {
    FileState indexState = state(pair.indexPath());
    state(pair.logPath());
    ByteBuffer bytes = readIndex();
    FileState logState = state(pair.logPath());
    Instant now = Instant.now();
    boolean closed = isClosed(now, indexState, logState);
    boolean local = isLocal();
    boolean indexSettled =
        closed || isTailFinal(local) || indexState.isUnchangedFor(settings.settleNanos(), now);
    IndexFile index = indexSettled ? decode(bytes, closed) : decodeUnsettled(bytes);

    LogCopy used = isOf(copy, logState, closed, index) ? copy : null;
    // Nothing has the bytes between a log that was cut and a copy that begins behind it.
    boolean joined = used == null || logState.bytes() >= used.fromOffset();
    LogSource source = pair.source(logState.key(), used, joined);
    long logBytes = logState.bytes();
    boolean isShorter = used != null && logBytes < used.endOffset();
    if (used != null && isShorter) {
      logBytes = used.endOffset();
      index = used.index().limit() > bytes.limit() ? decode(used.index(), true) : index;
    }
    boolean logSettled =
        closed || isTailFinal(local) || logState.isUnchangedFor(settings.settleNanos(), now);
    try (LogFile log = source.open()) {
      long dataBytes = logSettled ? logBytes : TailZeros.lastWritten(log, logBytes);
      PairFileState fileState =
          new PairFileState(
              indexState,
              logState,
              dataBytes,
              logSettled
                  ? !closed && !isTailFinal(local) && TailZeros.endsWritten(log, dataBytes)
                  : dataBytes > 0,
              closed,
              closed || isTailFinal(local),
              closed && local && !isShorter && logBytes <= Integer.MAX_VALUE);
      return snapshot(index, log, fileState, source);
    }
  }

  /**
   * Returns whether a copy is of this log, as far as file key and record table show it. A growing
   * log may lag behind its copy over a network.
   */
  private static boolean isOf(
      @Nullable LogCopy copy, FileState log, boolean closed, IndexFile index) {
    if (copy == null
        || !closed && log.bytes() < copy.endOffset()
        || !copy.key().equals(String.valueOf(log.key()))) {
      return false;
    }
    int head = (int) Math.min(index.milestoneTableOffset(), index.bytes().limit());
    ByteBuffer copied = copy.index();
    return copied.limit() >= head
        && copied.slice(0, head).equals(index.bytes().duplicate().slice(0, head));
  }

  private PairLog snapshot(IndexFile index, LogFile log, PairFileState fileState, LogSource source)
      throws IOException {
    EventRules rules =
        before != null && before.records() == index.records()
            ? before.rules()
            : new EventRules(index.layout(), index.records());
    MilestoneTable table =
        new MilestoneTable(
            pair.indexPath(),
            pair.beginNanos(),
            index,
            new MilestoneProbe(index.layout(), rules, log, index.order()),
            fileState);
    Milestones milestones = table.read(damage);
    return new PairLog(
        pair,
        index,
        rules,
        milestones,
        LostMilestones.of(
            pair.logPath(),
            index,
            fileState.dataBytes(),
            milestones.count() == 0 ? pair.beginNanos() : milestones.nanos(milestones.count() - 1)),
        table.medianIntervalNanos(),
        fileState,
        source,
        List.copyOf(damage));
  }

  private FileState state(Path file) throws IOException {
    try {
      BasicFileAttributes attributes =
          access().isBlocking()
              ? Files.readAttributes(file, BasicFileAttributes.class)
              : access().call(file, () -> Files.readAttributes(file, BasicFileAttributes.class));
      if (attributes.isDirectory()) {
        throw pair.unavailable(file, "a directory where a file is expected; move it away");
      }
      return FileState.of(attributes);
    } catch (UnavailableException e) {
      throw e;
    } catch (IOException e) {
      throw pair.unavailable(file, e);
    }
  }

  private FileAccess access() {
    return pair.archive().access();
  }

  private boolean isClosed(Instant now, FileState index, FileState log) {
    long quiet = pair.quietNanos();
    return index.isUnchangedFor(quiet, now) && log.isUnchangedFor(quiet, now);
  }

  private boolean isLocal() throws IOException {
    try {
      Path log = pair.logPath();
      LocalDisks disks = pair.archive().localDisks();
      return access().isBlocking()
          ? disks.isLocal(log)
          : access().call(log, () -> disks.isLocal(log));
    } catch (IOException e) {
      throw pair.unavailable(pair.logPath(), e);
    }
  }

  private boolean isTailFinal(boolean local) {
    return switch (settings.tail()) {
      case FINAL -> true;
      case PROVISIONAL -> false;
      case AUTO -> local;
    };
  }

  private ByteBuffer readIndex() throws IOException {
    Path path = pair.indexPath();
    try {
      return access().isBlocking()
          ? IndexFile.read(path, access())
          : access().call(path, () -> IndexFile.read(path, access()));
    } catch (CorruptLogException | ClosedByInterruptException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw pair.unavailable(path, e);
    }
  }

  /**
   * Decodes an index that may have zeros for bytes that have not arrived over a network file
   * system. Its record table is complete if the last byte of the table, or a byte behind it, is not
   * zero.
   */
  private IndexFile decodeUnsettled(ByteBuffer bytes) throws IOException {
    int end = bytes.limit();
    while (end > 0 && bytes.get(end - 1) == 0) {
      end--;
    }
    try {
      IndexFile index = decode(bytes, false);
      if (end >= index.milestoneTableOffset()) {
        return index;
      }
    } catch (CorruptLogException | TooNewException e) {
      if (end == bytes.limit()) {
        throw e;
      }
    }
    throw pair.pending(end);
  }

  private IndexFile decode(ByteBuffer bytes, boolean closed) throws IOException {
    Path path = pair.indexPath();
    try {
      IndexFile again = before == null ? null : before.index().again(bytes);
      IndexFile index =
          again == null ? IndexFile.decode(path, bytes, settings.layouts(), !closed, null) : again;
      Damage tableDamage = closed ? index.tableDamage(path) : null;
      if (tableDamage != null) {
        damage.add(tableDamage);
      }
      return index;
    } catch (CutException e) {
      if (closed) {
        throw new CorruptLogException(
            "index is cut", path, bytes.limit(), "the end of the file", "the rest of its records");
      }
      throw pair.pending(bytes.limit());
    }
  }
}
