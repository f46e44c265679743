package org.kblake.record.group;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordTable;
import org.kblake.record.log.GroupLog;
import org.kblake.record.log.LogTimes;
import org.kblake.record.log.StampOrder;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventMemory;
import org.kblake.record.standby.ActiveLog;
import org.kblake.record.standby.ChannelHistory;
import org.kblake.record.standby.LeftEvents;
import org.kblake.record.standby.OtherFiles;

/** A group that stands by, and takes over from another recorder. For one thread at a time. */
final class TakeOver {

  private static final long SECOND_NANOS = 1_000_000_000;

  /** So long this recorder may be behind the one that ended. */
  private static final long SETTLE_NANOS = SECOND_NANOS;

  /** So often it tries to read what the other one has written, about each second. */
  private static final int MOST_READS = 10;

  private final StandbySettings settings;
  private final EventMemory memory;
  private final GroupContext context;
  private final Path root;
  private final OtherFiles files;
  private StandbyEvents events;
  private long sinceNanos;
  private boolean isActive;
  private boolean isHeld;
  private long heldNanos;

  /** When the other recorder was found to have ended; nanoseconds since 1970 UTC. */
  private long heldSinceNanos;

  /** How often the other log could not be read, one time after the other. */
  private int failedReads;

  private long lookedNanos;
  private @Nullable ActiveLog other;

  /** Whether a channel was not connected here when the other recorder was last alive. */
  private boolean hasGap;

  TakeOver(StandbySettings settings, EventMemory memory, GroupContext context, Path root) {
    this.settings = settings;
    this.memory = memory;
    this.context = context;
    this.root = root;
    files = new OtherFiles(root, context.group());
    events = new StandbyEvents(memory, settings.keepNanos());
    sinceNanos = context.clock().wallNanos();
  }

  /** Returns whether this recorder writes the group. */
  boolean isActive() {
    return isActive;
  }

  /** Returns whether another recorder has become the active one. */
  boolean isReplaced() {
    return isActive && !leads();
  }

  /** Returns whether this recorder is the active one, as far as it knows. */
  boolean leads() {
    return settings.latch().isHeld();
  }

  /** Returns whether this recorder is the active one for certain. */
  boolean isConfirmed() {
    return settings.latch().isConfirmed();
  }

  /** Returns whether no other recorder writes the group, so that this one may begin. */
  boolean mayBegin() {
    return settings.latch().mayBegin();
  }

  /** Returns whether the active one may write now. */
  boolean mayWrite() {
    return settings.latch().mayWrite();
  }

  /** Returns since when a standby has all events, nanoseconds since 1970 UTC. */
  long keptFromNanos() {
    return context.clock().wallNanos() - settings.keepNanos();
  }

  /** Tells the latch that another recorder writes the group. */
  void anotherWrites() {
    settings.latch().anotherWorks();
  }

  /** Begins to stand by. */
  void standBy() {
    isActive = false;
    isHeld = false;
    failedReads = 0;
    other = null;
    events = new StandbyEvents(memory, settings.keepNanos());
    sinceNanos = context.clock().wallNanos();
  }

  /** Keeps a copy of an event. */
  void put(ChannelEvent event) {
    long left = events.put(event, context.clock().monotonicNanos());
    context.counts().add(Count.LEFT, left);
  }

  /** Drops the events, which the other recorder has. */
  void leave() {
    context.counts().add(Count.LEFT, events.leave());
  }

  /**
   * Returns whether it is time to take over. Lets old events leave, as long as another recorder
   * writes them.
   */
  boolean isDue() {
    long now = context.clock().monotonicNanos();
    boolean isNowHeld = mayBegin();
    if (!isNowHeld && settings.latch().isUnknown() && files.haveChanged(now)) {
      settings.latch().anotherWorks();
    }
    if (isNowHeld && !isHeld) {
      heldNanos = now;
      heldSinceNanos = context.clock().wallNanos();
    }
    isHeld = isNowHeld;
    if (isHeld) {
      events.gone().keepAll(heldSinceNanos);
    } else {
      events.gone().keepLatest();
      context.counts().add(Count.LEFT, events.trim(now));
    }
    return isHeld && now - heldNanos >= SETTLE_NANOS;
  }

  /**
   * Compares the events with the log of the other recorder, and gives the last states in it to this
   * one's log.
   *
   * @param table the records of the next pair
   */
  void compare(GroupLog log, RecordTable table, PendingRecords records) throws IOException {
    ActiveLog read = readOther();
    other = read;
    events.compare(read, settings.clocksNanos(), number -> name(records, number));
    Map<String, StampOrder> orders = new HashMap<>();
    hasGap = false;
    records
        .channels()
        .forEach(
            channel -> {
              ChannelHistory history = events.history(channel.number);
              hasGap |= history.begin(read, channel.name, settings.clocksNanos()).hasGap();
              orders.put(channel.name, history.order());
            });
    log.continueFrom(
        table,
        orders,
        states ->
            records
                .channels()
                .forEach(
                    channel ->
                        events
                            .history(channel.number)
                            .states(event -> putState(table, channel, event, states))));
    read.forgetChannels();
  }

  /** A log that cannot be read must not keep everybody from recording. */
  private ActiveLog readOther() throws IOException {
    try {
      ActiveLog read = ActiveLog.read(root, context.group(), settings.keepNanos());
      failedReads = 0;
      return read;
    } catch (IOException | RuntimeException e) {
      failedReads++;
      if (failedReads < MOST_READS) {
        throw e;
      }
      context.notice("what the recorder before this one has written cannot be read: " + e);
      return ActiveLog.unknown();
    }
  }

  private static String name(PendingRecords records, int number) {
    GroupChannel channel = records.channel(number);
    return channel == null ? "" : channel.name;
  }

  private static void putState(
      RecordTable table, GroupChannel channel, ChannelEvent event, GroupLog.States states) {
    int ordinal = table.ordinalOfName(channel.name);
    long nanos = LogTimes.representable(event.receivedNanos());
    if (ordinal >= 0 && channel.next().canHave(event)) {
      states.put(ordinal, nanos, event);
      channel.lastNanos = nanos;
    }
  }

  /** Returns when the other recorder was last alive, nanoseconds since 1970 UTC; 0 if unknown. */
  long aliveNanos() {
    ActiveLog read = other;
    return read == null ? 0 : read.aliveNanos();
  }

  /**
   * Returns whether all channels were connected here while the other recorder lived, and all that
   * was received since is kept.
   */
  boolean isSeamless() {
    long alive = aliveNanos();
    long ready = sinceNanos + settings.clocksNanos();
    return !hasGap && alive >= ready && alive >= events.gone().latestNanos();
  }

  /**
   * Ends standing by: hands out the events that are not in the other log, with their channels, and
   * counts losses.
   */
  void begin(PendingRecords records, BiConsumer<GroupChannel, ChannelEvent> handler) {
    boolean isSeamless = isSeamless();
    context.listener().takesOver(context.group(), isSeamless, aliveNanos());
    context.counts().add(Count.TAKEOVERS, isSeamless ? 1 : 0);
    isActive = true;
    long left = events.drain(event -> handOut(records.channel(event.channel()), event, handler));
    context.counts().add(Count.LEFT, left);
    LeftEvents gone = events.gone();
    long from = aliveNanos() == 0 ? heldSinceNanos : aliveNanos();
    long lost = gone.after(from);
    context.counts().add(Count.LEFT, -lost);
    context.lost("", from, gone.latestNanos(), lost, LossReason.RING_FULL);
    gone.clear();
  }

  private void handOut(
      @Nullable GroupChannel channel,
      ChannelEvent event,
      BiConsumer<GroupChannel, ChannelEvent> handler) {
    if (channel == null) {
      context.counts().add(Count.LEFT, 1L + event.lostBefore());
    } else {
      handler.accept(channel, event);
    }
  }

  /** Counts what the other recorder has written since, about each second. */
  void countDoubles() {
    ActiveLog read = other;
    long now = context.clock().monotonicNanos();
    if (read != null && now - lookedNanos >= SECOND_NANOS) {
      lookedNanos = now;
      long doubles = doubles(read);
      if (doubles > 0) {
        context.counts().add(Count.DOUBLES, doubles);
        context.notice("the recorder before this one has written too: doubles=" + doubles);
      }
    }
  }

  /** The log of another recorder is no reason to write no own one. */
  private long doubles(ActiveLog read) {
    try {
      return read.doubles();
    } catch (IOException e) {
      other = null;
      context.notice(
          "the log of the recorder before this one cannot be read, its doubles are not counted: "
              + GroupContext.reason(e));
      return 0;
    }
  }
}
