package org.kblake.benchmarks.wear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One hour of ten channels, so that a broken benchmark is noticed. The figures are meaningless. */
class WearTest {

  @TempDir Path data;

  @Test
  void anHourIsFollowedWithAndWithoutMirror() throws Exception {
    assumeThat(Files.isWritable(Path.of("/dev/shm"))).as("/dev/shm is writable").isTrue();
    System.setProperty("kblake.benchmarks.data", data.toString());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean unused = Wear.measure(10, 1, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("no mirror, 10 channels, 1 h", "mirror on tmpfs", "mirror on the disk")
        .contains("6 blocks sealed")
        .contains("no mirror: no block was merged, so the bytes of merges are missing")
        .contains("aim: 3.0");
    assertThat(data).isEmptyDirectory();
  }
}
