package org.kblake.record.group;

import org.jspecify.annotations.Nullable;
import org.kblake.record.log.GroupLog;
import org.kblake.record.log.OtherWriterException;

/**
 * Whether this recorder writes a group, or another one does, or may. Without {@code --standby} this
 * one does. For one thread at a time.
 */
final class GroupRole {

  private final GroupContext context;
  private final GroupLog log;
  private final DelayedEvents delayed;
  private final GroupLosses losses;

  /** What another recorder has to do with the group; null if there is none. */
  private @Nullable TakeOver takeOver;

  /** Whether events wait, because another recorder may have taken over. */
  private boolean isHeldBack;

  /** When this recorder stood by, although it is the active one for certain. */
  private long replacedNanos;

  /** What the latch has changed. */
  enum Change {
    NONE,
    /** This recorder stands by from now on. */
    STANDS_BY,
    /** It is not held back any more. */
    MAY_WRITE
  }

  GroupRole(GroupContext context, GroupLog log, DelayedEvents delayed, GroupLosses losses) {
    this.context = context;
    this.log = log;
    this.delayed = delayed;
    this.losses = losses;
    replacedNanos = context.clock().monotonicNanos() - context.timing().newPairNanos();
  }

  /** Lets the group stand by, before its first event. */
  void standBy(TakeOver shared) {
    takeOver = shared;
    log.keepStamps();
  }

  /** Returns what stands by, or null if the group is written. */
  @Nullable TakeOver standby() {
    TakeOver shared = takeOver;
    return shared == null || shared.isActive() ? null : shared;
  }

  /** Returns whether another recorder has taken over. Any thread may ask. */
  boolean isReplaced() {
    TakeOver shared = takeOver;
    return shared != null && shared.isReplaced();
  }

  /** Returns whether events wait, because another recorder may have taken over. */
  boolean isHeldBack() {
    return isHeldBack;
  }

  /** Asks who is active. */
  Change ask() {
    TakeOver shared = takeOver;
    if (shared == null || !shared.isActive()) {
      return Change.NONE;
    }
    if (shared.isReplaced()) {
      stepBack(shared);
      return Change.STANDS_BY;
    }
    boolean wasHeldBack = isHeldBack;
    isHeldBack = !shared.mayWrite();
    return wasHeldBack && !isHeldBack ? Change.MAY_WRITE : Change.NONE;
  }

  /**
   * Stands by from now on. Unless this recorder is the active one for certain, another one has what
   * the files do not have.
   */
  private void stepBack(TakeOver shared) {
    boolean isConfirmed = shared.isConfirmed();
    if (!isConfirmed) {
      leave(shared);
    }
    isHeldBack = false;
    log.keepStamps();
    shared.standBy();
    if (isConfirmed) {
      delayed.drainTo(shared::put);
    }
    context.listener().standsBy(context.group());
  }

  /** Ends the log as it is. Returns the number of events that are left to the other recorder. */
  private long leave(TakeOver shared) {
    long written = (log.isOpen() ? log.giveUp() : 0) + log.dropKept();
    context.counts().add(Count.WRITTEN, -written);
    long events = written + delayed.leave(shared.keptFromNanos());
    context.counts().add(Count.LEFT, events);
    losses.end(log); // without a pair it may be locked, too
    return events;
  }

  /** Returns whether another recorder may write: this one stands by for it. */
  boolean tolerates(OtherWriterException other) {
    return standby() != null && other.keepsStamps();
  }

  /** Stands by from now on if another recorder took over. Returns whether it does. */
  boolean stepsBackFrom(OtherWriterException other) {
    TakeOver shared = takeOver;
    if (shared == null || !shared.isActive() || !other.keepsStamps()) {
      return false;
    }
    if (shared.isConfirmed()) {
      // That one took over, and ended. But if both go on, one of them is refused.
      long now = context.clock().monotonicNanos();
      if (now - replacedNanos < context.timing().newPairNanos()) {
        return false;
      }
      replacedNanos = now;
      losses.end(log);
    }
    stepBack(shared);
    shared.anotherWrites();
    return true;
  }

  /** Forgets what was kept of a group that is refused. */
  void refuse() {
    TakeOver standby = standby();
    if (standby != null) {
      standby.leave();
      standby.standBy();
    }
  }

  /**
   * Unlocks a group that stands by if another recorder writes it, or may.
   *
   * @param isRefused whether no events were kept: if another recorder leads, they are from now on
   * @return whether another one does, or may
   */
  boolean waitsAgain(boolean isRefused) {
    TakeOver standby = standby();
    if (standby == null || standby.mayBegin() || isRefused && standby.leads()) {
      return false;
    }
    losses.end(log);
    if (isRefused) {
      standby.standBy();
    }
    return true;
  }

  /** Returns whether there is nothing to write now, because another recorder writes, or may. */
  boolean mustWait(boolean isRefused) {
    TakeOver standby = standby();
    return isHeldBack || standby != null && !(isRefused ? standby.mayBegin() : standby.isDue());
  }

  /** Counts what the recorder before this one has written since. */
  void countDoubles() {
    TakeOver shared = takeOver;
    if (shared != null) {
      shared.countDoubles();
    }
  }

  /**
   * Leaves all events to another recorder at the end, if that one writes the group, or may.
   *
   * @return whether it does
   */
  boolean leaveAtEnd() {
    TakeOver standby = standby();
    TakeOver shared = takeOver;
    if (standby != null) {
      standby.leave();
      losses.end(log);
      return true;
    }
    if (isHeldBack && shared != null) {
      long events = leave(shared);
      context.notice("another recorder may have taken over, left to it: events=" + events);
      return true;
    }
    return false;
  }
}
