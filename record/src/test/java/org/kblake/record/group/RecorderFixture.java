package org.kblake.record.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.record.ledger.Ledger;
import org.kblake.record.ledger.LedgerSettings;
import org.kblake.record.log.DiskThreads;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.SyncPolicy;

/** A recorder of one group below a root, and what it says. */
final class RecorderFixture implements GroupListener, AutoCloseable {

  static final Group GROUP = new Group("VA", "CCG");
  static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  final Path root;
  final SetClock clock;
  final ScriptedSource source;
  final FailingFiles files = new FailingFiles();
  final List<LogGap> gaps = new ArrayList<>();
  final List<String> notices = new ArrayList<>();
  SyncPolicy sync = SyncPolicy.NONE;
  long maxLogBytes = Integer.MAX_VALUE;
  long waitingBytes = 1 << 24;
  MilestoneMemory milestones = MilestoneMemory.ofHeap();
  LogTiming timing = LogTiming.DEFAULT;
  DiskThreads threads = new DiskThreads(Runnable::run, 0);
  GroupCounts counts = new GroupCounts();

  /** What the ledger is told, null if there is none. */
  @Nullable LedgerSettings ledger;

  /** How it stands by, null if it is alone. */
  @Nullable StandbySettings standby;

  /** What the listener does before a group is added. */
  Runnable adding = () -> {};

  private @Nullable Recorder recorder;

  RecorderFixture(Path root) {
    this(root, new SetClock());
  }

  /** Continues with a clock, as another process does. */
  RecorderFixture(Path root, SetClock clock) {
    this(root, clock, 1 << 24);
  }

  RecorderFixture(Path root, SetClock clock, int ringBytes) {
    this.root = root;
    this.clock = clock;
    source = new ScriptedSource(clock, ringBytes);
  }

  Path list() {
    return root.resolve("SYS/LCF/CCG.lcf");
  }

  void write(String... names) throws IOException {
    Files.createDirectories(root.resolve("SYS/LCF"));
    Files.write(list(), List.of(names));
  }

  /** Begins to record the names. */
  RecorderFixture begin(String... names) throws IOException {
    write(names);
    return begin();
  }

  RecorderFixture begin() throws IOException {
    return begin(new ListFile(list()));
  }

  RecorderFixture begin(ListFile file) throws IOException {
    counts = make().add(GROUP, file);
    recorder().awaitAdded(Duration.ofSeconds(60)); // the ledger
    return this;
  }

  /** Makes a recorder without groups. */
  Recorder make() {
    LogSettings log = new LogSettings(root, ArchiveSettings.defaults(), timing, sync, maxLogBytes);
    RecorderSettings settings = new RecorderSettings(log, source.rule, waitingBytes, files, clock);
    LedgerSettings losses = ledger;
    Ledger kept = losses == null ? null : new Ledger(losses, source, settings, this);
    Recorder begun =
        new Recorder(source, settings, kept == null ? this : kept, threads, milestones);
    if (kept != null) {
      kept.begin(begun);
    }
    StandbySettings shared = standby;
    if (shared != null) {
      begun.standBy(shared);
    }
    recorder = begun;
    return begun;
  }

  /** Connects channels of one double, and lets the first pair begin. */
  RecorderFixture connect(String... names) {
    for (String name : names) {
      source.connect(name, ValueType.DOUBLE, 1);
    }
    turn();
    turn();
    return this;
  }

  Recorder recorder() {
    if (recorder == null) {
      throw new IllegalStateException("not begun");
    }
    return recorder;
  }

  void turn() {
    recorder().turn();
  }

  /** Lets time pass, and takes a turn. */
  void pass(long nanos) {
    clock.pass(nanos);
    turn();
  }

  List<String> read() throws IOException {
    return LoggedEvents.read(root, GROUP);
  }

  int pairs() throws IOException {
    return LoggedEvents.logs(root, GROUP).size();
  }

  long lost() {
    return gaps.stream().mapToLong(LogGap::events).sum();
  }

  @Override
  public Runnable adding(Group group) {
    adding.run();
    return () -> {};
  }

  @Override
  public void gap(Group group, LogGap gap) {
    gaps.add(gap);
  }

  @Override
  public void notice(Group group, String line) {
    notices.add(line);
  }

  @Override
  public void close() {
    recorder().close();
  }
}
