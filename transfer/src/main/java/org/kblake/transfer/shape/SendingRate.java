package org.kblake.transfer.shape;

import io.github.bucket4j.Bucket;
import java.time.Duration;

/**
 * A limit in the sender, where rules of the network are not allowed: a bucket of tokens, a token a
 * byte. It cannot know what else the line carries. For any number of threads.
 */
public final class SendingRate {

  /** So much of a second may be sent at once. */
  private static final long BURSTS = 50;

  private final Bucket bucket;
  private final long capacity;

  /**
   * @param leastBurst the bytes that are sent at once, such as those of a frame
   */
  public SendingRate(BitRate rate, int leastBurst) {
    capacity = Math.max(leastBurst, rate.bytesPerSecond() / BURSTS);
    bucket =
        Bucket.builder()
            .addLimit(
                limit ->
                    limit
                        .capacity(capacity)
                        .refillGreedy(rate.bytesPerSecond(), Duration.ofSeconds(1)))
            .withNanosecondPrecision()
            .build();
  }

  /**
   * Waits until some bytes may be sent.
   *
   * @param bytes from 0 on
   * @throws InterruptedException if the thread is interrupted; then some of them may count as sent
   */
  public void await(long bytes) throws InterruptedException {
    for (long left = bytes; left > 0; left -= capacity) {
      bucket.asBlocking().consume(Math.min(left, capacity));
    }
  }
}
