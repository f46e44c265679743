package org.kblake.record.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LockedFileTest {

  @TempDir Path directory;

  /** Returns the locks that Linux knows of this process. */
  private static long locks() throws IOException {
    String process = " " + ProcessHandle.current().pid() + " ";
    try (Stream<String> lines = Files.lines(Path.of("/proc/locks"))) {
      return lines.filter(line -> line.contains(process)).count();
    }
  }

  /**
   * The operating system releases a process's lock when the process closes any other descriptor of
   * the file: another process could then write the same group.
   */
  @Test
  void aSecondTryKeepsTheLock() throws IOException {
    Path other = Files.createSymbolicLink(directory.resolve("other"), directory);
    long before = locks();
    try (Closeable lock = LogFiles.DISK.lock(directory.resolve("lock"))) {
      assertThat(lock).isNotNull();
      assertThat(locks()).isEqualTo(before + 1);
      assertThat(LogFiles.DISK.lock(directory.resolve("lock"))).isNull();
      assertThat(LogFiles.DISK.lock(other.resolve("lock"))).isNull();
      assertThat(locks()).isEqualTo(before + 1);
    }
    assertThat(locks()).isEqualTo(before);
  }

  @Test
  void aLockThatWasGivenBackTwiceIsThatOfTheNextOne() throws IOException {
    Closeable first = Objects.requireNonNull(LogFiles.DISK.lock(directory.resolve("lock")));
    first.close();
    try (Closeable second = LogFiles.DISK.lock(directory.resolve("lock"))) {
      assertThat(second).isNotNull();
      first.close();
      assertThat(LogFiles.DISK.lock(directory.resolve("lock"))).isNull();
    }
  }

  @Test
  void aFileThatCannotBeLockedMayBeLater() throws IOException {
    Path file = directory.resolve("away/lock");
    assertThatThrownBy(() -> LogFiles.DISK.lock(file)).isInstanceOf(NoSuchFileException.class);
    Files.createDirectory(directory.resolve("away"));
    Path folder = Files.createDirectory(file);
    assertThatThrownBy(() -> LogFiles.DISK.lock(file)).isInstanceOf(IOException.class);
    Files.delete(folder);
    try (Closeable lock = LogFiles.DISK.lock(file)) {
      assertThat(lock).isNotNull();
    }
  }
}
