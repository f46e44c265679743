package org.kblake.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LiveSimulationTest {

  private static final Instant NOW = Instant.parse("2024-05-20T01:02:03Z");
  private static final Duration HISTORY = Duration.ofMinutes(51);

  @TempDir private Path directory;

  /** A clock that goes on by an odd time whenever it is read. */
  private static class SteppingClock extends Clock {

    private final Duration step;
    private final Runnable atStep;
    private Instant now = NOW;

    SteppingClock(Duration step, Runnable atStep) {
      this.step = step;
      this.atStep = atStep;
    }

    @Override
    public Instant instant() {
      atStep.run();
      now = now.plus(step);
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private SimulationSettings settings(String root, Duration growth) {
    return SimulationSettings.of(Preset.DEMO, directory.resolve(root))
        .start(NOW.minus(HISTORY))
        .scale(0.3)
        .length(HISTORY.plus(growth));
  }

  private static LiveSimulation simulation(SimulationSettings settings, Clock clock) {
    return new LiveSimulation(
        settings, HISTORY, clock, Duration.ZERO, SimulationListener.NONE, () -> {});
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).map(root::relativize).sorted().toList();
    }
  }

  /** Pairs begin, milestones are written, and the archiver pauses within these ten hours. */
  @Test
  void grownArchiveHasTheBytesOfOneWrittenAtOnce() throws Exception {
    Duration growth = Duration.ofHours(10).plusSeconds(7);
    LiveSimulation simulation =
        simulation(
            settings("live", growth), new SteppingClock(Duration.ofMillis(13_700), () -> {}));
    simulation.run();
    SimulationSummary atOnce = Simulation.run(settings("once", growth), SimulationListener.NONE);

    assertThat(simulation.summary()).isEqualTo(atOnce);
    assertThat(simulation.until()).isEqualTo(NOW.plus(growth));
    Path live = directory.resolve("live");
    Path once = directory.resolve("once");
    assertThat(files(live)).isEqualTo(files(once)).hasSizeGreaterThan(12);
    for (Path file : files(once)) {
      assertThat(live.resolve(file)).hasSameBinaryContentAs(once.resolve(file));
      assertThat(Files.getLastModifiedTime(live.resolve(file)))
          .isEqualTo(Files.getLastModifiedTime(once.resolve(file)));
    }
  }

  @Test
  void archiveHasTheEventsUntilNowInWholeAtEachStep() throws Exception {
    SimulationSettings settings = settings("live", Duration.ofMinutes(2));
    List<Long> sizes = new ArrayList<>();
    SteppingClock clock =
        new SteppingClock(
            Duration.ofMillis(1_700),
            () -> {
              try {
                sizes.add(walk(settings.root()));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    simulation(settings, clock).run();
    sizes.add(walk(settings.root()));
    assertThat(sizes).hasSizeGreaterThan(60).isSorted();
    assertThat(sizes.stream().distinct().count()).isGreaterThan(60);
  }

  /** Reads each log from its begin to its end, and returns the number of events. */
  private static long walk(Path root) throws IOException {
    long events = 0;
    for (Path log : LogWalk.logs(root)) {
      LogWalk walk = new LogWalk(log);
      while (walk.next()) {
        events++;
      }
    }
    return events;
  }

  @Test
  void stoppedArchiveIsTheBeginOfOneWrittenAtOnce() throws Exception {
    Duration growth = Duration.ofHours(3);
    Thread caller = Thread.currentThread();
    SimulationSettings settings = settings("live", growth);
    LiveSimulation simulation =
        new LiveSimulation(
            settings,
            HISTORY,
            new SteppingClock(Duration.ofMillis(7_300), () -> {}),
            Duration.ofMillis(1),
            SimulationListener.NONE,
            caller::interrupt);
    assertThatThrownBy(simulation::run).isInstanceOf(InterruptedException.class);
    Simulation.run(settings("once", growth), SimulationListener.NONE);

    assertThat(simulation.until()).isAfter(NOW).isBefore(NOW.plus(growth));
    assertThat(simulation.summary().events()).isPositive();
    List<Path> logs = LogWalk.logs(settings.root());
    assertThat(logs).isNotEmpty();
    for (Path log : logs) {
      Path whole = directory.resolve("once").resolve(settings.root().relativize(log));
      byte[] bytes = Files.readAllBytes(log);
      assertThat(bytes).isEqualTo(Arrays.copyOf(Files.readAllBytes(whole), bytes.length));
    }
    assertThat(walk(settings.root()))
        .isEqualTo(simulation.summary().events() + simulation.summary().milestones());
  }

  @Test
  void clockThatIsSetBackEndsNothing() throws Exception {
    Duration growth = Duration.ofSeconds(20);
    int[] reads = {0};
    Clock clock =
        new SteppingClock(Duration.ofSeconds(15), () -> {}) {
          @Override
          public Instant instant() {
            return reads[0]++ == 1 ? NOW.minusSeconds(3600) : super.instant();
          }
        };
    SimulationSettings settings = settings("live", growth);
    simulation(settings, clock).run();
    Simulation.run(settings("once", growth), SimulationListener.NONE);
    for (Path file : files(directory.resolve("once"))) {
      assertThat(settings.root().resolve(file))
          .hasSameBinaryContentAs(directory.resolve("once").resolve(file));
    }
  }

  @Test
  void errorsOfTheWritingThreadReachTheCaller() throws IOException {
    SimulationSettings settings = settings("live", Duration.ofMinutes(2));
    Files.createDirectories(settings.root().resolve("SYS"));
    assertThatThrownBy(simulation(settings, Clock.systemUTC())::run)
        .isInstanceOf(FileSystemException.class)
        .isNotInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("is not empty");
  }
}
