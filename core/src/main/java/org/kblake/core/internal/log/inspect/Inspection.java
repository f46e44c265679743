package org.kblake.core.internal.log.inspect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.IoReasons;
import org.kblake.core.internal.log.file.LogFile;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.IndexFile;
import org.kblake.core.internal.log.pair.MilestoneProbe;
import org.kblake.core.internal.log.pair.NoEventException;
import org.kblake.core.internal.log.pair.PairFileState;
import org.kblake.core.internal.log.scan.MilestoneReader;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.ForeignFileException;
import org.kblake.core.layout.ForeignKind;
import org.kblake.core.layout.TooNewException;

/**
 * Shows a pair's files field by field beside their bytes, also if they are damaged. A pair is given
 * by one of its files, at any path. The other file must lie in the same directory.
 */
public final class Inspection {

  private static final String UNAVAILABLE = "file cannot be inspected";
  private static final String INDEX_END = ".log1";
  private static final String LOG_END = ".log2";

  /** The bytes shown of a log whose index cannot be read. */
  private static final int BARE_BYTES = 256;

  private final InspectionLimits limits;
  private final ArchiveSettings settings;
  private final InspectionListener listener;

  private Inspection(
      InspectionLimits limits, ArchiveSettings settings, InspectionListener listener) {
    this.limits = limits;
    this.settings = settings;
    this.listener = listener;
  }

  /**
   * Shows a pair as far as it can be read. The rest is reported to the listener as damage.
   *
   * @param file index or log
   * @throws UnavailableException if the file is missing, empty, or cannot be read
   * @throws ForeignFileException if it is not an index of a known layout
   * @throws TooNewException if it is an index of a later version
   * @throws NoEventException if no event begins at the offset of the limits
   */
  public static void run(
      Path file, InspectionLimits limits, ArchiveSettings settings, InspectionListener listener)
      throws IOException {
    Inspection inspection = new Inspection(limits, settings, listener);
    FileState seen = regularFile(file);
    if (seen.bytes() == 0) {
      throw new UnavailableException(
          UNAVAILABLE, file, "empty: nothing is written yet, try again later", null);
    }
    if (fileName(file).endsWith(LOG_END)) {
      inspection.showLog(file, seen);
    } else {
      inspection.showIndex(file, seen);
    }
  }

  private void showIndex(Path index, FileState indexSeen) throws IOException {
    String name = fileName(index);
    Path log = name.endsWith(INDEX_END) ? sibling(index, INDEX_END, LOG_END) : null;
    FileState logSeen = null;
    String missing = "log is unknown: the name does not end in " + INDEX_END;
    if (log != null) {
      try {
        logSeen = regularFile(log);
      } catch (UnavailableException e) {
        missing = String.valueOf(e.getMessage());
      }
    }
    boolean closed = isClosed(indexSeen, logSeen);
    IndexFile decoded = new IndexInspection(index, closed, limits, settings, listener).run();
    if (decoded == null) {
      listener.note("the events of its log cannot be decoded without all records");
    } else if (log == null || logSeen == null) {
      IndexInspection.showMilestones(decoded, limits, listener);
      listener.damage(missing);
    } else {
      showBoth(index, decoded, log, fileState(indexSeen, logSeen, closed));
    }
  }

  private void showLog(Path log, FileState logSeen) throws IOException {
    Path index = sibling(log, LOG_END, INDEX_END);
    IndexFile decoded = null;
    FileState indexSeen = null;
    try {
      indexSeen = regularFile(index);
      boolean closed = isClosed(indexSeen, logSeen);
      decoded = new IndexInspection(index, closed, limits, settings, listener).run();
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      listener.damage(String.valueOf(e.getMessage()));
    }
    if (decoded == null || indexSeen == null) {
      showBytes(log, logSeen);
    } else {
      boolean closed = isClosed(indexSeen, logSeen);
      showBoth(index, decoded, log, fileState(indexSeen, logSeen, closed));
    }
  }

  private void showBoth(Path index, IndexFile decoded, Path log, PairFileState fileState)
      throws IOException {
    try (LogFile file = LogFile.open(UNAVAILABLE, log, fileState.key())) {
      EventRules rules = new EventRules(decoded.layout(), decoded.records());
      MilestoneProbe probe = new MilestoneProbe(decoded.layout(), rules, file, decoded.order());
      MilestoneInspection milestones = new MilestoneInspection(index, decoded, probe, fileState);
      milestones.show(limits, listener);
      listener.heading("log");
      listener.fact("file", log.toString());
      listener.fact("bytes", Long.toString(fileState.logBytes()));
      LogWindow window =
          LogWindow.buffered(
              file, fileState.dataBytes(), decoded.order(), MilestoneReader.BUFFER_BYTES);
      new LogInspection(
              log, decoded, rules, milestones.known(), fileState, window, limits, listener)
          .run();
    }
  }

  private void showBytes(Path log, FileState seen) throws IOException {
    listener.heading("log");
    listener.fact("file", log.toString());
    listener.fact("bytes", Long.toString(seen.bytes()));
    long from = limits.atOffset() == null ? 0 : limits.atOffset();
    if (from >= seen.bytes()) {
      throw new NoEventException(log, from, "the log ends at " + seen.bytes());
    }
    listener.note("the log's events cannot be decoded without its index; these are its bytes");
    int count = (int) Math.min(BARE_BYTES, seen.bytes() - from);
    ByteBuffer bytes = ByteBuffer.allocate(count);
    try (LogFile file = LogFile.open(UNAVAILABLE, log, seen.key())) {
      file.readFully(bytes, from);
    }
    for (int at = 0; at < count; at += ShownBytes.MOST) {
      int row = Math.min(ShownBytes.MOST, count - at);
      listener.field(ShownBytes.of(bytes, at, from + at, row), "", ascii(bytes, at, row));
    }
    listener.counted("bytes", count, seen.bytes());
    if (from == 0) {
      ForeignKind kind = ForeignKind.of(ShownBytes.of(bytes, 0, 0, count).hex());
      if (kind != ForeignKind.UNKNOWN) {
        listener.note(
            "it begins like a file of another kind" + kind.found() + ": " + kind.remedy());
      }
    }
  }

  private static String ascii(ByteBuffer bytes, int from, int count) {
    StringBuilder text = new StringBuilder();
    for (int at = from; at < from + count; at++) {
      byte b = bytes.get(at);
      text.append(b >= ' ' && b < 0x7F ? (char) b : '.');
    }
    return text.toString();
  }

  private boolean isClosed(FileState index, @Nullable FileState log) {
    Instant now = Instant.now();
    long quiet = settings.closedAfterNanos();
    return index.isUnchangedFor(quiet, now) && (log == null || log.isUnchangedFor(quiet, now));
  }

  /** Returns a state in which all bytes count as final, because they are shown as they are. */
  private static PairFileState fileState(FileState index, FileState log, boolean closed) {
    return new PairFileState(index, log, log.bytes(), false, closed, true, false);
  }

  private static FileState regularFile(Path file) throws UnavailableException {
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(file, BasicFileAttributes.class);
    } catch (IOException e) {
      throw new UnavailableException(UNAVAILABLE, file, IoReasons.of(file, e), e);
    }
    if (!attributes.isRegularFile()) {
      String found = attributes.isDirectory() ? "a directory" : "not a regular file";
      throw new UnavailableException(
          UNAVAILABLE, file, found + "; give a pair's .log1 or .log2 file", null);
    }
    return FileState.of(attributes);
  }

  private static Path sibling(Path file, String end, String otherEnd) {
    String name = fileName(file);
    return file.resolveSibling(name.substring(0, name.length() - end.length()) + otherEnd);
  }

  private static String fileName(Path file) {
    return String.valueOf(file.getFileName());
  }
}
