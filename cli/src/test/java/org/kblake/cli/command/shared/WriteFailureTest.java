package org.kblake.cli.command.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WriteFailureTest {

  @TempDir private Path directory;

  /** The message of a FileChannel on Linux, which has no file name. */
  @Test
  void fullDiskIsNamedWithItsDirectory() {
    IOException error = new IOException("No space left on device");
    assertThat(WriteFailure.explained(error, directory, "make room"))
        .hasMessageStartingWith("disk is full: directory=" + directory + ", free=")
        .hasMessageEndingWith("; make room")
        .hasCause(error);
  }

  @Test
  void exhaustedQuotaIsAFullDisk() {
    IOException error = new FileSystemException("/x/y", null, "Disk quota exceeded");
    assertThat(WriteFailure.explained(error, directory.resolve("not/there"), "make room"))
        .hasMessageStartingWith("disk is full: directory=" + directory.resolve("not/there"));
  }

  @Test
  void errorWithoutFileGetsItsDirectory() {
    assertThat(WriteFailure.explained(new IOException("Input/output error"), directory, "go on"))
        .hasMessage("cannot write: directory=" + directory + ", Input/output error; go on");
  }

  @Test
  void errorWithFileIsUnchanged() {
    IOException error = new NoSuchFileException("/x/y");
    assertThat(WriteFailure.explained(error, directory, "go on")).isSameAs(error);
  }
}
