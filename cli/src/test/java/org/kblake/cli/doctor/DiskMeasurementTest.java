package org.kblake.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.file.FileAccess;

final class DiskMeasurementTest {

  @TempDir private Path directory;

  @AfterEach
  void nothingIsLeft() {
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void measuresWritesAndFsyncs() throws IOException {
    DiskMeasurement measured = DiskMeasurement.in(directory, 3 << 20);
    assertThat(measured.fsyncNanos()).isPositive();
    assertThat(measured.bytes()).isPositive().isLessThanOrEqualTo(3 << 20);
    assertThat(measured.nanos()).isPositive();
  }

  /** The thread is interrupted before and in the measurement. */
  @Test
  void interruptedMeasurementRemovesItsFile() {
    for (long millis : new long[] {0, 5, 30, 100}) {
      try (VolumeAccess volumes = new VolumeAccess()) {
        Thread caller = Thread.currentThread();
        Thread other =
            new Thread(
                () -> {
                  try {
                    TimeUnit.MILLISECONDS.sleep(millis);
                  } catch (InterruptedException e) {
                    return;
                  }
                  caller.interrupt();
                });
        other.start();
        assertThatExceptionOfType(InterruptedIOException.class)
            .as("after %d ms", millis)
            .isThrownBy(
                () ->
                    volumes.within(
                        60,
                        directory,
                        () -> {
                          while (true) {
                            DiskMeasurement unused = DiskMeasurement.in(directory, 1 << 20);
                          }
                        }));
      }
      assertThat(directory).isEmptyDirectory();
    }
  }

  @Test
  void workThatDoesNotEndInTimeIsGivenUp() {
    CountDownLatch never = new CountDownLatch(1);
    try (VolumeAccess volumes = new VolumeAccess()) {
      assertThatExceptionOfType(FileAccess.AccessTimeoutException.class)
          .isThrownBy(
              () ->
                  volumes.within(
                      0,
                      directory,
                      () -> {
                        try {
                          never.await();
                        } catch (InterruptedException e) {
                          return 1;
                        }
                        return 0;
                      }))
          .withMessage(directory + " does not answer within 0 s; check its volume");
    }
  }

  @Test
  void directoryThatCannotBeWrittenIsAnError() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> DiskMeasurement.in(directory.resolve("none"), 1))
        .withMessageContaining("none");
    assertThat(Files.exists(directory.resolve("none"))).isFalse();
  }
}
