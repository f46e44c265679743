package org.kblake.core.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.model.Group;

class StoreTest {

  private static final StoreIdentity IDENTITY =
      StoreIdentity.of(Path.of("/archive"), "Asia/Tokyo", 600_000_000_000L, "kekblog", "standard");

  @TempDir Path directory;

  @Test
  void hasTheIdentityOfItsArchive() throws IOException {
    Path store = directory.resolve("store");
    Store.openForWriting(store, IDENTITY).close();
    try (Store reopened = Store.open(store, IDENTITY)) {
      assertThat(reopened.identity()).isEqualTo(IDENTITY);
    }
  }

  @Test
  void keepsAnArchiveNameWithBackslashAndBlank() throws IOException {
    StoreIdentity odd = StoreIdentity.of(Path.of("/a b\\c/運転"), "UTC", 1, "kekblog", "lake");
    Store.openForWriting(directory.resolve("store"), odd).close();
    assertThat(StoreIdentity.read(directory.resolve("store"))).isEqualTo(odd);
  }

  @Test
  void refusesAnotherArchive() throws IOException {
    Store.openForWriting(directory, IDENTITY).close();
    StoreIdentity other =
        StoreIdentity.of(Path.of("/other"), "Asia/Tokyo", 600_000_000_000L, "kekblog", "standard");
    assertThatThrownBy(() -> Store.open(directory, other))
        .isInstanceOf(StoreException.Mismatch.class)
        .hasMessageContaining("archive of the store=/archive, requested=/other");
  }

  @Test
  void refusesAnotherZone() throws IOException {
    Store.openForWriting(directory, IDENTITY).close();
    StoreIdentity other =
        StoreIdentity.of(Path.of("/archive"), "UTC", 600_000_000_000L, "kekblog", "standard");
    assertThatThrownBy(() -> Store.openForWriting(directory, other))
        .isInstanceOf(StoreException.Mismatch.class)
        .hasMessageContaining("zone of the store=Asia/Tokyo, requested=UTC");
  }

  @Test
  void distinguishesTooNewTooOldAndDamagedIdentities() throws IOException {
    Store.openForWriting(directory, IDENTITY).close();
    Path file = directory.resolve(StoreIdentity.FILE_NAME);
    String good = Files.readString(file);
    Files.writeString(file, good.replace("oldest-reader=1", "oldest-reader=3"));
    assertThatThrownBy(() -> Store.open(directory, null))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("oldest-reader=3");
    Files.writeString(file, good.replace("format=1", "format=0"));
    assertThatThrownBy(() -> Store.open(directory, null))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("format=0");
    Files.writeString(file, good.replace("zone=Asia/Tokyo", ""));
    assertThatThrownBy(() -> Store.open(directory, null))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("store identity is damaged")
        .hasMessageContaining("missing=zone");
    Files.write(file, new byte[] {(byte) 0xFF, (byte) 0xFE, 0});
    assertThatThrownBy(() -> Store.open(directory, null))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("store identity is damaged");
  }

  @Test
  void namesADirectoryThatIsNoStore() throws IOException {
    assertThatThrownBy(() -> Store.open(directory, null))
        .isInstanceOf(StoreException.Missing.class)
        .hasMessageContaining(directory.toString());
    Files.writeString(directory.resolve("thesis.txt"), "years of work");
    assertThatThrownBy(() -> Store.openForWriting(directory, IDENTITY))
        .isInstanceOf(StoreException.Missing.class)
        .hasMessageContaining("not empty");
  }

  /** The disk was replaced by an empty one while kblake run, which makes them, was running. */
  @Test
  void filesOfARunningProcessAreAnEmptyStore() throws IOException {
    Files.createDirectories(directory.resolve(Store.RUN));
    Files.createFile(directory.resolve(Store.RUN + ".json"));
    Store.openForWriting(directory, IDENTITY).close();
    assertThat(directory.resolve("kblake-store.properties")).exists();
  }

  /** A store would remove what is in them. */
  @Test
  void directoriesWithOtherFilesAreNoEmptyStore() throws IOException {
    for (String name : List.of("requests", "trash", "access", "pins")) {
      Path other = Files.createDirectory(directory.resolve(name));
      Path file = Files.writeString(other.resolve("letter.txt"), "of a user");
      assertThatThrownBy(() -> Store.openForWriting(directory, IDENTITY))
          .isInstanceOf(StoreException.Missing.class)
          .hasMessageContaining("not empty");
      assertThat(file).exists();
      Files.delete(file);
      Files.delete(other);
    }
  }

  @Test
  void nothingIsWrittenWhereNoStoreIsAnyMore() throws IOException {
    Path store = directory.resolve("store");
    try (Store opened = Store.openForWriting(store, IDENTITY)) {
      Path lost = Files.move(store, directory.resolve("lost"));
      Files.createDirectory(store);
      assertThatThrownBy(() -> opened.write(new Group("VA", "CCG"), WriteProfile.STANDARD))
          .isInstanceOf(NoSuchFileException.class);
      assertThat(store).isEmptyDirectory();
      Files.delete(store);
      Files.move(lost, store);
    }
  }

  @Test
  void hasOneWriterAndNamesIt() throws IOException {
    try (Store writer = Store.openForWriting(directory, IDENTITY)) {
      assertThatThrownBy(() -> Store.openForWriting(directory, IDENTITY))
          .isInstanceOf(StoreException.Locked.class)
          .hasMessageContaining("holder=");
      assertThat(writer.blocks(new Group("VA", "CCG"), problem -> {})).isEmpty();
    }
    Store.openForWriting(directory, IDENTITY).close();
  }

  @Test
  void directoriesOfItsOwnAreNoSystems() throws IOException {
    try (Store store = Store.openForWriting(directory, IDENTITY)) {
      for (String own : List.of(Store.RUN, "access", "VA")) {
        Files.createDirectories(directory.resolve(own).resolve("CCG"));
      }
      assertThat(store.groups()).containsExactly(new Group("VA", "CCG"));
    }
  }

  /**
   * The operating system releases a process's lock when the process closes any other descriptor of
   * the file.
   */
  @Test
  void keepsTheLockWhenGroupsAreListed() throws IOException {
    try (Store store = Store.openForWriting(directory, IDENTITY)) {
      long held = locks();
      assertThat(held).isPositive();
      assertThat(store.groups()).isEmpty();
      assertThat(store.listedGroups().groups()).isEmpty();
      assertThat(locks()).isEqualTo(held);
    }
  }

  private static long locks() throws IOException {
    String process = " " + ProcessHandle.current().pid() + " ";
    try (Stream<String> lines = Files.lines(Path.of("/proc/locks"))) {
      return lines.filter(line -> line.contains(process)).count();
    }
  }

  @Test
  void removesUnfinishedFilesOfAWriter() throws IOException {
    Store.openForWriting(directory, IDENTITY).close();
    Path unfinished = directory.resolve("VA/CCG/unfinished-1-2");
    Files.createDirectories(unfinished);
    Files.writeString(unfinished.resolve("double.parquet"), "half");
    Store.openForWriting(directory, IDENTITY).close();
    assertThat(unfinished).doesNotExist();
  }
}
