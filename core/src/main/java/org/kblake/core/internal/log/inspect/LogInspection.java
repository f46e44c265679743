package org.kblake.core.internal.log.inspect;

import java.io.IOException;
import java.nio.file.Path;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.IndexFile;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.NoEventException;
import org.kblake.core.internal.log.pair.PairFileState;
import org.kblake.core.internal.log.scan.EventWalk;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;

/** Shows events of a log, and continues behind damage at the place where a reader continues. */
final class LogInspection {

  private static final int NONE = -1;

  private final Path file;
  private final EventWalk events;
  private final Milestones milestones;
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
    this.limits = limits;
    this.listener = listener;
    closed = fileState.closed();
    LogLayout layout = index.layout();
    events = new EventWalk(layout, rules, window, closed);
    dataBytes = fileState.dataBytes();
    event = new EventInspection(layout, rules, window, limits, listener);
  }

  void run() throws IOException {
    Long at = limits.atOffset();
    if (at != null) {
      requireEvent(at);
    }
    listener.heading("events");
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
    EventWalk.Found found = events.found(offset);
    if (found == EventWalk.Found.END || events.isUnwritten(offset)) {
      event.showRest(offset, left);
      reportEnd(offset);
      return dataBytes;
    }
    int length = events.length(offset);
    boolean milestone = events.isMilestone(offset);
    String fault;
    if (found.isEvent() && length > left) {
      event.showHeader(offset, left);
      if (milestones.offsetAfter(offset, dataBytes) == dataBytes) {
        reportEnd(offset);
        return dataBytes;
      }
      fault = EventWalk.pastMilestone(length);
    } else if (milestone) {
      fault = events.milestoneFault(offset, milestones.nanosAt(offset));
      event.showMilestone(offset, length, left, fault == null);
    } else {
      fault = events.fault(offset);
      event.showRecord(offset, length, left, fault == null);
    }
    if (offset == 0 && !milestone && fault == null) {
      fault = "a record's event, expected a milestone at the log's start";
    }
    return fault == null ? offset + length : reportDamage(offset, length, fault);
  }

  private void reportEnd(long offset) {
    listener.note(
        closed
            ? "the log is cut at " + offset + ": left by a crash of kblog, no damage"
            : "the event at " + offset + " is not completely written yet: try again later");
  }

  private long reportDamage(long offset, int length, String fault) throws IOException {
    long next = offset + length;
    boolean plausible = events.step(offset, false) > 0 && next <= dataBytes && isPlausible(next);
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
    EventWalk.Found found = events.found(offset);
    return found == EventWalk.Found.END ? !closed : found.isEvent();
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
      if (!events.found(offset).isEvent() || events.length(offset) > dataBytes - offset) {
        return;
      }
      int length = events.length(offset);
      if (offset + length > wanted) {
        throw new NoEventException(
            file, wanted, "one begins at " + offset + ", the next at " + (offset + length));
      }
      offset += length;
    }
  }
}
