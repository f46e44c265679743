package org.kblake.record.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory is read once for all groups, and no change is missed. */
final class PairDirectoriesTest {

  @TempDir Path directory;
  private int reads;

  private final PairDirectories directories =
      new PairDirectories(
          new LogFiles() {
            @Override
            public List<String> names(Path of) throws IOException {
              reads++;
              return DISK.names(of);
            }

            @Override
            public long changedMillis(Path of) throws IOException {
              return DISK.changedMillis(of);
            }

            @Override
            public WrittenFile create(Path file) {
              throw new UnsupportedOperationException();
            }

            @Override
            public void createDirectory(Path of) {
              throw new UnsupportedOperationException();
            }

            @Override
            public void discard(Path file) {
              throw new UnsupportedOperationException();
            }

            @Override
            public long bytes(Path file) {
              throw new UnsupportedOperationException();
            }

            @Override
            public void force(Path of) {
              throw new UnsupportedOperationException();
            }

            @Override
            public @Nullable Closeable lock(Path file) {
              throw new UnsupportedOperationException();
            }
          });

  private int pairs(String group) throws IOException {
    return directories.pairs(directory, group).size();
  }

  private void create(String file, long secondsAgo) throws IOException {
    Files.createFile(directory.resolve(file));
    long millis = System.currentTimeMillis() - 1000 * secondsAgo;
    Files.setLastModifiedTime(directory, FileTime.fromMillis(millis));
  }

  @Test
  void anUnchangedDirectoryIsReadOnce() throws IOException {
    create("A_20260101000000.log1", 30);
    create("B_20260101000000.log2", 20);
    create("B_20260101999999.log2", 10);
    assertThat(pairs("A")).isEqualTo(1);
    assertThat(pairs("B")).isEqualTo(1);
    assertThat(pairs("C")).isZero();
    assertThat(reads).isEqualTo(1);
    assertThat(directories.pairs(directory, "A")).isSameAs(directories.pairs(directory, "A"));
    create("A_20260102000000.log1", 5);
    assertThat(pairs("A")).isEqualTo(2);
    assertThat(pairs("B")).isEqualTo(1);
    assertThat(reads).isEqualTo(2);
  }

  /** Two files of one moment may leave the same time stamp. */
  @Test
  void aDirectoryThatHasJustChangedIsReadAgain() throws IOException {
    create("A_20260101000000.log1", 0);
    FileTime changed = Files.getLastModifiedTime(directory);
    assertThat(pairs("A")).isEqualTo(1);
    create("A_20260102000000.log1", 0);
    Files.setLastModifiedTime(directory, changed);
    assertThat(pairs("A")).isEqualTo(2);
  }
}
