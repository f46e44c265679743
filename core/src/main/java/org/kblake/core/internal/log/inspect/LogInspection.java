package org.kblake.core.internal.log.inspect;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.file.TailZeros;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.IndexFile;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.NoEventException;
import org.kblake.core.internal.log.pair.PairFileState;
import org.kblake.core.internal.log.scan.EventProbe;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;

/** Shows events of a log, and continues behind damage at the place where a reader continues. */
final class LogInspection {

  private static final int NONE = -1;

  private final Path file;
  private final LogLayout layout;
  private final EventProbe probe;
  private final Milestones milestones;
  private final LogWindow window;
  private final long dataBytes;
  private final boolean closed;
  private final InspectionLimits limits;
  private final InspectionListener listener;
  private final EventInspection event;

  LogInspection(
      Path file,
      IndexFile index,
      EventRules rules,
      Milestones milestones,
      PairFileState fileState,
      LogWindow window,
      InspectionLimits limits,
      InspectionListener listener) {
    this.file = file;
    this.milestones = milestones;
    this.window = window;
    this.limits = limits;
    this.listener = listener;
    layout = index.layout();
    probe = new EventProbe(layout, rules, window);
    dataBytes = fileState.dataBytes();
    closed = fileState.closed();
    event = new EventInspection(layout, rules, window, limits, listener);
  }

  void run() throws IOException {
    Long at = limits.atOffset();
    if (at != null) {
      requireEvent(at);
    }
    listener.part("events");
    long offset = at == null ? 0 : at;
    for (int shown = 0; shown < limits.events() && offset < dataBytes; shown++) {
      offset = show(offset);
    }
    if (limits.events() > 0 && offset >= dataBytes) {
      listener.note("the log ends here");
    }
  }

  /**
   * Shows the event at an offset.
   *
   * @return the offset at which to continue
   */
  private long show(long offset) throws IOException {
    long left = dataBytes - offset;
    listener.structure("event at " + offset + " (0x" + Long.toHexString(offset) + ")");
    if (left < layout.eventHeaderBytes() || isUnwritten(offset)) {
      event.showRest(offset, left);
      reportEnd(offset);
      return dataBytes;
    }
    int length = probe.length(offset);
    boolean milestone = probe.isMilestone(offset);
    String fault = probe.headerFault(offset);
    if (fault == null && length > left) {
      event.showHeader(offset, left);
      if (milestones.offsetAfter(offset, dataBytes) == dataBytes) {
        reportEnd(offset);
        return dataBytes;
      }
      fault = EventProbe.pastMilestone(length);
    } else if (milestone) {
      fault = fault != null ? fault : milestoneFault(offset, length);
      event.showMilestone(offset, length, left, fault == null);
    } else {
      boolean whole = left >= layout.recordHeaderBytes();
      if (fault == null) {
        fault = whole ? probe.fault(offset) : null;
      }
      event.showRecord(offset, length, left, fault == null);
    }
    if (offset == 0 && !milestone && fault == null) {
      fault = "a record's event, expected a milestone at the log's start";
    }
    return fault == null ? offset + length : reportDamage(offset, length, fault);
  }

  /**
   * Returns whether no event is written at an offset: zeros up to the end of the log, or in a
   * growing log length 0.
   */
  private boolean isUnwritten(long offset) throws IOException {
    return probe.length(offset) == 0
        && (!closed || TailZeros.lastWritten(window.file(), dataBytes) <= offset);
  }

  private void reportEnd(long offset) {
    listener.note(
        closed
            ? "the log is cut at " + offset + ": left by a crash of kblog, no damage"
            : "the event at " + offset + " is not completely written yet: try again later");
  }

  private @Nullable String milestoneFault(long offset, int length) throws IOException {
    String fault = probe.timeFault(offset);
    if (fault == null) {
      fault = probe.timeFault(offset, milestones.nanosAt(offset));
    }
    return fault == null ? probe.bodyFault(offset, offset + length) : fault;
  }

  private long reportDamage(long offset, int length, String fault) throws IOException {
    long next = offset + length;
    boolean plausible =
        length >= layout.eventHeaderBytes() && next <= dataBytes && isPlausible(next);
    long on = plausible ? next : milestones.offsetAfter(offset, dataBytes);
    String where =
        plausible
            ? "the next event at " + on
            : on < dataBytes ? "the next milestone of the index at " + on : "no milestone follows";
    Damage found = Damage.of(file, offset, on - offset, fault, Damage.Kind.EVENT);
    listener.damage(found + "; continuing: " + where);
    return on;
  }

  private boolean isPlausible(long offset) throws IOException {
    if (offset == dataBytes || milestones.indexOfOffset(offset) != NONE) {
      return true;
    }
    if (dataBytes - offset < layout.eventHeaderBytes()) {
      return !closed;
    }
    return probe.headerFault(offset) == null;
  }

  /**
   * Checks that an event begins at the user's offset, by a walk from the milestone before it. If
   * the walk meets damage, the offset is not checked.
   */
  private void requireEvent(long wanted) throws IOException {
    if (wanted >= dataBytes) {
      throw new NoEventException(file, wanted, "the log ends at " + dataBytes);
    }
    int before = milestones.lastUpTo(wanted);
    long offset = before < 0 ? 0 : milestones.offset(before);
    while (offset < wanted) {
      int length = probe.length(offset);
      if (probe.headerFault(offset) != null || length > dataBytes - offset) {
        return;
      }
      if (offset + length > wanted) {
        throw new NoEventException(
            file, wanted, "one begins at " + offset + ", the next at " + (offset + length));
      }
      offset += length;
    }
  }
}
