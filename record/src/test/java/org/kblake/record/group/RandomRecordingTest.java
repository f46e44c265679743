package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.record.group.RecorderFixture.GROUP;
import static org.kblake.record.group.RecorderFixture.MINUTE;
import static org.kblake.record.group.SetClock.SECOND;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.ValueType;
import org.kblake.record.group.FailingFiles.Step;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.SyncPolicy;

/** What is read is what was given, whatever happens to types, clocks, disks and the process. */
final class RandomRecordingTest {

  @TempDir Path directory;
  private int roots;

  private RecorderFixture fixture() throws IOException {
    return new RecorderFixture(Files.createDirectory(directory.resolve("root" + roots++)));
  }

  private static List<String> ofChannel(List<String> lines, String name) {
    return new ArrayList<>(lines.stream().filter(line -> line.startsWith(name + " ")).toList());
  }

  /** Each received event is written, lost, refused, or waits. Nothing gathers after a pause. */
  private static void requireAccount(RecorderFixture fixture) {
    RecordingState state = fixture.recorder().states().get(0);
    GroupCounts counts = fixture.counts;
    long known = counts.get(Count.WRITTEN) + counts.get(Count.LOST) + counts.get(Count.REFUSED);
    assertThat(counts.get(Count.RECEIVED)).isEqualTo(known + state.waitingEvents());
  }

  private static void pass(RecorderFixture fixture, long nanos) {
    fixture.pass(nanos + SECOND);
    requireAccount(fixture);
  }

  @Test
  void whatIsReadIsWhatWasGiven() throws Exception {
    Seeds.each("RandomRecordingTest.given", Seeds.cases(30, 300), this::record);
  }

  private void record(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    RecorderFixture fixture = fixture();
    fixture.source.rule = TimeRule.values()[random.nextInt(2)];
    fixture.sync = SyncPolicy.values()[random.nextInt(3)];
    fixture.maxLogBytes = random.nextBoolean() ? 20_000 : Integer.MAX_VALUE;
    if (random.nextBoolean()) {
      // Longer than the disorder bound, so that a segment must end before the clock is set back.
      fixture.timing = new LogTiming(60 * MINUTE, SECOND, SECOND, 300 * MINUTE, MINUTE, 5 * SECOND);
    }
    RandomEvents events = new RandomEvents(random, fixture.source, 1 + random.nextInt(8));
    events.sendsMore = true;
    fixture.begin(events.names());
    for (String name : events.names()) {
      if (random.nextInt(8) > 0) {
        events.connect(name);
      }
    }
    for (int i = 0; i < 200; i++) {
      events.values(random.nextInt(10));
      switch (random.nextInt(40)) {
        case 0 -> events.connect(events.name());
        case 1 -> fixture.clock.set((random.nextLong(240) - 120) * MINUTE);
        case 2 -> fixture.recorder().rotate();
        case 3 -> fixture.pass(20 * MINUTE);
        case 4 -> fixture.source.disconnect(events.name());
        default -> pass(fixture, random.nextLong(20 * SECOND));
      }
    }
    fixture.close();
    List<String> read = fixture.read();
    int gone = 0;
    for (String name : events.names()) {
      List<String> found = ofChannel(read, name);
      List<String> given = ofChannel(fixture.source.given, name);
      if (found.size() > given.size()) {
        // It was not connected when the first pair began.
        assertThat(found.remove(0)).endsWith(" 0 3 9 ");
        gone++;
      }
      assertThat(found).isEqualTo(given);
    }
    assertThat(read).hasSize(fixture.source.given.size() + gone);
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(read.size());
    assertThat(fixture.counts.get(Count.RECEIVED)).isEqualTo(read.size());
    assertThat(fixture.gaps).isEmpty();
  }

  /** After a kill a reader must take every event whose bytes are all in the log. */
  @Test
  void aKillAtAnyByteLosesOnlyWhatIsNotWritten() throws Exception {
    Seeds.each("RandomRecordingTest.kill", Seeds.cases(2, 20), this::kill);
  }

  private void kill(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    RecorderFixture fixture = fixture();
    fixture.sync = SyncPolicy.values()[random.nextInt(3)];
    RandomEvents events = new RandomEvents(random, fixture.source, 3);
    fixture.begin(events.names());
    for (String name : events.names()) {
      events.connect(name);
    }
    for (int i = 0; i < 12; i++) {
      events.values(random.nextInt(4));
      if (random.nextInt(3) == 0) {
        fixture.recorder().rotate();
      }
      fixture.pass(i % 6 == 5 ? 10 * MINUTE : SECOND);
    }
    fixture.close();
    List<String> all = fixture.read();
    Path copy = Files.createDirectory(directory.resolve("copy" + roots));
    Files.createDirectory(copy.resolve("VA"));
    int known = 0;
    long bytes = fixture.files.steps.stream().mapToLong(step -> step.bytes().length).sum();
    long restart = random.nextLong(bytes);
    for (Step step : fixture.files.steps) {
      Path file = copy.resolve(fixture.root.relativize(step.file()).toString());
      if (step.what().equals("create")) {
        Files.createFile(file);
      }
      for (byte each : step.bytes()) {
        Files.write(file, new byte[] {each}, StandardOpenOption.APPEND);
        List<String> read = LoggedEvents.byKblake(copy, GROUP);
        assertThat(read).isEqualTo(LoggedEvents.naive(copy, GROUP));
        assertThat(read).isEqualTo(all.subList(0, read.size())).hasSizeGreaterThanOrEqualTo(known);
        known = read.size();
        if (restart-- == 0) {
          restart(random, copy, read);
        }
      }
    }
    assertThat(known).isEqualTo(all.size());
  }

  /** Another process goes on with what a killed one left. */
  private void restart(SplittableRandom random, Path killed, List<String> before)
      throws IOException {
    RecorderFixture fixture = fixture();
    Files.createDirectory(fixture.root.resolve("VA"));
    for (Path file : LoggedEvents.logs(killed, GROUP)) {
      String index = file.getFileName().toString().replaceAll("log2$", "log1");
      Files.copy(file, fixture.root.resolve("VA").resolve(file.getFileName()));
      Files.copy(file.resolveSibling(index), fixture.root.resolve("VA").resolve(index));
    }
    RandomEvents events = new RandomEvents(random, fixture.source, 3);
    fixture.begin(events.names());
    for (String name : events.names()) {
      events.connect(name);
    }
    events.values(10);
    fixture.close();
    List<String> expected = new ArrayList<>(before);
    expected.addAll(fixture.source.given);
    assertThat(fixture.read()).isEqualTo(expected);
  }

  @Test
  void aFullDiskLosesWhatDoesNotFitInMemoryAndCountsIt() throws Exception {
    Seeds.each("RandomRecordingTest.full", Seeds.cases(20, 200), this::fill);
  }

  private void fill(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    RecorderFixture fixture = fixture();
    fixture.waitingBytes = random.nextInt(3) == 0 ? 1 << 24 : 0;
    fixture.maxLogBytes = random.nextBoolean() ? 20_000 : Integer.MAX_VALUE;
    RandomEvents events = new RandomEvents(random, fixture.source, 4);
    events.sendsMore = true;
    fixture.begin(events.names());
    for (String name : events.names()) {
      events.connect(name);
    }
    for (int i = 0; i < 100; i++) {
      events.values(random.nextInt(60));
      if (random.nextInt(10) == 0) {
        fixture.files.roomBytes = random.nextInt(2000);
      }
      if (random.nextInt(15) == 0) {
        fixture.files.roomBytes = Long.MAX_VALUE;
      }
      if (random.nextInt(20) == 0) {
        events.connect(events.name());
      }
      pass(fixture, random.nextLong(20 * SECOND));
    }
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    for (String name : events.names()) {
      events.connect(name);
    }
    fixture.close();
    List<String> read = fixture.read();
    long lost = (long) fixture.source.given.size() - read.size();
    assertThat(fixture.counts.get(Count.REFUSED)).as("%s", fixture.notices).isZero();
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(lost).isEqualTo(fixture.lost());
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(read.size());
    if (fixture.waitingBytes > 0) {
      assertThat(lost).isZero();
    }
    for (String name : events.names()) {
      List<String> given = ofChannel(fixture.source.given, name);
      List<String> found = ofChannel(read, name);
      assertThat(given).containsSubsequence(found);
      // The latest value wins.
      assertThat(found).endsWith(given.get(given.size() - 1));
    }
  }

  @Test
  void aDiskThatStaysFullLosesACountedNumberOfEvents() throws Exception {
    Seeds.each("RandomRecordingTest.end", Seeds.cases(20, 200), this::end);
  }

  private void end(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    RecorderFixture fixture = fixture();
    fixture.sync = SyncPolicy.values()[random.nextInt(3)];
    RandomEvents events = new RandomEvents(random, fixture.source, 4);
    fixture.begin(events.names());
    for (String name : events.names()) {
      events.connect(name);
    }
    fixture.files.roomBytes = random.nextInt(5000);
    for (int i = 0; i < 10; i++) {
      events.values(random.nextInt(20));
      fixture.pass(random.nextLong(5 * SECOND));
    }
    fixture.close();
    List<String> read = fixture.read();
    assertThat(read).isEqualTo(fixture.source.given.subList(0, read.size()));
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(read.size());
    assertThat(fixture.counts.get(Count.LOST))
        .isEqualTo(fixture.source.given.size() - read.size())
        .isEqualTo(fixture.lost());
    // One for each channel, one for the end of the pair that the file does not have.
    assertThat(fixture.gaps).hasSizeLessThanOrEqualTo(5);
  }

  /** What was received before a channel left the list belongs to the pair that has it. */
  @Test
  void eventsOfARemovedChannelAreWrittenOnceThereIsRoom() throws IOException {
    RecorderFixture fixture = fixture();
    fixture.begin("A", "B").connect("A", "B");
    fixture.pass(2 * SECOND);
    fixture.files.roomBytes = 0;
    fixture.source.value("A", 1);
    fixture.pass(SECOND);
    fixture.source.value("B", 2);
    fixture.turn();
    fixture.write("A");
    fixture.pass(2 * SECOND);
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    fixture.source.gone("B");
    fixture.pass(MINUTE);
    fixture.close();
    assertThat(fixture.pairs()).isEqualTo(2);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.gaps).isEmpty();
  }

  /** Lists change at any time, also while the disk is full and events are in the ring. */
  @Test
  void noEventIsUncountedWhileListsChange() throws Exception {
    Seeds.each("RandomRecordingTest.lists", Seeds.cases(20, 200), this::changeLists);
  }

  private void changeLists(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    RecorderFixture fixture = fixture();
    fixture.sync = SyncPolicy.values()[random.nextInt(3)];
    fixture.waitingBytes = random.nextBoolean() ? 1 << 24 : 0;
    RandomEvents events = new RandomEvents(random, fixture.source, 5);
    events.sendsMore = true;
    fixture.begin(events.names());
    for (String name : events.names()) {
      events.connect(name);
    }
    for (int i = 0; i < 100; i++) {
      switch (random.nextInt(12)) {
        case 0 -> {
          fixture.write(
              Arrays.stream(events.names())
                  .filter(name -> name.equals("A") || random.nextBoolean())
                  .toArray(String[]::new));
          fixture.recorder().reload();
        }
        case 1 -> fixture.files.roomBytes = random.nextInt(2000);
        case 2 -> fixture.files.roomBytes = Long.MAX_VALUE;
        case 3 -> fixture.files.failsToSync = random.nextInt(4) == 0;
        case 4 -> events.connect(events.name());
        default -> events.values(random.nextInt(30));
      }
      if (random.nextBoolean()) {
        pass(fixture, random.nextLong(40 * SECOND));
      }
    }
    fixture.files.failsToSync = false;
    fixture.files.roomBytes = Long.MAX_VALUE;
    pass(fixture, 2 * SECOND);
    pass(fixture, 2 * SECOND);
    fixture.close();
    requireAccount(fixture);
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(fixture.lost());
    assertThat(fixture.counts.get(Count.WRITTEN)).isLessThanOrEqualTo(fixture.read().size());
  }

  /** They were received before the list changed, and belong to the pair that has their channel. */
  @Test
  void eventsInTheRingOfARemovedChannelAreWritten() throws IOException {
    RecorderFixture fixture = fixture();
    fixture.begin("A", "B").connect("A", "B");
    fixture.pass(MINUTE);
    fixture.write("A");
    fixture.recorder().reload();
    for (int i = 0; i < 20_001; i++) {
      fixture.source.value(i < 20_000 ? "A" : "B", i);
    }
    fixture.turn();
    fixture.turn();
    fixture.source.gone("B");
    fixture.pass(SECOND);
    assertThat(fixture.pairs()).isEqualTo(2);
    requireAccount(fixture);
    // Its source may give some more, which no pair can have.
    fixture.source.value("B", -1);
    fixture.pass(SECOND);
    requireAccount(fixture);
    fixture.close();
    fixture.source.given.remove(fixture.source.given.size() - 1);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(1).isEqualTo(fixture.lost());
  }

  /** A sync that failed tells nothing about the disk: what followed the last one may be missing. */
  @Test
  void aFailedSyncBeginsANewPair() throws IOException {
    RecorderFixture fixture = fixture();
    fixture.sync = SyncPolicy.INTERVAL;
    fixture.begin("A").connect("A");
    fixture.source.value("A", 1);
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 2);
    fixture.files.failsToSync = true;
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().fault(GROUP)).contains("could not be synced");
    fixture.source.value("A", 3);
    fixture.files.failsToSync = false;
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(fixture.pairs()).isEqualTo(2);
    assertThat(fixture.lost()).isEqualTo(1);
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(1);
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(3);
    assertThat(fixture.notices).last().isEqualTo("the log is written again");
    assertThat(fixture.read()).endsWith(fixture.source.given.get(3));
  }

  @Test
  void aDirectoryThatVanishesIsWaitedFor() throws IOException {
    RecorderFixture fixture = fixture();
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 1);
    fixture.pass(SECOND);
    Path away = directory.resolve("away");
    Files.move(fixture.root, away);
    fixture.pass(SECOND);
    assertThat(fixture.recorder().fault(GROUP)).contains("log is gone");
    fixture.source.value("A", 2);
    for (int i = 0; i < 5; i++) {
      fixture.pass(SECOND);
    }
    assertThat(fixture.root).doesNotExist();
    Files.move(away, fixture.root);
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.gaps).isEmpty();
  }

  @Test
  void timeStampsThatAreNotUsedAreCounted() throws IOException {
    RecorderFixture fixture = fixture();
    fixture.source.rule = TimeRule.IOC;
    fixture.timing = new LogTiming(60 * MINUTE, SECOND, SECOND, 3 * 60 * MINUTE, 0, 5 * SECOND);
    fixture.begin("A").connect("A");
    long now = fixture.clock.wallNanos();
    byte[] one = new byte[8];
    List<Long> stamps = new ArrayList<>(List.of(0L, -1L, now - 301 * SECOND, now + 301 * SECOND));
    stamps.addAll(List.of(now - 299 * SECOND, now + 299 * SECOND, now, now));
    stamps.sort(Comparator.reverseOrder());
    for (long stamp : stamps) {
      fixture.source.value("A", ValueType.DOUBLE, one, 0, stamp);
    }
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.counts.get(Count.UNSET_STAMPS)).isEqualTo(2);
    assertThat(fixture.counts.get(Count.FAR_STAMPS)).isEqualTo(2);
  }
}
