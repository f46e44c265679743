package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.EventCheck;
import org.kblake.core.layout.LogLayout;

/**
 * Makes the milestones of a snapshot from the entries of its index. Invalid entries are dropped and
 * reported. If offsets do not ascend, the headers in the log decide which entry is broken.
 */
public final class MilestoneTable {

  private final Path file;
  private final long beginNanos;
  private final IndexFile index;
  private final MilestoneProbe probe;
  private final PairFileState fileState;

  private final long[] offsets;
  private final long[] nanos;
  private int count;

  /**
   * @param file the index
   * @param beginNanos the time of the milestone at offset 0 if neither index nor log have one
   */
  public MilestoneTable(
      Path file, long beginNanos, IndexFile index, MilestoneProbe probe, PairFileState fileState) {
    this.file = file;
    this.beginNanos = beginNanos;
    this.index = index;
    this.probe = probe;
    this.fileState = fileState;
    int most = index.milestoneEntries() + 1;
    offsets = new long[most];
    nanos = new long[most];
  }

  public Milestones read(List<Damage> damage) throws IOException {
    boolean ascending = isAscending();
    int entries = index.milestoneEntries();
    int lost = LostMilestones.firstEntry(index, fileState.dataBytes());
    int behind = 0;
    for (int i = 0; i < entries; i++) {
      long offset = index.logOffset(i);
      if (offset >= 0 && !isInside(offset)) {
        // A log may lag behind its index while it grows.
        if (i >= lost) {
          behind++;
          continue;
        }
        if (fileState.closed()) {
          damage.add(broken(i, "offset=" + offset + ", expected inside the log's data"));
        }
        continue;
      }
      String fault = fault(i, ascending);
      if (fault == null) {
        continue;
      }
      // The last entry of a growing index may be incomplete.
      if (fileState.closed() || i < entries - 1) {
        damage.add(broken(i, fault));
      }
    }
    if (behind > 0 && fileState.closed()) {
      damage.add(
          new Damage(
              file,
              index.entryAt(lost),
              (long) behind * index.layout().milestoneEntryBytes(),
              "found "
                  + (behind == 1 ? "an entry that leads" : behind + " entries that lead")
                  + " behind the end of the log",
              Damage.Kind.INDEX));
    }
    addFirst();
    return new Milestones(Arrays.copyOf(offsets, count), Arrays.copyOf(nanos, count));
  }

  /**
   * Returns the median of the intervals between all entries, including those whose offsets the log
   * has not reached yet.
   */
  long medianIntervalNanos() {
    long[] times = new long[index.milestoneEntries()];
    int used = 0;
    for (int i = 0; i < times.length; i++) {
      long time = index.nanos(i);
      if (time != LogLayout.IMPOSSIBLE_NANOS) {
        times[used++] = time;
      }
    }
    return Milestones.medianIntervalNanos(Arrays.copyOf(times, used));
  }

  private boolean isAscending() {
    long last = -1;
    for (int i = 0; i < index.milestoneEntries(); i++) {
      long offset = index.logOffset(i);
      if (offset <= last) {
        return false;
      }
      last = offset;
    }
    return true;
  }

  /** Adds the milestone of an entry. Returns the fault of the entry, or null. */
  private @Nullable String fault(int i, boolean ascending) throws IOException {
    long offset = index.logOffset(i);
    long time = index.nanos(i);
    if (offset < 0) {
      return "offset=" + offset + ", expected 0 or more";
    }
    if (!ascending || time == LogLayout.IMPOSSIBLE_NANOS) {
      probe.at(offset);
      if (!probe.isMilestone()) {
        return "offset="
            + offset
            + ", expected one behind the entry before it, and a milestone there";
      }
    }
    if (count > 0 && offset <= offsets[count - 1]) {
      return "offset=" + offset + ", expected more than " + offsets[count - 1];
    }
    if (time != LogLayout.IMPOSSIBLE_NANOS) {
      add(offset, time);
      return null;
    }
    if (probe.nanos() != LogLayout.IMPOSSIBLE_NANOS) {
      add(offset, probe.nanos());
    }
    return EventCheck.timeFault(time);
  }

  private void add(long offset, long time) {
    offsets[count] = offset;
    nanos[count++] = time;
  }

  /**
   * Adds the milestone at offset 0 if the index has no entry for it, because the index lags or the
   * entry is lost.
   */
  private void addFirst() throws IOException {
    if (!isInside(0) || count > 0 && offsets[0] == 0) {
      return;
    }
    System.arraycopy(offsets, 0, offsets, 1, count);
    System.arraycopy(nanos, 0, nanos, 1, count);
    count++;
    probe.at(0);
    boolean known = probe.isMilestone() && probe.nanos() != LogLayout.IMPOSSIBLE_NANOS;
    offsets[0] = 0;
    nanos[0] = known ? probe.nanos() : beginNanos;
  }

  private boolean isInside(long offset) {
    return offset + index.layout().eventHeaderBytes() <= fileState.dataBytes();
  }

  private Damage broken(int i, String found) {
    return Damage.of(
        file, index.entryAt(i), index.layout().milestoneEntryBytes(), found, Damage.Kind.INDEX);
  }
}
