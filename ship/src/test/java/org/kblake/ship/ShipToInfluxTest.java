package org.kblake.ship;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeProcess;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.RandomLogs;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ship.fixture.RealInflux;

/** {@code kblake ship influxdb} to InfluxDB 1 of Debian, read back by the database itself. */
final class ShipToInfluxTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN = 1_647_281_880L * SECOND;

  @TempDir Path directory;

  private static List<String> line(RealInflux server, String database, String... more) {
    List<String> line = new ArrayList<>(List.of("ship", "influxdb", server.url()));
    line.addAll(List.of("--database", database, "--archive", "logs", "--state", "shipped"));
    line.addAll(List.of(more));
    return line;
  }

  private static KblakeRun ship(Path in, RealInflux server, String database, String... more) {
    return KblakeRun.in(in).run(line(server, database, more).toArray(String[]::new));
  }

  private static void assertVerified(Path in, RealInflux server, String database) {
    KblakeRun verified = ship(in, server, database, "--verify");
    assertThat(verified.err()).contains(" 0 are missing", " 0 have other values, 0 are only in");
    assertThat(verified.status()).isZero();
  }

  @Test
  void theDatabaseHasTheEventsOfTheArchive() throws Exception {
    Assumptions.assumeTrue(RealInflux.isInstalled(), "InfluxDB is not installed");
    try (RealInflux server = RealInflux.start(Files.createDirectory(directory.resolve("influx")))) {
      Seeds.each("ship-influx", Seeds.cases(1, 4), seed -> randomArchive(server, seed));
      differencesAreFound(server);
      aGrowingArchiveIsFollowed(server);
      whatItsPolicyRefusesIsKept(server);
    }
  }

  /** Shipped by a process that is killed now and then. */
  private void randomArchive(RealInflux server, long seed) throws Exception {
    String database = "s" + Long.toUnsignedString(seed);
    server.execute("", "CREATE DATABASE " + database);
    Path in = Files.createDirectory(directory.resolve(database));
    RandomLogs.write(in.resolve("logs"), seed);
    try (KblakeProcess killed =
        KblakeProcess.start(in, in.resolve("logs"), line(server, database, "--batch", "2"))) {
      killed.endWithin(Duration.ofMillis(500 + new SplittableRandom(seed).nextInt(3000)));
    }
    KblakeRun run = ship(in, server, database);
    assertThat(run.status()).as(run.err()).isZero();
    assertVerified(in, server, database);
  }

  private void differencesAreFound(RealInflux server) throws Exception {
    Path in = numbers("changed", 3);
    server.execute("", "CREATE DATABASE changed");
    assertThat(ship(in, server, "changed").status()).isZero();
    assertVerified(in, server, "changed");
    server.execute("changed", "DELETE FROM kblake WHERE time = " + (BEGIN + 3));
    assertThat(ship(in, server, "changed", "--verify").err())
        .contains("2 points are equal, 1 are missing", "expected value 0 0 3.0, found none");
    assertThat(ship(in, server, "changed", "--verify").status()).isEqualTo(1);
  }

  private Path numbers(String name, int count) throws Exception {
    Path in = Files.createDirectory(directory.resolve(name));
    try (LogWriter log = log(in)) {
      for (int i = 1; i <= count; i++) {
        log.number(0, BEGIN + i, 0, 0, Double.doubleToRawLongBits(i));
      }
    }
    return in;
  }

  private static LogWriter log(Path in) throws Exception {
    RecordTable records =
        new RecordTable(List.of(new RecordEntry(0, "VA:P 1,=", ValueType.DOUBLE, 1)));
    LogWriter log =
        LogWriter.create(
            in.resolve("logs"),
            Group.parse("VA/CCG"),
            "20220315031800",
            ByteOrder.BIG_ENDIAN,
            records);
    log.milestone(BEGIN);
    return log;
  }

  /** Events of one time each have a rank; the last ones come while the command runs. */
  private void aGrowingArchiveIsFollowed(RealInflux server) throws Exception {
    Path in = Files.createDirectory(directory.resolve("grows"));
    server.execute("", "CREATE DATABASE grows");
    try (LogWriter log = log(in)) {
      log.number(0, BEGIN + 1, 0, 0, Double.doubleToRawLongBits(1));
      log.flush();
      ByteArrayOutputStream told = new ByteArrayOutputStream();
      String[] line = line(server, "grows", "--follow", "--every", "20ms").toArray(String[]::new);
      int[] status = {-1};
      Thread follower =
          new Thread(() -> status[0] = KblakeRun.in(in).reporting(told).run(line).status());
      follower.start();
      for (int i = 2; i <= 20; i++) {
        // Two clocks run ahead. That is known behind the next milestone.
        long ahead = i == 5 || i == 12 ? 7_000 * SECOND : 0;
        log.number(0, BEGIN + i / 3 + ahead, 0, 0, Double.doubleToRawLongBits(i));
        log.flush();
        awaitPoints(server, i);
        if (i % 10 == 0) {
          log.milestone(BEGIN + i * SECOND);
        }
      }
      follower.interrupt();
      follower.join(TimeUnit.MINUTES.toMillis(1));
      assertThat(status[0]).as(told.toString(StandardCharsets.UTF_8)).isEqualTo(130);
    }
    assertThat(ship(in, server, "grows").status()).isZero();
    assertVerified(in, server, "grows");
    assertThat(ship(in, server, "grows").err()).contains("VA/CCG: 0 events");
  }

  private static void awaitPoints(RealInflux server, int number) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    String answer = "";
    while (System.nanoTime() < end && !answer.contains("," + number + "]]")) {
      answer = server.execute("grows", "SELECT COUNT(value) FROM kblake");
    }
    assertThat(answer).contains("," + number + "]]");
  }

  /** Points older than its retention policy. */
  private void whatItsPolicyRefusesIsKept(RealInflux server) throws Exception {
    Path in = numbers("aday", 30);
    server.execute("", "CREATE DATABASE aday WITH DURATION 1d");
    KblakeRun run = ship(in, server, "aday");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("InfluxDB refused 30 lines, kept in ");
    assertThat(Files.readString(in.resolve("shipped/VA/CCG.refused.lp")))
        .startsWith("# partial write: points beyond retention policy dropped=")
        .contains("kblake,channel=VA:P\\ 1\\,\\=,group=VA/CCG value=1.0,severity=0i,status=0i ");
  }
}
