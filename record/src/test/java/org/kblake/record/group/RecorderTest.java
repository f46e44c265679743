package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.record.group.RecorderFixture.GROUP;
import static org.kblake.record.group.RecorderFixture.MINUTE;
import static org.kblake.record.group.SetClock.SECOND;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.SyncPolicy;

/** When pairs and milestones begin, and what is written in which order. */
final class RecorderTest {

  @TempDir Path root;
  private RecorderFixture fixture;

  @BeforeEach
  void make() {
    fixture = new RecorderFixture(root);
  }

  private int milestones() throws IOException {
    Path log = LoggedEvents.logs(root, GROUP).get(0);
    Path index = Path.of(log.toString().replaceAll("log2$", "log1"));
    byte[] bytes = Files.readAllBytes(index);
    return (bytes.length - ByteBuffer.wrap(bytes).getInt(12)) / 16;
  }

  @Test
  void theFirstPairHasTheTypesOfTheFirstConnections() throws IOException {
    fixture.begin("A", "B");
    fixture.source.connect("A", ValueType.SHORT, 1);
    fixture.source.value("A", ValueType.SHORT, new byte[] {1, 2}, 0, 0);
    fixture.turn();
    assertThat(fixture.pairs()).isZero();
    fixture.source.connect("B", ValueType.ENUM, 1);
    fixture.turn();
    fixture.pass(SECOND);
    assertThat(fixture.pairs()).isEqualTo(1);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  @Test
  void aChannelThatNeverConnectsDoesNotDelayOthersForLong() throws IOException {
    fixture.begin("A", "B").connect("A");
    fixture.source.value("A", 1);
    fixture.pass(4 * SECOND);
    assertThat(fixture.pairs()).isZero();
    fixture.pass(SECOND);
    fixture.source.gone("B");
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.recorder().neverConnected(GROUP)).containsExactly("B");
  }

  @Test
  void aPairHasMilestonesWhileNothingHappens() throws IOException {
    fixture.begin("A").connect("A");
    for (int i = 0; i < 60; i++) {
      fixture.pass(MINUTE);
    }
    fixture.pass(SECOND);
    assertThat(milestones()).isEqualTo(7);
  }

  @Test
  void eventsAreWrittenAtTheFlushInterval() throws IOException {
    fixture.begin("A").connect("A");
    fixture.source.value("A", 0);
    fixture.pass(SECOND);
    fixture.source.value("A", 1);
    fixture.pass(SECOND / 100);
    assertThat(fixture.read()).hasSize(2);
    fixture.pass(SECOND / 10);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  /** A milestone's entry must not be on the disk before the milestone is. */
  @Test
  void theLogIsSyncedBeforeTheIndex() throws IOException {
    fixture.sync = SyncPolicy.INTERVAL;
    fixture.begin("A").connect("A");
    fixture.pass(2 * SECOND);
    assertThat(fixture.files.what("log1", "log2"))
        .containsExactly(
            "create log1",
            "create log2",
            "write log1",
            "write log2",
            "force log2",
            "write log1",
            "force log1");
    fixture.source.value("A", 1);
    fixture.pass(SECOND / 2);
    assertThat(fixture.files.what("log1", "log2")).hasSize(8).endsWith("write log2");
    fixture.pass(SECOND / 2);
    assertThat(fixture.files.what("log1", "log2")).endsWith("force log2", "force log1");
  }

  @Test
  void eachTurnIsSyncedIfThePolicySaysSo() throws IOException {
    fixture.sync = SyncPolicy.EVENT;
    fixture.begin("A").connect("A");
    fixture.source.value("A", 1);
    fixture.turn();
    assertThat(fixture.files.what("log2")).endsWith("write log2", "force log2");
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  @Test
  void aNewPairBeginsBeforeTheLogIsTooLarge() throws IOException {
    fixture.maxLogBytes = 2000;
    fixture.begin("A", "B").connect("A", "B");
    for (int i = 0; i < 500; i++) {
      fixture.source.value(i % 2 == 0 ? "A" : "B", i);
      fixture.pass(SECOND);
    }
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    for (Path log : LoggedEvents.logs(root, GROUP)) {
      assertThat(Files.size(log)).isLessThanOrEqualTo(2000);
    }
    // 500 events of 28 bytes: most of each log must be events.
    assertThat(fixture.pairs()).isBetween(8, 10);
  }

  @Test
  void aNewPairBeginsOnRequestAndAfterADay() throws IOException {
    fixture.timing = new LogTiming(10 * MINUTE, 0, 0, 24 * 60 * MINUTE, MINUTE, 5 * SECOND);
    fixture.begin("A").connect("A");
    fixture.source.value("A", 1);
    fixture.recorder().rotate();
    fixture.pass(SECOND);
    fixture.source.value("A", 2);
    fixture.turn();
    assertThat(fixture.pairs()).isEqualTo(2);
    for (int i = 0; i < 25; i++) {
      fixture.pass(60 * MINUTE);
    }
    assertThat(fixture.pairs()).isEqualTo(3);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  /** A reader of the new pair alone must know what an unchanged channel has. */
  @Test
  void theFirstMilestoneOfANewPairHasTheStatesOfTheLast() throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    fixture.source.value("A", 1.5);
    fixture.source.value("B", 2.5);
    fixture.source.disconnect("B");
    fixture.write("C", "B", "A");
    fixture.pass(SECOND);
    fixture.pass(MINUTE);
    fixture.close();
    assertThat(fixture.pairs()).isEqualTo(2);
    ByteBuffer milestone =
        ByteBuffer.wrap(Files.readAllBytes(LoggedEvents.logs(root, GROUP).get(1)));
    // Header, 28 bytes and no value of C, 28 bytes and a double of B, the same of A.
    assertThat(milestone.get(16 + 12)).isZero();
    assertThat(milestone.getInt(16 + 24)).isZero();
    assertThat(milestone.get(44 + 12)).isZero();
    assertThat(milestone.getDouble(44 + 28)).isEqualTo(2.5);
    assertThat(milestone.get(80 + 12)).isEqualTo((byte) 2);
    assertThat(milestone.getDouble(80 + 28)).isEqualTo(1.5);
  }

  @Test
  void aPairOfAnotherProcessIsNeverTouched() throws IOException {
    fixture.begin("A").connect("A");
    fixture.source.value("A", 1);
    fixture.close();
    Path first = LoggedEvents.logs(root, GROUP).get(0);
    byte[] before = Files.readAllBytes(first);
    RecorderFixture second = new RecorderFixture(root, fixture.clock);
    second.begin();
    second.connect("A");
    second.source.value("A", 2);
    second.close();
    assertThat(first).hasBinaryContent(before);
    assertThat(second.pairs()).isEqualTo(2);
    fixture.source.given.addAll(second.source.given);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  /** A channel that is away keeps the type that it had, so that its return needs no new pair. */
  @Test
  void typesOfTheLastPairAreAssumed() throws IOException {
    fixture.begin("A");
    fixture.source.connect("A", ValueType.SHORT, 7);
    fixture.turn();
    fixture.close();
    RecorderFixture second = new RecorderFixture(root, fixture.clock);
    second.begin("A", "B");
    second.pass(6 * SECOND);
    second.source.gone("A");
    second.source.gone("B");
    second.source.connect("A", ValueType.SHORT, 7);
    second.source.value("A", ValueType.SHORT, new byte[] {1, 2}, 0, 0);
    second.pass(2 * SECOND);
    assertThat(second.pairs()).isEqualTo(2);
    fixture.source.given.addAll(second.source.given);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    second.close();
  }

  /** Names order the pairs, so a clock that was set back must not begin an earlier one. */
  @Test
  void pairsStayInOrderIfTheClockIsSetBack() throws IOException {
    fixture.begin("A").connect("A");
    for (int i = 0; i < 5; i++) {
      fixture.source.value("A", i);
      fixture.recorder().rotate();
      fixture.clock.set(-1000 * MINUTE);
      fixture.pass(SECOND);
    }
    fixture.close();
    assertThat(fixture.pairs()).isEqualTo(6);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  /** The next milestone must not end the segment before the times that it has. */
  @Test
  void eventsAreNoStraysIfTheClockIsSetBackToTheMilestone() throws IOException {
    fixture.timing = new LogTiming(60 * MINUTE, 0, 0, 300 * MINUTE, MINUTE, 5 * SECOND);
    fixture.begin("A").connect("A");
    fixture.pass(50 * MINUTE);
    fixture.source.value("A", 1);
    fixture.turn();
    fixture.clock.set(-50 * MINUTE);
    fixture.source.value("A", 2);
    fixture.pass(10 * MINUTE);
    fixture.pass(SECOND);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  /** Before its clock is set, a machine may believe that it is 1970. */
  @Test
  void aTimeThatALogCannotHaveBecomesTheNearest() throws IOException {
    fixture.clock.set(-SetClock.BEGIN_NANOS);
    fixture.begin("A").connect("A");
    fixture.source.value("A", 1);
    fixture.pass(SECOND);
    fixture.clock.set(SetClock.BEGIN_NANOS);
    fixture.source.value("A", 2);
    fixture.pass(SECOND);
    fixture.close();
    List<String> read = fixture.read();
    assertThat(read.get(1)).startsWith("A 631152000000000001 2");
    assertThat(read.get(2)).isEqualTo(fixture.source.given.get(2));
  }

  /** CA servers may send more elements than they announced, at each connection again. */
  @Test
  void aServerThatSendsMoreThanItAnnouncesNeedsOneNewPair() throws IOException {
    fixture.begin("A");
    for (int i = 0; i < 3; i++) {
      fixture.source.connect("A", ValueType.DOUBLE, 5);
      fixture.source.value("A", ValueType.DOUBLE, new byte[40], 0, 0);
      fixture.pass(2 * MINUTE);
      fixture.source.value("A", ValueType.DOUBLE, new byte[56], 0, 0);
      fixture.pass(2 * MINUTE);
      fixture.source.disconnect("A");
      fixture.pass(2 * MINUTE);
    }
    assertThat(fixture.pairs()).isEqualTo(2);
    fixture.close();
    RecorderFixture second = new RecorderFixture(root, fixture.clock);
    second.begin();
    second.source.connect("A", ValueType.DOUBLE, 5);
    second.source.value("A", ValueType.DOUBLE, new byte[56], 0, 0);
    second.pass(2 * MINUTE);
    assertThat(second.pairs()).isEqualTo(3);
    second.source.connect("A", ValueType.DOUBLE, 1);
    second.pass(2 * MINUTE);
    assertThat(second.pairs()).isEqualTo(4);
    second.close();
    fixture.source.given.addAll(second.source.given);
    assertThat(second.read()).isEqualTo(fixture.source.given);
  }

  @Test
  void aChangeOfTypeBeginsOneNewPairAMinute() throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    fixture.source.disconnect("A");
    fixture.source.connect("A", ValueType.LONG, 2);
    fixture.source.value("A", ValueType.LONG, new byte[] {0, 0, 0, 1, 0, 0, 0, 2}, 0, 0);
    fixture.source.connect("A", ValueType.CHAR, 1);
    fixture.source.value("A", ValueType.CHAR, new byte[] {7}, 0, 0);
    fixture.source.value("B", 3);
    fixture.pass(30 * SECOND);
    assertThat(fixture.pairs()).isEqualTo(1);
    // The other channel is not delayed.
    assertThat(fixture.read()).hasSize(4).last().isEqualTo(fixture.source.given.get(7));
    fixture.pass(30 * SECOND);
    fixture.pass(SECOND);
    assertThat(fixture.pairs()).isEqualTo(2);
    assertThat(fixture.read()).hasSize(6);
    fixture.pass(60 * SECOND);
    fixture.close();
    assertThat(fixture.pairs()).isEqualTo(3);
    assertThat(fixture.read()).containsExactlyInAnyOrderElementsOf(fixture.source.given);
    assertThat(fixture.gaps).isEmpty();
  }

  @Test
  void aChangedListBeginsANewPairAndKeepsOtherChannels() throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    fixture.source.value("A", 1);
    fixture.pass(SECOND);
    fixture.write("C", "A");
    fixture.pass(SECOND);
    fixture.pass(SECOND);
    assertThat(fixture.source.closed).containsExactly(1);
    assertThat(fixture.source.names).containsExactly("A", "B", "C");
    fixture.source.gone("B");
    fixture.source.value("A", 2);
    fixture.source.connect("C", ValueType.DOUBLE, 1);
    fixture.source.value("C", 3);
    fixture.pass(60 * SECOND);
    fixture.source.value("A", 4);
    fixture.close();
    assertThat(fixture.pairs()).isEqualTo(2);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.list()).hasContent("C\nA\n");
  }

  @Test
  void aListThatBecomesUnreadableChangesNothing() throws IOException {
    fixture.begin("A").connect("A");
    Files.delete(fixture.list());
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    Files.writeString(fixture.list(), "");
    fixture.pass(2 * SECOND);
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 1);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.notices).hasSize(2).last().asString().contains("has no name");
  }

  @Test
  void theGroupIsAddedToTheListOfGroups() throws IOException {
    Files.createDirectories(root.resolve("SYS"));
    Files.writeString(root.resolve("SYS/KEKBLog.list"), "BM DCCT");
    fixture.begin("A").connect("A").close();
    assertThat(root.resolve("SYS/KEKBLog.list")).hasContent("BM DCCT\nVA CCG\n");
  }

  @Test
  void namesFromAnotherFileAreWrittenIntoTheArchive(@TempDir Path elsewhere) throws IOException {
    Path names = Files.writeString(elsewhere.resolve("names"), "A comment\nB\nA\n");
    Files.createDirectory(root.resolve("SYS"));
    new ArchiveLists(root).keep(GROUP, RecordList.read(names).names(), List.of(names));
    assertThat(fixture.list()).hasContent("A\nB\n");
  }

  @Test
  void aSecondRecorderIsRefused() throws IOException {
    fixture.begin("A").connect("A");
    RecorderFixture second = new RecorderFixture(root, fixture.clock);
    second.begin();
    second.turn();
    assertThat(second.recorder().isRefused(GROUP)).isTrue();
    assertThat(second.notices).singleElement().asString().contains("has locked it");
    fixture.source.value("A", 1);
    fixture.close();
    second.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
  }

  /** kblog has no lock: it is found by what it writes. */
  @Test
  void aGroupThatAnotherProgramLetsGrowLaterIsRefusedThen() throws IOException {
    Path log = Files.createDirectories(root.resolve("VA")).resolve("CCG_20260101000000.log2");
    Files.writeString(log, "kblog writes");
    fixture.begin("A").connect("A");
    fixture.source.value("A", 1);
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().isRefused(GROUP)).isFalse();
    Files.writeString(log, "kblog writes more");
    fixture.pass(2 * SECOND);
    Files.writeString(log, "kblog writes more and more");
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().isRefused(GROUP)).isTrue();
    Files.delete(log);
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    fixture.pass(2 * SECOND);
    assertThat(fixture.source.closed).containsExactly(0);
    fixture.close();
  }

  @Test
  void aPairThatAnotherProgramBeginsEndsTheRecording() throws IOException {
    fixture.begin("A").connect("A");
    fixture.pass(MINUTE);
    Files.writeString(root.resolve("VA/CCG_20270101000000.log2"), "kblog writes");
    fixture.pass(MINUTE);
    assertThat(fixture.recorder().isRefused(GROUP)).isTrue();
    assertThat(fixture.notices.get(0)).contains("began the pair 20270101000000");
  }

  @Test
  void aListWithTooLargeMilestonesChangesNothing() throws IOException {
    fixture.begin("B");
    fixture.source.connect("B", ValueType.DOUBLE, 5 << 20);
    fixture.turn();
    fixture.close();
    RecorderFixture second = new RecorderFixture(root, fixture.clock);
    second.begin("A");
    second.source.connect("A", ValueType.DOUBLE, 5 << 20);
    second.turn();
    // The last pair has the type of B.
    second.write("A", "B");
    second.recorder().reload();
    second.turn();
    assertThat(second.notices).singleElement().asString().contains("divide the group");
    assertThat(second.source.names).containsExactly("A");
    second.close();
  }

  @Test
  void aChannelThatBecomesTooLargeDoesNotHarmOthers() throws IOException {
    fixture.begin("A", "B").connect("A", "B");
    List<String> given = fixture.source.given;
    fixture.source.disconnect("A");
    int begin = given.size();
    fixture.source.connect("A", ValueType.DOUBLE, 9 << 20);
    given.remove(begin);
    fixture.source.value("B", 1);
    fixture.pass(2 * MINUTE);
    fixture.source.connect("A", ValueType.DOUBLE, 1);
    fixture.source.value("A", 2);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(given);
    assertThat(fixture.counts.get(Count.REFUSED)).isEqualTo(1);
    assertThat(fixture.pairs()).isEqualTo(1);
  }

  /** The heap must hold the values of all groups. */
  @Test
  void milestonesOfAllGroupsHaveABound() throws IOException {
    fixture.milestones = new MilestoneMemory(10_000);
    fixture.begin("A", "B").connect("A", "B");
    fixture.source.connect("A", ValueType.DOUBLE, 1000);
    fixture.pass(SECOND);
    Group other = new Group("RF", "CCG");
    ListFile list = new ListFile(fixture.list());
    GroupCounts counts = fixture.recorder().add(other, list);
    fixture.source.connect("A", ValueType.DOUBLE, 1000);
    fixture.turn();
    fixture.pass(2 * MINUTE);
    assertThat(counts.get(Count.REFUSED)).isEqualTo(1);
    assertThat(fixture.counts.get(Count.REFUSED)).isZero();
    assertThat(fixture.notices).filteredOn(line -> line.contains("eighth of the heap")).hasSize(1);
    fixture.recorder().remove(GROUP);
    fixture.pass(MINUTE);
    fixture.pass(MINUTE);
    assertThat(fixture.recorder().isRecorded(GROUP)).isFalse();
    fixture.source.connect("A", ValueType.DOUBLE, 1000);
    fixture.pass(2 * MINUTE);
    assertThat(counts.get(Count.REFUSED)).isEqualTo(1);
    assertThat(counts.get(Count.WRITTEN)).isPositive();
    assertThatThrownBy(() -> fixture.recorder().add(GROUP, list))
        .hasMessageContaining("eighth of the heap");
  }

  @Test
  void aNameThatNoServerCanHaveDoesNotHarmOthers() throws IOException {
    fixture.begin("A", "impossible").connect("A");
    fixture.source.value("A", 1);
    fixture.close();
    assertThat(fixture.read()).isEqualTo(fixture.source.given);
    assertThat(fixture.notices).containsExactly("name is left out: name=impossible, no server");
    assertThat(fixture.list()).hasContent("A\nimpossible\n");
  }

  @Test
  void namesAreReadUpToTheFirstBlankAndOnce() {
    RecordList list =
        RecordList.of(
            List.of("A 10 s", "", " B", "A", "C\tx", "h\u00e9", " \t", "D\u0001E", "\u001b[2J"),
            "names.lcf");
    assertThat(new TreeSet<>(list.names())).containsExactly("A", "C");
    assertThat(list.problems())
        .containsExactly(
            "line begins with a blank, it is left out: file=names.lcf, line=3",
            "name occurs twice, it is left out: file=names.lcf, line=4, name=A",
            "name is not ASCII, it is left out: file=names.lcf, line=6, name=h\u00e9",
            "name has a control character, it is left out: file=names.lcf, line=8, name=D?E",
            "name has a control character, it is left out: file=names.lcf, line=9, name=?[2J");
  }

  @Test
  void aListWithoutNamesIsNotRecorded() {
    assertThatThrownBy(() -> fixture.begin("")).hasMessageContaining("record list has no name");
    assertThatThrownBy(() -> fixture.begin(" A"))
        .hasMessageContaining("record list has no name")
        .hasMessageContaining("line begins with a blank");
  }

  /** A log of 65,535 bytes a line helps nobody. */
  @Test
  void aLongNameIsCutInMessages() {
    RecordList list = RecordList.of(List.of("A".repeat(70_000)), "names.lcf");
    assertThat(list.problems()).singleElement().asString().hasSizeLessThan(1000);
  }

  @Test
  void aListThatIsADirectoryIsNamed() throws IOException {
    Files.createDirectories(fixture.list());
    assertThatThrownBy(fixture::begin).hasMessageContaining("CCG.lcf");
  }
}
