package org.kblake.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.cli.check.Severity;

final class MachineRulesTest {

  private static final long GIB = 1L << 30;

  @Test
  void directoryThatCannotBeWatchedIsAWarningWithTheLimit() {
    Diagnosis diagnosis =
        MachineRules.watches(
            3,
            "/kekblog/VA: User limit of inotify watches reached; raise fs.inotify.max_user_watches",
            8L);
    assertThat(diagnosis.severity()).isEqualTo(Severity.WARNING);
    assertThat(diagnosis.found())
        .isEqualTo(
            "changes are not reported, kblake run polls: /kekblog/VA: User limit of inotify"
                + " watches reached, limit of this user 8");
    assertThat(diagnosis.advice()).isEqualTo("raise fs.inotify.max_user_watches");
    assertThat(MachineRules.watches(1, null, 8L).found())
        .isEqualTo("1 directory can be watched, limit of this user 8");
    assertThat(MachineRules.watches(0, null, 8L).found()).contains("polls this archive");
  }

  @Test
  void openFilesMustSufficeForAllGroups() {
    assertThat(MachineRules.openFiles(1024, 40).severity()).isEqualTo(Severity.OK);
    assertThat(MachineRules.openFiles(1024, 100).severity()).isEqualTo(Severity.WARNING);
  }

  @Test
  void memoryMustSufficeForTheSetting() {
    assertThat(MachineRules.memory(31, 20_000, GIB, 4 * GIB, 3 * GIB, GIB).severity())
        .isEqualTo(Severity.OK);
    assertThat(MachineRules.memory(31, 20_000, GIB, 4 * GIB, null, GIB).severity())
        .isEqualTo(Severity.OK);
    assertThat(MachineRules.memory(31, 20_000, GIB, 4 * GIB, GIB, GIB).severity())
        .isEqualTo(Severity.WARNING);
    // The JVM would run out of heap after some minutes.
    Diagnosis heap = MachineRules.memory(10_000, 2_000_000, 512 << 20, 16 * GIB, 8 * GIB, GIB);
    assertThat(heap.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(heap.found())
        .contains("for 10000 groups and 2000000 channels; the limit of the heap is 512 MiB");
    assertThat(heap.advice()).isEqualTo("give it more heap: KBLAKE_JAVA_OPTS=-Xmx748m");
    assertThat(MachineRules.memory(10_000, 40_000, 512 << 20, 16 * GIB, 8 * GIB, GIB).severity())
        .isEqualTo(Severity.OK);
    assertThat(MachineRules.memory(31, 20_000, GIB, GIB, GIB, GIB).severity())
        .isEqualTo(Severity.CRITICAL);
  }

  @Test
  void availableMemoryIsThatOfLinux() {
    assertThat(
            MachineRules.available(
                List.of("MemTotal:       24684092 kB", "MemAvailable:   23000000 kB")))
        .isEqualTo(23_000_000L << 10);
    assertThat(MachineRules.available(List.of("MemTotal: 1 kB"))).isNull();
  }
}
