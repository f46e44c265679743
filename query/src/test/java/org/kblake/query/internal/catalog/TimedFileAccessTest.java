package org.kblake.query.internal.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.log.file.FileAccess.AccessTimeoutException;

final class TimedFileAccessTest {

  private static final Path LOG = Path.of("/archive/VA/CCG_20160516000000.log2");
  private static final Path INDEX = Path.of("/archive/VA/CCG_20160517000000.log1");
  private static final Path OTHER = Path.of("/archive/VA/IPump_20160516000000.log2");

  /** A busy machine starts a thread within this time. */
  private static final long LIMIT_MILLIS = 2_000;

  private final TimedFileAccess access = new TimedFileAccess(LIMIT_MILLIS);

  @Test
  void returnsAnswersAndErrors() throws IOException {
    assertThat(access.call(LOG, () -> 7)).isEqualTo(7);
    assertThatThrownBy(
            () ->
                access.call(
                    LOG,
                    () -> {
                      throw new IOException("unread");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("unread");
  }

  /**
   * The first read waits, the next ones do not. Other groups are read, and this one is again when
   * its volume answers.
   */
  @Test
  void waitsOnceForAnUnresponsiveVolume() throws Exception {
    CountDownLatch back = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    assertThatThrownBy(
            () ->
                access.call(
                    LOG,
                    () -> {
                      awaitUninterrupted(back);
                      return (Closeable) closed::countDown;
                    }))
        .isInstanceOf(AccessTimeoutException.class)
        .hasMessageContaining("does not answer within 2000 ms");
    assertThatThrownBy(() -> access.call(INDEX, asked::incrementAndGet))
        .isInstanceOf(AccessTimeoutException.class);
    assertThat(asked).hasValue(0);
    assertThat(access.call(OTHER, asked::incrementAndGet)).isEqualTo(1);

    back.countDown();
    assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    while (asked.get() == 1) {
      try {
        access.call(INDEX, asked::incrementAndGet);
      } catch (AccessTimeoutException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void anUnresponsiveDirectoryIncludesAllBelowIt() {
    CountDownLatch back = new CountDownLatch(1);
    Path system = Path.of("/archive/VA");
    assertThatThrownBy(
            () ->
                access.call(
                    system,
                    () -> {
                      awaitUninterrupted(back);
                      return 1;
                    }))
        .isInstanceOf(AccessTimeoutException.class);
    assertThatThrownBy(() -> access.call(OTHER, () -> 1))
        .isInstanceOf(AccessTimeoutException.class);
    back.countDown();
  }

  /** After an interrupt, the next caller waits for the same operation and starts no other. */
  @Test
  void anyNumberOfInterruptsLeavesOneOperation() throws Exception {
    CountDownLatch back = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    Thread asking = Thread.currentThread();
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(
              () ->
                  access.call(
                      LOG,
                      () -> {
                        asked.incrementAndGet();
                        asking.interrupt();
                        awaitUninterrupted(back);
                        return 1;
                      }))
          .isInstanceOfAny(ClosedByInterruptException.class, AccessTimeoutException.class);
      assertThat(Thread.interrupted()).isEqualTo(i == 0);
    }
    assertThat(asked).hasValue(1);
    back.countDown();
    assertThat(access.call(OTHER, () -> 7)).isEqualTo(7);
  }

  @Test
  void anInterruptEndsTheWaiting() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> access.call(LOG, () -> 1))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Waits as a read of a network file system does, which no interrupt ends. */
  private static void awaitUninterrupted(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // Continues to wait.
      }
    }
  }
}
