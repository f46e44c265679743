package org.kblake.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.simulate.preset.SimulatedGroup;

class SimulationTest {

  private static final Group CCG = Group.parse("VA/CCG");

  @TempDir Path directory;

  @Test
  void everyGroupOfTheListHasPairsNamedAfterTheirBeginning() throws Exception {
    simulate(demo().days(0.5));

    Archive archive = Archive.open(directory, ArchiveSettings.defaults());

    assertThat(archive.groups())
        .map(Group::toString)
        .containsExactly("BM/DCCT", "VA/CCG", "RF/AnalogData", "Misc/Base");
    for (Group group : archive.groups()) {
      List<Pair> pairs = archive.pairs(group);
      assertThat(pairs.get(0).stamp()).isEqualTo("20240520000000");
      for (Pair pair : pairs) {
        LogWalk walk = new LogWalk(pair.logPath());
        assertThat(walk.next()).isTrue();
        assertThat(walk.milestone()).isTrue();
        assertThat(walk.nanos() - pair.beginNanos()).isBetween(0L, 2_000_000L);
      }
    }
  }

  @Test
  void lcfNamesTheRecordsOfTheGroup() throws Exception {
    simulate(demo().days(0.01));

    assertThat(Files.readAllLines(directory.resolve("SYS/LCF/CCG.lcf")))
        .hasSize(72)
        .contains("VALCCG:D01_L01A:PRES # pressure LER");
  }

  @Test
  void filesHaveTheSimulatedTimeSoThatPairsCountAsClosed() throws Exception {
    simulate(demo().days(0.01));

    Instant end = Instant.parse("2024-05-19T15:14:24Z");
    for (Path log : LogWalk.logs(directory)) {
      assertThat(Files.getLastModifiedTime(log).toInstant()).isEqualTo(end);
    }
  }

  @Test
  void milestonesAreAtTheirIntervalFromThePairsBeginning() throws Exception {
    SimulationSummary summary = simulate(demo().days(0.1).groups(Set.of(CCG)));

    List<Long> times = new ArrayList<>();
    LogWalk walk = new LogWalk(LogWalk.logs(directory).get(0));
    while (walk.next()) {
      if (walk.milestone()) {
        times.add(walk.nanos());
      }
    }

    assertThat(times).hasSize((int) summary.milestones()).hasSize(15);
    for (int i = 1; i < times.size(); i++) {
      assertThat((times.get(i) - times.get(i - 1)) / 1e9).isBetween(599.9, 600.1);
    }
  }

  /** A pair that follows another at once has all states. After a pause kblog has none. */
  @Test
  void onlyPairsAfterAPauseBeginWithoutStates() throws Exception {
    simulate(demo().groups(Set.of(CCG)));

    List<Boolean> fresh = new ArrayList<>();
    List<Boolean> knowing = new ArrayList<>();
    long lastNanos = 0;
    for (Path log : LogWalk.logs(directory)) {
      LogWalk walk = new LogWalk(log);
      walk.next();
      fresh.add(walk.nanos() - lastNanos > TimeUnit.MINUTES.toNanos(20));
      knowing.add(walk.length() > 16 + 72 * 28);
      while (walk.next()) {
        lastNanos = Math.max(lastNanos, walk.nanos());
      }
    }

    assertThat(fresh).contains(true, false);
    for (int i = 0; i < fresh.size(); i++) {
      assertThat(knowing.get(i)).isEqualTo(!fresh.get(i));
    }
  }

  @Test
  void stationsDisconnectAndReturnWithAValue() throws Exception {
    simulate(demo().groups(Set.of(CCG)));

    TreeMap<Integer, EventState> states = new TreeMap<>();
    int reconnected = 0;
    for (Path log : LogWalk.logs(directory)) {
      LogWalk walk = new LogWalk(log);
      states.clear();
      while (walk.next()) {
        if (!walk.milestone()) {
          EventState state = EventState.of(walk.state());
          EventState before = states.put(walk.id(), state);
          if (before == EventState.DISCONNECTED) {
            assertThat(state).isEqualTo(EventState.CONNECTED);
            reconnected++;
          }
          if (before == EventState.CONNECTED) {
            assertThat(state).isEqualTo(EventState.VALUE);
          }
        }
      }
    }

    assertThat(reconnected).isPositive();
  }

  /**
   * Disorder takes time and space in readers and columns, so a simulated log must have a little of
   * it.
   */
  @Test
  void logOrderIsTheOrderOfArrivalWithAFewEventsLate() throws Exception {
    simulate(SimulationSettings.of(Preset.RF_YEAR, directory).days(0.02));

    long latest = 0;
    int late = 0;
    int events = 0;
    LogWalk walk = new LogWalk(LogWalk.logs(directory).get(0));
    while (walk.next()) {
      late += walk.nanos() < latest ? 1 : 0;
      assertThat(latest - walk.nanos()).isLessThan(TimeUnit.SECONDS.toNanos(1));
      latest = Math.max(latest, walk.nanos());
      events++;
    }

    assertThat((double) late / events).isBetween(0.001, 0.03);
  }

  /** The least significant digits of a time must be as random as those of a clock. */
  @Test
  void timesHaveTheEntropyOfNanoseconds() throws Exception {
    simulate(demo().days(0.05).groups(Set.of(CCG)));

    Set<Long> remainders = new HashSet<>();
    LogWalk walk = new LogWalk(LogWalk.logs(directory).get(0));
    while (walk.next()) {
      remainders.add(walk.nanos() % 1000);
    }

    assertThat(remainders).hasSize(1000);
  }

  @Test
  void aGroupHasTheSameBytesAloneAndAmongOthers() throws Exception {
    Path whole = directory.resolve("whole");
    Path alone = directory.resolve("alone");
    Simulation.run(SimulationSettings.of(Preset.DEMO, whole).days(0.02), SimulationListener.NONE);
    Simulation.run(
        SimulationSettings.of(Preset.DEMO, alone).days(0.02).groups(Set.of(CCG)),
        SimulationListener.NONE);

    List<Path> logs = LogWalk.logs(alone);
    assertThat(logs).hasSize(1);
    assertThat(whole.resolve(alone.relativize(logs.get(0)))).hasSameBinaryContentAs(logs.get(0));
  }

  @Test
  void anotherSeedGivesAnotherArchive() throws Exception {
    simulate(demo().days(0.01).groups(Set.of(CCG)));
    Path other = directory.resolve("other");
    Simulation.run(
        SimulationSettings.of(Preset.DEMO, other).seed(2).days(0.01).groups(Set.of(CCG)),
        SimulationListener.NONE);

    assertThat(LogWalk.logs(other).get(0))
        .content(StandardCharsets.ISO_8859_1)
        .isNotEqualTo(
            Files.readString(LogWalk.logs(directory).get(0), StandardCharsets.ISO_8859_1));
  }

  @ParameterizedTest
  @EnumSource(Preset.class)
  void namesOfAGroupDiffer(Preset preset) {
    for (SimulatedGroup plan : preset.groups(1.5)) {
      assertThat(plan.channels()).map(SimulatedGroup.PlannedChannel::name).doesNotHaveDuplicates();
      for (SimulatedGroup.PlannedChannel channel : plan.channels()) {
        assertThat(channel.name()).matches("[A-Z][A-Z0-9_]*(:[A-Z0-9_]+)+");
      }
    }
  }

  @Test
  void aRootThatIsNotEmptyIsRefused() throws IOException {
    Files.createFile(directory.resolve("something"));

    assertThatThrownBy(() -> simulate(demo()))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(directory + ": is not empty: name an empty or new directory");
    assertThat(directory).isDirectoryContaining("glob:**something");
  }

  @Test
  void anInterruptStopsIt() {
    assertThatThrownBy(
            () ->
                Simulation.run(
                    demo(), (group, bytes, expected) -> Thread.currentThread().interrupt()))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void progressGrowsToAboutTheEstimate() throws Exception {
    List<Long> seen = new ArrayList<>();
    List<Long> expectations = new ArrayList<>();
    Simulation.run(
        demo().days(0.1),
        (group, bytes, expected) -> {
          seen.add(bytes);
          expectations.add(expected);
        });

    assertThat(seen).isSorted();
    assertThat((double) seen.get(seen.size() - 1) / expectations.get(0)).isBetween(0.9, 1.1);
  }

  @Test
  void settingsOutOfRangeAreNamedWithTheReason() {
    assertThatThrownBy(() -> demo().scale(0)).hasMessage("scale must be between 0 and 1000: 0.0");
    assertThatThrownBy(() -> demo().length(Duration.ZERO))
        .hasMessage("length must be at least a second: PT0S");
    assertThatThrownBy(() -> demo().start(Instant.EPOCH))
        .hasMessageContaining("time must be between 1990 and 2100");
    assertThatThrownBy(() -> demo().groups(Set.of(Group.parse("VA/None"))))
        .hasMessage("preset demo has no such group: [VA/None]");
  }

  private SimulationSettings demo() {
    return SimulationSettings.of(Preset.DEMO, directory);
  }

  private static SimulationSummary simulate(SimulationSettings settings) throws Exception {
    return Simulation.run(settings, SimulationListener.NONE);
  }
}
