package org.kblake.server.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whether the archive responds. */
final class ReadyProbeTest {

  @Test
  void anErrorIsTheReason() throws InterruptedException {
    ReadyProbe probe =
        new ReadyProbe(
            () -> {
              throw new IOException("no volume");
            });
    assertThat(probe.unready()).isEqualTo("the archive cannot be read: no volume");
  }

  /** A volume that hangs holds one thread, however often a supervisor asks. */
  @Test
  void oneQuestionIsOpenAtATime() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    ReadyProbe probe =
        new ReadyProbe(
            () -> {
              asked.incrementAndGet();
              release.await();
              return 0;
            });
    assertThat(probe.unready()).isEqualTo("the archive does not respond");
    assertThat(probe.unready()).isEqualTo("the archive does not respond");
    assertThat(asked).hasValue(1);
    release.countDown();
    assertThat(probe.unready()).isNull();
  }
}
