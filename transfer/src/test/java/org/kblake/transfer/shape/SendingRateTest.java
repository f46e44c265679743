package org.kblake.transfer.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limit in the sender. */
final class SendingRateTest {

  private static final BitRate MEGABIT = BitRate.parse("1mbit");
  private static final int FRAME = 1000;

  /** In two seconds 250,000 bytes may be sent, and 2,500 at first. */
  @Test
  @Timeout(60)
  void bytesWaitForTheirTime() throws InterruptedException {
    SendingRate rate = new SendingRate(MEGABIT, FRAME);
    long begin = System.nanoTime();
    for (int sent = 0; sent < 252_500; sent += FRAME) {
      rate.await(FRAME);
    }
    assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1900));
  }

  /** More than the bucket holds is taken in parts, and is no request that never succeeds. */
  @Test
  @Timeout(60)
  void moreThanABurstWaits() throws InterruptedException {
    SendingRate rate = new SendingRate(MEGABIT, FRAME);
    long begin = System.nanoTime();
    rate.await(127_500);
    assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
  }

  @Test
  @Timeout(60)
  void anInterruptEndsTheWait() {
    SendingRate rate = new SendingRate(BitRate.parse("1kbit"), FRAME);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> rate.await(1_000_000)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }
}
