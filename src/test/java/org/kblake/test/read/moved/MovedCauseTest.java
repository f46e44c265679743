package org.kblake.test.read.moved;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Channel;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.Movement;
import org.kblake.query.answer.Movements;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.MovedQuery;
import org.kblake.query.question.Source;
import org.kblake.simulate.AbortCause;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.AbortedArchive;

/**
 * The cause of an abort is among the first ten channels that moved, in at least nine archives of
 * ten. Two generators without common code write the archives.
 *
 * <p>{@code -Dkblake.abortCases=1-100} takes archives of 30,000 channels with these seeds, and
 * prints the rank of each cause. {@code kblake simulate --preset superkekb --scale 0.34 --start
 * 2024-05-20T00:00 --days 0.04583 --abort 2024-05-20T01:05 --seed N} writes the simulated one of
 * seed N.
 */
final class MovedCauseTest {

  private static final int ABORTS = 3;

  /** The seeds of large archives, such as 1-100; null for small archives. */
  private static final @Nullable String CASES = System.getProperty("kblake.abortCases");

  private static final int CHANNELS = CASES == null ? 3000 : 30_000;
  private static final double SCALE = CASES == null ? 0.034 : 0.34;
  private static final int FIRST_ROWS = 10;
  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private final List<Integer> ranks = new ArrayList<>();
  private double slowest;

  @Test
  void causesOfWrittenAbortsComeFirst() throws Exception {
    each(
        seed -> {
          Path root = Files.createTempDirectory(directory, "archive");
          AbortedArchive.Written written = AbortedArchive.write(root, seed, CHANNELS);
          rank(root, AbortedArchive.ABORT, written.cause(), written.onsetNanos(), seed);
          delete(root);
        });
    check("written aborts");
  }

  /** The simulated machine has 30,000 channels at a scale of 0.34. */
  @Test
  void causesOfSimulatedAbortsComeFirst() throws Exception {
    Instant start = LocalDateTime.of(2024, 5, 20, 0, 0).atZone(ZONE).toInstant();
    Instant abort = start.plus(Duration.ofMinutes(65));
    each(
        seed -> {
          Path root = Files.createTempDirectory(directory, "archive");
          SimulationSettings settings =
              SimulationSettings.of(Preset.SUPERKEKB, root)
                  .start(start)
                  .length(Duration.ofMinutes(66))
                  .scale(SCALE)
                  .seed(seed)
                  .abort(abort);
          Simulation.run(settings, SimulationListener.NONE);
          AbortCause cause = Objects.requireNonNull(AbortCause.of(settings));
          rank(root, abort, cause.channel(), cause.onsetNanos(), seed);
          delete(root);
        });
    check("simulated aborts");
  }

  /** Rows of the same log give the same movements, wherever they are read from. */
  @Test
  void columnsAndRawLogsGiveTheSameAnswer() throws Exception {
    Path root = directory.resolve("archive");
    Path store = directory.resolve("store");
    AbortedArchive.write(root, 5, 2000);
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, SETTINGS), store);
    MovedQuery query = MovedQuery.of(ChannelSelection.glob("*"), AbortedArchive.ABORT);
    try (ArchiveReader reader =
        ArchiveReader.builder().archive(root).store(store).settings(SETTINGS).open()) {
      Movements raw = reader.moved(query.from(Source.RAW));
      Movements columns = reader.moved(query.from(Source.STORE));
      assertThat(raw.all()).hasSizeGreaterThan(200);
      assertThat(columns.all()).isEqualTo(raw.all());
      assertThat(columns.gaps()).isEqualTo(raw.gaps());
    }
  }

  private static void each(Seeds.Check check) throws Exception {
    if (CASES == null) {
      Seeds.each("moved cause", ABORTS, check);
      return;
    }
    String[] ends = CASES.split("-", 2);
    for (long seed = Long.parseLong(ends[0]); seed <= Long.parseLong(ends[1]); seed++) {
      check.run(seed);
    }
  }

  private void rank(Path root, Instant abort, Channel cause, long onsetNanos, long seed)
      throws IOException {
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).settings(SETTINGS).open()) {
      long begin = System.nanoTime();
      List<Movement> moved = reader.moved(MovedQuery.of(ChannelSelection.glob("*"), abort)).all();
      double seconds = (System.nanoTime() - begin) * 1e-9;
      slowest = Math.max(slowest, seconds);
      int rank = 0;
      for (int i = 0; i < moved.size() && rank == 0; i++) {
        rank = moved.get(i).channel().equals(cause) ? i + 1 : 0;
      }
      if (rank > 0) {
        assertThat(moved.get(rank - 1).onsetNanos())
            .as("seed %d, cause %s", seed, cause)
            .isLessThanOrEqualTo(onsetNanos + 600_000_000L);
      }
      ranks.add(rank);
      if (CASES != null) {
        System.out.printf(
            Locale.ROOT,
            "seed %d: cause %s has rank %d of %d, %.2f s%n",
            seed,
            cause.name(),
            rank,
            moved.size(),
            seconds);
      }
    }
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private void check(String kind) {
    long first = ranks.stream().filter(rank -> rank > 0 && rank <= FIRST_ROWS).count();
    if (CASES != null) {
      System.out.printf(
          Locale.ROOT, "%s: %d of %d, slowest %.2f s%n", kind, first, ranks.size(), slowest);
    }
    assertThat(first)
        .as("%s, ranks %s", kind, ranks)
        .isGreaterThanOrEqualTo(ranks.size() * 9L / 10);
  }
}
