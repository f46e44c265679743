package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.record.group.LossReason.CANARY_JUMPED;
import static org.kblake.record.group.LossReason.CIRCUIT_DOWN;
import static org.kblake.record.group.LossReason.CRASHED;
import static org.kblake.record.group.LossReason.NO_DISK;
import static org.kblake.record.group.LossReason.RECORDER_LATE;
import static org.kblake.record.group.LossReason.RING_FULL;
import static org.kblake.record.group.LossReason.STOPPED;
import static org.kblake.record.group.RecorderFixture.GROUP;
import static org.kblake.record.group.RecorderFixture.MINUTE;
import static org.kblake.record.group.SetClock.SECOND;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.Losses;
import org.kblake.query.answer.LossySpan;
import org.kblake.record.ledger.LedgerSettings;
import org.kblake.record.log.SyncPolicy;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.DisconnectReason;

/** What a ledger states is what was lost. */
final class LedgerTest {

  private static final int SMALL_RING = 4096;
  private static final String SERVER = "10.0.0.1:5064";

  @TempDir Path directory;
  private int roots;

  private RecorderFixture fixture(int ringBytes) throws IOException {
    Path root = Files.createDirectory(directory.resolve("root" + roots++));
    return fixture(root, new SetClock(), ringBytes);
  }

  private static RecorderFixture fixture(Path root, SetClock clock, int ringBytes) {
    RecorderFixture fixture = new RecorderFixture(root, clock, ringBytes);
    fixture.ledger = LedgerSettings.of("", Map.of());
    return fixture;
  }

  private static void values(RecorderFixture fixture, int number) {
    for (int i = 0; i < number; i++) {
      fixture.source.value(i % 3 == 0 ? "B" : "A", i);
      fixture.clock.pass(SECOND / 1000);
    }
  }

  /** Returns the events that were given and are not in the log. */
  private static List<String> missing(RecorderFixture fixture) throws IOException {
    List<String> missing = new ArrayList<>(fixture.source.given);
    List<String> read = fixture.read();
    assertThat(missing).containsAll(read);
    missing.removeAll(read);
    assertThat(missing).hasSize(fixture.source.given.size() - read.size());
    return missing;
  }

  private static void requireStated(RecorderFixture fixture, List<String> missing)
      throws IOException {
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    for (String line : missing) {
      long nanos = Long.parseLong(line.split(" ")[1]);
      assertThat(ledger.has(GROUP, nanos)).as("%s in %s", line, ledger.losses(GROUP)).isTrue();
    }
    for (LoggedLedger.Loss loss : ledger.losses(GROUP)) {
      assertThat(loss.toNanos()).isBetween(loss.fromNanos(), loss.atNanos());
    }
  }

  /** Checks that the reader of ledgers has what their bytes say. */
  private static void requireRead(RecorderFixture fixture) throws IOException {
    List<String> expected = new ArrayList<>();
    for (LoggedLedger.Loss loss : LoggedLedger.read(fixture.root).losses(GROUP)) {
      expected.add(loss.fromNanos() + " " + loss.toNanos() + " " + loss.events());
    }
    List<String> read = new ArrayList<>();
    try (ArchiveReader reader = ArchiveReader.builder().archive(fixture.root).open()) {
      TimeRange all = new TimeRange(SetClock.BEGIN_NANOS - 3000 * MINUTE, Long.MAX_VALUE);
      Losses losses = reader.losses(List.of(GROUP), all);
      assertThat(losses.notes()).isEmpty();
      for (LossySpan span : losses.spans()) {
        TimeRange range = span.range();
        read.add(range.fromNanos() + " " + range.toNanos() + " " + span.count());
        TimeRange atEnd = new TimeRange(range.toNanos(), range.toNanos() + 1);
        assertThat(reader.losses(List.of(GROUP), atEnd).spans()).contains(span);
      }
    }
    assertThat(read).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void withoutLossesThereAreNoStatements() throws IOException {
    RecorderFixture fixture = fixture(1 << 20).begin("A", "B").connect("A", "B");
    values(fixture, 100);
    fixture.pass(SECOND);
    fixture.close();
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(ledger.losses(GROUP)).isEmpty();
    assertThat(ledger.last("VA/CCG:RECEIVED")).isEqualTo(102);
    assertThat(ledger.last("VA/CCG:WRITTEN")).isEqualTo(102);
    assertThat(ledger.numbers("VA/CCG:LOST")).containsExactly(0.0);
    assertThat(ledger.numbers("VA/CCG:STATE")).containsExactly(1.0, 0.0);
    assertThat(Files.readString(fixture.root.resolve("SYS/KEKBLog.list")))
        .contains("VA CCG\n", "Kblake Record\n");
  }

  /** The time between is stated as that between two processes. */
  @Test
  void aGroupThatWasRemovedAndCameBackIsStated() throws IOException {
    RecorderFixture fixture = fixture(1 << 20).begin("A", "B").connect("A", "B");
    values(fixture, 10);
    fixture.pass(2 * SECOND);
    fixture.recorder().remove(GROUP);
    fixture.turn();
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    long endedNanos = fixture.clock.wallNanos();
    assertThat(LoggedLedger.read(fixture.root).numbers("VA/CCG:STATE")).containsExactly(1.0, 0.0);
    fixture.pass(MINUTE);
    fixture.recorder().add(GROUP);
    fixture.connect("A", "B");
    long begunNanos = fixture.clock.wallNanos();
    values(fixture, 10);
    fixture.pass(2 * SECOND);
    fixture.close();
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(ledger.numbers("VA/CCG:STATE")).containsExactly(1.0, 0.0, 1.0, 0.0);
    assertThat(ledger.last("VA/CCG:WRITTEN")).isEqualTo(12);
    assertThat(ledger.losses(GROUP)).hasSize(1);
    LoggedLedger.Loss loss = ledger.losses(GROUP, STOPPED).get(0);
    assertThat(loss.fromNanos()).isLessThan(endedNanos);
    assertThat(loss.toNanos()).isEqualTo(begunNanos);
  }

  @Test
  void aFullRingIsStatedExactly() throws IOException {
    RecorderFixture fixture = fixture(SMALL_RING).begin("A", "B").connect("A", "B");
    for (int i = 0; i < 3; i++) {
      values(fixture, 500);
      fixture.pass(2 * SECOND);
      fixture.pass(2 * SECOND);
    }
    fixture.close();
    List<String> missing = missing(fixture);
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(missing).hasSizeGreaterThan(1000);
    assertThat(ledger.losses(GROUP)).hasSize(3);
    assertThat(ledger.sum(GROUP, RING_FULL)).isEqualTo(missing.size());
    assertThat(ledger.last("VA/CCG:LOST")).isEqualTo(missing.size());
    requireStated(fixture, missing);
  }

  private static StandbySettings standby(TakeOverTest.SetLatch latch) {
    return new StandbySettings(latch, 60 * SECOND, SECOND / 2);
  }

  /** What a recorder lost as the active one no other one has; what it lost as a standby, it has. */
  @Test
  void aRecorderThatTakesOverAgainStatesWhatItLostBefore() throws IOException {
    RecorderFixture first = fixture(SMALL_RING);
    TakeOverTest.SetLatch latch = new TakeOverTest.SetLatch();
    TakeOverTest.SetLatch ofOther = new TakeOverTest.SetLatch();
    first.standby = standby(latch);
    latch.isHeld = true;
    first.begin("A", "B");
    first.source.connect("A", SERVER);
    first.source.connect("B", SERVER);
    passBoth(first, first, 5);
    values(first, 500);
    first.turn();
    long lost = first.counts.get(Count.LOST);
    latch.isHeld = false;
    ofOther.isHeld = true;
    RecorderFixture other = fixture(first.root, first.clock, 1 << 20);
    other.standby = standby(ofOther);
    other.begin().connect("A", "B");
    passBoth(first, other, 10);
    late(first, 0);
    passBoth(first, other, 10); // after that the other one is killed
    latch.isHeld = true;
    passBoth(first, first, 10);
    LoggedLedger ledger = LoggedLedger.read(first.root);
    assertThat(lost).isGreaterThan(400);
    assertThat(ledger.sum(GROUP, RING_FULL)).isEqualTo(lost);
    assertThat(ledger.losses(GROUP, RECORDER_LATE)).isEmpty();
    first.close();
    ofOther.isHeld = false;
    other.close();
  }

  private static void passBoth(RecorderFixture one, RecorderFixture other, int seconds) {
    for (int i = 0; i < seconds; i++) {
      one.pass(SECOND);
      other.turn();
    }
  }

  @Test
  void aTakeOverForgetsNothingOfOtherGroups() throws IOException {
    RecorderFixture fixture = fixture(SMALL_RING);
    TakeOverTest.SetLatch latch = new TakeOverTest.SetLatch();
    fixture.standby = standby(latch);
    latch.isHeld = true;
    fixture.begin("A", "B");
    Group second = new Group("RF", "CAV");
    Path list = Files.writeString(directory.resolve("names"), "X\n");
    fixture.recorder().add(second, new ListFile(list));
    fixture.connect("A", "B", "X");
    passBoth(fixture, fixture, 5);
    fixture.files.writing =
        file -> {
          if (file.startsWith(fixture.root.resolve("Kblake"))) {
            throw new IOException("No space left on device");
          }
        };
    values(fixture, 500);
    passBoth(fixture, fixture, 5);
    fixture.recorder().remove(second);
    passBoth(fixture, fixture, 2);
    fixture.recorder().add(second, new ListFile(list));
    fixture.connect("X");
    passBoth(fixture, fixture, 5);
    fixture.files.writing = file -> {};
    passBoth(fixture, fixture, 5);
    fixture.close();
    long lost = fixture.counts.get(Count.LOST);
    assertThat(lost).isGreaterThan(400);
    assertThat(LoggedLedger.read(fixture.root).sum(GROUP, RING_FULL)).isEqualTo(lost);
  }

  @Test
  void aFullDiskIsStatedWhenThereIsRoom() throws IOException {
    RecorderFixture fixture = fixture(1 << 24);
    fixture.waitingBytes = 0;
    fixture.begin("A", "B").connect("A", "B");
    fixture.pass(SECOND);
    fixture.files.roomBytes = 40;
    for (int i = 0; i < 20; i++) {
      values(fixture, 1000);
      fixture.pass(2 * SECOND);
    }
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    values(fixture, 10);
    fixture.pass(2 * SECOND);
    fixture.close();
    List<String> missing = missing(fixture);
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(missing).hasSizeGreaterThan(1000);
    assertThat(ledger.sum(GROUP, NO_DISK)).isEqualTo(missing.size());
    assertThat(ledger.losses(GROUP)).allMatch(each -> each.reason() == NO_DISK.code());
    requireStated(fixture, missing);
  }

  /** Statements wait outside of the memory for events. Too many become one of each reason. */
  @ParameterizedTest
  @ValueSource(ints = {3, 100_000})
  void statementsWaitForTheDisk(int most) throws IOException {
    RecorderFixture fixture = fixture(1 << 20);
    fixture.waitingBytes = 0;
    fixture.ledger = new LedgerSettings(LoggedLedger.GROUP, Map.of(SERVER, "CANARY"), most);
    fixture.begin("A");
    fixture.source.connect("A", SERVER);
    fixture.source.connect("CANARY", SERVER);
    fixture.source.value("CANARY", 0);
    fixture.pass(SECOND);
    fixture.pass(SECOND);
    fixture.files.roomBytes = 0;
    long from = fixture.clock.wallNanos();
    for (int i = 1; i <= 700; i++) {
      fixture.source.value("CANARY", 4.0 * i);
      late(fixture, 0);
    }
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    fixture.close();
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(ledger.sum(GROUP, CANARY_JUMPED)).isEqualTo(3L * 700);
    assertThat(ledger.losses(GROUP, CANARY_JUMPED)).hasSize(most == 3 ? 2 : 700);
    assertThat(ledger.losses(GROUP, RECORDER_LATE)).hasSize(most == 3 ? 2 : 700);
    for (int i = 0; i < 700; i++) {
      assertThat(ledger.has(GROUP, from + (i + 1) * SECOND)).isTrue();
    }
  }

  /** Of channels without a later event nobody says how many of theirs were lost. */
  @Test
  void lossesThatNoLaterEventStatesAreStated() throws IOException {
    RecorderFixture fixture = fixture(1 << 24);
    fixture.waitingBytes = 0;
    String[] names = new String[20];
    Arrays.setAll(names, i -> "A" + i);
    fixture.begin(names);
    for (String name : names) {
      fixture.source.connect(name, ValueType.DOUBLE, 2000);
    }
    fixture.pass(2 * SECOND);
    fixture.files.roomBytes = 0;
    for (String name : names) {
      fixture.source.value(name, ValueType.DOUBLE, new byte[16_000], 0, 0);
      fixture.pass(2 * SECOND);
    }
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    fixture.close();
    List<String> missing = missing(fixture);
    assertThat(missing).hasSizeBetween(5, 15);
    assertThat(LoggedLedger.read(fixture.root).sum(GROUP, NO_DISK)).isEqualTo(missing.size());
    requireStated(fixture, missing);
  }

  /** The ledger's own pair is given up, too: its statements are written once more. */
  @Test
  void statementsOfAPairThatIsGivenUpAreRepeated() throws IOException {
    RecorderFixture fixture = fixture(SMALL_RING);
    fixture.sync = SyncPolicy.INTERVAL;
    fixture.begin("A", "B").connect("A", "B");
    fixture.pass(2 * SECOND);
    fixture.files.roomBytes = 0;
    values(fixture, 500);
    fixture.pass(SECOND / 20);
    fixture.pass(SECOND);
    // Their bytes never come to the disk: the files are gone.
    try (Stream<Path> files = Files.walk(fixture.root)) {
      for (Path log : files.filter(file -> file.toString().endsWith(".log2")).toList()) {
        Files.delete(log);
      }
    }
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    fixture.close();
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(ledger.sum(GROUP, RING_FULL, NO_DISK)).isEqualTo(fixture.counts.get(Count.LOST));
    assertThat(ledger.sum(GROUP, RING_FULL)).isGreaterThan(300);
    assertThat(ledger.last("VA/CCG:LOST")).isEqualTo((double) fixture.counts.get(Count.LOST));
  }

  /** Returns a recorder that goes on with what the files of another one have now. */
  private RecorderFixture killed(RecorderFixture before) throws IOException {
    Path root = Files.createDirectory(directory.resolve("root" + roots++));
    try (Stream<Path> files = Files.walk(before.root)) {
      for (Path file : files.toList()) {
        Path copy = root.resolve(before.root.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
    RecorderFixture after = fixture(root, before.clock, 1 << 20);
    after.source.given.addAll(before.source.given);
    return after;
  }

  @Test
  void aCrashIsStatedFromTheLastEventOnDisk() throws IOException {
    RecorderFixture fixture = fixture(1 << 20).begin("A", "B").connect("A", "B");
    values(fixture, 100);
    fixture.pass(SECOND);
    long last = fixture.clock.wallNanos() - SECOND;
    fixture.source.value("A", 7);
    fixture.turn();
    RecorderFixture after = killed(fixture);
    after.clock.pass(MINUTE);
    long first = after.clock.wallNanos();
    after.begin().connect("A", "B");
    after.pass(2 * SECOND);
    after.close();
    List<String> missing = missing(after);
    LoggedLedger ledger = LoggedLedger.read(after.root);
    assertThat(missing).hasSize(1);
    assertThat(ledger.losses(GROUP)).hasSize(1).isEqualTo(ledger.losses(GROUP, CRASHED));
    assertThat(ledger.losses(GROUP).get(0).events()).isEqualTo(-1);
    assertThat(ledger.losses(GROUP).get(0).fromNanos()).isBetween(last - 2 * SECOND, last);
    assertThat(ledger.losses(GROUP).get(0).toNanos()).isEqualTo(first);
    requireStated(after, missing);
    requireRead(after);
    fixture.close();
  }

  /** Its files do not say how it ended, or were another recorder's. */
  @ParameterizedTest
  @ValueSource(strings = {"", "b"})
  void anEndThatThisLedgerDoesNotKnowIsStated(String name) throws IOException {
    RecorderFixture fixture = fixture(1 << 20);
    fixture.ledger = LedgerSettings.of("a", Map.of());
    fixture.begin("A").connect("A");
    fixture.source.value("A", 7);
    long last = fixture.clock.wallNanos();
    fixture.pass(SECOND);
    RecorderFixture after = killed(fixture);
    if (name.isEmpty()) {
      // Killed before the ledger was on the disk.
      for (Path log : LoggedEvents.logs(after.root, new Group("Kblake", "Record-a"))) {
        Files.delete(log);
      }
    }
    after.ledger = LedgerSettings.of(name, Map.of());
    after.clock.pass(MINUTE);
    long first = after.clock.wallNanos();
    after.begin().connect("A");
    after.pass(2 * SECOND);
    after.close();
    Losses losses;
    try (ArchiveReader reader = ArchiveReader.builder().archive(after.root).open()) {
      losses = reader.losses(List.of(GROUP), new TimeRange(last, first));
    }
    assertThat(losses.spans()).hasSize(1);
    LossySpan span = losses.spans().get(0);
    long lead = name.isEmpty() ? MINUTE + 2 * SECOND : 2 * SECOND;
    assertThat(span.range().fromNanos()).isBetween(last - lead, last);
    assertThat(span.range().toNanos()).isEqualTo(first);
    assertThat(span.reason()).isEqualTo(name.isEmpty() ? "recorder stopped" : "recorder crashed");
    fixture.close();
  }

  /** Its own volume was away: what it had to state is lost with the process. */
  @Test
  void aCrashCoversTheTimeInWhichItsLedgerCouldNotBeWritten() throws IOException {
    RecorderFixture fixture = fixture(SMALL_RING).begin("A", "B").connect("A", "B");
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    RecorderFixture ledger = killed(fixture);
    long stuck = fixture.clock.wallNanos();
    for (int i = 0; i < 12; i++) {
      values(fixture, 500);
      fixture.pass(5 * MINUTE);
    }
    RecorderFixture after = killed(fixture);
    try (Stream<Path> files = Files.list(ledger.root.resolve("Kblake"))) {
      for (Path file : files.toList()) {
        Path copy = after.root.resolve(ledger.root.relativize(file).toString());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    after.begin().connect("A", "B");
    after.pass(2 * SECOND);
    after.close();
    List<String> missing = missing(after);
    assertThat(missing).hasSizeGreaterThan(1000);
    requireStated(after, missing);
    LoggedLedger.Loss crash = LoggedLedger.read(after.root).losses(GROUP, CRASHED).get(0);
    assertThat(crash.fromNanos()).isBetween(stuck - MINUTE, stuck);
    fixture.close();
  }

  /** An answer has times of IOCs, which differ. */
  @Test
  void spansAreLongerWhereTimesAreThoseOfIocs() throws IOException {
    RecorderFixture fixture = fixture(1 << 20);
    fixture.source.rule = TimeRule.IOC;
    fixture.begin("A");
    fixture.source.connect("A", SERVER);
    fixture.pass(SECOND);
    long from = fixture.clock.wallNanos() + SECOND / 2;
    late(fixture, 0);
    long to = fixture.clock.wallNanos();
    fixture.pass(SECOND);
    fixture.close();
    LoggedLedger.Loss loss = LoggedLedger.read(fixture.root).losses(GROUP, RECORDER_LATE).get(0);
    assertThat(loss.fromNanos()).isEqualTo(from - 5 * MINUTE);
    assertThat(loss.toNanos()).isEqualTo(to + 5 * MINUTE);
    requireRead(fixture);
  }

  /** Readers read statements from the begin of their range on. */
  @Test
  void aStatementIsNotBeforeTheEndOfItsSpan() throws IOException {
    RecorderFixture fixture = fixture(SMALL_RING).begin("A", "B").connect("A", "B");
    values(fixture, 500);
    fixture.turn();
    long last = fixture.clock.wallNanos();
    fixture.clock.set(-60 * MINUTE);
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    values(fixture, 10);
    fixture.close();
    try (ArchiveReader reader = ArchiveReader.builder().archive(fixture.root).open()) {
      TimeRange range = new TimeRange(last - SECOND / 100, last);
      assertThat(reader.losses(List.of(GROUP), range).spans()).hasSize(1);
    }
    requireRead(fixture);
  }

  @Test
  void aStopIsStatedFromItsEndToTheNextBegin() throws IOException {
    RecorderFixture fixture = fixture(1 << 20).begin("A").connect("A");
    fixture.source.value("A", 7);
    fixture.pass(SECOND);
    fixture.source.value("A", 8);
    long last = fixture.clock.wallNanos();
    fixture.close();
    for (int i = 0; i < 2; i++) {
      RecorderFixture after = fixture(fixture.root, fixture.clock, 1 << 20);
      after.clock.pass(60 * MINUTE);
      long first = after.clock.wallNanos();
      after.begin().connect("A");
      after.pass(2 * SECOND);
      after.close();
      List<LoggedLedger.Loss> losses = LoggedLedger.read(after.root).losses(GROUP, STOPPED);
      assertThat(losses).hasSize(i + 1).isEqualTo(LoggedLedger.read(after.root).losses(GROUP));
      assertThat(losses.get(i).fromNanos()).isEqualTo(last);
      assertThat(losses.get(i).toNanos()).isEqualTo(first);
      last = after.clock.wallNanos() - 2 * SECOND;
    }
  }

  @Test
  void aCrashAfterAnOrderlyStopIsNoStop() throws IOException {
    RecorderFixture fixture = fixture(1 << 20).begin("A").connect("A");
    fixture.pass(SECOND);
    fixture.close();
    fixture.clock.pass(MINUTE);
    RecorderFixture second = fixture(fixture.root, fixture.clock, 1 << 20).begin().connect("A");
    second.pass(2 * SECOND);
    RecorderFixture third = killed(second);
    third.clock.pass(MINUTE);
    third.begin().connect("A");
    third.pass(2 * SECOND);
    third.close();
    LoggedLedger ledger = LoggedLedger.read(third.root);
    assertThat(ledger.losses(GROUP, STOPPED)).hasSize(1);
    assertThat(ledger.losses(GROUP, CRASHED)).hasSize(1);
    // Killed before the ledger had its begin.
    RecorderFixture fourth = killed(second);
    List<Path> logs = LoggedEvents.logs(fourth.root, LoggedLedger.GROUP);
    Files.delete(logs.get(logs.size() - 1));
    fourth.clock.pass(MINUTE);
    fourth.begin().connect("A");
    fourth.pass(2 * SECOND);
    fourth.close();
    ledger = LoggedLedger.read(fourth.root);
    assertThat(ledger.losses(GROUP)).isEqualTo(ledger.losses(GROUP, CRASHED)).hasSize(1);
    second.close();
  }

  /** What waits at the end is lost with its statements. So the end is not orderly. */
  @Test
  void aStopWithoutRoomCountsAsACrash() throws IOException {
    RecorderFixture fixture = fixture(SMALL_RING).begin("A", "B").connect("A", "B");
    fixture.pass(2 * SECOND);
    fixture.files.roomBytes = 0;
    values(fixture, 500);
    fixture.pass(2 * SECOND);
    fixture.close();
    fixture.clock.pass(MINUTE);
    RecorderFixture after = fixture(fixture.root, fixture.clock, 1 << 20);
    after.source.given.addAll(fixture.source.given);
    after.begin().connect("A", "B");
    after.pass(2 * SECOND);
    after.close();
    List<String> missing = missing(after);
    assertThat(missing).hasSizeGreaterThan(400);
    assertThat(LoggedLedger.read(after.root).losses(GROUP, CRASHED)).hasSize(1);
    requireStated(after, missing);
  }

  @Test
  void aJumpOfACanaryIsAProvedLoss() throws IOException {
    RecorderFixture fixture = fixture(1 << 20);
    fixture.ledger = LedgerSettings.of("", Map.of(SERVER, "CANARY"));
    fixture.begin("A");
    fixture.source.connect("A", SERVER);
    fixture.source.connect("CANARY", SERVER);
    int missing = 0;
    SplittableRandom random = new SplittableRandom(1);
    int number = 5;
    for (int i = 0; i < 100; i++) {
      int jump = random.nextInt(4) == 0 ? random.nextInt(20) : 1;
      number += jump;
      missing += Math.max(0, jump - 1) * (i == 0 ? 0 : 1);
      fixture.source.value("CANARY", number);
      fixture.pass(2 * SECOND);
    }
    // A server that was restarted begins anew.
    fixture.source.value("CANARY", 0);
    fixture.pass(2 * SECOND);
    long before = fixture.clock.wallNanos();
    fixture.source.value("CANARY", 1);
    fixture.pass(2 * SECOND);
    fixture.source.value("CANARY", 4);
    fixture.pass(2 * SECOND);
    fixture.close();
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(ledger.sum(GROUP, CANARY_JUMPED)).isEqualTo(missing + 2);
    assertThat(ledger.last("CANARY:CANARY-LOST")).isEqualTo(missing + 2);
    List<LoggedLedger.Loss> losses = ledger.losses(GROUP);
    assertThat(losses.get(losses.size() - 1).fromNanos()).isEqualTo(before);
    assertThat(fixture.read()).noneMatch(line -> line.startsWith("CANARY"));
  }

  /** The numbers of a time without a connection are missing as well. */
  @Test
  void aJumpOverADisconnectionBeginsBeforeIt() throws IOException {
    RecorderFixture fixture = fixture(1 << 20);
    fixture.ledger = LedgerSettings.of("", Map.of(SERVER, "CANARY"));
    fixture.begin("A");
    fixture.source.connect("A", SERVER);
    fixture.source.connect("CANARY", SERVER);
    fixture.source.value("CANARY", 7);
    long before = fixture.clock.wallNanos();
    fixture.pass(2 * SECOND);
    fixture.source.disconnect("CANARY", DisconnectReason.NO_ANSWER);
    fixture.pass(MINUTE);
    fixture.source.connect("CANARY", SERVER);
    fixture.pass(SECOND);
    fixture.source.value("CANARY", 10);
    long after = fixture.clock.wallNanos();
    fixture.pass(2 * SECOND);
    fixture.close();
    LoggedLedger.Loss jump = LoggedLedger.read(fixture.root).losses(GROUP, CANARY_JUMPED).get(0);
    assertThat(List.of(jump.fromNanos(), jump.toNanos(), jump.events()))
        .containsExactly(before, after, 2L);
    assertThat(fixture.notices)
        .containsExactly("canary is not connected: the server does not answer: record=CANARY");
  }

  /** What is no counter proves nothing, and an operator must know it. */
  @Test
  void whatIsNoCanaryIsSaid() throws IOException {
    RecorderFixture fixture = fixture(1 << 20);
    String other = "10.0.0.2:5064";
    fixture.ledger = LedgerSettings.of("", Map.of(SERVER, "CANARY", other, "NOWHERE"));
    fixture.begin("A");
    fixture.source.connect("A", SERVER);
    fixture.source.connect("CANARY", other);
    fixture.source.connect("CANARY", SERVER);
    for (double number : new double[] {0.5, 20.25, 377.5, 1, Double.NaN, 1e300, 2, 1L << 53, 1}) {
      fixture.source.value("CANARY", number);
      fixture.pass(15 * SECOND);
    }
    fixture.close();
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(ledger.sum(GROUP, CANARY_JUMPED)).isEqualTo((1L << 53) - 3);
    assertThat(ledger.last("CANARY:CANARY-LOST")).isEqualTo((double) ((1L << 53) - 3));
    assertThat(fixture.notices)
        .containsExactlyInAnyOrder(
            "canary is on another circuit than 10.0.0.1:5064: 10.0.0.2:5064: record=CANARY",
            "canary is no integer: record=CANARY",
            "canary is not connected: record=NOWHERE");
    requireRead(fixture);
  }

  /** What the ring lost of a canary is no loss of the server. */
  @Test
  void ownLossesOfACanaryAreNoJump() throws IOException {
    RecorderFixture fixture = fixture(SMALL_RING);
    fixture.ledger = LedgerSettings.of("", Map.of(SERVER, "CANARY"));
    fixture.begin("A");
    fixture.source.connect("A", SERVER);
    fixture.source.connect("CANARY", SERVER);
    fixture.turn();
    for (int i = 0; i < 500; i++) {
      fixture.source.value("CANARY", i < 250 ? i : i + 3);
    }
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(LoggedLedger.read(fixture.root).sum(GROUP, CANARY_JUMPED)).isEqualTo(3);
  }

  private static void bytes(RecorderFixture fixture, long values) {
    circuit(fixture, values, 100, CircuitCounts.NO_DROPS);
  }

  /** Lets a second pass in which the receiver had no time for half of it. */
  private static void late(RecorderFixture fixture, long stated) {
    long from = fixture.clock.wallNanos() + SECOND / 2;
    circuit(fixture, 1, 100, new CircuitCounts.Drops(from, stated));
  }

  private static void circuit(
      RecorderFixture fixture, long values, long bytes, CircuitCounts.Drops drops) {
    fixture.source.circuits = List.of(new CircuitCounts(SERVER, true, values, bytes, drops));
    fixture.pass(SECOND);
  }

  /**
   * The drops of a look may be counted before the event of the circuit's first channel is taken.
   */
  @Test
  void dropsBeforeTheFirstChannelAreStatedOnce() throws IOException {
    RecorderFixture fixture = fixture(1 << 20).begin("A", "B");
    long from = fixture.clock.wallNanos() + SECOND / 2;
    late(fixture, 7);
    fixture.source.connect("A", SERVER);
    fixture.source.connect("B", SERVER);
    bytes(fixture, 3);
    bytes(fixture, 3);
    fixture.close();
    List<LoggedLedger.Loss> losses = LoggedLedger.read(fixture.root).losses(GROUP, RECORDER_LATE);
    assertThat(losses).hasSize(1);
    assertThat(losses.get(0).events()).isEqualTo(7);
    assertThat(losses.get(0).fromNanos()).isEqualTo(from);
  }

  /** They are of no group that comes later. */
  @Test
  void dropsOfACircuitWithoutChannelsAreNotStated() throws IOException {
    RecorderFixture fixture = fixture(1 << 20).begin("A", "B");
    late(fixture, 7);
    bytes(fixture, 3);
    bytes(fixture, 3);
    fixture.source.connect("A", SERVER);
    fixture.source.connect("B", SERVER);
    bytes(fixture, 3);
    fixture.close();
    assertThat(LoggedLedger.read(fixture.root).losses(GROUP)).isEmpty();
  }

  @Test
  void aCircuitThatIsDownIsStatedFromItsLastByte() throws IOException {
    RecorderFixture fixture = fixture(1 << 20).begin("A", "B");
    fixture.source.connect("A", SERVER);
    fixture.source.connect("B", SERVER);
    long last = 0;
    for (int i = 0; i < 80; i++) {
      last = fixture.clock.wallNanos();
      bytes(fixture, 3);
    }
    fixture.pass(30 * SECOND);
    long down = fixture.clock.wallNanos();
    fixture.source.disconnect("A", DisconnectReason.NO_ANSWER);
    fixture.source.disconnect("B", DisconnectReason.NO_ANSWER);
    for (int i = 0; i < 20; i++) {
      fixture.pass(SECOND);
    }
    long resumed = fixture.clock.wallNanos();
    fixture.source.connect("A", SERVER);
    fixture.source.connect("B", SERVER);
    bytes(fixture, 2);
    long closed = fixture.clock.wallNanos();
    fixture.source.disconnect("A", DisconnectReason.CIRCUIT_CLOSED);
    fixture.source.disconnect("B", DisconnectReason.CIRCUIT_CLOSED);
    fixture.pass(10 * SECOND);
    fixture.source.connect("A", SERVER);
    fixture.source.connect("B", SERVER);
    fixture.pass(10 * SECOND);
    fixture.close();
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(ledger.losses(GROUP, CIRCUIT_DOWN)).isEqualTo(ledger.losses(GROUP));
    assertThat(ledger.losses(GROUP))
        .extracting(LoggedLedger.Loss::fromNanos)
        .containsExactly(last, down, resumed);
    assertThat(ledger.losses(GROUP))
        .extracting(LoggedLedger.Loss::toNanos)
        .containsExactly(down, resumed, closed);
    assertThat(ledger.losses(GROUP)).allMatch(each -> each.events() == -1);
    requireRead(fixture);
    assertThat(ledger.last(SERVER + ":RECEIVED")).isEqualTo(242);
    assertThat(ledger.last(SERVER + ":LATE")).isBetween(29.0, 31.0);
  }

  @Test
  void aServerMayHaveDroppedWhileTheReceiverWasLate() throws IOException {
    RecorderFixture fixture = fixture(1 << 20).begin("A");
    fixture.source.connect("A", SERVER);
    for (int i = 0; i < 70; i++) {
      bytes(fixture, 1);
    }
    long from = fixture.clock.wallNanos() + SECOND / 2;
    late(fixture, 0);
    // This one states how many.
    late(fixture, 3);
    long to = fixture.clock.wallNanos();
    bytes(fixture, 1);
    fixture.close();
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    List<LoggedLedger.Loss> losses = ledger.losses(GROUP, RECORDER_LATE);
    assertThat(losses).hasSize(2).isEqualTo(ledger.losses(GROUP));
    assertThat(losses.get(0).fromNanos()).isEqualTo(from);
    assertThat(losses.get(1).toNanos()).isEqualTo(to);
    assertThat(losses).extracting(LoggedLedger.Loss::events).containsExactly(-1L, 3L);
    assertThat(ledger.last(SERVER + ":LATE")).isEqualTo(1.0);
  }

  /** core-pva tells no bytes. An idle connection is none that is down. */
  @Test
  void aCircuitWithoutKnownBytesIsDownForTwoMinutesAtMost() throws IOException {
    RecorderFixture fixture = fixture(1 << 20).begin("A");
    fixture.source.connect("A", SERVER);
    for (int i = 0; i < 70; i++) {
      circuit(fixture, 1, 0, CircuitCounts.NO_DROPS);
    }
    long last = fixture.clock.wallNanos() - SECOND;
    fixture.pass(MINUTE);
    fixture.source.disconnect("A", DisconnectReason.CIRCUIT_CLOSED);
    fixture.pass(2 * SECOND);
    fixture.source.connect("A", SERVER);
    fixture.pass(60 * MINUTE);
    long closed = fixture.clock.wallNanos();
    fixture.source.disconnect("A", DisconnectReason.CIRCUIT_CLOSED);
    fixture.pass(2 * SECOND);
    fixture.close();
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(ledger.losses(GROUP, CIRCUIT_DOWN))
        .extracting(LoggedLedger.Loss::fromNanos)
        .containsExactly(last, closed - 2 * MINUTE);
  }

  @Test
  void theSumsOfRandomLossesAreExact() throws Exception {
    Seeds.each("LedgerTest.random", Seeds.cases(10, 100), this::random);
  }

  private void random(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    RecorderFixture fixture = fixture(SMALL_RING << random.nextInt(8));
    fixture.waitingBytes = random.nextInt(1 << 16);
    fixture.maxLogBytes = random.nextBoolean() ? 100_000 : Integer.MAX_VALUE;
    fixture.ledger = new LedgerSettings(LoggedLedger.GROUP, Map.of(), random.nextInt(2) * 1000);
    RandomEvents events = new RandomEvents(random, fixture.source, 1 + random.nextInt(4));
    fixture.begin(events.names());
    for (int i = 0; i < 150; i++) {
      for (int j = random.nextInt(20); j > 0; j--) {
        events.values(random.nextInt(20));
        fixture.clock.pass(SECOND / 100);
      }
      switch (random.nextInt(20)) {
        case 0 -> events.values(5000);
        case 1 -> events.connect(events.name());
        case 2 -> fixture.files.roomBytes = random.nextInt(2000);
        case 3, 4 -> fixture.files.roomBytes = Long.MAX_VALUE;
        case 5 -> fixture.recorder().rotate();
        case 6 -> fixture.source.disconnect(events.name());
        case 7 -> fixture.clock.set(random.nextLong(-20, 20) * MINUTE);
        default -> fixture.pass(random.nextLong(5 * SECOND));
      }
    }
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    fixture.close();
    // A channel that is not connected when the first pair begins has an event more.
    long received = fixture.counts.get(Count.RECEIVED);
    assertThat(received - fixture.source.given.size()).isBetween(0L, (long) events.names().length);
    long missing = received - fixture.read().size();
    LoggedLedger ledger = LoggedLedger.read(fixture.root);
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(missing);
    assertThat(ledger.sum(GROUP, RING_FULL, NO_DISK)).isEqualTo(missing);
    assertThat(ledger.losses(GROUP))
        .allMatch(each -> each.reason() == RING_FULL.code() || each.reason() == NO_DISK.code());
    assertThat(ledger.last("VA/CCG:LOST")).isEqualTo((double) missing);
    assertThat(ledger.last("VA/CCG:RECEIVED")).isEqualTo((double) received);
    assertThat(ledger.last("VA/CCG:STATE")).isZero();
    requireRead(fixture);
  }
}
