package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.record.group.RecorderFixture.GROUP;
import static org.kblake.record.group.RecorderFixture.MINUTE;
import static org.kblake.record.group.SetClock.SECOND;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.MilestoneReader;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.record.log.LogFiles;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.SyncPolicy;

/** What a file, a list or another program does to a group, and what not to the others. */
final class GroupTroubleTest {

  private static final Group OTHER = new Group("RF", "CCG");

  @TempDir Path directory;
  private Path root;
  private RecorderFixture fixture;

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectory(directory.resolve("archive"));
    fixture = new RecorderFixture(root);
  }

  private void addOther(String... names) throws IOException {
    Path list = Files.write(directory.resolve("names"), List.of(names));
    fixture.recorder().add(OTHER, new ListFile(list));
  }

  /** A milestone that the log does not have must not count. */
  @Test
  void aMilestoneThatCouldNotBeWrittenIsWrittenLater() throws IOException {
    fixture.timing = new LogTiming(60 * MINUTE, SECOND, SECOND, 300 * MINUTE, MINUTE, 5 * SECOND);
    fixture.begin("A");
    fixture.source.connect("A", ValueType.DOUBLE, 20_000);
    fixture.turn();
    fixture.source.value("A", ValueType.DOUBLE, new byte[160_000], 0, 0);
    fixture.pass(2 * SECOND);
    fixture.files.roomBytes = 0;
    fixture.clock.set(-120 * MINUTE);
    fixture.source.value("A", ValueType.DOUBLE, new byte[8], 0, 0);
    fixture.pass(2 * SECOND);
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    fixture.source.value("A", ValueType.DOUBLE, new byte[16], 0, 0);
    fixture.pass(2 * SECOND);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  /** LCFs do not have the system in their names. */
  @Test
  void theListOfAGroupIsNotReplacedForAnother() throws IOException {
    fixture.begin("A", "B");
    addOther("X");
    fixture.connect("A", "B", "X");
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    assertThat(fixture.list()).hasContent("A\nB\n");
    assertThat(fixture.source.closed).isEmpty();
    assertThat(fixture.notices).singleElement().asString().contains("CCG.lcf");
    assertThat(root.resolve("SYS/KEKBLog.list")).hasContent("VA CCG\nRF CCG\n");
  }

  @Test
  void aRemovedGroupEndsAndMayComeBack() throws IOException {
    fixture.begin("A");
    addOther("X", "Y");
    fixture.connect("A", "X", "Y");
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 1);
    fixture.source.value("X", 2);
    fixture.recorder().remove(OTHER);
    fixture.recorder().remove(OTHER);
    assertThat(fixture.recorder().isRecorded(OTHER)).isTrue();
    fixture.turn();
    fixture.turn();
    assertThat(fixture.recorder().isRecorded(OTHER)).isFalse();
    assertThat(fixture.source.closed).containsExactly(1, 2);
    assertThat(fixture.recorder().states()).extracting(RecordingState::group).containsOnly(GROUP);
    List<String> ended = LoggedEvents.read(root, OTHER);
    assertThat(ended).hasSize(3).last().asString().startsWith("X ").endsWith(" 4000000000000000");
    Path log = LoggedEvents.logs(root, OTHER).get(0);
    Pair pair = Archive.open(root, ArchiveSettings.defaults()).pairs(OTHER).get(0);
    assertThat(pair.open().milestones().count()).isEqualTo(2); // the last one ends the log
    try (Closeable lock = LogFiles.DISK.lock(root.resolve("RF/.CCG.lock"))) {
      assertThat(lock).isNotNull();
    }
    long bytes = Files.size(log);
    fixture.source.value("X", 3); // from a receiver that has not heard of the end
    fixture.source.value("A", 4);
    fixture.pass(20 * MINUTE);
    assertThat(log).hasSize(bytes);
    addOther("X");
    fixture.connect("X");
    fixture.source.value("X", 5);
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 6);
    fixture.close();
    assertThat(fixture.read()).hasSize(4);
    assertThat(fixture.gaps).isEmpty();
    assertThat(LoggedEvents.logs(root, OTHER)).hasSize(2);
    List<String> all = LoggedEvents.read(root, OTHER);
    assertThat(all).startsWith(ended.toArray(String[]::new)).hasSize(5);
    assertThat(all).last().asString().endsWith(" 4014000000000000");
  }

  @Test
  void aRemovedGroupWhoseDiskIsFullStatesWhatItLoses() throws IOException {
    fixture.begin("A");
    addOther("X");
    fixture.connect("A", "X");
    fixture.pass(2 * SECOND);
    fixture.source.value("X", 1);
    fixture.files.roomBytes = 0;
    fixture.pass(2 * SECOND);
    fixture.recorder().remove(OTHER);
    fixture.pass(2 * SECOND);
    fixture.turn();
    assertThat(fixture.recorder().isRecorded(OTHER)).isFalse();
    assertThat(fixture.lost()).isEqualTo(1);
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.source.value("A", 2);
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(fixture.read()).hasSize(2);
  }

  /** Without them readers take the time of a trouble for one in which nobody recorded. */
  @Test
  void milestonesAreAmongEventsThatWaitedForTheDisk() throws IOException {
    fixture.timing =
        new LogTiming(10 * SECOND, SECOND / 10, SECOND, 300 * MINUTE, MINUTE, 5 * SECOND);
    fixture.begin("A").connect("A");
    fixture.pass(SECOND);
    fixture.files.roomBytes = 0;
    for (int i = 0; i < 60; i++) {
      fixture.source.value("A", i);
      fixture.pass(SECOND);
    }
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    PairLog log = Archive.open(root, ArchiveSettings.defaults()).pairs(GROUP).get(0).open();
    for (int i = 1; i < log.milestones().count(); i++) {
      long step = log.milestones().nanos(i) - log.milestones().nanos(i - 1);
      assertThat(step).isLessThan(20 * SECOND);
    }
  }

  /** Its volume may be away. */
  @Test
  void aListThatIsALinkToNothingIsNotForgottenAndNotReplaced() throws IOException {
    fixture.write("A");
    Files.delete(fixture.list());
    Files.createSymbolicLink(fixture.list(), root.resolve("away"));
    ArchiveLists lists = new ArchiveLists(root);
    Files.writeString(root.resolve("SYS/KEKBLog.list"), "VA CCG\nVA NOLIST\n");
    assertThat(lists.groups()).containsExactly(GROUP);
    assertThatThrownBy(() -> lists.keep(GROUP, List.of("X"), List.of()))
        .isInstanceOf(IOException.class);
    assertThat(fixture.list()).isSymbolicLink();
    assertThat(GroupContext.reason(new AccessDeniedException("SYS/LCF/CCG.lcf")))
        .isEqualTo("SYS/LCF/CCG.lcf: permission denied");
  }

  @Test
  void aListThatNoRecorderWroteIsNotReplaced() throws IOException {
    fixture.write("of kblog");
    ArchiveLists lists = new ArchiveLists(root);
    assertThat(lists.keep(OTHER, List.of("X"), List.of())).isFalse();
    assertThat(fixture.list()).hasContent("of kblog");
    Files.delete(fixture.list());
    assertThat(lists.keep(OTHER, List.of("X"), List.of())).isTrue();
    assertThat(lists.keep(OTHER, List.of("Y"), List.of())).isTrue();
    assertThat(fixture.list()).hasContent("Y\n");
  }

  @Test
  void aListIsTakenWhenItStaysTheSame() throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    fixture.pass(2 * SECOND);
    fixture.write("A");
    fixture.pass(SECOND);
    fixture.write("A", "B", "C");
    fixture.pass(SECOND);
    assertThat(fixture.source.names).containsExactly("A", "B");
    fixture.pass(SECOND);
    assertThat(fixture.source.names).containsExactly("A", "B", "C");
    assertThat(fixture.source.closed).isEmpty();
    fixture.write("A", "C");
    fixture.recorder().reload();
    fixture.turn();
    assertThat(fixture.source.closed).containsExactly(1);
  }

  @Test
  void anUnexpectedFaultHarmsItsGroupOnly() throws IOException {
    fixture.begin("A");
    addOther("X");
    fixture.connect("A", "X");
    fixture.source.value("A", 1);
    fixture.source.value("X", 1);
    fixture.files.writing =
        file -> {
          if (file.startsWith(root.resolve("VA"))) {
            throw new IllegalStateException("unexpected");
          }
        };
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().fault(GROUP)).contains("unexpected");
    assertThat(fixture.recorder().fault(OTHER)).isEmpty();
    assertThat(LoggedEvents.read(root, OTHER)).hasSize(2);
    fixture.files.writing = file -> {};
    fixture.source.value("A", 2);
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().fault(GROUP)).isEmpty();
    fixture.source.value("A", 3);
    fixture.source.value("X", 3);
    fixture.files.writing =
        file -> {
          throw new IllegalStateException("unexpected");
        };
    fixture.close();
    assertThat(fixture.counts.get(Count.WRITTEN) + fixture.counts.get(Count.LOST)).isEqualTo(4);
  }

  @Test
  void aPairThatAnotherProgramBeginsInTheSameSecondIsForeign() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(SECOND);
    fixture.files.creating =
        file -> {
          fixture.files.creating = ignored -> {};
          Files.writeString(file, "kblog");
        };
    fixture.recorder().rotate();
    fixture.pass(SECOND);
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().isRefused(GROUP)).isTrue();
  }

  /** A volume that is away leaves an empty directory. */
  @Test
  void anEmptyMountPointIsNoArchive() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    Path away = Files.move(root, directory.resolve("away"));
    Files.createDirectory(root);
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 1);
    for (int i = 0; i < 5; i++) {
      fixture.pass(2 * SECOND);
    }
    assertThat(root).isEmptyDirectory();
    assertThat(fixture.recorder().fault(GROUP)).isNotEmpty();
    Files.delete(root);
    Files.move(away, root);
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  @Test
  void anEmptyMountPointIsNoArchiveFromTheStart() throws IOException {
    Path list = Files.writeString(directory.resolve("names"), "A\n");
    Path away = directory.resolve("away");
    fixture.begin("A");
    fixture.close();
    Files.move(root, away);
    Files.createDirectory(root);
    RecorderFixture second = new RecorderFixture(root);
    second.begin(new ListFile(list)).connect("A");
    second.pass(2 * SECOND);
    assertThat(root).isEmptyDirectory();
    assertThat(second.recorder().fault(GROUP)).contains("is its volume mounted");
  }

  /** After a restart of a server of files, an open file may fail for ever. */
  @Test
  void aFileThatFailsForGoodIsGivenUp() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    String stale = LoggedEvents.logs(root, GROUP).get(0).toString();
    fixture.files.writing =
        file -> {
          if (file.toString().equals(stale)) {
            throw new IOException("Stale file handle");
          }
        };
    fixture.source.value("A", 1);
    for (int i = 0; i < 15; i++) {
      fixture.pass(SECOND);
      fixture.source.value("A", i);
    }
    fixture.pass(SECOND);
    assertThat(fixture.pairs()).isEqualTo(2);
    assertThat(fixture.recorder().fault(GROUP)).isEmpty();
    fixture.close();
    assertThat(fixture.lost()).isZero();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  /** What only memory had is in the next pair, before the milestone with the states after it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatMemoryHasOfALostPairIsInTheNextOne(boolean isDeleted) throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    fixture.source.value("B", 7);
    fixture.pass(2 * SECOND);
    fixture.pass(5 * SECOND);
    Path lost = LoggedEvents.logs(root, GROUP).get(0);
    int before = fixture.source.given.size();
    for (int i = 0; i < 10; i++) {
      fixture.source.value("A", i);
      fixture.clock.pass(SECOND / 100);
    }
    if (isDeleted) {
      Files.delete(lost);
    } else {
      Files.write(lost, new byte[0]);
    }
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().fault(GROUP)).contains("log is gone or shorter");
    fixture.source.value("A", 10);
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(fixture.lost()).isZero();
    assertThat(fixture.counts.get(Count.LOST)).isZero();
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(fixture.source.given.size());
    int size = fixture.source.given.size();
    assertThat(fixture.read()).isEqualTo(fixture.source.given.subList(before, size));
    PairLog log = pairs().get(pairs().size() - 1).open();
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    try (MilestoneReader milestones = MilestoneReader.open(log)) {
      milestones.read(log.milestones().offset(0), states, all());
      assertThat(states.hasValue(0) || states.hasValue(1)).isFalse();
      milestones.read(log.milestones().offset(1), states, all());
      assertThat(Double.longBitsToDouble(states.valueBits(0, 0))).isEqualTo(9);
      assertThat(Double.longBitsToDouble(states.valueBits(1, 0))).isEqualTo(7);
    }
  }

  private List<Pair> pairs() throws IOException {
    return Archive.open(root, ArchiveSettings.defaults()).pairs(GROUP);
  }

  private static BitSet all() {
    BitSet all = new BitSet();
    all.set(0, 2);
    return all;
  }

  /** As PV Access arrays do, whose servers announce no largest count. */
  @Test
  void anArrayThatGrowsWhileItWaitsNeedsOnePair() throws IOException {
    fixture.begin("A", "B").connect("A", "B").pass(61 * SECOND);
    for (int count = 2; count < 20; count++) {
      if (Integer.bitCount(count) == 1) {
        fixture.source.connect("A", ValueType.DOUBLE, count);
      }
      fixture.source.value("A", ValueType.DOUBLE, new byte[count * 8], 0, 0);
    }
    fixture.pass(122 * SECOND);
    assertThat(fixture.notices).isEmpty();
    assertThat(fixture.counts.get(Count.REFUSED)).isZero();
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(fixture.counts.get(Count.RECEIVED));
    assertThat(pairs()).hasSize(2);
  }

  /** Two servers of one name, one of which has another type. */
  @Test
  void aChannelWhoseTypeFlipsIsRefusedUntilItKeepsOne() throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    long most = 0;
    for (int i = 0; i < 300; i++) {
      ValueType type = i % 2 == 0 ? ValueType.LONG : ValueType.DOUBLE;
      fixture.source.disconnect("A");
      fixture.source.connect("A", type, 1);
      fixture.source.value("A", type, new byte[type.bytes()], 0, 0);
      fixture.source.value("B", i);
      fixture.pass(2 * SECOND);
      most = Math.max(most, fixture.recorder().states().get(0).waitingEvents());
    }
    assertThat(most).isLessThan(20);
    assertThat(fixture.notices).filteredOn(line -> line.contains("again and again")).hasSize(1);
    assertThat(fixture.counts.get(Count.REFUSED)).isGreaterThan(800);
    // The last value comes once, and the channel then keeps its type.
    fixture.source.value("A", ValueType.DOUBLE, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 0, 0);
    for (int i = 0; i < 5; i++) {
      fixture.pass(MINUTE);
    }
    List<String> read = fixture.read();
    assertThat(ofA(read)).last().asString().endsWith(" 2 0 0 0102030405060708");
    fixture.source.value("A", 3);
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(ofA(fixture.read())).last().isEqualTo(last(ofA(fixture.source.given)));
    assertThat(fixture.pairs()).isLessThan(8);
    GroupCounts counts = fixture.counts;
    assertThat(counts.get(Count.RECEIVED))
        .isEqualTo(counts.get(Count.WRITTEN) + counts.get(Count.REFUSED));
    assertThat(counts.get(Count.WRITTEN)).isEqualTo(fixture.read().size());
  }

  private static List<String> ofA(List<String> lines) {
    return lines.stream().filter(line -> line.startsWith("A ")).toList();
  }

  private static String last(List<String> lines) {
    return lines.get(lines.size() - 1);
  }

  @Test
  void whatTheNextPairCannotHaveIsLost() throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    fixture.pass(2 * MINUTE);
    fixture.source.value("A", 1);
    fixture.source.value("B", 2);
    fixture.source.disconnect("A");
    fixture.source.connect("A", ValueType.LONG, 1);
    Files.delete(LoggedEvents.logs(root, GROUP).get(0));
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    fixture.close();
    // The value of A has another type than the next pair.
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(1).isEqualTo(fixture.lost());
    assertThat(fixture.read()).hasSize(3);
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(5);
  }

  @Test
  void whatMemoryHasAtTheEndIsLostWithItsPair() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 1);
    Files.move(root, directory.resolve("away"));
    fixture.pass(2 * SECOND);
    assertThat(fixture.lost()).isZero();
    fixture.close();
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(1).isEqualTo(fixture.lost());
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(1);
  }

  @Test
  void aFullDiskIsWaitedFor() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    fixture.files.roomBytes = 5;
    for (int i = 0; i < 30; i++) {
      fixture.source.value("A", i);
      fixture.pass(SECOND);
    }
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(fixture.pairs()).isEqualTo(1);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  @Test
  void aChangeOfTypeDoesNotWaitForARestFromRotations() throws IOException {
    fixture.timing =
        new LogTiming(10 * MINUTE, SECOND / 10, SECOND, 50 * SECOND, MINUTE, 5 * SECOND);
    fixture.begin("A").connect("A");
    fixture.source.disconnect("A");
    fixture.source.connect("A", ValueType.LONG, 1);
    for (int i = 0; i < 70; i++) {
      fixture.pass(SECOND);
    }
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  @Test
  void aFaultLastsAsLongAsTheIndexCannotBeWritten() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(SECOND);
    fixture.files.writing =
        file -> {
          if (file.toString().endsWith("log1")) {
            throw new IOException("No space left on device");
          }
        };
    fixture.pass(10 * MINUTE);
    for (int i = 0; i < 5; i++) {
      fixture.pass(SECOND);
      assertThat(fixture.recorder().fault(GROUP)).contains("No space left");
    }
  }

  @Test
  void aFaultLastsAsLongAsNothingIsWritten() throws IOException {
    fixture.timing =
        new LogTiming(10 * MINUTE, 10 * SECOND, SECOND, 300 * MINUTE, MINUTE, 5 * SECOND);
    fixture.begin("A");
    fixture.source.connect("A", ValueType.DOUBLE, 20_000);
    fixture.turn();
    fixture.pass(10 * SECOND);
    fixture.files.roomBytes = 0;
    for (int i = 0; i < 8; i++) {
      fixture.source.value("A", ValueType.DOUBLE, new byte[160_000], 0, 0);
      fixture.pass(SECOND);
    }
    assertThat(fixture.notices).containsExactly("No space left on device");
  }

  @Test
  void aChannelThatIsTooLargeFromTheStartDoesNotHarmOthers() throws IOException {
    fixture.begin("A", "B");
    fixture.source.connect("A", ValueType.DOUBLE, 9 << 20);
    fixture.source.given.clear();
    fixture.connect("B");
    fixture.source.gone("A");
    fixture.turn();
    fixture.source.value("B", 1);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.counts.get(Count.REFUSED)).isEqualTo(1);
  }

  /** A waveform sends its present length, which may be one element. */
  @Test
  void valuesOfAChannelThatIsTooLargeAreRefusedAlsoIfTheyFit() throws IOException {
    fixture.begin("A", "B");
    fixture.source.connect("A", ValueType.DOUBLE, 9 << 20);
    fixture.source.value("A", 1);
    fixture.source.given.clear();
    fixture.connect("B");
    fixture.source.gone("A");
    fixture.turn();
    assertThat(fixture.recorder().states().get(0).connected()).isEqualTo(1);
    assertThat(fixture.notices).singleElement().asString().contains("64 MiB").contains("name=A");
    fixture.source.value("A", 2);
    fixture.pass(SECOND);
    assertThat(fixture.counts.get(Count.REFUSED)).isEqualTo(3);
    fixture.source.given.remove(fixture.source.given.size() - 1);
    fixture.source.connect("A", ValueType.DOUBLE, 1);
    fixture.source.value("A", 3);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.counts.get(Count.REFUSED)).isEqualTo(3);
  }

  /** PV Access announces a larger array without a disconnection. */
  @Test
  void aChannelThatGrowsTooLargeIsDisconnected() throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    fixture.source.value("A", 1);
    fixture.pass(SECOND);
    List<String> given = fixture.source.given;
    int end = given.size();
    fixture.source.connect("A", ValueType.DOUBLE, 9 << 20);
    fixture.source.value("A", 2);
    given.subList(end, given.size()).clear();
    fixture.pass(SECOND);
    fixture.source.gone("A");
    fixture.source.connect("A", ValueType.DOUBLE, 1);
    fixture.source.value("A", 3);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(given);
    assertThat(fixture.counts.get(Count.REFUSED)).isEqualTo(2);
  }

  @Test
  void aListThatFailsUnexpectedlyStaysAsItWas() throws IOException {
    fixture.write("A");
    boolean[] isAway = {false};
    ListFile file =
        new ListFile(
            fixture.list(),
            path -> {
              if (isAway[0]) {
                throw new IllegalStateException("archive is no directory");
              }
              return RecordList.read(path);
            });
    fixture.begin(file).connect("A");
    isAway[0] = true;
    fixture.recorder().reload();
    fixture.source.value("A", 1);
    fixture.turn();
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.notices).singleElement().asString().contains("stays as it was");
  }

  @Test
  void aLogHasRoomForManyEventsBesideItsMilestones() throws IOException {
    fixture.maxLogBytes = 1 << 20;
    fixture.begin("A", "B");
    fixture.source.connect("A", ValueType.DOUBLE, 70_000);
    fixture.connect("B");
    fixture.source.value("A", ValueType.DOUBLE, new byte[560_000], 0, 0);
    for (int i = 0; i < 50; i++) {
      fixture.source.value("B", i);
      fixture.turn();
    }
    fixture.close();
    assertThat(fixture.pairs()).isLessThanOrEqualTo(2);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  private Path otherLog() throws IOException {
    Path log = Files.createDirectories(root.resolve("VA")).resolve("CCG_20260101000000.log2");
    return Files.writeString(log, "kblog");
  }

  /** A size that a file system had in its cache may be late. */
  @Test
  void oneGrowthOfAnotherPairIsNoProgram() throws IOException {
    Path log = otherLog();
    fixture.begin("A").connect("A");
    Files.writeString(log, "more", StandardOpenOption.APPEND);
    for (int i = 0; i < 5; i++) {
      fixture.pass(SECOND);
    }
    assertThat(fixture.recorder().isRefused(GROUP)).isFalse();
    Files.writeString(log, "more", StandardOpenOption.APPEND);
    fixture.pass(SECOND);
    assertThat(fixture.recorder().isRefused(GROUP)).isTrue();
  }

  @Test
  void aRefusedGroupIsRecordedOnceTheOtherProgramHasEnded() throws IOException {
    Path log = otherLog();
    fixture.begin("A").connect("A");
    for (int i = 0; i < 3; i++) {
      Files.writeString(log, "more", StandardOpenOption.APPEND);
      fixture.pass(SECOND);
    }
    fixture.pass(SECOND);
    assertThat(fixture.source.closed).containsExactly(0);
    Files.writeString(log, "more", StandardOpenOption.APPEND);
    fixture.recorder().reload();
    fixture.pass(SECOND);
    fixture.pass(SECOND);
    assertThat(fixture.recorder().isRefused(GROUP)).isTrue();
    fixture.recorder().reload();
    fixture.pass(SECOND);
    fixture.pass(SECOND);
    assertThat(fixture.recorder().isRefused(GROUP)).isFalse();
    assertThat(fixture.source.names).containsExactly("A", "A");
    fixture.connect("A");
    fixture.close();
    Files.delete(log);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  @Test
  void aRefusedGroupIsRecordedOnceTheOtherProgramRestsForLong() throws IOException {
    Path log = otherLog();
    fixture.begin("A").connect("A");
    fixture.pass(SECOND);
    Path next = Files.writeString(log.resolveSibling("CCG_20270101000000.log2"), "kblog");
    long closed = ArchiveSettings.defaults().closedAfterNanos();
    fixture.pass(MINUTE);
    assertThat(fixture.recorder().isRefused(GROUP)).isTrue();
    Files.writeString(next, "more", StandardOpenOption.APPEND);
    fixture.pass(closed);
    assertThat(fixture.recorder().isRefused(GROUP)).isTrue();
    fixture.pass(closed - SECOND);
    assertThat(fixture.recorder().isRefused(GROUP)).isTrue();
    fixture.pass(SECOND);
    assertThat(fixture.recorder().isRefused(GROUP)).isFalse();
    fixture.close();
  }

  /** A power cut must not take the directory with what was synced. */
  @Test
  void namesAreSyncedUpToTheRootBeforeTheLog() throws IOException {
    fixture.sync = SyncPolicy.INTERVAL;
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    assertThat(fixture.files.steps)
        .filteredOn(step -> step.what().startsWith("force"))
        .extracting(step -> root.relativize(step.file()).toString().replaceAll("_\\d+", ""))
        .containsExactly("VA", "", "VA/CCG.log2", "VA/CCG.log1");
  }

  @Test
  void aChannelThatDoesNotComeBackIsGone() throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    fixture.source.value("B", 2.5);
    fixture.close();
    RecorderFixture second = new RecorderFixture(root, fixture.clock);
    second.begin("A", "B").connect("A");
    second.pass(5 * SECOND);
    second.pass(5 * SECOND);
    second.close();
    assertThat(second.read())
        .hasSize(5)
        .last()
        .isEqualTo(LoggedEvents.line("B", second.clock.wallNanos() - 5 * SECOND, 0, 3, 9, ""));
  }

  @Test
  void aChannelThatLeavesTheListIsGoneUntilItConnectsAgain() throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    fixture.source.value("B", 2.5);
    fixture.write("A");
    fixture.recorder().reload();
    fixture.turn();
    fixture.write("A", "B");
    fixture.recorder().reload();
    fixture.turn();
    fixture.pass(MINUTE);
    fixture.close();
    ByteBuffer second = ByteBuffer.wrap(Files.readAllBytes(LoggedEvents.logs(root, GROUP).get(1)));
    // The header, 28 bytes of A, which has no value, time and state of B.
    assertThat(second.getInt(44 + 4)).isNotZero();
    assertThat(second.get(44 + 12)).isZero();
  }

  @Test
  void aMissingRootIsNamed() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    Files.move(root, directory.resolve("away"));
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().fault(GROUP)).contains("is its volume mounted").contains("root=");
  }

  @Test
  void aFaultSaysMoreThanAPath() throws IOException {
    fixture.begin("A");
    fixture.files.creating =
        file -> {
          throw new AccessDeniedException(file.toString());
        };
    fixture.connect("A");
    assertThat(fixture.recorder().fault(GROUP)).contains("permission denied").contains("CCG_");
  }

  @Test
  void theListOfGroupsIsWrittenOnceItCan() throws IOException {
    fixture.begin("A");
    Files.createDirectory(root.resolve("SYS/KEKBLog.list"));
    fixture.connect("A");
    for (int i = 0; i < 5; i++) {
      fixture.pass(SECOND);
    }
    assertThat(fixture.notices).singleElement().asString().contains("could not be written");
    Files.delete(root.resolve("SYS/KEKBLog.list"));
    fixture.pass(SECOND);
    assertThat(root.resolve("SYS/KEKBLog.list")).hasContent("VA CCG\n");
  }

  /** Such as a file system over a network whose server locks nothing. */
  @Test
  void aFileSystemWithoutLocksIsRecordedTo() throws IOException {
    fixture.files.locking =
        file -> {
          throw new IOException("No locks available");
        };
    fixture.begin("A").connect("A");
    fixture.source.value("A", 1);
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.notices).singleElement().asString().contains("No locks available");
  }

  @Test
  void groupsOfOneNameDoNotReplaceTheirListsInTurn() throws IOException {
    Files.createDirectory(root.resolve("SYS"));
    ArchiveLists lists = new ArchiveLists(root);
    assertThat(lists.keep(GROUP, List.of("A"), List.of())).isTrue();
    assertThat(lists.keep(OTHER, List.of("X"), List.of())).isFalse();
    assertThat(lists.keep(GROUP, List.of("B"), List.of())).isTrue();
    assertThat(fixture.list()).hasContent("B\n");
  }

  /** NFS says with a close, or a sync, that it has no room for what it took before. */
  @Test
  void eventsOfALogThatCannotBeClosedAreCountedAsLost() throws IOException {
    fixture.begin("A").connect("A");
    fixture.source.value("A", 1);
    fixture.pass(2 * SECOND);
    fixture.files.closing =
        file -> {
          if (file.toString().endsWith(".log2")) {
            throw new IOException("Disk quota exceeded");
          }
        };
    fixture.recorder().rotate();
    fixture.pass(2 * SECOND);
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(2).isEqualTo(fixture.lost());
    fixture.files.closing = file -> {};
    fixture.source.value("A", 2);
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().fault(GROUP)).isEmpty();
    fixture.close();
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(1);
    assertThat(fixture.pairs()).isEqualTo(2);
  }

  @Test
  void whatWasWrittenBeforeAFailedWriteIsSyncedOnce() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 1);
    fixture.files.roomBytes = 0;
    fixture.pass(2 * SECOND);
    assertThat(fixture.files.what(".log2")).doesNotContain("force log2");
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 2);
    fixture.pass(2 * SECOND);
    assertThat(fixture.files.what(".log2")).containsOnlyOnce("force log2");
    fixture.source.value("A", 3);
    fixture.files.roomBytes = 0;
    fixture.pass(2 * SECOND);
    fixture.files.roomBytes = Long.MAX_VALUE;
    fixture.files.failsToSync = true;
    fixture.pass(2 * SECOND);
    fixture.files.failsToSync = false;
    fixture.pass(2 * SECOND);
    fixture.close();
    assertThat(fixture.pairs()).isEqualTo(2);
    // Those after the first sync.
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(2);
  }

  @Test
  void aDiskThatDoesNotSyncHasOnePairAMinute() throws IOException {
    fixture.sync = SyncPolicy.INTERVAL;
    fixture.begin("A").connect("A");
    fixture.files.failsToSync = true;
    for (int i = 0; i < 300; i++) {
      fixture.source.value("A", i);
      fixture.pass(SECOND);
    }
    assertThat(fixture.pairs()).isBetween(5, 8);
    fixture.files.failsToSync = false;
    for (int i = 0; i < 70; i++) {
      fixture.pass(SECOND);
    }
    assertThat(fixture.recorder().fault(GROUP)).isEmpty();
    fixture.close();
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(fixture.lost()).isLessThan(20);
  }

  @Test
  void theEndHasFewPairs() throws IOException {
    fixture.begin("A").connect("A");
    for (int i = 0; i < 200; i++) {
      fixture.source.connect("A", i % 2 == 0 ? ValueType.LONG : ValueType.DOUBLE, 1);
    }
    fixture.close();
    assertThat(fixture.pairs()).isLessThan(8);
    long written = fixture.read().size();
    // One more says that the channel is disconnected.
    assertThat(fixture.counts.get(Count.REFUSED)).isEqualTo(202 - written);
    assertThat(fixture.gaps).isEmpty();
  }
}
