package org.kblake.ship;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ship.fixture.ArchiveEvents;
import org.kblake.ship.fixture.FakeInflux;
import org.kblake.ship.fixture.FakeInflux.Fault;
import org.kblake.ship.fixture.GrowingLogs;

/** {@code kblake ship influxdb} of logs that grow, with clocks that are wrong. */
final class ShipGrowingTest {

  @TempDir Path directory;

  private static String[] line(FakeInflux server, String state, String... more) {
    List<String> line = new ArrayList<>(List.of("ship", "influxdb"));
    line.addAll(server.options());
    line.addAll(List.of("--archive", "logs", "--state", state));
    line.addAll(List.of(more));
    return line.toArray(String[]::new);
  }

  /**
   * Commands end at random requests, and often before their state is on the disk, as after a kill.
   * In the end a command without a state writes all points again.
   */
  @Test
  void noEventIsLostOrDoubledAndPointsReplaceThemselves() throws Exception {
    Seeds.each(
        "ship-grows",
        Seeds.cases(3, 20),
        seed -> {
          Path in = Files.createDirectories(directory.resolve(Long.toUnsignedString(seed)));
          Path state = in.resolve("shipped/VA/CCG.state");
          SplittableRandom random = new SplittableRandom(seed);
          try (FakeInflux server = new FakeInflux(1);
              GrowingLogs logs = new GrowingLogs(in.resolve("logs"), seed)) {
            for (int step = 0; logs.mayGrow(); step++) {
              logs.grow();
              byte[] before = Files.exists(state) ? Files.readAllBytes(state) : new byte[0];
              int end = random.nextInt(8);
              server.failing(number -> number == end ? Fault.FORBIDDEN : Fault.NONE);
              KblakeRun run = KblakeRun.in(in).run(line(server, "shipped", "--batch", "9"));
              assertThat(run.status()).as(run.err()).isIn(0, 1, 3);
              if (before.length > 0 && random.nextInt(2) == 0) {
                Files.write(state, before);
              }
            }
            server.failing(number -> Fault.NONE);
            KblakeRun run = KblakeRun.in(in).run(line(server, "shipped"));
            assertThat(run.status()).as(run.err()).isZero();
            ArchiveEvents.assertEqualButStrays(server.points().values(), in.resolve("logs"));
            Map<String, String> points = new HashMap<>(server.points());
            KblakeRun again = KblakeRun.in(in).run(line(server, "again"));
            assertThat(again.status()).as(again.err()).isZero();
            assertThat(server.points()).isEqualTo(points);
          }
        });
  }

  private static LogWriter begin(Path in, String group) throws Exception {
    RecordTable records = new RecordTable(List.of(new RecordEntry(0, "VA:P", ValueType.DOUBLE, 1)));
    LogWriter log =
        LogWriter.create(
            in.resolve("logs"),
            Group.parse(group),
            "20220315030000",
            ByteOrder.BIG_ENDIAN,
            records);
    log.milestone(GrowingLogs.BEGIN_NANOS);
    return log;
  }

  /** Each event of a time is a series, and many series make a database slow. */
  @Test
  void tooManyEventsOfOneTimeAreKept() throws Exception {
    try (FakeInflux server = new FakeInflux(1);
        LogWriter log = begin(directory, "VA/CCG")) {
      for (int i = 0; i < 1_005; i++) {
        log.number(0, GrowingLogs.BEGIN_NANOS + 5, 0, 0, Double.doubleToRawLongBits(i));
      }
      log.flush();
      KblakeRun run = KblakeRun.in(directory).run(line(server, "shipped"));
      assertThat(run.status()).isEqualTo(3);
      assertThat(run.err()).contains("VA/CCG: InfluxDB refused 5 lines, kept in ");
      assertThat(server.points()).hasSize(1_000);
      assertThat(Files.readString(directory.resolve("shipped/VA/CCG.refused.lp")))
          .startsWith("# kblake: over 1000 events of one time")
          .contains(" value=1004.0,");
    }
  }

  /** It is found after 60 periods. */
  @Test
  void aGroupThatAppearsIsFollowed() throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    try (FakeInflux server = new FakeInflux(1);
        LogWriter first = begin(directory, "VA/CCG")) {
      write(first, 1);
      Thread follower =
          new Thread(
              () ->
                  KblakeRun.in(directory)
                      .reporting(told)
                      .run(line(server, "shipped", "VA:*", "--follow", "--every", "10ms")));
      follower.start();
      await(() -> server.points().size() == 1);
      try (LogWriter second = begin(directory, "RF/LLRF")) {
        write(second, 1);
        await(() -> server.points().size() == 2);
        write(first, 2);
        await(() -> server.points().size() == 3);
      } finally {
        follower.interrupt();
        follower.join(TimeUnit.MINUTES.toMillis(1));
      }
      assertThat(told.toString(StandardCharsets.UTF_8)).contains("3 events are shipped");
    }
  }

  private static void write(LogWriter log, long nanos) throws Exception {
    log.number(
        0, GrowingLogs.BEGIN_NANOS + nanos, 0, 0, Double.doubleToRawLongBits((double) nanos));
    log.flush();
  }

  private static void await(BooleanSupplier happened) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!happened.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it did not happen").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
