package org.kblake.record.ledger;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.record.group.Count;
import org.kblake.record.group.GroupCounts;
import org.kblake.record.group.GroupListener;
import org.kblake.record.group.LogGap;
import org.kblake.record.group.LossReason;
import org.kblake.record.group.Recorder;
import org.kblake.record.group.RecorderSettings;
import org.kblake.record.group.TimeRule;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.LogTimes;
import org.kblake.record.log.RecordClock;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.EventKind;

/**
 * Lets a recorder record what it may have lost, in a group of its own. It hears what happens to the
 * other groups, and hands it on. All calls are of the recording thread.
 */
public final class Ledger implements GroupListener {

  private static final long SECOND_NANOS = 1_000_000_000;

  /** The shortest time between two events of a count of losses. */
  private static final long CHANGE_NANOS = 10 * SECOND_NANOS;

  /** The time after which canaries are connected, unless something is wrong. */
  private static final long CONNECTION_NANOS = 60 * SECOND_NANOS;

  private final LedgerSettings settings;
  private final ChannelSource watched;
  private final GroupListener next;
  private final LogSettings log;
  private final RecordClock clock;
  private final LedgerSource source;
  private final Statements statements;
  private final CircuitAccounts circuits;
  private final Map<Group, GroupAccount> groups = new LinkedHashMap<>();

  /** How groups that are not added yet ended; null if nothing is known of it. */
  private final Map<Group, @Nullable EarlierRecording> earlier = new HashMap<>();

  private final Map<Integer, Canary> canaries = new LinkedHashMap<>();
  private final Map<String, Written> written = new HashMap<>();
  private @Nullable Recorder recorder;
  private List<String> names = List.of();
  private final long begunNanos;
  private long lookedNanos;
  private boolean isConnectionDue;
  private boolean isEnding;
  private boolean isRefused;

  /** The last number of a channel in the ledger, and when it was put. */
  private record Written(double number, long nanos) {}

  /**
   * @param watched the recorder's source; nobody else may ask for its circuits
   * @param recording what the recorder is told
   * @param next hears all that the ledger hears
   */
  public Ledger(
      LedgerSettings settings,
      ChannelSource watched,
      RecorderSettings recording,
      GroupListener next) {
    this.settings = settings;
    this.watched = watched;
    this.next = next;
    log = recording.log();
    clock = recording.clock();
    source = new LedgerSource(clock, this::fill, this::canWrite);
    // With the time stamps of IOCs an event may be as far from its reception.
    long offset = recording.times() == TimeRule.IOC ? log.archive().disorderBoundNanos() / 2 : 0;
    statements = new Statements(settings.mostWaiting(), offset);
    begunNanos = clock.monotonicNanos();
    lookedNanos = begunNanos;
    circuits = new CircuitAccounts(statements, wallNanos(), lookedNanos);
  }

  /**
   * Begins the ledger with the first group that is added to a recorder. Opens the canaries.
   *
   * @param recorder its listener is this ledger
   */
  public void begin(Recorder recorder) {
    this.recorder = recorder;
    settings
        .canaries()
        .forEach(
            (server, record) -> {
              try {
                canaries.put(watched.open(record), canary(record, server));
              } catch (IllegalArgumentException e) {
                notice(settings.group(), "canary is left out: " + e.getMessage());
              }
            });
  }

  private Canary canary(String record, String server) {
    return new Canary(record, server, line -> notice(settings.group(), line));
  }

  private long wallNanos() {
    return LogTimes.representable(clock.wallNanos());
  }

  @Override
  public Runnable adding(Group group) {
    Runnable ofNext = next.adding(group);
    if (group.equals(settings.group())) {
      return ofNext;
    }
    try {
      Archive archive = Archive.open(log.root(), log.archive());
      EarlierRecording found = EarlierRecording.read(archive, group);
      return () -> {
        ofNext.run();
        earlier.put(group, found);
      };
    } catch (IOException e) {
      return () -> {
        ofNext.run();
        isUnknown(group, String.valueOf(e.getMessage()));
      };
    }
  }

  private void isUnknown(Group group, String reason) {
    notice(group, "how the last recording ended is not known: " + reason);
    earlier.put(group, null);
  }

  @Override
  public void added(Group group, GroupCounts counts) {
    next.added(group, counts);
    Recorder begun = recorder;
    if (begun == null || group.equals(settings.group())) {
      return;
    }
    if (!earlier.containsKey(group)) {
      isUnknown(group, "the disk has not answered");
    }
    boolean isFirst = groups.isEmpty();
    EarlierRecording read = earlier.remove(group);
    GroupAccount before = groups.get(group);
    EarlierRecording ended = before == null ? read : before.ended();
    groups.put(group, new GroupAccount(group, counts, wallNanos(), ended));
    if (isFirst) {
      begun.add(settings.group(), this::names, source, this::begin);
    }
  }

  private void begin(Recorder.Begin begin) {
    try {
      names = names();
      begin.begin();
    } catch (IOException | IllegalArgumentException e) {
      notice(settings.group(), "losses are not recorded: " + e.getMessage());
    }
  }

  @Override
  public void gap(Group group, LogGap gap) {
    next.gap(group, gap);
    GroupAccount account = groups.get(group);
    if (account != null) {
      long from = gap.fromNanos() == 0 ? account.addedNanos : gap.fromNanos();
      statements.add(new Statement(group, gap.reason(), from, gap.toNanos(), gap.events()));
    } else if (gap.channel().isEmpty() && group.equals(settings.group())) {
      source.repeat(gap.events());
    }
  }

  @Override
  public void notice(Group group, String line) {
    next.notice(group, line);
  }

  @Override
  public void received(@Nullable Group group, ChannelEvent event) {
    next.received(group, event);
    // Most events are values of recorded channels, and cost nothing here.
    if (group != null && (event.kind() == EventKind.VALUE || !groups.containsKey(group))) {
      return;
    }
    circuits.received(group, event);
    Canary canary = group == null ? canaries.get(event.channel()) : null;
    if (canary != null) {
      long missing = canary.take(event);
      if (missing > 0) {
        jumped(canary, event, missing);
      }
    }
  }

  private void jumped(Canary canary, ChannelEvent event, long missing) {
    CircuitAccount circuit = circuits.of(event.channel());
    if (circuit != null) {
      for (Group group : circuit.groups) {
        statements.addReceived(
            new Statement(
                group,
                LossReason.CANARY_JUMPED,
                canary.beforeNanos(),
                event.receivedNanos(),
                missing));
      }
    }
  }

  @Override
  public void begun(Group group, long nanos) {
    next.begun(group, nanos);
    GroupAccount account = groups.get(group);
    EarlierRecording earlier = account == null ? null : account.earlier;
    if (earlier != null) {
      boolean isCrash = earlier.end() == EarlierRecording.End.CRASH;
      statements.addReceived(
          new Statement(
              group,
              isCrash ? LossReason.CRASHED : LossReason.STOPPED,
              beginOf(earlier),
              nanos,
              Statement.UNKNOWN));
    }
  }

  /** What a process left may lack its last statements: the span has that time, too. */
  private long beginOf(EarlierRecording earlier) {
    long flushed = earlier.lastNanos() - SECOND_NANOS - log.timing().flushNanos();
    return switch (earlier.end()) {
      case ORDERLY -> earlier.lastNanos();
      case UNKNOWN -> flushed - log.timing().newPairNanos();
      case CRASH -> {
        // Its ledger could not be written for longer than it may be idle.
        boolean wasStuck = earlier.ledgerNanos() < flushed - log.timing().milestoneNanos();
        yield wasStuck ? earlier.ledgerNanos() : flushed;
      }
    };
  }

  @Override
  public void takesOver(Group group, boolean isSeamless, long aliveNanos) {
    next.takesOver(group, isSeamless, aliveNanos);
    GroupAccount account = groups.get(group);
    if (account == null) {
      return;
    }
    account.stateWritten = GroupAccount.NOT_WRITTEN;
    // What this one lost while the other one wrote is no loss.
    statements.forget(group, account.standbySinceNanos, aliveNanos);
    EarlierRecording earlier = account.earlier;
    if (isSeamless) {
      account.earlier = null;
    } else if (aliveNanos > 0 && (earlier == null || aliveNanos > earlier.lastNanos())) {
      account.earlier = new EarlierRecording(aliveNanos, aliveNanos, EarlierRecording.End.CRASH);
    }
  }

  @Override
  public void standsBy(Group group) {
    next.standsBy(group);
    GroupAccount account = groups.get(group);
    if (account != null) {
      account.standbySinceNanos = wallNanos();
    }
  }

  @Override
  public void ended(Group group) {
    next.ended(group);
    GroupAccount account = groups.get(group);
    if (account != null) {
      account.endedNanos = wallNanos();
      isEnding = true;
    }
  }

  @Override
  public void removed(Group group) {
    next.removed(group);
    circuits.remove(group);
    GroupAccount account = groups.get(group);
    if (account != null) {
      account.endedNanos = wallNanos();
    }
  }

  private List<String> names() {
    List<String> all = new ArrayList<>();
    for (Group group : groups.keySet()) {
      all.add(LedgerChannel.losses(group));
      all.add(LedgerChannel.received(group));
      all.add(LedgerChannel.written(group));
      all.add(LedgerChannel.lost(group));
      all.add(LedgerChannel.refused(group));
      all.add(LedgerChannel.state(group));
      if (doubles(group) > 0) {
        all.add(LedgerChannel.doubles(group));
      }
    }
    for (CircuitAccount circuit : circuits.all()) {
      all.add(LedgerChannel.received(circuit.server));
      all.add(LedgerChannel.late(circuit.server));
    }
    for (Canary canary : canaries.values()) {
      all.add(LedgerChannel.canaryLost(canary.record));
    }
    return all;
  }

  /** Puts what is due and can be written. */
  private void fill() {
    long now = clock.monotonicNanos();
    if (now - lookedNanos >= SECOND_NANOS || isEnding) {
      look(now);
    }
    statements
        .take(group -> canWrite(LedgerChannel.losses(group)))
        .forEach(each -> put(LedgerChannel.losses(each.group()), each.toNanos(), each.elements()));
    for (GroupAccount account : groups.values()) {
      String name = LedgerChannel.state(account.group);
      if (account.stateWritten != account.state() && canWrite(name)) {
        account.stateWritten = account.state();
        put(name, account.state());
      }
    }
  }

  private void look(long now) {
    lookedNanos = now;
    circuits.look(watched.circuits(), wallNanos(), now);
    statements.gather();
    if (!isConnectionDue && now - begunNanos >= CONNECTION_NANOS) {
      isConnectionDue = true;
      canaries.values().forEach(Canary::requireConnected);
    }
    List<String> present = names();
    Recorder begun = recorder;
    if (begun != null && begun.isRefused(settings.group()) != isRefused) {
      isRefused = !isRefused;
      notice(
          settings.group(),
          isRefused
              ? "losses are not recorded: another recorder has this ledger; give each its name in"
                  + " [record]"
              : "losses are recorded");
    }
    if (begun != null && !present.equals(names)) {
      names = present;
      begun.reload(settings.group());
    }
    putCounts(now);
  }

  private void putCounts(long now) {
    long rarely = log.timing().milestoneNanos();
    for (GroupAccount account : groups.values()) {
      Group group = account.group;
      GroupCounts counts = account.counts;
      putCount(LedgerChannel.received(group), (double) counts.get(Count.RECEIVED), rarely, now);
      putCount(LedgerChannel.written(group), (double) counts.get(Count.WRITTEN), rarely, now);
      putCount(LedgerChannel.lost(group), (double) counts.get(Count.LOST), CHANGE_NANOS, now);
      putCount(LedgerChannel.refused(group), (double) counts.get(Count.REFUSED), rarely, now);
      putCount(LedgerChannel.doubles(group), doubles(group), CHANGE_NANOS, now);
    }
    for (CircuitAccount circuit : circuits.all()) {
      double late = (double) circuit.lateNanos / SECOND_NANOS;
      putCount(LedgerChannel.received(circuit.server), (double) circuit.received, rarely, now);
      putCount(LedgerChannel.late(circuit.server), late, CHANGE_NANOS, now);
    }
    for (Canary canary : canaries.values()) {
      putCount(LedgerChannel.canaryLost(canary.record), (double) canary.lost, CHANGE_NANOS, now);
    }
  }

  private double doubles(Group group) {
    GroupAccount account = groups.get(group);
    return account == null ? 0 : (double) account.counts.get(Count.DOUBLES);
  }

  /** Puts a number if it has changed, not more often than at an interval. */
  private void putCount(String name, double number, long intervalNanos, long now) {
    Written last = written.get(name);
    boolean isDue =
        last == null || number != last.number && (isEnding || now - last.nanos >= intervalNanos);
    if (isDue && canWrite(name)) {
      written.put(name, new Written(number, now));
      put(name, number);
    }
  }

  private boolean canWrite(String name) {
    Integer channel = source.number(name);
    return channel != null && canWrite(channel);
  }

  /** At the end all is put: what cannot be written then is lost. */
  private boolean canWrite(int channel) {
    Recorder begun = recorder;
    return begun != null && (isEnding || begun.isReady(settings.group(), channel));
  }

  private void put(String name, double number) {
    put(name, Long.MIN_VALUE, number);
  }

  private void put(String name, long notBeforeNanos, double... elements) {
    Integer channel = source.number(name);
    if (channel != null) {
      source.put(channel, notBeforeNanos, elements);
    }
  }
}
