package org.kblake.record.group;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private final EventTimes times;
  private final WaitingEvents waiting;
  private final FlippingChannels flipping;
  private final long startedNanos;

  /** What another recorder has to do with the group; null if there is none. */
  private @Nullable TakeOver takeOver;

  /** Whether events wait, because another recorder may have taken over. */
  private boolean isHeldBack;

  private boolean isClaimed;
  private boolean isRefused;
  private boolean looksAgain;
  private String fault = "";
  private long failedNanos;
  private boolean hasBegun;

  /** Whether the last pair was lost. */
  private boolean isLost;

  /** Whether the present pair, or the last one, replaced a lost one. */
  private boolean isReplaced;

  /** When a pair took the changes of the records. Rotations do not take them. */
  private long changedNanos;

  /** Why events wait, and are lost if there is no memory for them. */
  private LossReason waitReason = LossReason.RING_FULL;

  private LossReason noMemoryReason = LossReason.RING_FULL;

  /** When this recorder stood by, although it is the active one for certain. */
  private long replacedNanos;

  /** The reception of the first event that waits. */
  private long waitingFromNanos;

  /** Channels that left the list, and are not recorded as disconnected yet. */
  private Set<GroupChannel> left = new LinkedHashSet<>();

  private long leftNanos;

  /** Whether the ring had no more events after the last channel left the list. */
  private boolean isRingRead;

  /** How many events the files had after the last work. Any thread reads it. */
  private volatile long inFiles;

  /** The reception of the first event that they may not have; nanoseconds since 1970 UTC. */
  private volatile long notInFilesFromNanos;

  GroupRecording(
      GroupContext context,
      PendingRecords records,
      GroupLog log,
      EventTimes times,
      WaitingEvents waiting) {
    this.context = context;
    this.records = records;
    this.log = log;
    this.times = times;
    this.waiting = waiting;
    flipping = new FlippingChannels(context.timing().newPairNanos());
    startedNanos = context.clock().monotonicNanos();
    replacedNanos = startedNanos - context.timing().newPairNanos();
    waiting.leaveRoom(true);
  }

  /** Lets the group stand by, before its first event. */
  void standBy(TakeOver shared) {
    takeOver = shared;
    log.keepStamps();
  }

  /** Returns what stands by, or null if the group is written. */
  private @Nullable TakeOver standby() {
    TakeOver shared = takeOver;
    return shared == null || shared.isActive() ? null : shared;
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
    return !log.isOpen() && fault.isEmpty() && !isRefused && standby() == null;
  }

  /** Sets why events are lost that found no memory before they are taken. */
  void setReason(LossReason reason) {
    noMemoryReason = reason;
  }

  /** Returns the present state. */
  RecordingState state() {
    return new RecordingState(
        context.group(),
        records.names().size(),
        records.connected(),
        waiting.size() + flipping.size(),
        log.pairs(),
        log.milestones(),
        log.bytes(),
        fault,
        isRefused,
        standby() != null);
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
    List<GroupChannel> opened = records.replace(names, source, context::notice);
    if (before.stream().filter(channel -> channel.isRemoved).filter(left::add).count() > 0) {
      isRingRead = false;
      leftNanos = context.clock().monotonicNanos();
    }
    return opened;
  }

  /** Returns whether channels left the list that are not recorded as disconnected yet. */
  boolean isLeaving() {
    return !left.isEmpty();
  }

  /** Notes that the ring has no event of channels that left the list. */
  void ringRead() {
    isRingRead = true;
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
                  left.add(channel);
                }
                take(channel, event);
              }
            });
    flipping.handOutSteady(context.clock().monotonicNanos(), this::record);
    context.lost("", notInFilesFromNanos, now, unstated, noMemoryReason);
    sayLeft();
    long next = turn();
    inFiles = context.counts().get(Count.WRITTEN) - log.missing();
    notInFilesFromNanos = waiting.size() > 0 ? Math.min(waitingFromNanos, now) : now;
    return next;
  }

  private void askLatch() {
    TakeOver shared = takeOver;
    if (shared == null || !shared.isActive()) {
      return;
    }
    if (shared.isReplaced()) {
      stepBack(shared);
      return;
    }
    boolean wasHeldBack = isHeldBack;
    isHeldBack = !shared.mayWrite();
    if (wasHeldBack && !isHeldBack && fault.isEmpty()) {
      drain(this::record);
    }
  }

  /** Stands by from now on. What the files do not have, the other recorder has. */
  private void stepBack(TakeOver shared) {
    boolean isConfirmed = shared.isConfirmed();
    if (!isConfirmed) {
      leave(shared.keptFromNanos());
    }
    isHeldBack = false;
    isClaimed = false;
    hasBegun = false;
    fault = "";
    log.keepStamps();
    shared.standBy();
    if (isConfirmed) {
      waiting.drain(shared::put);
    }
    context.notice("another recorder is active");
  }

  /**
   * Ends the log as it is. What waited for a disk for longer than the other recorder keeps it is
   * lost.
   *
   * @param keptNanos since when that one has all events; nanoseconds since 1970 UTC
   * @return the number of events that are left to it
   */
  private long leave(long keptNanos) {
    long written = (log.isOpen() ? log.giveUp() : 0) + log.dropKept();
    context.counts().add(Count.WRITTEN, -written);
    long events = written + waiting.size() - dropWaiting(keptNanos);
    context.counts().add(Count.LEFT, events);
    return events;
  }

  /** Drops what waits. Returns the number of events that are lost thereby. */
  private long dropWaiting(long keptNanos) {
    long[] lost = {0};
    boolean hadNoDisk = waitReason == LossReason.NO_DISK;
    waiting.drain(
        event -> {
          if (hadNoDisk && event.receivedNanos() < keptNanos) {
            lost[0] += 1L + event.lostBefore();
          }
        });
    context.lost("", waitingFromNanos, keptNanos, lost[0], LossReason.NO_DISK);
    waitReason = LossReason.RING_FULL;
    return lost[0];
  }

  /** Returns whether a channel left the list, and no pair has it any more. */
  private boolean isGone(GroupChannel channel) {
    return channel.isRemoved && records.channel(channel.number) == null;
  }

  /** Channels that left are disconnected after their last events, which the ring may have. */
  private void sayLeft() {
    if (!isRingRead || left.isEmpty()) {
      return;
    }
    Set<GroupChannel> gone = left;
    left = new LinkedHashSet<>();
    for (GroupChannel channel : gone) {
      if (channel.isConnected && !isRefused) {
        channel.isConnected = false;
        sayGone(channel);
      }
    }
  }

  private void take(GroupChannel channel, ChannelEvent event) {
    boolean waitsForPair = standby() == null && fault.isEmpty();
    if (flipping.begins(channel, event, waitsForPair, context.clock().monotonicNanos())) {
      context.notice(
          "type changes again and again, values are refused until it stays for new-pair: name="
              + channel.name);
      boolean isConnected = channel.isConnected;
      channel.isConnected = false;
      sayGone(channel);
      channel.isConnected = isConnected;
    }
    if (!flipping.keeps(channel, event, this::refuse)) {
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
      lostBefore(channel, event, nanos);
    }
  }

  /** The log may be anyhow after such a fault, so that its pair ends. */
  private static PairLostException unexpected(RuntimeException e) {
    return new PairLostException("unexpected fault, a new pair is begun: " + e, e);
  }

  private void place(GroupChannel channel, ChannelEvent event) {
    // While the disk fails, types are not looked at: the events are handed out once more.
    boolean isBlocked = !fault.isEmpty() || isHeldBack;
    TakeOver standby = standby();
    if (isRefused) {
      refuse(channel, event);
    } else if (isGone(channel)) {
      context.lost(gap(channel, event));
    } else if (standby != null) {
      if (records.accepts(channel, event) || channel.waits) {
        standby.put(event);
      } else {
        refuse(channel, event);
      }
    } else if (isBlocked && log.pairs() > 0) {
      waitFor(event);
    } else if (records.accepts(channel, event)) {
      write(channel, event);
    } else if (channel.waits) {
      waitFor(event);
    } else {
      refuse(channel, event);
    }
  }

  private void waitFor(ChannelEvent event) {
    if (!fault.isEmpty()) {
      waitReason = LossReason.NO_DISK;
    }
    if (waiting.size() == 0) {
      waitingFromNanos = LogTimes.representable(event.receivedNanos());
    }
    waiting.put(event);
  }

  private void refuse(GroupChannel channel, ChannelEvent event) {
    lostInSource(channel, event.lostBefore());
    context.counts().add(Count.REFUSED, 1L + event.lostBefore());
  }

  private void write(GroupChannel channel, ChannelEvent event) {
    long received = LogTimes.representable(event.receivedNanos());
    try {
      long nanos = times.nanos(event, received);
      log.append(channel.ordinal, received, nanos, event);
      context.counts().add(Count.WRITTEN, 1);
      times.count(event, received);
      if (event.kind() == EventKind.VALUE && event.count() == 0) {
        context.counts().add(Count.EMPTY_ARRAYS, 1);
      }
      lostBefore(channel, event, nanos);
      channel.lastNanos = nanos;
      if (!hasBegun) {
        hasBegun = true;
        context.listener().begun(context.group(), received);
      }
    } catch (IOException e) {
      fail(e);
      record(channel, event);
    }
  }

  private void lostBefore(GroupChannel channel, ChannelEvent event, long nanos) {
    long inSource = lostInSource(channel, event.lostBefore());
    long here = event.lostBefore() - inSource;
    long from = channel.lastNanos;
    LossReason reason = waitReason == LossReason.RING_FULL ? noMemoryReason : waitReason;
    context.lost(channel.name, from, nanos, inSource, LossReason.RING_FULL);
    context.lost(channel.name, from, nanos, here, reason);
  }

  /** Reports events that were lost in the source before one that is not recorded. */
  void lostBefore(GroupChannel channel, long events, long nanos) {
    long inSource = lostInSource(channel, events);
    context.lost(channel.name, channel.lastNanos, nanos, inSource, LossReason.RING_FULL);
  }

  /** Returns how many of some lost events were lost before they came here. */
  private static long lostInSource(GroupChannel channel, long events) {
    long lost = Math.min(events, channel.lostInSource - channel.statedInSource);
    channel.statedInSource += lost;
    return lost;
  }

  private void fail(IOException e) {
    failedNanos = context.clock().monotonicNanos();
    String reason = GroupContext.reason(e);
    if (!reason.equals(fault)) {
      fault = reason;
      context.notice(reason);
    }
    if (e instanceof PairLostException && log.isOpen()) {
      isLost = true;
      lostPair(log.missingFromNanos(), log.giveUp());
    }
    if (e instanceof OtherWriterException other && !isReplacedBy(other)) {
      TakeOver standby = standby();
      if (standby != null) {
        standby.leave();
        standby.standBy();
      }
      isRefused = true;
      isClaimed = false;
      drain(this::refuse);
      endLog();
    }
  }

  /** Returns whether another recorder took over, so that this one stands by. */
  private boolean isReplacedBy(OtherWriterException other) {
    TakeOver shared = takeOver;
    if (shared == null || !shared.isActive()) {
      return shared != null && other.keepsStamps();
    }
    if (!shared.isConfirmed()) {
      stepBack(shared);
      return true;
    }
    // That one took over, and ended. But if both go on, one of them is refused.
    long now = context.clock().monotonicNanos();
    if (!other.keepsStamps() || now - replacedNanos < context.timing().newPairNanos()) {
      return false;
    }
    replacedNanos = now;
    endLog();
    stepBack(shared);
    return true;
  }

  private void lostPair(long fromNanos, long events) {
    context.counts().add(Count.WRITTEN, -events);
    long now = LogTimes.representable(context.clock().wallNanos());
    context.lost("", fromNanos, now, events, LossReason.NO_DISK);
  }

  private long turn() {
    TakeOver standby = standby();
    if (isHeldBack || standby != null && !isRefused && !standby.isDue()) {
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
    if (!log.isOpen() && mayBegin()) {
      begin();
    }
    if (!log.isOpen()) {
      long age = context.clock().monotonicNanos() - startedNanos;
      return Math.max(LEAST_NANOS, Math.min(RETRY_NANOS, context.timing().learnNanos() - age));
    }
    long next = log.turn(wasBlocked);
    if (wasBlocked) {
      goOn();
    }
    TakeOver shared = takeOver;
    if (shared != null) {
      shared.countDoubles();
    }
    if (!records.isChanged()) {
      return next;
    }
    long sinceChange = context.clock().monotonicNanos() - changedNanos;
    if (sinceChange < context.timing().newPairNanos()) {
      return Math.min(next, context.timing().newPairNanos() - sinceChange);
    }
    long sinceLeft = context.clock().monotonicNanos() - leftNanos;
    if (!left.isEmpty() && sinceLeft < context.timing().newPairNanos()) {
      return Math.min(next, RETRY_NANOS);
    }
    begin();
    return 0;
  }

  private boolean mayBegin() {
    long now = context.clock().monotonicNanos();
    boolean isLearnt = records.areAllKnown() || now - startedNanos >= context.timing().learnNanos();
    // A pair is replaced at once, but one that replaced another is not.
    boolean mayReplace = !isReplaced || now - changedNanos >= context.timing().newPairNanos();
    return !records.names().isEmpty() && (log.pairs() > 0 ? mayReplace : isLearnt);
  }

  private void begin() throws IOException {
    RecordTable table = records.table();
    TakeOver standby = standby();
    if (standby != null) {
      standby.compare(log, table, records);
    }
    long keptFromNanos = log.missingFromNanos();
    lostPair(keptFromNanos, log.begin(table, beginNanos()));
    records.begun();
    left.clear();
    isReplaced = isLost;
    isLost = false;
    changedNanos = context.clock().monotonicNanos();
    if (standby != null) {
      takeOver(standby);
    }
    if (fault.isEmpty()) {
      drain(this::record);
    }
    if (log.pairs() == 1 || standby != null) {
      records.channels().filter(channel -> channel.lastNanos == 0).forEach(this::sayGone);
    }
  }

  /** Returns the time of a new pair: now, or without one before it that of the events that wait. */
  private long beginNanos() {
    long now = LogTimes.representable(context.clock().wallNanos());
    return log.isOpen() || waiting.size() == 0 ? now : Math.min(now, waitingFromNanos);
  }

  private void takeOver(TakeOver standby) {
    boolean isSeamless = standby.isSeamless();
    hasBegun = isSeamless;
    context.listener().takesOver(context.group(), isSeamless, standby.aliveNanos());
    context.notice(isSeamless ? "takes over" : "is the active recorder");
    context.counts().add(Count.TAKEOVERS, isSeamless ? 1 : 0);
    standby.begin(this::recordKept);
  }

  private void recordKept(ChannelEvent event) {
    GroupChannel channel = records.channel(event.channel());
    if (channel == null) {
      context.counts().add(Count.LEFT, 1L + event.lostBefore());
    } else {
      record(channel, event);
    }
  }

  /** Records that a channel is disconnected, unless it is connected. Its source says nothing. */
  private void sayGone(GroupChannel channel) {
    if (!channel.isConnected) {
      long now = context.clock().wallNanos();
      context.counts().add(Count.RECEIVED, 1);
      record(channel, new ChannelEvent().begin(channel.number, EventKind.DISCONNECTED, now));
    }
  }

  private void goOn() {
    fault = "";
    context.notice(GroupTasks.AGAIN);
    drain(this::record);
  }

  /** Takes an event that waited, and its channel. */
  private interface Waited {
    void take(GroupChannel channel, ChannelEvent event);
  }

  /** Hands out what waits. A channel that left the list has no record in later pairs. */
  private void drain(Waited handler) {
    long from = waitingFromNanos;
    long unstated =
        waiting.drain(
            event -> {
              GroupChannel channel = records.channel(event.channel());
              if (channel != null) {
                handler.take(channel, event);
              } else {
                long nanos = LogTimes.representable(event.receivedNanos());
                context.lost("", from, nanos, 1L + event.lostBefore(), waitReason);
              }
            });
    long now = LogTimes.representable(context.clock().wallNanos());
    context.lost("", from, now, unstated, waitReason);
    if (waiting.size() == 0) {
      waitReason = LossReason.RING_FULL;
    }
  }

  /** Writes all events that can be written, and ends the log. What still waits then is lost. */
  void close() {
    flipping.handOut(this::refuse);
    TakeOver standby = standby();
    if (standby != null) {
      standby.leave();
    }
    if (isRefused || standby != null) {
      return;
    }
    TakeOver shared = takeOver;
    if (isHeldBack && shared != null) {
      long events = leave(shared.keptFromNanos());
      context.notice("another recorder may have taken over, left to it: events=" + events);
      return;
    }
    try {
      turnOfLog(!fault.isEmpty());
      for (int i = 0; i < MOST_LAST_PAIRS && waiting.size() > 0 && fault.isEmpty(); i++) {
        begin();
      }
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException e) {
      fail(unexpected(e));
    }
    Map<String, LogGap> gaps = new LinkedHashMap<>();
    drain((channel, event) -> gaps.merge(channel.name, gap(channel, event), LogGap::and));
    gaps.values().forEach(context::lost);
    endLog();
  }

  private LogGap gap(GroupChannel channel, ChannelEvent event) {
    long nanos = LogTimes.representable(event.receivedNanos());
    return new LogGap(channel.name, channel.lastNanos, nanos, 1L + event.lostBefore(), waitReason);
  }

  private void endLog() {
    try {
      log.close();
    } catch (IOException | RuntimeException e) {
      context.notice("the end of the log could not be written: " + GroupContext.reason(e));
    }
    long fromNanos = log.missingFromNanos();
    lostPair(fromNanos, (log.isOpen() ? log.giveUp() : 0) + log.dropKept());
  }

  /**
   * Counts what is not known to be written as lost, because the thread that has the log does not
   * come back. Called by another thread.
   */
  void abandon() {
    GroupCounts counts = context.counts();
    counts.add(Count.WRITTEN, inFiles - counts.get(Count.WRITTEN));
    long elsewhere = counts.get(Count.LOST) + counts.get(Count.REFUSED) + counts.get(Count.LEFT);
    long events = counts.get(Count.RECEIVED) - inFiles - elsewhere;
    context.notice("the log could not be ended, the disk does not answer: events=" + events);
    long now = LogTimes.representable(context.clock().wallNanos());
    context.lost("", notInFilesFromNanos, now, events, LossReason.NO_DISK);
  }
}
