package org.kblake.ship;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeProcess;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.RandomLogs;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.ship.fixture.ArchiveEvents;
import org.kblake.ship.fixture.FakeInflux;
import org.kblake.ship.fixture.FakeInflux.Fault;

/** {@code kblake ship influxdb} to servers that speak the protocols of versions 1, 2 and 3. */
final class ShipToFakesTest {

  @TempDir Path directory;

  private static List<String> line(FakeInflux server, String... more) {
    List<String> line = new ArrayList<>(List.of("ship", "influxdb"));
    line.addAll(server.options());
    line.addAll(List.of("--archive", "logs", "--state", "shipped"));
    line.addAll(List.of(more));
    return line;
  }

  private static KblakeRun ship(Path in, FakeInflux server, String... more) {
    return KblakeRun.in(in).run(line(server, more).toArray(String[]::new));
  }

  private Path archive(long seed) throws IOException {
    Path in = Files.createDirectories(directory.resolve(Long.toUnsignedString(seed)));
    if (!Files.exists(in.resolve("logs"))) {
      RandomLogs.write(in.resolve("logs"), seed);
    }
    return in;
  }

  /**
   * All types, lists, odd names and texts, numbers that are not finite, equal times, clocks back.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void eachEventIsAPoint(int version) throws Exception {
    Seeds.each(
        "ship-" + version,
        Seeds.cases(2, 8),
        seed -> {
          Path in = archive(seed);
          try (FakeInflux server = new FakeInflux(version)) {
            KblakeRun run = ship(in, server);
            assertThat(run.err()).doesNotContain("refused");
            assertThat(run.status()).isZero();
            ArchiveEvents.assertEqualButStrays(server.points().values(), in.resolve("logs"));
          }
        });
  }

  /**
   * A command ends at a random request, now and then before the state of its last ones is on the
   * disk, as after a kill. The next one continues.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void stopsAndFaultsLoseAndDoubleNothing(int version) throws Exception {
    Seeds.each(
        "ship-stops-" + version,
        Seeds.cases(1, 6),
        seed -> {
          Path in = archive(seed);
          SplittableRandom random = new SplittableRandom(seed);
          try (FakeInflux server = new FakeInflux(version)) {
            KblakeRun run = new KblakeRun(1, "", "");
            for (int i = 0; i < 30 && run.status() != 0; i++) {
              copy(in.resolve("shipped"), in.resolve("before"));
              int end = i == 29 ? Integer.MAX_VALUE : random.nextInt(20);
              long faults = random.nextLong();
              server.failing(number -> number == end ? Fault.FORBIDDEN : fault(faults + number));
              run = ship(in, server, "--batch", "7", "--workers", "2");
              if (run.status() != 0 && random.nextInt(3) == 0) {
                copy(in.resolve("before"), in.resolve("shipped"));
              }
            }
            assertThat(run.err()).doesNotContain("incomplete");
            assertThat(run.status()).as(run.err()).isZero();
            ArchiveEvents.assertEqualButStrays(server.points().values(), in.resolve("logs"));
          }
        });
  }

  private static Fault fault(long seed) {
    return switch (new SplittableRandom(seed).nextInt(12)) {
      case 0 -> Fault.BUSY;
      case 1 -> Fault.CUT;
      case 2 -> Fault.UNACKNOWLEDGED;
      default -> Fault.NONE;
    };
  }

  /** Processes that are killed at random moments. */
  @Test
  void killsLoseAndDoubleNothing() throws Exception {
    Seeds.each(
        "ship-kills",
        Seeds.cases(1, 3),
        seed -> {
          Path in = archive(seed);
          SplittableRandom random = new SplittableRandom(seed);
          try (FakeInflux server = new FakeInflux(1)) {
            List<String> line = line(server, "--batch", "3", "--workers", "2");
            for (int kill = 0; kill < 3; kill++) {
              int requests = server.requests() + 1 + random.nextInt(40);
              try (KblakeProcess process = KblakeProcess.start(in, in.resolve("logs"), line)) {
                while (server.requests() < requests && process.isAlive()) {
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
                process.end("KILL");
              }
            }
            KblakeRun run = ship(in, server);
            assertThat(run.status()).as(run.err()).isZero();
            ArchiveEvents.assertEqualButStrays(server.points().values(), in.resolve("logs"));
          }
        });
  }

  /**
   * The others of the same request are accepted, and the refused ones are named by their reason.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void refusedLinesAreKept(int version) throws Exception {
    Path in = archive(7);
    try (FakeInflux server = new FakeInflux(version);
        FakeInflux other = new FakeInflux(version)) {
      List<String> line = line(other);
      line.set(line.indexOf("shipped"), "other");
      assertThat(KblakeRun.in(in).run(line.toArray(String[]::new)).status()).isZero();
      server.refusing(each -> each.contains("list="));
      KblakeRun run = ship(in, server);
      assertThat(run.status()).isEqualTo(3);
      List<String> kept = Files.readAllLines(in.resolve("shipped/VA/CCG.refused.lp"));
      assertThat(kept.get(0)).startsWith("# ").contains("partial write");
      kept.addAll(Files.readAllLines(in.resolve("shipped/B M/D%C+T.refused.lp")));
      List<String> all = ArchiveEvents.of(other.points().values());
      List<String> accepted = ArchiveEvents.of(server.points().values());
      assertThat(all).containsAll(accepted);
      int lacking = all.size() - accepted.size();
      assertThat(lacking).isPositive();
      assertThat(run.err()).contains("shipped/VA/CCG.refused.lp");
      assertThat(kept.stream().filter(each -> each.contains(" list=")).count()).isEqualTo(lacking);
      assertThat(ship(in, server).status()).as("they are not sent again").isZero();
    }
  }

  @Test
  void aServerThatRefusesEverythingEndsTheCommand() throws Exception {
    Path in = archive(7);
    try (FakeInflux server = new FakeInflux(1)) {
      server.failing(number -> Fault.MALFORMED);
      KblakeRun run = ship(in, server);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains("InfluxDB refuses each of ");
      server.failing(number -> Fault.NONE);
      assertThat(ship(in, server).status()).isZero();
      ArchiveEvents.assertEqualButStrays(server.points().values(), in.resolve("logs"));
    }
  }

  /** Such as those before a retention policy, or of one channel of another type. */
  @Test
  void batchesOfWhichEachLineIsRefusedAreKept() throws Exception {
    Path in = archive(7);
    try (FakeInflux server = new FakeInflux(1)) {
      server.refusing(line -> line.contains("group=VA/CCG"));
      KblakeRun run = ship(in, server, "--batch", "20", "--workers", "1");
      assertThat(run.status()).as(run.err()).isEqualTo(3);
      assertThat(server.points()).isNotEmpty();
      assertThat(ship(in, server).status()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STALLED", "LONG"})
  void anAnswerHasATimeoutAndALimit(Fault fault) throws Exception {
    Path in = archive(7);
    try (FakeInflux server = new FakeInflux(1)) {
      server.failing(number -> fault);
      KblakeRun run = ship(in, server, "--deadline", "1s", "--timeout", "1s", "--workers", "1");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .contains(fault == Fault.LONG ? "the answer is longer than" : "no whole answer in 1 s");
      server.failing(number -> Fault.NONE);
      assertThat(ship(in, server).status()).isZero();
    }
  }

  @Test
  void aTokenIsOneLineAndNotShown() throws Exception {
    Path in = archive(7);
    Files.writeString(in.resolve("token"), "secret1\nsecret2\n");
    try (FakeInflux server = new FakeInflux(3)) {
      KblakeRun run = ship(in, server, "--token-file", "token");
      assertThat(run.err()).contains("--token-file is not one line").doesNotContain("secret");
      Files.writeString(in.resolve("token"), "secret1\n");
      assertThat(ship(in, server, "--token-file", "token").err())
          .doesNotContain("unencrypted", "secret");
      List<String> far = line(server, "--token-file", "token", "--deadline", "10ms");
      far.set(2, "http://influx.invalid:1");
      KblakeRun sent = KblakeRun.in(in).run(far.toArray(String[]::new));
      assertThat(sent.err()).contains("goes over the network unencrypted").doesNotContain("secret");
    }
  }

  @Test
  void aServerThatIsAwayIsTriedUntilTheDeadline() throws Exception {
    Path in = archive(7);
    try (FakeInflux server = new FakeInflux(3)) {
      server.failing(number -> Fault.BUSY);
      KblakeRun run = ship(in, server, "--deadline", "1s", "--workers", "1");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains("InfluxDB is away: ", "status=503, found busy");
      server.failing(number -> number == 0 ? Fault.UNACKNOWLEDGED : Fault.NONE);
      run = ship(in, server, "--workers", "1");
      assertThat(run.err()).contains("InfluxDB is away, tried again", "InfluxDB answers again");
      ArchiveEvents.assertEqualButStrays(server.points().values(), in.resolve("logs"));
    }
  }

  @Test
  void aStateIsOfOneReceiverAndNotInTheArchive() throws Exception {
    Path in = archive(7);
    try (FakeInflux server = new FakeInflux(2);
        FakeInflux other = new FakeInflux(2)) {
      assertThat(ship(in, server).status()).isZero();
      assertThat(ship(in, other).err())
          .contains("--state is of another receiver: found influxdb 2");
      assertThat(ship(in, server, "VA:*").err())
          .contains("--state is of other channels: found *, expected VA:*");
      KblakeRun later = ship(in, server, "--from", "2021-01-01");
      assertThat(later.err()).contains("VA/CCG: --from is not used");
      Path state = in.resolve("shipped/VA/CCG.state");
      String whole = Files.readString(state);
      Files.writeString(state, whole.replaceFirst("position \\d+", "position 2o"));
      assertThat(ship(in, server).err()).contains("damaged state of kblake ship");
      Files.writeString(state, whole);
      Files.write(state, Files.readAllLines(state).subList(0, 6));
      assertThat(ship(in, server).err()).contains("not a state of kblake ship");
      List<String> inside = line(server);
      inside.set(inside.indexOf("shipped"), "logs/x");
      KblakeRun run = KblakeRun.in(in).run(inside.toArray(String[]::new));
      assertThat(run.err()).contains("--state is in the archive");
    }
  }

  /** The lines of two commands are those of get. */
  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "csv"})
  void textContinues(String format) throws Exception {
    Path in = archive(11);
    String[] line = {"ship", format, "--archive", "logs", "--state", "text", "-g", "VA/CCG"};
    String[] all = {"ship", format, "--archive", "logs", "--state", "text"};
    String[] get = {
      "get", "*", "--archive", "logs", "-f", format, "--to", "2100", "--source", "raw"
    };
    KblakeRun first = KblakeRun.in(in).run(line);
    assertThat(first.status()).as(first.err()).isZero();
    KblakeRun second = KblakeRun.in(in).run(all);
    assertThat(second.out()).isNotEmpty();
    KblakeRun third = KblakeRun.in(in).run(all);
    assertThat(third.out()).isEmpty();
    String whole = KblakeRun.in(in).run(get).out();
    assertThat((first.out() + second.out()).lines().sorted())
        .containsExactlyElementsOf(whole.lines().sorted().toList());
  }

  private static void copy(Path from, Path to) throws IOException {
    if (Files.exists(to)) {
      try (Stream<Path> files = Files.walk(to)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.delete(file);
        }
      }
    }
    if (!Files.exists(from)) {
      return;
    }
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(file));
            Files.createDirectories(Objects.requireNonNull(target.getParent()));
            Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
