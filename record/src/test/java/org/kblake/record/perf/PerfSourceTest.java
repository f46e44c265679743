package org.kblake.record.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;

/** Programs in the place of perf, which write a stream of its format, and perf where it may run. */
final class PerfSourceTest {

  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir Path directory;
  private final EventQueue events = new EventQueue(new EventRing(1 << 20));
  private final List<String> told = new ArrayList<>();

  private PerfSettings settings(String program, String... counters) {
    return new PerfSettings(program, "HOST", 1000, List.of(counters), PerfSettings.ANY_CORE);
  }

  /** A program that writes a stream, and then does what a script says. */
  private PerfSettings program(byte[] stream, String script) throws IOException {
    Path file = Files.write(directory.resolve("stream"), stream);
    Path program = directory.resolve("program");
    Files.writeString(program, "#!/bin/sh\ncat " + file + "\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return settings(program.toString());
  }

  private void tell(ChannelSource source, ChannelEvent event) {
    String name = source.name(event.channel()) + " ";
    switch (event.kind()) {
      case CONNECTED ->
          told.add(name + event.type() + " " + event.count() + " from " + event.server());
      case DISCONNECTED -> told.add(name + event.reason() + ": " + event.detail());
      case VALUE -> {
        assertThat(Duration.between(Instant.EPOCH.plusNanos(event.receivedNanos()), Instant.now()))
            .isLessThan(DEADLINE.plusSeconds(60));
        StringBuilder text = new StringBuilder(name);
        for (int i = 0; i < event.count(); i++) {
          text.append(' ').append((int) event.number(i));
        }
        told.add(text.toString());
      }
      case METADATA, DESCRIPTION -> throw new AssertionError(event);
    }
  }

  private void await(ChannelSource source, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begin).as("%s", told).isLessThan(DEADLINE.toNanos());
      source.poll(event -> tell(source, event), 10_000);
      source.await(10_000_000);
    }
  }

  @Test
  void eachSampleIsAnEventOfItsCore() throws IOException {
    byte[] stream =
        new PerfStream()
            .samples(2, 0, 8, 0xFFFF_FFFF_8000_0010L)
            .samples(1, 1, 9, 0x7FFF_1234_5678L)
            .toBytes();
    try (PerfSource source = PerfSource.start(program(stream, "exec sleep 100"), events)) {
      source.open("HOST:PERF:CPU0");
      source.open("HOST:PERF:CPU1");
      source.open("HOST:PERF:CPU17");
      await(source, () -> told.size() >= 5);
      assertThat(told)
          .containsExactly(
              "HOST:PERF:CPU0 LONG 4 from perf:CPU0",
              "HOST:PERF:CPU0  7 8 -1 -2147483632",
              "HOST:PERF:CPU0  7 8 -1 -2147483631",
              "HOST:PERF:CPU1 LONG 4 from perf:CPU1",
              "HOST:PERF:CPU1  7 9 32767 305419896");
      assertThat(source.counts().values()).isEqualTo(3);
      assertThat(source.counts().searches().searching()).isEqualTo(1);
    }
  }

  /** A program that writes each second what it wrote before, as a perf that is started again. */
  @Test
  void aPerfThatEndsIsStartedAgain() throws IOException {
    byte[] stream = new PerfStream().samples(1, 0, 8, 5).toBytes();
    String script = "echo Error: >&2; echo the core melted >&2";
    try (PerfSource source = PerfSource.start(program(stream, script), events)) {
      source.open("HOST:PERF:CPU0");
      await(source, () -> told.size() >= 5);
      assertThat(told)
          .startsWith(
              "HOST:PERF:CPU0 LONG 4 from perf:CPU0",
              "HOST:PERF:CPU0  7 8 0 5",
              "HOST:PERF:CPU0 CIRCUIT_CLOSED: the core melted",
              "HOST:PERF:CPU0 LONG 4 from perf:CPU0",
              "HOST:PERF:CPU0  7 8 0 5");
      assertThat(source.counts().circuitsLost()).isPositive();
    }
  }

  @Test
  void garbageDisconnects() throws IOException {
    byte[] stream = new PerfStream().samples(1, 0, 8, 5).bytes(new byte[64]).toBytes();
    try (PerfSource source = PerfSource.start(program(stream, "exec sleep 100"), events)) {
      source.open("HOST:PERF:CPU0");
      await(source, () -> told.size() >= 3);
      assertThat(told.get(2))
          .isEqualTo(
              "HOST:PERF:CPU0 MALFORMED_MESSAGES: bytes of perf are no record: type=0, bytes=0");
    }
  }

  @Test
  void aPerfThatCannotRunIsUnavailable() {
    try (PerfSource source = PerfSource.start(settings("/nowhere/perf"), events)) {
      source.open("HOST:PERF:CPU0");
      await(source, () -> !told.isEmpty());
      assertThat(told.get(0)).startsWith("HOST:PERF:CPU0 READ_FAILED: not available:");
      assertThat(source.counts().values()).isZero();
    }
  }

  @Test
  void aPerfThatMayNotSampleSaysWhy() throws IOException {
    String script = "printf 'Error:\\nAccess is limited.\\nMore text\\n' >&2; exit 255";
    try (PerfSource source = PerfSource.start(program(new byte[0], script), events)) {
      source.open("HOST:PERF:CPU0");
      await(source, () -> !told.isEmpty());
      assertThat(told).containsExactly("HOST:PERF:CPU0 READ_FAILED: Access is limited.");
    }
  }

  /** They may be samples, or other records of the kernel. */
  @Test
  void lostRecordsAreThoseOfTheCircuit() throws IOException {
    byte[] stream = new PerfStream().samples(3, 1, 8, 5).lost(1, 40).lost(1, 2).toBytes();
    try (PerfSource source = PerfSource.start(program(stream, "exec sleep 100"), events)) {
      source.open("HOST:PERF:CPU0");
      source.open("HOST:PERF:CPU1");
      await(source, () -> source.counts().dropped() == 42);
      List<CircuitCounts> circuits = source.circuits();
      assertThat(circuits).extracting(CircuitCounts::server).contains("perf:CPU0", "perf:CPU1");
      for (CircuitCounts each : circuits) {
        boolean isLossy = each.server().equals("perf:CPU1");
        assertThat(each.values()).isEqualTo(isLossy ? 3 : 0);
        assertThat(each.drops().stated()).isEqualTo(isLossy ? 42 : 0);
        assertThat(each.drops().fromNanos() != 0).isEqualTo(isLossy);
      }
      assertThat(source.circuits()).allMatch(each -> each.drops().equals(CircuitCounts.NO_DROPS));
    }
  }

  @Test
  void namesOfNoCoreAreRefused() {
    try (PerfSource source = PerfSource.start(settings("/nowhere/perf"), events)) {
      for (String name : List.of("HOST:PERF:CPU", "HOST:CPU0", "HOST:PERF:CPUx", "X")) {
        assertThatThrownBy(() -> source.open(name)).isInstanceOf(IllegalArgumentException.class);
      }
    }
    assertThatThrownBy(() -> settings("perf", "cycles}")).hasMessageContaining("no event of perf");
  }

  /** As perf tells them of a processor with two kinds of cores, and of one without counters. */
  @Test
  void countersThatTheMachineDoesNotHaveAreUnavailable() throws IOException {
    Path file = Files.write(directory.resolve("s"), new PerfStream().samples(1, 0, 8, 5).toBytes());
    String stat =
        """
        [ "$1" = record ] && cat %s && exec sleep 100
        echo '12,,cpu_atom/cycles/,0,100.00,,' >&2
        echo '34,,cpu_core/cycles/,0,100.00,,' >&2
        echo '<not supported>,,instructions,0,100.00,,' >&2
        echo '5,,page-faults,0,100.00,,' >&2
        """
            .formatted(file);
    String program = program(new byte[0], stat).program();
    PerfSettings settings = settings(program, "cycles", "instructions", "page-faults");
    assertThat(settings.available()).containsExactly("page-faults");
    try (PerfSource source = PerfSource.start(settings, events)) {
      source.open("HOST:PERF:CPU0");
      await(source, () -> told.size() >= 2);
      assertThat(told)
          .startsWith("HOST:PERF:CPU0 LONG 5 from perf:CPU0", "HOST:PERF:CPU0  7 8 -1 -1 -1");
    }
  }

  /** The machine's own perf, if it is installed and may sample. */
  @Test
  void perfSamplesThisMachine() {
    try (PerfSource source = PerfSource.start(settings("perf"), events)) {
      source.open("HOST:PERF:CPU0");
      await(source, () -> !told.isEmpty());
      assumeTrue(told.get(0).contains("LONG 4"), told.get(0));
      await(source, () -> told.size() > 100);
      assertThat(told.subList(1, 100))
          .allMatch(line -> line.matches("HOST:PERF:CPU0 ( -?\\d+){4}"));
    }
  }

  /** Counters of the kernel, which machines have that lack those of the processor. */
  @Test
  void perfCountsOnThisMachine() {
    PerfSettings settings = settings("perf", "context-switches", "page-faults");
    List<Double> switches = new ArrayList<>();
    try (PerfSource source = PerfSource.start(settings, events)) {
      source.open("HOST:PERF:CPU0");
      await(source, () -> !told.isEmpty());
      assumeTrue(told.get(0).contains("LONG 4"), told.get(0));
      long begin = System.nanoTime();
      while (switches.stream().noneMatch(number -> number > 0)) {
        assertThat(System.nanoTime() - begin).isLessThan(DEADLINE.toNanos());
        source.poll(
            event -> {
              if (event.kind() == EventKind.VALUE) {
                switches.add(event.number(2));
              }
            },
            1000);
        source.await(10_000_000);
      }
    }
  }
}
