package org.kblake.core.internal.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Sha256Test {

  /**
   * The length of the message fits into the last block up to 55 bytes, but not from 56 bytes on.
   */
  @Test
  void agreesWithTheJdkAtEveryLength() throws Exception {
    long seed = 256;
    System.out.println("Sha256Test: seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int length = 0; length < 1000; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      assertThat(Sha256.of(bytes)).isEqualTo(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
  }
}
