package org.kblake.core.internal.log.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileStateTest {

  private static final FileTime TIME = FileTime.fromMillis(1_000_000);

  @TempDir Path directory;

  private Path file;
  private FileState seen;

  @BeforeEach
  void makeFile() throws IOException {
    file = write("file", "text");
    seen = FileState.of(file);
  }

  private Path write(String name, String text) throws IOException {
    Path written = Files.writeString(directory.resolve(name), text);
    return Files.setLastModifiedTime(written, TIME);
  }

  @Test
  void isEqualWhileTheFileStays() throws IOException {
    assertThat(FileState.of(file)).isEqualTo(seen).hasSameHashCodeAs(seen);
    assertThat(FileState.ofOrMissing(file)).isEqualTo(seen);
    assertThat(seen.missing()).isFalse();
  }

  @Test
  void differsInSize() throws IOException {
    write("file", "texts");
    assertThat(FileState.of(file)).isNotEqualTo(seen);
  }

  @Test
  void differsInTime() throws IOException {
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_001));
    assertThat(FileState.of(file)).isNotEqualTo(seen);
  }

  /** The link leads to another file of the same size and time. */
  @Test
  void differsForAnotherFile() throws IOException {
    Path other = write("other", "news");
    assertThat(FileState.of(other)).isNotEqualTo(seen);
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertThat(FileState.of(link)).isEqualTo(seen);
    Files.delete(link);
    Files.createSymbolicLink(link, other);
    assertThat(FileState.of(link)).isNotEqualTo(seen);
  }

  @Test
  void isMissingWithoutAFile() {
    Path none = directory.resolve("none");
    assertThat(FileState.ofOrMissing(none).missing()).isTrue();
    assertThatThrownBy(() -> FileState.of(none)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void isUnchangedForATimeThatHasPassed() {
    Instant moment = TIME.toInstant().plusNanos(5);
    assertThat(seen.isUnchangedFor(5, moment)).isTrue();
    assertThat(seen.isUnchangedFor(6, moment)).isFalse();
  }
}
