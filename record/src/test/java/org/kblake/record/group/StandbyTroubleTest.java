package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.record.group.RecorderFixture.GROUP;
import static org.kblake.record.group.SetClock.SECOND;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.standby.Latch;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.record.log.DiskThreads;
import org.kblake.record.log.LogFiles;

/** What a standby does with faults, and at its end. */
final class StandbyTroubleTest {

  private static final long KEEP = 12 * SECOND;

  @TempDir Path root;
  private final SetLatch latch = new SetLatch();
  private RecorderFixture fixture;

  private static final class SetLatch implements Latch {
    private volatile boolean isHeld;
    private volatile boolean mayWrite = true;
    private volatile boolean isAble = true;
    private volatile boolean isUnknown;

    /** Whether it is held without an answer of anybody. */
    private volatile boolean isAlone;

    private final AtomicInteger signs = new AtomicInteger();

    @Override
    public boolean isHeld() {
      return isHeld;
    }

    @Override
    public boolean isConfirmed() {
      return isHeld && mayWrite && !isAlone;
    }

    @Override
    public boolean mayBegin() {
      return mayWrite();
    }

    @Override
    public boolean mayWrite() {
      return isHeld && mayWrite;
    }

    @Override
    public void setAble(boolean able) {
      isAble = able;
    }

    @Override
    public boolean isUnknown() {
      return isUnknown;
    }

    @Override
    public void anotherWorks() {
      signs.incrementAndGet();
      isHeld &= !isAlone;
      isAlone = false;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void make() {
    fixture = new RecorderFixture(root);
    fixture.standby = new StandbySettings(latch, KEEP, SECOND / 2);
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      fixture.pass(SECOND);
    }
  }

  private void passUntil(BooleanSupplier isDone) {
    long end = System.nanoTime() + 60 * SECOND;
    while (!isDone.getAsBoolean()) {
      assertThat(System.nanoTime()).as("%s", fixture.notices).isLessThan(end);
      pass(1);
    }
  }

  /** Nobody else records: values twice harm less than none. */
  @Test
  void aLogThatCannotBeReadDelaysTheTakeOver() throws IOException {
    fixture.files.roomBytes = Long.MAX_VALUE / 2;
    Files.createDirectories(root.resolve("VA/.CCG_20260101000000.stamps"));
    fixture.begin("A").connect("A");
    fixture.source.value("A", 1);
    latch.isHeld = true;
    pass(8);
    assertThat(fixture.pairs()).isZero();
    assertThat(fixture.recorder().fault(GROUP)).isNotEmpty();
    pass(8);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.recorder().fault(GROUP)).isEmpty();
    assertThat(fixture.notices).anyMatch(line -> line.contains("cannot be read"));
  }

  /** What the other one has not written is newer than what it has. */
  @Test
  void theNewestEventsStayIfMemoryIsShort() throws IOException {
    fixture.waitingBytes = 1 << 22;
    fixture.begin("A").connect("A");
    for (int i = 0; i < 100; i++) {
      for (int j = 0; j < 1000; j++) {
        fixture.source.value("A", j);
      }
      fixture.pass(SECOND / 10);
    }
    assertThat(fixture.counts.get(Count.LEFT)).isBetween(20_000L, 95_000L);
    latch.isHeld = true;
    pass(3);
    int last = fixture.source.given.size();
    assertThat(fixture.read()).endsWith(tail(fixture.source.given, last - 5000));
    assertThat(fixture.gaps).isEmpty();
  }

  private static String[] tail(List<String> lines, int from) {
    return lines.subList(from, lines.size()).toArray(String[]::new);
  }

  /** Another recorder may write the same, so that more pairs would only be in its way. */
  @Test
  void whatIsHeldBackAtTheEndIsLeft() throws IOException {
    fixture.begin("A").connect("A");
    latch.isHeld = true;
    pass(3);
    assertThat(fixture.pairs()).isEqualTo(1);
    long written = fixture.counts.get(Count.WRITTEN);
    latch.mayWrite = false;
    pass(1);
    fixture.source.value("A", 1);
    fixture.source.value("A", 2);
    pass(1);
    fixture.close();
    assertThat(fixture.pairs()).isEqualTo(1);
    assertThat(fixture.gaps).isEmpty();
    assertThat(fixture.counts.get(Count.LEFT)).isEqualTo(2);
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(written);
    assertThat(fixture.read()).hasSize((int) written);
  }

  /** The mount of one host may hang, while that of another one does not. */
  @Test
  void aRecorderWhoseDiskHangsLetsAnotherOneTakeOver() throws IOException {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicBoolean hangs = new AtomicBoolean();
    fixture.threads = new DiskThreads(task -> await(task, hangs), 60 * SECOND);
    fixture.begin("A").connect("A");
    latch.isHeld = true;
    passUntil(() -> fixture.counts.get(Count.WRITTEN) == 1);
    SetLatch ofOther = new SetLatch();
    RecorderFixture other = new RecorderFixture(root, fixture.clock);
    other.standby = new StandbySettings(ofOther, KEEP, SECOND / 2);
    other.begin("A").connect("A");
    post(other, () -> other.source.given.size() >= 12);
    fixture.files.writing =
        file -> {
          hangs.set(true);
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    post(other, () -> !latch.isAble);
    latch.isHeld = false;
    ofOther.isHeld = true;
    post(other, () -> other.counts.get(Count.TAKEOVERS) == 1);
    answer.countDown();
    post(other, () -> fixture.recorder().states().get(0).isStandby() && latch.isAble);
    post(other, () -> other.counts.get(Count.DOUBLES) > 0);
    other.close();
    fixture.close();
    List<String> all = values(fixture.read());
    assertThat(all).containsAll(values(fixture.source.given));
    assertThat(all)
        .hasSize((int) (fixture.source.given.size() - 1 + other.counts.get(Count.DOUBLES)));
    assertThat(fixture.gaps).isEmpty();
    assertThat(other.gaps).isEmpty();
  }

  private static List<String> values(List<String> lines) {
    return lines.stream().filter(line -> line.contains(" 2 0 0 ")).toList();
  }

  /** Does a task, unless it hangs. */
  private static void await(Runnable task, AtomicBoolean hangs) {
    CountDownLatch ended = new CountDownLatch(1);
    DiskThreads.POOL
        .executor()
        .execute(
            () -> {
              task.run();
              ended.countDown();
            });
    while (ended.getCount() > 0 && !hangs.get()) {
      Thread.onSpinWait();
    }
  }

  /** Gives both recorders a value in each second. */
  private void post(RecorderFixture other, BooleanSupplier isDone) {
    passUntil(
        () -> {
          fixture.source.value("A", fixture.source.given.size());
          other.source.value("A", fixture.source.given.size() - 1);
          other.turn();
          return isDone.getAsBoolean();
        });
  }

  /** The other one has ended, and this one cannot write. */
  @Test
  void whatNobodyHasIsLostAtTheEnd() throws IOException {
    RecorderFixture other = new RecorderFixture(root, fixture.clock);
    SetLatch ofOther = new SetLatch();
    ofOther.isHeld = true;
    other.standby = new StandbySettings(ofOther, KEEP, SECOND / 2);
    other.begin("A").connect("A");
    fixture.begin("A").connect("A");
    post(other, () -> other.counts.get(Count.WRITTEN) >= 10);
    long both = other.counts.get(Count.WRITTEN);
    fixture.files.roomBytes = 0;
    for (int i = 0; i < 5; i++) {
      fixture.source.value("A", 1000 + i);
      fixture.pass(SECOND);
    }
    latch.isHeld = true;
    pass(3);
    assertThat(fixture.recorder().fault(GROUP)).isNotEmpty();
    fixture.close();
    assertThat(fixture.lost()).isEqualTo(5).isEqualTo(fixture.counts.get(Count.LOST));
    assertThat(fixture.counts.get(Count.LEFT)).isEqualTo(both);
    assertThat(fixture.read()).hasSize((int) both);
  }

  /** The end may come before a take-over was due. */
  @Test
  void whatTheOtherOneHasNotWrittenIsWrittenAtTheEnd() throws IOException {
    fixture.begin("A").connect("A");
    pass(6);
    fixture.source.value("A", 1);
    latch.isHeld = true;
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.gaps).isEmpty();
  }

  /** Files that grow are a sign of the other recorder if ZooKeeper does not tell of it. */
  @Test
  void stampsAreASignOfTheOtherRecorder() throws IOException {
    RecorderFixture other = new RecorderFixture(root, fixture.clock);
    SetLatch ofOther = new SetLatch();
    ofOther.isHeld = true;
    other.standby = new StandbySettings(ofOther, KEEP, SECOND / 2);
    other.begin("A").connect("A");
    fixture.begin("A").connect("A");
    latch.isUnknown = true;
    int first = latch.signs.get();
    for (int i = 0; i < 30; i++) {
      other.turn();
      pass(1);
    }
    int signs = latch.signs.get();
    assertThat(signs).isGreaterThan(first);
    pass(6);
    int last = latch.signs.get();
    pass(30);
    assertThat(latch.signs.get()).isEqualTo(last);
  }

  /** Large values without a later one of their channels. */
  @Test
  void whatFoundNoMemoryIsCounted() throws IOException {
    fixture.waitingBytes = 0;
    String[] names = begin(fixture);
    large(names);
    pass(1);
    fixture.files.listing =
        directory -> {
          throw new IOException("Stale file handle");
        };
    latch.isHeld = true;
    pass(1);
    large(names);
    fixture.files.listing = directory -> {};
    pass(5);
    assertThat(fixture.counts.get(Count.LOST)).isBetween(5L, 40L).isEqualTo(fixture.lost());
    assertThat(fixture.counts.get(Count.TAKEOVERS)).isZero(); // none that is seamless
    requireCounted();
  }

  @Test
  void whatFoundNoMemoryBeforeARecorderStoodByIsLost() throws IOException {
    RecorderFixture other = new RecorderFixture(root, fixture.clock);
    SetLatch ofOther = new SetLatch();
    other.standby = new StandbySettings(ofOther, KEEP, SECOND / 2);
    fixture.waitingBytes = 0;
    latch.isHeld = true;
    String[] names = begin(fixture);
    begin(other);
    pass(5);
    fixture.files.roomBytes = 0;
    ofOther.isHeld = true;
    large(names);
    for (int i = 0; i < 5; i++) {
      fixture.pass(SECOND);
      other.turn();
    }
    assertThat(other.counts.get(Count.TAKEOVERS)).isEqualTo(1);
    fixture.files.roomBytes = Long.MAX_VALUE;
    pass(8);
    assertThat(fixture.counts.get(Count.LOST)).isBetween(5L, 20L).isEqualTo(fixture.lost());
    requireCounted();
    ofOther.isHeld = false;
    other.close();
  }

  private static String[] begin(RecorderFixture recorder) throws IOException {
    String[] names = IntStream.range(0, 20).mapToObj(i -> "A" + i).toArray(String[]::new);
    recorder.begin(names);
    for (String name : names) {
      recorder.source.connect(name, ValueType.DOUBLE, 2000);
    }
    recorder.turn();
    return names;
  }

  private void large(String... names) {
    for (String name : names) {
      long now = fixture.clock.wallNanos();
      fixture.source.value(name, ValueType.DOUBLE, new byte[16_000], 0, now);
      fixture.pass(SECOND / 10);
    }
  }

  private void requireCounted() {
    long counted =
        Stream.of(Count.WRITTEN, Count.LOST, Count.REFUSED, Count.LEFT)
            .mapToLong(fixture.counts::get)
            .sum();
    long waiting = fixture.recorder().states().get(0).waitingEvents();
    assertThat(counted + waiting).isEqualTo(fixture.counts.get(Count.RECEIVED));
  }

  /** A disk that does not answer at the end loses what is not written, and nothing else. */
  @Test
  void whatWasLeftIsNotLostAtTheEnd() throws IOException {
    fixture.threads = new DiskThreads(DiskThreads.POOL.executor(), SECOND / 5);
    fixture.begin("A").connect("A");
    for (int i = 0; i < 100; i++) {
      fixture.source.value("A", i);
    }
    passUntil(() -> fixture.counts.get(Count.LEFT) >= 100);
    CountDownLatch call = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    fixture.files.creating =
        file -> {
          call.countDown();
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    latch.isHeld = true;
    fixture.source.value("A", 100);
    passUntil(() -> call.getCount() == 0);
    long left = fixture.counts.get(Count.LEFT);
    fixture.close();
    long lost = fixture.lost();
    answer.countDown();
    assertThat(left).isGreaterThanOrEqualTo(100);
    assertThat(lost).isEqualTo(fixture.counts.get(Count.RECEIVED) - left);
  }

  /** Lets a log of kblog grow. */
  private void grow(String name, int seconds) throws IOException {
    Path log = Files.createDirectories(root.resolve("VA")).resolve(name);
    for (int i = 0; i < seconds; i++) {
      Files.writeString(log, "kblog ".repeat(1 + i));
      pass(1);
    }
  }

  /** The other groups must not lose their recorder. */
  @Test
  void aGroupThatIsAddedOrRefusedIsNoSignOfAnotherRecorder() throws IOException {
    fixture.begin("A").connect("A");
    latch.isAlone = true;
    latch.isHeld = true;
    pass(3);
    assertThat(latch.signs).hasValue(1);
    Group ofKblog = new Group("VA", "BPM");
    Path list = Files.writeString(root.resolve("SYS/LCF/BPM.lcf"), "B");
    fixture.recorder().add(ofKblog, new ListFile(list));
    fixture.source.connect("B", ValueType.DOUBLE, 1);
    grow("BPM_20260101000000.log2", 10);
    assertThat(fixture.recorder().isRefused(ofKblog)).isTrue();
    assertThat(latch.signs).hasValue(1);
    fixture.source.value("A", 1);
    pass(1);
    assertThat(fixture.read()).hasSize(2);
  }

  /** Whoever cannot ask ZooKeeper leaves a group to its like alone. */
  @Test
  void kblogIsNoOtherRecorderWithoutZooKeeper() throws IOException {
    fixture.begin("A").connect("A");
    latch.isAlone = true;
    latch.isHeld = true;
    pass(3);
    grow("CCG_20270101000000.log2", 3);
    fixture.source.value("A", 1);
    pass(1);
    assertThat(fixture.recorder().isRefused(GROUP)).isTrue();
    assertThat(fixture.recorder().states().get(0).isStandby()).isFalse();
    assertThat(latch.isHeld).isTrue();
    assertThat(fixture.counts.get(Count.LEFT)).isZero();
    assertThat(fixture.counts.get(Count.REFUSED)).isEqualTo(1);
  }

  private RecorderFixture other(SetLatch ofOther) throws IOException {
    RecorderFixture other = new RecorderFixture(root, fixture.clock);
    other.standby = new StandbySettings(ofOther, KEEP, SECOND / 2);
    return other.begin("A").connect("A");
  }

  private List<String> stamps() throws IOException {
    return LogFiles.DISK.names(root.resolve("VA")).stream()
        .filter(name -> name.endsWith(".stamps"))
        .sorted()
        .toList();
  }

  /** A call of the one that was replaced may return late. */
  @Test
  void theStampsOfTheOneThatTookOverStay() throws IOException {
    SetLatch ofOther = new SetLatch();
    fixture.begin("A").connect("A");
    RecorderFixture other = other(ofOther);
    latch.isHeld = true;
    pass(3);
    List<String> first = stamps();
    fixture.files.writing =
        file -> {
          if (fixture.pairs() < 2) {
            return; // the end of the first pair
          }
          fixture.files.writing = again -> {};
          ofOther.isHeld = true;
          for (int i = 0; i < 60 && stamps().size() < 3; i++) {
            other.pass(SECOND);
          }
          other.pass(SECOND);
        };
    fixture.recorder().rotate();
    fixture.turn();
    fixture.turn();
    assertThat(first).hasSize(1);
    assertThat(other.pairs()).isEqualTo(3);
    String newest = String.valueOf(LoggedEvents.logs(root, GROUP).get(2).getFileName());
    assertThat(stamps()).contains("." + newest.replace(".log2", ".stamps"));
  }

  /** It keeps what the active one may not write any more. */
  @Test
  void aRefusedGroupStandsByAgain() throws IOException {
    fixture.begin("A").connect("A");
    grow("CCG_20260101000000.log2", 1);
    try (Closeable locked = LogFiles.DISK.lock(lock())) {
      assertThat(locked).isNotNull();
      latch.isHeld = true;
      pass(3);
      assertThat(fixture.recorder().isRefused(GROUP)).isTrue();
      latch.isHeld = false;
      pass(1);
    }
    Files.delete(root.resolve("VA/CCG_20260101000000.log2"));
    long refused = fixture.counts.get(Count.REFUSED);
    SetLatch ofOther = new SetLatch();
    ofOther.isHeld = true;
    RecorderFixture other = other(ofOther);
    post(other, () -> other.counts.get(Count.WRITTEN) >= 10);
    fixture.recorder().reload();
    post(other, () -> other.counts.get(Count.WRITTEN) >= 20);
    assertThat(fixture.pairs()).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      fixture.source.value("A", 1000 + i);
      pass(1);
    }
    latch.isHeld = true;
    passUntil(() -> fixture.counts.get(Count.WRITTEN) > 0);
    pass(1);
    assertThat(fixture.counts.get(Count.REFUSED)).isEqualTo(refused);
    assertThat(values(fixture.read())).containsExactlyElementsOf(values(fixture.source.given));
  }

  private Path lock() {
    return root.resolve("VA/.CCG.lock");
  }

  private boolean isLocked() throws IOException {
    try (Closeable locked = LogFiles.DISK.lock(lock())) {
      return locked == null;
    }
  }

  /** Whoever is active now needs the lock. */
  @Test
  void aGroupWithoutAPairIsUnlockedWhenTheLatchIsLost() throws IOException {
    fixture.begin("A", "B").connect("A");
    latch.isHeld = true;
    pass(3);
    assertThat(isLocked()).isTrue();
    assertThat(fixture.pairs()).isZero(); // the type of B is not known yet
    latch.isHeld = false;
    pass(1);
    assertThat(isLocked()).isFalse();
    fixture.files.creating =
        file -> {
          throw new IOException("Read-only file system");
        };
    latch.isHeld = true;
    pass(6);
    assertThat(isLocked()).isTrue();
    latch.isHeld = false;
    pass(1);
    assertThat(isLocked()).isFalse();
    latch.isHeld = true;
    pass(3);
    assertThat(isLocked()).isTrue();
    latch.isHeld = false;
    fixture.close();
    assertThat(isLocked()).isFalse();
  }
}
