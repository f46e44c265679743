package org.kblake.cli.command.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {

  @TempDir private Path directory;

  @Test
  void appearsWhenCompleteAndReplacesTheOldFile() throws IOException {
    Path path = Files.writeString(directory.resolve("a.csv"), "old");
    try (OutputFile file = OutputFile.create(null, path)) {
      file.out().write("new".getBytes(UTF_8));
      file.out().flush();
      assertThat(path).hasContent("old");
      file.complete();
    }
    assertThat(path).hasContent("new");
    assertThat(directory).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void leavesNothingWhenItIsNotCompleted() throws IOException {
    Path path = directory.resolve("a.csv");
    try (OutputFile file = OutputFile.create(null, path)) {
      file.out().write(new byte[1 << 20]);
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void followsALink() throws IOException {
    Path path = Files.writeString(directory.resolve("real"), "old");
    Path link = Files.createSymbolicLink(directory.resolve("link"), path);
    try (OutputFile file = OutputFile.create(null, link)) {
      file.out().write("new".getBytes(UTF_8));
      file.complete();
    }
    assertThat(link).isSymbolicLink();
    assertThat(path).hasContent("new");
  }

  @Test
  void namesTheFileWhenTheDiskIsFull() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "needs /dev/full");
    try (OutputFile file = OutputFile.create(null, full)) {
      assertThatThrownBy(() -> file.out().write(new byte[1 << 20]))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("/dev/full: ");
    }
    assertThat(full).exists();
  }

  @Test
  void refusesADirectory() {
    assertThatThrownBy(() -> OutputFile.create(null, directory))
        .hasMessage(directory + ": is a directory");
  }

  @Test
  void namesTheFileIfItsDirectoryIsMissing() {
    Path path = directory.resolve("none/a.csv");
    assertThatThrownBy(() -> OutputFile.create(null, path))
        .hasMessage(path + ": the directory does not exist");
  }
}
