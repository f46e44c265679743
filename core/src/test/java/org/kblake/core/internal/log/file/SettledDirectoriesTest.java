package org.kblake.core.internal.log.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
final class SettledDirectoriesTest {

  @TempDir private Path temporary;

  private Path directory = Path.of("unset");

  /** States with a clock an hour ahead, so that no directory has changed recently. */
  private final SettledDirectories settled =
      new SettledDirectories(() -> Instant.now().plusSeconds(3_600));

  @BeforeEach
  void make() throws IOException {
    directory = Files.createDirectory(temporary.resolve("VA"));
    Files.createFile(directory.resolve("CCG_20160516000000.log1"));
  }

  private FileTime changed() throws IOException {
    return (FileTime) Files.getAttribute(directory, "unix:ctime");
  }

  /** Waits until the file system's clock advances, which may take some milliseconds. */
  private void waitForATick() throws IOException {
    FileTime before = changed();
    Path other = directory.resolve("other");
    while (changed().equals(before)) {
      Files.createFile(other);
      Files.delete(other);
    }
  }

  @Test
  void isEqualWhileTheNamesStay() throws IOException {
    DirectoryState before = settled.of(directory);
    assertThat(before).isNotNull();
    Files.writeString(directory.resolve("CCG_20160516000000.log1"), "grown");
    assertThat(settled.of(directory)).isEqualTo(before);
    waitForATick();
    assertThat(settled.of(directory)).isNotNull().isNotEqualTo(before);
  }

  @Test
  void isUnknownForFiveSecondsAfterAChange() throws IOException {
    Instant changed = changed().toInstant();
    assertThat(new SettledDirectories(() -> changed.plusMillis(4_999)).of(directory)).isNull();
    assertThat(new SettledDirectories(() -> changed.plusMillis(5_000)).of(directory)).isNotNull();
  }

  /** rsync does this: it gives a directory the time of the one that it copies. */
  @Test
  void differsWhenItsTimeIsSetBack() throws IOException {
    FileTime modified = Files.getLastModifiedTime(directory);
    DirectoryState before = settled.of(directory);
    waitForATick();
    Files.createFile(directory.resolve("CCG_20160517000000.log1"));
    Files.setLastModifiedTime(directory, modified);
    assertThat(settled.of(directory)).isNotNull().isNotEqualTo(before);
  }

  @Test
  void differsWhenALinkIsChanged() throws IOException {
    Path other = Files.createDirectory(temporary.resolve("other"));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
    DirectoryState before = settled.of(link);
    assertThat(before).isEqualTo(settled.of(directory));
    Files.delete(link);
    Files.createSymbolicLink(link, other);
    assertThat(settled.of(link)).isNotNull().isNotEqualTo(before);
  }

  @Test
  void isUnknownForAMissingDirectory() {
    assertThat(settled.of(temporary.resolve("none"))).isNull();
  }
}
