package org.kblake.record.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.record.host.ProcFormat.DISKSTATS;
import static org.kblake.record.host.ProcFormat.LOADAVG;
import static org.kblake.record.host.ProcFormat.MEMINFO;
import static org.kblake.record.host.ProcFormat.NET_DEV;
import static org.kblake.record.host.ProcFormat.STAT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.record.group.ListFile;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;

/** What a source tells of a directory in the place of /proc. */
final class HostSourceTest {

  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456789Z");
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  @TempDir Path directory;
  private final EventQueue events = new EventQueue(new EventRing(1 << 20));
  private final List<String> told = new ArrayList<>();
  private ProcDirectory proc = new ProcDirectory(Path.of("."));

  @BeforeEach
  void fill() throws IOException {
    proc = new ProcDirectory(directory).of("linux-6");
  }

  private HostSource source() {
    return HostSource.stopped(proc.settings(1), events, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  /** Samples, and returns what the events say. */
  private List<String> sample(HostSource source) {
    source.sample();
    told.clear();
    source.poll(event -> tell(source, event), 10_000);
    return List.copyOf(told);
  }

  private void tell(HostSource source, ChannelEvent event) {
    String name = source.name(event.channel());
    switch (event.kind()) {
      case CONNECTED -> told.add(name + " connected " + event.type() + " " + event.count());
      case DISCONNECTED -> told.add(name + " " + event.reason().text() + ": " + event.detail());
      case VALUE -> told.add(name + " " + event.number(0));
      case METADATA -> told.add(name + " in " + event.control().units());
      case DESCRIPTION -> throw new AssertionError(event);
    }
  }

  @Test
  void aValueIsAnEventWhenItHasChanged() throws IOException {
    try (HostSource source = source()) {
      source.open("HOST:CPU1:IDLE");
      source.open("HOST:NET:eth0:RX_BYTES");
      assertThat(sample(source))
          .containsExactly(
              "HOST:CPU1:IDLE connected DOUBLE 1",
              "HOST:CPU1:IDLE in jiffies",
              "HOST:CPU1:IDLE 799507.0",
              "HOST:NET:eth0:RX_BYTES connected DOUBLE 1",
              "HOST:NET:eth0:RX_BYTES in bytes",
              "HOST:NET:eth0:RX_BYTES 8.075262095E9");
      assertThat(sample(source)).isEmpty();
      proc.replace(STAT, " 799507 ", " 799508 ");
      assertThat(sample(source)).containsExactly("HOST:CPU1:IDLE 799508.0");
      assertThat(source.counts().values()).isEqualTo(3);
      assertThat(source.circuits().get(0).values()).isEqualTo(3);
      assertThat(source.circuits().get(0).values()).isZero();
    }
  }

  @Test
  void allEventsOfASampleHaveItsTime() {
    try (HostSource source = source()) {
      ProcFormat[] formats = ProcFormat.values();
      try (ProcFiles files = new ProcFiles(proc.settings(1), List.of(formats))) {
        files.sample();
        files.counters().forEach(each -> source.open(each.name()));
      }
      source.sample();
      long nanos = NOW.getEpochSecond() * 1_000_000_000 + NOW.getNano();
      int[] values = new int[1];
      source.poll(
          event -> {
            assertThat(event.receivedNanos()).isEqualTo(nanos);
            if (event.kind() == EventKind.VALUE) {
              values[0]++;
              assertThat(event.isStamped()).isTrue();
              assertThat(event.stampNanos()).isEqualTo(nanos);
              assertThat(event.status() + event.severity()).isZero();
            }
          },
          10_000);
      assertThat(values[0]).isEqualTo(16 + 13 + 8 + 35 + 5);
    }
  }

  @Test
  void aDeviceGoesAndComes() throws IOException {
    try (HostSource source = source()) {
      source.open("HOST:DISK:sda:READS");
      source.open("HOST:DISK:vda:READS");
      source.open("HOST:NET:tun0:RX_PACKETS");
      assertThat(sample(source)).hasSize(6);
      assertThat(source.counts().searches().searching()).isEqualTo(1);
      String all = proc.text(DISKSTATS);
      proc.write(DISKSTATS, all.replaceAll(".* sda .*\n", ""));
      assertThat(sample(source))
          .containsExactly("HOST:DISK:sda:READS the server removed the channel: not in diskstats");
      assertThat(sample(source)).isEmpty();
      proc.write(DISKSTATS, all);
      proc.write(NET_DEV, proc.text(NET_DEV) + "tun0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
      assertThat(sample(source))
          .contains("HOST:DISK:sda:READS 1.0", "HOST:NET:tun0:RX_PACKETS 2.0")
          .hasSize(6);
    }
  }

  @Test
  void listsGrowWhenADeviceAppears() throws IOException {
    proc.write(DISKSTATS, "8 0 sda 1 0 2 0 3 0 4 0 0 5 0\n");
    ListFile list = HostGroup.DISK.list(proc.settings(1));
    assertThat(list.read().names()).hasSize(5).contains("HOST:DISK:sda:BUSY_MS");
    assertThat(list.readIfChanged()).isNull();
    proc.write(DISKSTATS, "8 1 sdb 1 0 2 0 3 0 4 0 0 5 0\n");
    assertThat(list.readIfChanged()).isNull();
    assertThat(list.readIfChanged()).isNotNull();
    assertThat(list.read().names()).hasSize(10).element(5).isEqualTo("HOST:DISK:sdb:READS");
    proc.write(DISKSTATS, "");
    assertThat(list.readIfChanged()).isNull();
    assertThat(HostGroup.present(proc.settings(1)))
        .extracting(String::valueOf)
        .containsExactly("HOST/CPU", "HOST/MEM", "HOST/NET");
  }

  @Test
  void aFileThatCannotBeReadDisconnectsUntilItCan() throws IOException {
    Files.delete(directory.resolve("loadavg"));
    try (HostSource source = source()) {
      source.open("HOST:LOAD:1");
      assertThat(sample(source)).isEmpty();
      proc.write(LOADAVG, "1.5 0.18 0.12 1/80 11206\n");
      assertThat(sample(source)).contains("HOST:LOAD:1 1.5");
    }
  }

  @Test
  void aFileThatIsCutStaysAsItWas() throws IOException {
    try (HostSource source = source()) {
      source.open("HOST:MEM:FREE");
      assertThat(sample(source)).hasSize(3);
      proc.write(MEMINFO, "MemTotal:       24684100 kB\nMemFr");
      assertThat(sample(source)).isEmpty();
    }
  }

  @Test
  void aNameOfAnotherMachineIsRefused() {
    try (HostSource source = source()) {
      assertThatThrownBy(() -> source.open("OTHER:MEM:FREE"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("HOST:");
      int number = source.open("HOST:MEM:FREE");
      source.close(number);
      source.close(number);
      assertThat(sample(source)).isEmpty();
      assertThatThrownBy(() -> source.close(number + 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theRateIsLimited() {
    assertThatThrownBy(() -> proc.settings(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> proc.settings(101)).isInstanceOf(IllegalArgumentException.class);
    assertThat(HostSettings.ofThisMachine(100).prefix()).isUpperCase();
  }

  /** Of a counter that changes with each sample, there is one value per interval. */
  @Test
  void samplesAreTakenAtTheRate() throws IOException {
    TreeSet<Long> times = new TreeSet<>();
    long begin = System.nanoTime();
    HostSource source = HostSource.start(proc.settings(100), events);
    try (source) {
      source.open("HOST:LOAD:1");
      for (int i = 0; times.size() < 50; i++) {
        assertThat(System.nanoTime() - begin).isLessThan(DEADLINE.toNanos());
        proc.write(LOADAVG, (i % 1000) + ".5 0.18 0.12 1/80 11206\n");
        source.poll(event -> times.add(event.receivedNanos()), 1000);
        source.await(1_000_000);
      }
    }
    long nanos = times.last() - times.first();
    assertThat(nanos).isGreaterThan(49 * 10_000_000L * 8 / 10);
    // The end of the source is that of its thread.
    source.poll(event -> {}, Integer.MAX_VALUE);
    proc.write(LOADAVG, "7.25 0.18 0.12 1/80 11206\n");
    source.await(50_000_000);
    assertThat(source.poll(event -> {}, 1000)).isZero();
  }

  @Test
  void thisMachineHasCounters() {
    HostSettings settings = HostSettings.ofThisMachine(100);
    long begin = System.nanoTime();
    try (HostSource source = HostSource.start(settings, events)) {
      // A core has one of them at any time: a busy one is never idle.
      Map<Integer, List<Double>> values = new HashMap<>();
      for (String state : List.of("USER", "NICE", "SYSTEM", "IDLE")) {
        values.put(source.open(settings.prefix() + ":CPU0:" + state), new ArrayList<>());
      }
      while (values.values().stream().noneMatch(list -> list.size() > 1)) {
        assertThat(System.nanoTime() - begin).isLessThan(DEADLINE.toNanos());
        source.poll(
            event -> {
              if (event.kind() == EventKind.VALUE) {
                values.getOrDefault(event.channel(), new ArrayList<>()).add(event.number(0));
              }
            },
            100);
        source.await(10_000_000);
      }
      for (List<Double> list : values.values()) {
        assertThat(list).isSorted().doesNotHaveDuplicates();
      }
    }
  }
}
