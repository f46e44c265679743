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

  /** What a FileChannel says on Linux, without a file's name. */
  @Test
  void fullDiskIsNamedWithItsDirectory() {
    IOException said = new IOException("No space left on device");
    assertThat(WriteFailure.explained(said, directory, "make room"))
        .hasMessageStartingWith("disk is full: directory=" + directory + ", free=")
        .hasMessageEndingWith("; make room")
        .hasCause(said);
  }

  @Test
  void exhaustedQuotaIsAFullDisk() {
    IOException said = new FileSystemException("/x/y", null, "Disk quota exceeded");
    assertThat(WriteFailure.explained(said, directory.resolve("not/there"), "make room"))
        .hasMessageStartingWith("disk is full: directory=" + directory.resolve("not/there"));
  }

  @Test
  void bareErrorIsToldWhereItWas() {
    assertThat(WriteFailure.explained(new IOException("Input/output error"), directory, "go on"))
        .hasMessage("cannot write: directory=" + directory + ", Input/output error; go on");
  }

  @Test
  void errorThatNamesItsFileStaysAsItIs() {
    IOException said = new NoSuchFileException("/x/y");
    assertThat(WriteFailure.explained(said, directory, "go on")).isSameAs(said);
  }
}
