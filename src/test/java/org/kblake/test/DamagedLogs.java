package org.kblake.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Logs as disks and crashes leave them. */
final class DamagedLogs {

  private DamagedLogs() {}

  /** Flips bits, puts zeros in the middle and cuts the end, or some of it, or nothing. */
  static void damage(Path log, SplittableRandom random) throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    if (bytes.length == 0) {
      return;
    }
    for (int flips = random.nextInt(4); flips > 0; flips--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    if (random.nextInt(3) == 0) {
      int from = random.nextInt(bytes.length);
      int to = Math.min(bytes.length, from + random.nextInt(200));
      Arrays.fill(bytes, from, to, (byte) 0);
    }
    int length = random.nextInt(4) == 0 ? 1 + random.nextInt(bytes.length) : bytes.length;
    Files.write(log, Arrays.copyOf(bytes, length));
  }
}
