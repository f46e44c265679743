package org.kblake.hbase.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;

/**
 * Bytes that are no value of an event are refused, and nothing is allocated because they say so.
 */
final class EventValueTest {

  private static final byte[] ROW = {1};

  @Test
  void randomBytesAreReadOrRefused() throws Exception {
    Seeds.each(
        "values",
        20,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          int refused = 0;
          for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            if (bytes.length > 1) {
              bytes[1] = (byte) random.nextInt(5);
            }
            try {
              EventValue value = EventValue.of(bytes, ROW);
              assertThat(value.severity()).isLessThan(4);
              assertThat(value.elements()).isLessThanOrEqualTo(bytes.length);
            } catch (CorruptRowException e) {
              refused++;
            }
          }
          assertThat(refused).isBetween(100, 1_990);
        });
  }
}
