package org.kblake.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.cli.check.Severity;

final class StoreDiskTest {

  private static final long GIB = 1L << 30;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ext4 rw         | 100 | false | OK       | local",
        "ext4 rw         |   2 | false | WARNING  | 2.00 GiB free of 200 GiB",
        "ext4 rw         |   0 | false | CRITICAL | no block can be written",
        "ext4 ro         | 100 | false | WARNING  | columns can be read, not written",
        "xfs rw,nobarrier| 100 | false | WARNING  | a power cut may damage it",
        "tmpfs rw        | 100 | false | WARNING  | lost at the next start of the machine",
        "tmpfs rw        | 100 | true  | CRITICAL | retain",
        "overlay rw      | 100 | false | WARNING  | lost with the container",
        "nfs4 rw         | 100 | false | WARNING  | locks and renames may fail",
        "fuse.x rw       | 100 | false | WARNING  | network",
      })
  void disksAreJudged(
      String mount, int freeGib, boolean retained, Severity severity, String found) {
    Diagnosis diagnosis =
        StoreDisk.disk(
            MountTable.parse(List.of("/dev/sdb /ssd " + mount + " 0 0")).of(Path.of("/ssd/kblake")),
            freeGib * GIB,
            200 * GIB,
            retained);
    assertThat(diagnosis.severity()).isEqualTo(severity);
    assertThat(diagnosis.found()).contains(found);
    assertThat(diagnosis.advice() == null).isEqualTo(severity == Severity.OK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "20000     | false | WARNING | 0.020 ms for 4 KiB (median): probably does not reach the medium",
        "20000     | true  | WARNING | probably does not reach the medium",
        "200000    | false | OK      | 0.200 ms for 4 KiB (median): plausible for an SSD, or a cache",
        "8000000   | false | OK      | 8.0 ms for 4 KiB (median): plausible for a disk or an SSD",
        "8000000   | true  | OK      | the server decides",
        "150000000 | false | WARNING | 150.0 ms for 4 KiB (median): slow",
      })
  void fsyncsAreJudged(long nanos, boolean network, Severity severity, String found) {
    Diagnosis diagnosis = StoreDisk.fsync(nanos, network);
    assertThat(diagnosis.severity()).isEqualTo(severity);
    assertThat(diagnosis.found()).contains(found);
  }

  @ParameterizedTest
  @CsvSource({"64, 500000000, OK, 128 MiB/s", "16, 3200000000, WARNING, 5 MiB/s"})
  void speedsAreJudged(int mib, long nanos, Severity severity, String found) {
    Diagnosis diagnosis = StoreDisk.write((long) mib << 20, nanos);
    assertThat(diagnosis.severity()).isEqualTo(severity);
    assertThat(diagnosis.found()).startsWith(found);
  }
}
