package org.kblake.cli.command.shared;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ErrorLine;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.LostMilestones;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * Finds logs that have lost their end: their index leads behind it, or columns or the mirror have
 * more.
 */
public final class LostEnds {

  private static final int MAX_LINES = 3;

  private final List<String> lines = new ArrayList<>();
  private final @Nullable Mirror mirror;
  private int found;

  /**
   * @param mirror the copies of growing logs; null if there are none
   */
  public LostEnds(@Nullable Mirror mirror) {
    this.mirror = mirror;
  }

  /**
   * Checks a pair. Reads the end of its index.
   *
   * @param logBytes the size of its log
   * @param coverage what columns have of the group
   * @return false if the pair cannot be read, which the caller reports
   */
  public boolean add(Pair pair, long logBytes, Coverage coverage) {
    try {
      LostMilestones lost = pair.lostEnd();
      List<LogSpan> more = coverage.held(pair.stamp(), logBytes, Long.MAX_VALUE);
      if (lost != null) {
        boolean held = coverage.holds(pair.stamp(), lost.logBytes(), lost.knownEndOffset());
        add(lost + (held ? "; columns have the lost part" : ""));
      } else if (!more.isEmpty()) {
        add(pair.lacksOfColumns(logBytes, more.get(more.size() - 1).toOffset()));
      } else {
        addIfShorterThanCopy(pair);
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns lines on the logs of a group that are shorter than their copies in the mirror of a
   * store, and a line on a mirror that cannot be read. A log that cannot be read is left out.
   *
   * @param range the range of time that the pairs meet
   */
  public static List<String> behindCopies(Archive archive, Path store, Group group, TimeRange range)
      throws IOException {
    Mirror mirror = Mirror.of(store);
    if (mirror == null) {
      return List.of();
    }
    List<String> copied;
    try {
      copied = mirror.stamps(group);
    } catch (IOException e) {
      return List.of(
          "the mirror cannot be read: directory="
              + mirror.directory()
              + ", found "
              + ErrorLine.of(e)
              + "; check its disk");
    }
    LostEnds found = new LostEnds(mirror);
    try {
      for (Pair pair : copied.isEmpty() ? List.<Pair>of() : archive.pairs(group)) {
        if (copied.contains(pair.stamp()) && range.meets(pair.beginNanos(), pair.endNanos())) {
          found.addIfShorterThanCopy(pair);
        }
      }
    } catch (UnavailableException e) {
      // The caller reports what it cannot read.
    }
    return found.lines();
  }

  private void addIfShorterThanCopy(Pair pair) throws IOException {
    LogCopy copy = mirror == null ? null : mirror.copy(pair.group(), pair.stamp());
    if (copy != null) {
      FileState log =
          pair.access().call(pair.logPath(), () -> FileState.ofOrMissing(pair.logPath()));
      String lacks = pair.lacksOf(copy, log);
      if (lacks != null) {
        add(lacks);
      }
    }
  }

  private void add(String line) {
    if (++found <= MAX_LINES) {
      lines.add(line);
    }
  }

  /** Returns lines for users, a few at most. */
  public List<String> lines() {
    List<String> all = new ArrayList<>(lines);
    if (found > MAX_LINES) {
      all.add("and " + (found - MAX_LINES) + " more logs have lost their ends");
    }
    return all;
  }
}
