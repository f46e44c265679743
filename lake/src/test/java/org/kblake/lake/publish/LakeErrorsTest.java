package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

final class LakeErrorsTest {

  /** A library may take the interrupt of a thread, and put it into an error. */
  @Test
  void workEndsAfterEachFormOfAnInterrupt() {
    for (Exception each :
        List.of(
            new UncheckedIOException(new ClosedByInterruptException()),
            new RuntimeException(new InterruptedException()),
            new IOException(new InterruptedIOException("waiting")),
            new RuntimeException(new RejectedExecutionException()),
            new RuntimeException("permissions : java.io.InterruptedIOException: at Shell.java"))) {
      assertThatThrownBy(() -> LakeErrors.requireNotStopped(each))
          .isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void workGoesOnAfterOtherErrors() {
    assertThatCode(() -> LakeErrors.requireNotStopped(new IOException("no space is left")))
        .doesNotThrowAnyException();
  }
}
