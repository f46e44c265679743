package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.Trees;

/** A builder with a full disk continues when there is room. Needs the right to mount. */
@Timeout(120)
@Tag("faults")
@SuppressWarnings("try") // collectors and builders work while they are open
class FullDiskTest {

  private static final String LOG = "VA/CCG_20260101000000.log2";

  @TempDir Path directory;

  private final Ends ends = new Ends();

  @Test
  void aFullDiskLosesAndDoublesNothing() throws Exception {
    Path source = directory.resolve("source");
    Files.createDirectories(source.resolve("VA"));
    Path target = Files.createDirectory(directory.resolve("target"));
    byte[] bytes = new byte[600_000];
    new SplittableRandom(1).nextBytes(bytes);
    Files.write(source.resolve(LOG), bytes);
    assumeTrue(mounts("mount", "-t", "tmpfs", "-o", "size=1m", "none", target.toString()));
    try {
      Files.write(target.resolve("other"), new byte[700_000]);
      try (Collector collector = ends.collector(source);
          Gatherer builder = ends.builder(target, "b", collector.address())) {
        ends.await("full disk", () -> ends.said("cannot write: file="));
        assertThat(Files.size(target.resolve(LOG))).isBetween(1L, 500_000L);
        Trees.requireBeginning(target.resolve("VA"), source.resolve("VA"));
        Files.delete(target.resolve("other"));
        ends.await("all", () -> Trees.areSame(source, target));
      }
    } finally {
      assertThat(mounts("umount", target.toString())).isTrue();
    }
  }

  private static boolean mounts(String... command) throws IOException, InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      // There is no such command
      return false;
    }
  }
}
