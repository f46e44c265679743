package org.kblake.record.command;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.core.model.Group;
import org.kblake.record.group.Count;
import org.kblake.record.group.GroupCounts;
import org.kblake.record.group.ListFile;
import org.kblake.record.group.Recorder;
import org.kblake.record.group.RecorderSettings;
import org.kblake.record.group.RecordingState;
import org.kblake.record.group.StandbySettings;
import org.kblake.record.ledger.Ledger;
import org.kblake.record.metadata.LearntMetadataFiles;
import org.kblake.record.source.ChannelSource;

/**
 * The thread that takes events. It is never interrupted. It ends after {@link #stop}, or when no
 * group is left that it may record.
 */
final class RecordingThread {

  private static final Duration METADATA_INTERVAL = Duration.ofSeconds(30);

  /** So long groups that are read keep those that are begun from events. */
  private static final Duration START = Duration.ofSeconds(60);

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long RETRY_NANOS = 10 * SECOND_NANOS;
  private static final long UNCONNECTED_NANOS = 60 * SECOND_NANOS;
  private static final long OVERDUE_NANOS = 60 * SECOND_NANOS;

  private final RecordPlan.Loader loader;
  private final RunLog log;
  private final ChannelSource source;
  private final Recorder recorder;
  private final RecordEvents events;
  private final LearntMetadataFiles metadata;
  private final RecordMetrics metrics;
  private final Thread thread = new Thread(this::run, "kblake-record");
  private final AtomicBoolean reloads = new AtomicBoolean();
  private final AtomicBoolean hasChanged = new AtomicBoolean();

  /** Groups whose files are read, before they are begun, and since when. */
  private final Map<Group, Long> reading = new LinkedHashMap<>();

  /** Groups that are not begun, and why. */
  private final Map<Group, @Nullable String> missing = new LinkedHashMap<>();

  private final Map<Group, GroupCounts> counts = new LinkedHashMap<>();
  private RecordPlan plan;
  private boolean isLoading;

  /** What is logged when they are read once more; null if they are not. */
  private @Nullable String loadsAgain;

  private long retriedNanos = System.nanoTime();
  private long shownNanos = System.nanoTime();
  private long listedNanos = System.nanoTime();
  private long written;
  private boolean wasActive = true;
  private volatile long turnedNanos = System.nanoTime();
  private volatile boolean isStopping;
  private volatile RecordStatus status = RecordStatus.NONE;
  private volatile @Nullable Throwable failure;

  /**
   * @param standby how it stands by, or null if it does not
   */
  RecordingThread(
      RecordPlan plan,
      RecordPlan.Loader loader,
      RunLog log,
      ChannelSource source,
      @Nullable StandbySettings standby) {
    this.plan = plan;
    this.loader = loader;
    this.log = log;
    this.source = source;
    RecorderSettings settings = plan.settings().recorder();
    metadata =
        new LearntMetadataFiles(
            plan.root(),
            settings.log().archive().zone(),
            group -> status().isWritten(group),
            (group, line) -> log.warn(line, "group", group));
    events = new RecordEvents(log, source, metadata);
    Ledger ledger = new Ledger(plan.settings().ledger(), source, settings, events);
    recorder = new Recorder(source, settings, ledger);
    if (standby != null) {
      recorder.standBy(standby);
    }
    ledger.begin(recorder);
    metrics = new RecordMetrics(source, this::status);
    thread.setUncaughtExceptionHandler((ended, cause) -> failure = cause);
  }

  /**
   * Begins to record. If the archive is away, it waits for it, and listens to the channels of lists
   * elsewhere.
   *
   * @throws RequestException if no group can be recorded
   */
  void start() {
    boolean isAway = plan.isAway();
    if (isAway) {
      log.warn("archive has no directory SYS, events wait for its volume", "archive", plan.root());
    }
    plan.groups().forEach(group -> missing.put(group, ""));
    retry();
    recorder.awaitAdded(START);
    reading.keySet().forEach(this::sayUnread);
    if (counts.isEmpty() && reading.isEmpty() && !isAway) {
      throw new RequestException(String.valueOf(missing.values().iterator().next()));
    }
    thread.start();
  }

  private void add(Group group) {
    if (recorder.isRecorded(group)) {
      missing.put(group, "its last log has not ended"); // it was removed, and came back
    } else if (reading.containsKey(group)) {
      sayUnread(group);
    } else {
      reading.put(group, System.nanoTime());
      ListFile file = plan.list(group, loader);
      recorder.add(group, file, begin -> begin(group, file, begin));
    }
  }

  private void sayUnread(Group group) {
    Long begunNanos = reading.get(group);
    if (begunNanos != null && System.nanoTime() - begunNanos >= SECOND_NANOS) {
      String reason = group + " is not recorded: the disk has not answered";
      missing.put(group, log.problem(reason, missing.get(group)));
    }
  }

  private void begin(Group group, ListFile file, Recorder.Begin begin) {
    reading.remove(group);
    if (!missing.containsKey(group)) {
      return; // it was removed meanwhile
    }
    try {
      GroupCounts begun = begin.begin();
      counts.put(group, begun);
      missing.remove(group);
      metrics.add(group, begun);
      log.info("records", "group", group, "list", file.path());
    } catch (IOException e) {
      String reason =
          e instanceof NoSuchFileException
              ? "record list does not exist: file=" + file.path()
              : ErrorLine.of(e);
      missing.put(group, log.problem(group + " is not recorded: " + reason, missing.get(group)));
    }
  }

  private void run() {
    metadata.start(METADATA_INTERVAL);
    try (metadata;
        recorder) {
      while (!isStopping && !isWithoutGroup()) {
        recorder.turn();
        turnedNanos = System.nanoTime();
        if (turnedNanos - shownNanos >= SECOND_NANOS) {
          show(turnedNanos);
        }
        if (reloads.getAndSet(false)) {
          recorder.reload();
          readSettings("lists read again");
        } else if (hasChanged.getAndSet(false)) {
          readSettings("settings read again");
        } else if (!missing.isEmpty() && turnedNanos - retriedNanos >= RETRY_NANOS) {
          retry();
        }
      }
      // Its end disconnects no channel. What it has received is still written.
      source.close();
    }
    show(System.nanoTime());
  }

  private boolean isWithoutGroup() {
    return missing.isEmpty() && status.areAllRefused();
  }

  private void show(long now) {
    List<RecordingState> states = recorder.states();
    RecordingState ledger = recorder.state(plan.settings().ledger().group());
    long writtenNow = counts.values().stream().mapToLong(each -> each.get(Count.WRITTEN)).sum();
    double seconds = (double) Math.max(1, now - shownNanos) / SECOND_NANOS;
    status =
        new RecordStatus(
            states,
            List.copyOf(missing.keySet()),
            ledger != null && ledger.isWritten(),
            (writtenNow - written) / seconds);
    written = writtenNow;
    shownNanos = now;
    if (wasActive && !states.isEmpty() && !status.isActive()) {
      log.info("stands by");
    }
    wasActive = states.isEmpty() || status.isActive();
    events.logRoles();
    states.forEach(events::logConnected);
    events.logGaps();
    events.logDisconnected();
    events.logConversions();
    if (now - listedNanos >= UNCONNECTED_NANOS) {
      listedNanos = now;
      states.forEach(
          state -> events.logNeverConnected(state.group(), recorder.neverConnected(state.group())));
    }
  }

  /** Settings that were read, and groups that they do not have any more. */
  private record Loaded(RecordPlan plan, List<Group> removed) {

    static Loaded load(RecordPlan.Loader loader, List<Group> groups) throws IOException {
      RecordPlan plan = loader.load();
      List<Group> removed = new ArrayList<>();
      for (Group group : groups) {
        if (plan.isRemoved(group)) {
          removed.add(group);
        }
      }
      return new Loaded(plan, removed);
    }
  }

  /** Begins new groups of the settings, and ends those that they do not have any more, soon. */
  private void readSettings(String line) {
    loadsAgain = isLoading ? line : null;
    if (isLoading) {
      return;
    }
    isLoading = true;
    List<Group> groups = List.copyOf(counts.keySet());
    AtomicReference<@Nullable Loaded> loaded = new AtomicReference<>();
    AtomicReference<String> problem = new AtomicReference<>("");
    recorder.read(
        () -> {
          try {
            loaded.set(Loaded.load(loader, groups));
          } catch (IOException | RuntimeException e) {
            problem.set(ErrorLine.of(e));
          }
        },
        () -> take(line, loaded.get(), String.valueOf(problem.get())));
  }

  private void take(String line, @Nullable Loaded loaded, String problem) {
    isLoading = false;
    if (loaded != null) {
      loaded.removed.forEach(this::remove);
      plan = loaded.plan;
      missing.keySet().retainAll(plan.groups());
      for (Group group : plan.groups()) {
        if (!counts.containsKey(group)) {
          missing.putIfAbsent(group, "");
        }
      }
      log.info(line);
    } else {
      log.warn("settings are not changed", "problem", problem);
    }
    retry();
    String again = loadsAgain;
    if (again != null) {
      readSettings(again);
    }
  }

  private void remove(Group group) {
    GroupCounts last = counts.remove(group);
    written -= last == null ? 0 : last.get(Count.WRITTEN);
    metrics.remove(group);
    recorder.remove(group);
  }

  private void retry() {
    retriedNanos = System.nanoTime();
    new ArrayList<>(missing.keySet()).forEach(this::add);
  }

  /** Reads lists and groups again, soon. Any thread may call it. */
  void reloadSoon() {
    reloads.set(true);
  }

  /** Reads the settings again, soon, but no list. Any thread may call it. */
  void settingsChanged() {
    hasChanged.set(true);
  }

  /** Begins new pairs, soon. Any thread may call it. */
  void rotateSoon() {
    log.info("new pairs are begun");
    recorder.rotate();
  }

  RecordMetrics metrics() {
    return metrics;
  }

  /** Returns the state of a second at most ago. */
  RecordStatus status() {
    return status;
  }

  /** Returns whether the thread has not looked at its work for a minute. */
  boolean isOverdue() {
    return System.nanoTime() - turnedNanos > OVERDUE_NANOS;
  }

  /** Waits until the thread has ended, or a time is over. Returns whether it has ended. */
  boolean awaitEnd(Duration time) throws InterruptedException {
    thread.join(time.toMillis());
    return !thread.isAlive();
  }

  /** Ends the logs, and waits for this. */
  void stop() {
    isStopping = true;
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns what ended the thread that should run, or null. */
  @Nullable Throwable failure() {
    return failure;
  }
}
