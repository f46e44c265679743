package org.kblake.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class MountTableTest {

  private static final MountTable MOUNTS =
      MountTable.parse(
          List.of(
              "/dev/sda1 / ext4 rw,relatime 0 0",
              "systemd-1 /kekblog autofs rw,fd=43 0 0",
              "server:/kek\\040b /kekblog nfs4 ro,hard,timeo=600,retrans=2 0 0",
              "server:/b /data\\040of\\0401 nfs rw 0 0",
              "",
              "tmpfs /kekblog/VA tmpfs rw,size=4k 0 0"));

  private static String of(String path) {
    return String.valueOf(MOUNTS.of(Path.of(path)));
  }

  @Test
  void deepestDirectoryCounts() {
    assertThat(of("/kekblogs/x")).isEqualTo("ext4 /dev/sda1 at /");
    assertThat(of("/kekblog/VA/x")).isEqualTo("tmpfs tmpfs at /kekblog/VA");
    assertThat(of("/kekblog/BM")).isEqualTo("nfs4 server:/kek b at /kekblog");
    assertThat(of("/data of 1/x")).isEqualTo("nfs server:/b at /data of 1");
  }

  @Test
  void optionsAreFound() {
    Mount mount = Objects.requireNonNull(MOUNTS.of(Path.of("/kekblog")));
    assertThat(mount.isReadOnly()).isTrue();
    assertThat(mount.has("soft")).isFalse();
    assertThat(mount.number("timeo", 1)).isEqualTo(600);
    assertThat(mount.number("acregmax", 60)).isEqualTo(60);
  }

  @Test
  void emptyTableKnowsNothing() {
    assertThat(MountTable.parse(List.of()).of(Path.of("/"))).isNull();
  }

  @Test
  void rootOfThisMachineIsKnown() {
    assumeThat(Path.of("/proc/self/mounts")).exists();
    assertThat(MountTable.ofProcess().of(Path.of("/"))).isNotNull();
  }
}
