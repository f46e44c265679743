package org.kblake.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.core.store.Access;
import org.kblake.core.store.AccessRecords;
import org.kblake.core.store.LogPosition;

/**
 * Leaves in the store what answers read, for its writer: neighbouring legs of one source are one
 * record. A plan that goes to and fro between columns and log is told of in part.
 */
final class AccessNotes {

  private static final int MOST_RECORDS = 32;

  private final @Nullable AccessRecords records;

  /** Where other users may put anything, opening a file may take for ever. */
  private final Patience patience = new Patience();

  /**
   * @param records null to leave nothing
   */
  AccessNotes(@Nullable AccessRecords records) {
    this.records = records;
  }

  /** A run of legs of one group and source. */
  private static final class Run {
    final Group group;
    final boolean fromColumns;
    final LogPosition from;
    LogPosition to;
    long bytes;

    Run(Group group, boolean fromColumns, LogPosition from) {
      this.group = group;
      this.fromColumns = fromColumns;
      this.from = from;
      this.to = from;
    }
  }

  /**
   * Leaves what an answer read.
   *
   * @param legs of one group after another, in log order
   * @param nanos how long it took
   */
  void leave(List<Leg> legs, long nanos) {
    AccessRecords wanted = records;
    if (wanted == null || legs.isEmpty()) {
      return;
    }
    long now = System.currentTimeMillis();
    List<Access> accesses = new ArrayList<>();
    try {
      for (Run run : runs(legs)) {
        accesses.add(
            new Access(now, run.group, run.from, run.to, run.fromColumns, run.bytes, nanos));
      }
    } catch (IOException e) {
      // A block is gone by now: its reading is not worth a word.
    }
    if (!wanted.leave(accesses)) {
      leaveAmongUsers(wanted, accesses);
    }
  }

  private void leaveAmongUsers(AccessRecords wanted, List<Access> accesses) {
    try {
      boolean unused =
          patience.ask(
              wanted.directory(),
              () -> {
                wanted.leaveAmongUsers(accesses);
                return true;
              });
    } catch (IOException e) {
      // The writer knows a little less.
    }
  }

  private static List<Run> runs(List<Leg> legs) throws IOException {
    List<Run> runs = new ArrayList<>();
    Run run = null;
    for (Leg leg : legs) {
      boolean fromColumns = leg instanceof StoredLeg;
      PairSlot pair = leg.pair();
      if (run == null || run.fromColumns != fromColumns || !run.group.equals(pair.group())) {
        if (runs.size() == MOST_RECORDS) {
          break;
        }
        run = new Run(pair.group(), fromColumns, new LogPosition(pair.stamp(), fromOffset(leg)));
        runs.add(run);
      }
      run.to = new LogPosition(pair.stamp(), toOffset(leg));
      run.bytes += toOffset(leg) - fromOffset(leg);
    }
    return runs;
  }

  private static long fromOffset(Leg leg) throws IOException {
    if (leg instanceof StoredLeg stored) {
      return stored.block().segment(stored.fromSegment()).startOffset();
    }
    return ((RawLeg) leg).fromOffset();
  }

  private static long toOffset(Leg leg) throws IOException {
    if (leg instanceof StoredLeg stored) {
      return stored.block().segment(stored.toSegment() - 1).endOffset();
    }
    return ((RawLeg) leg).toOffset();
  }
}
