package org.kblake.record.group;

import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordTable;
import org.kblake.record.log.GroupLog;
import org.kblake.record.log.LogTimes;
import org.kblake.record.log.OtherWriterException;
import org.kblake.record.log.PairLostException;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.WaitingEvents;

/**
 * Records the events of one group. An event is written, or waits: for a pair that can take it, or
 * for a disk that can. For one thread at a time.
 */
final class GroupRecording {

  private static final long RETRY_NANOS = 1_000_000_000;

  /** Their names may be ahead of the clock, by a second each. */
  private static final int MOST_LAST_PAIRS = 60;

  private static final long LEAST_NANOS = 1_000_000;
  private static final long STANDBY_NANOS = 100_000_000;

  private final GroupContext context;
  private final PendingRecords records;
  private final GroupLog log;
  private final DelayedEvents delayed;
  private final FlippingChannels flipping;
  private final LeavingChannels leaving = new LeavingChannels();
  private final PairSchedule schedule;
  private final GroupLosses losses;
  private final GroupRole role;
  private final EventWriter writer;
  private boolean isClaimed;
  private boolean isRefused;
  private boolean looksAgain;
  private String fault = "";
  private long failedNanos;

  GroupRecording(
      GroupContext context,
      PendingRecords records,
      GroupLog log,
      EventTimes times,
      WaitingEvents waiting) {
    this.context = context;
    this.records = records;
    this.log = log;
    delayed = new DelayedEvents(context, records, waiting);
    flipping = new FlippingChannels(context);
    schedule = new PairSchedule(context);
    losses = new GroupLosses(context);
    role = new GroupRole(context, log, delayed, losses);
    writer = new EventWriter(context, log, times, losses, delayed);
  }

  /** Returns whether this recorder writes the group, or another one. */
  GroupRole role() {
    return role;
  }

  PendingRecords records() {
    return records;
  }

  GroupContext context() {
    return context;
  }

  /** Returns whether another program records the group, so that this one does not any more. */
  boolean isRefused() {
    return isRefused;
  }

  /** Looks at the next turn whether a refused group may be recorded now. */
  void lookAgain() {
    looksAgain = true;
  }

  /** Returns why events wait for the disk, or an empty text. */
  String fault() {
    return fault;
  }

  void rotate() {
    log.rotate();
  }

  /** Returns whether events are taken at once, because there is no pair yet. */
  boolean isBeginning() {
    return !log.isOpen() && fault.isEmpty() && !isRefused && role.standby() == null;
  }

  /** Returns the account of events that no log has. */
  GroupLosses losses() {
    return losses;
  }

  /** Returns the present state. */
  RecordingState state() {
    return new RecordingState(
        context.group(),
        records.names().size(),
        records.connected(),
        delayed.size() + flipping.size(),
        log.pairs(),
        log.milestones(),
        log.bytes(),
        fault,
        isRefused,
        role.standby() != null);
  }

  /** Returns whether an event of a channel would be written at once. */
  boolean isReady(int number) {
    GroupChannel channel = records.channel(number);
    boolean isInPair = channel != null && channel.ordinal >= 0 && !channel.waits;
    return isInPair && log.isOpen() && fault.isEmpty() && !isRefused;
  }

  /**
   * Opens the channels of a list, and closes those that it does not have, which are disconnected.
   *
   * @return the channels that were opened
   */
  List<GroupChannel> open(List<String> names, ChannelSource source) throws OversizedListException {
    List<GroupChannel> before = records.channels().toList();
    List<GroupChannel> opened = records.replace(names, source);
    leaving.addAll(
        before.stream().filter(channel -> channel.isRemoved).toList(),
        context.clock().monotonicNanos());
    return opened;
  }

  /** Returns the channels that left the list, and are not recorded as disconnected yet. */
  LeavingChannels leaving() {
    return leaving;
  }

  /**
   * Takes events, and does what is due at this time.
   *
   * @param events are drained
   * @param channels the channels by their numbers
   * @return the time in nanoseconds until more is due without events
   */
  long work(WaitingEvents events, IntFunction<@Nullable GroupChannel> channels) {
    long now = LogTimes.representable(context.clock().wallNanos());
    askLatch();
    long unstated =
        events.drain(
            event -> {
              GroupChannel channel = channels.apply(event.channel());
              if (channel != null) {
                channel.isConnected = event.kind() != EventKind.DISCONNECTED;
                if (channel.isRemoved && !isGone(channel)) {
                  leaving.add(channel);
                }
                take(channel, event);
              }
            });
    flipping.handOutSteady(this::record);
    losses.unstated(unstated, now);
    sayLeft();
    long next = turn();
    long missing = log.missing();
    long waitingFrom = delayed.earliestNanos(now);
    losses.worked(
        missing, missing > 0 ? Math.min(log.missingFromNanos(), waitingFrom) : waitingFrom);
    return next;
  }

  private void askLatch() {
    if ((isClaimed || isRefused) && role.waitsAgain(isRefused)) {
      steppedBack();
    }
    switch (role.ask()) {
      case STANDS_BY -> steppedBack();
      case MAY_WRITE -> {
        if (fault.isEmpty()) {
          delayed.drain(this::record);
        }
      }
      case NONE -> {}
    }
  }

  /** Claims the group again, once this recorder takes over. */
  private void steppedBack() {
    isClaimed = false;
    isRefused = false;
    writer.setBegun(false);
    fault = "";
  }

  /** Returns whether a channel left the list, and no pair has it any more. */
  private boolean isGone(GroupChannel channel) {
    return channel.isRemoved && records.channel(channel.number) == null;
  }

  /** Channels that left are disconnected after their last events, which the ring may have. */
  private void sayLeft() {
    for (GroupChannel channel : leaving.takeGone()) {
      if (channel.isConnected && !isRefused) {
        channel.isConnected = false;
        sayGone(channel);
      }
    }
  }

  private void take(GroupChannel channel, ChannelEvent event) {
    boolean waitsForPair = role.standby() == null && fault.isEmpty();
    if (flipping.begins(channel, event, waitsForPair)) {
      boolean isConnected = channel.isConnected;
      channel.isConnected = false;
      sayGone(channel);
      channel.isConnected = isConnected;
    }
    if (!flipping.keeps(channel, event, losses::refused)) {
      record(channel, event);
    }
  }

  private void record(GroupChannel channel, ChannelEvent event) {
    try {
      place(channel, event);
    } catch (RuntimeException e) {
      fail(unexpected(e));
      long nanos = LogTimes.representable(event.receivedNanos());
      context.lost(channel.name, channel.lastNanos, nanos, 1, LossReason.NO_DISK);
      losses.before(channel, event, nanos, delayed.reason());
    }
  }

  /** The log may be anyhow after such a fault, so that its pair ends. */
  private static PairLostException unexpected(RuntimeException e) {
    return new PairLostException("unexpected fault, a new pair is begun: " + e, e);
  }

  private void place(GroupChannel channel, ChannelEvent event) {
    // While the disk fails, types are not looked at: the events are handed out once more.
    boolean isBlocked = !fault.isEmpty() || role.isHeldBack();
    TakeOver standby = role.standby();
    if (isRefused) {
      losses.refused(channel, event);
    } else if (isGone(channel)) {
      context.lost(delayed.gap(channel, event));
    } else if (standby != null) {
      if (records.acceptsLater(channel, event)) {
        standby.put(event);
      } else {
        refuse(channel, event);
      }
    } else if (isBlocked && log.pairs() > 0) {
      delayed.put(event, !fault.isEmpty());
    } else if (records.accepts(channel, event)) {
      write(channel, event);
    } else if (channel.waits) {
      delayed.put(event, !fault.isEmpty());
    } else {
      refuse(channel, event);
    }
  }

  private void refuse(GroupChannel channel, ChannelEvent event) {
    losses.refused(channel, event);
    if (event.kind() == EventKind.CONNECTED) {
      context.notice(records.refusal() + ": name=" + channel.name + ", elements=" + event.count());
      if (channel.isLoggedConnected) {
        sayGone(channel);
      }
    }
  }

  private void write(GroupChannel channel, ChannelEvent event) {
    try {
      writer.write(channel, event);
      channel.isLoggedConnected = event.kind() != EventKind.DISCONNECTED;
    } catch (IOException e) {
      fail(e);
      record(channel, event);
    }
  }

  private void fail(IOException e) {
    if (e instanceof OtherWriterException other && role.stepsBackFrom(other)) {
      steppedBack();
      return;
    }
    failedNanos = context.clock().monotonicNanos();
    String reason = GroupContext.reason(e);
    if (!reason.equals(fault)) {
      fault = reason;
      context.notice(reason);
    }
    if (e instanceof PairLostException && log.isOpen()) {
      schedule.lost();
      losses.ofPair(log.missingFromNanos(), log.giveUp());
    }
    if (e instanceof OtherWriterException other && !role.tolerates(other)) {
      refuse();
    }
  }

  private void refuse() {
    role.refuse();
    isRefused = true;
    isClaimed = false;
    delayed.drain(losses::refused);
    losses.end(log);
  }

  private long turn() {
    if (role.mustWait(isRefused)) {
      return STANDBY_NANOS;
    }
    boolean isBlocked = !fault.isEmpty();
    long pause = isRefused && !looksAgain ? log.closedAfterNanos() : RETRY_NANOS;
    long sinceFailure = context.clock().monotonicNanos() - failedNanos;
    if (isBlocked && sinceFailure < pause) {
      return Math.min(RETRY_NANOS, pause - sinceFailure);
    }
    looksAgain = false;
    try {
      return turnOfLog(isBlocked);
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException e) {
      fail(unexpected(e));
    }
    return RETRY_NANOS;
  }

  private long turnOfLog(boolean wasBlocked) throws IOException {
    if (!isClaimed) {
      log.claim();
      isClaimed = true;
      isRefused = false;
    }
    if (!log.isOpen() && schedule.mayBegin(records, log.pairs() == 0)) {
      begin();
    }
    if (!log.isOpen()) {
      return Math.max(LEAST_NANOS, Math.min(RETRY_NANOS, schedule.untilLearntNanos()));
    }
    long next = log.turn(wasBlocked);
    if (wasBlocked) {
      goOn();
    }
    role.countDoubles();
    if (!records.isChanged()) {
      return next;
    }
    long untilChange = schedule.untilChangeNanos(leaving);
    if (untilChange > 0) {
      return Math.min(next, untilChange);
    }
    begin();
    return 0;
  }

  private void begin() throws IOException {
    RecordTable table = records.table();
    TakeOver standby = role.standby();
    if (standby != null) {
      log.claim();
      standby.compare(log, table, records);
      writer.setBegun(standby.isSeamless());
    }
    long now = LogTimes.representable(context.clock().wallNanos());
    long nanos = log.isOpen() ? now : delayed.earliestNanos(now);
    try {
      losses.ofPair(log.missingFromNanos(), log.begin(table, nanos));
    } catch (IOException e) {
      if (standby != null && !(e instanceof OtherWriterException)) {
        delayed.takeAll(take -> standby.begin(records, take));
      }
      throw e;
    }
    records.begun();
    leaving.clear();
    schedule.begun();
    if (standby != null) {
      standby.begin(records, this::record);
    }
    if (fault.isEmpty()) {
      delayed.drain(this::record);
    }
    if (log.pairs() == 1 || standby != null) {
      records.channels().filter(channel -> channel.lastNanos == 0).forEach(this::sayGone);
    }
  }

  /** Records that a channel is disconnected, unless it is connected. Its source says nothing. */
  private void sayGone(GroupChannel channel) {
    if (!channel.isConnectedInLog()) {
      long now = context.clock().wallNanos();
      context.counts().add(Count.RECEIVED, 1);
      record(channel, new ChannelEvent().begin(channel.number, EventKind.DISCONNECTED, now));
    }
  }

  private void goOn() {
    fault = "";
    context.notice(GroupTasks.AGAIN);
    delayed.drain(this::record);
  }

  /** Writes all events that can be written, and ends the log. What still waits then is lost. */
  void close() {
    flipping.handOut(losses::refused);
    TakeOver standby = role.standby();
    if (!isRefused && standby != null && standby.mayBegin()) {
      lastTurn(); // the other recorder has ended, and no later turn takes over
    }
    if (isRefused || role.leaveAtEnd()) {
      return;
    }
    lastTurn();
    try {
      for (int i = 0; i < MOST_LAST_PAIRS && delayed.size() > 0 && fault.isEmpty(); i++) {
        begin();
      }
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException e) {
      fail(unexpected(e));
    }
    delayed.lose();
    losses.end(log);
  }

  private void lastTurn() {
    try {
      turnOfLog(!fault.isEmpty());
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException e) {
      fail(unexpected(e));
    }
  }
}
