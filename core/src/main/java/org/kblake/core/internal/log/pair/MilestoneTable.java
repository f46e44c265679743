package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.LogLayout;

/**
 * Makes the milestones of a snapshot from the entries of its index: drops and reports what cannot
 * be. Where offsets do not ascend, the log itself says which entry is the broken one.
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
   * @param beginNanos the time of a milestone at the log's start that nothing else tells
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
    for (int i = 0; i < entries; i++) {
      long offset = offset(i);
      if (offset >= 0 && !isInside(offset)) {
        // A log may lag behind its index while it grows.
        if (fileState.closed()) {
          damage.add(broken(i, "offset=" + offset + ", expected inside the log's data"));
        }
        continue;
      }
      String fault = fault(i, ascending);
      if (fault == null) {
        continue;
      }
      // The last entry of a growing index may be written in part.
      if (fileState.closed() || i < entries - 1) {
        damage.add(broken(i, fault));
      }
    }
    addFirst();
    return new Milestones(Arrays.copyOf(offsets, count), Arrays.copyOf(nanos, count));
  }

  /**
   * Median of the intervals between the entries, those that the log does not reach yet included.
   */
  long medianIntervalNanos() {
    long[] times = new long[index.milestoneEntries()];
    int used = 0;
    for (int i = 0; i < times.length; i++) {
      long time = nanos(i);
      if (time != LogLayout.IMPOSSIBLE_NANOS) {
        times[used++] = time;
      }
    }
    return Milestones.medianIntervalNanos(Arrays.copyOf(times, used));
  }

  private boolean isAscending() {
    long last = -1;
    for (int i = 0; i < index.milestoneEntries(); i++) {
      long offset = offset(i);
      if (offset <= last) {
        return false;
      }
      last = offset;
    }
    return true;
  }

  /** Takes an entry over, or says why it cannot be taken. */
  private @Nullable String fault(int i, boolean ascending) throws IOException {
    long offset = offset(i);
    long time = nanos(i);
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
    return "an impossible time, expected less than 10^9 nanoseconds in a second";
  }

  private void add(long offset, long time) {
    offsets[count] = offset;
    nanos[count++] = time;
  }

  /** The event at offset 0 is a milestone, even if the index lags or has lost its entry. */
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

  private long offset(int i) {
    return index.layout().milestoneEntryOffset(index.bytes(), index.entryAt(i));
  }

  private long nanos(int i) {
    return index.layout().milestoneEntryNanos(index.bytes(), index.entryAt(i));
  }

  private Damage broken(int i, String found) {
    return new Damage(
        file,
        index.entryAt(i),
        index.layout().milestoneEntryBytes(),
        "found " + found,
        Damage.Kind.INDEX);
  }
}
