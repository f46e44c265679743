package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.kblake.cli.KblakeRun;
import org.kblake.core.model.Group;
import org.kblake.core.store.Block;
import org.kblake.core.store.Store;
import org.kblake.test.RemoteFileSystem.Cache;

/**
 * An archive that is seen through a {@link RemoteFileSystem}, a store on the local disk, and
 * commands that are run on both in this JVM.
 */
final class RemoteCommands implements Closeable {

  private static final int SUCCESS = 0;
  private static final int INCOMPLETE = 3;

  private final Path directory;
  private RemoteFileSystem files;
  private int stores;

  /**
   * @param directory where the archive lies as {@code archive}; it is seen as {@code remote}
   */
  RemoteCommands(Path directory, Cache cache) throws IOException {
    this.directory = directory;
    files = RemoteFileSystem.mount(backing(), remote(), cache);
  }

  RemoteFileSystem files() {
    return files;
  }

  /** Unmounts and mounts again: the kernel keeps nothing of what it knew. */
  void mountAgain(Cache cache) throws IOException {
    files.close();
    files = RemoteFileSystem.mount(backing(), remote(), cache);
  }

  /** The archive on the local disk. */
  Path backing() {
    return directory.resolve("archive");
  }

  /** The archive as it is seen. */
  Path remote() {
    return directory.resolve("remote");
  }

  /** The store of the commands that follow. */
  Path store() {
    return directory.resolve("store" + stores);
  }

  /** Has the commands that follow use a store of their own, which is not there yet. */
  void beginStore() throws IOException {
    if (Files.exists(store())) {
      try (Stream<Path> all = Files.walk(store())) {
        for (Path path : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
          Files.delete(path);
        }
      }
    }
    stores++;
  }

  /** Runs kblake, or kblogrd where that is the first word, on the archive as it is seen. */
  KblakeRun run(String... words) {
    boolean stored = words[0].equals("backfill") || Files.exists(store());
    return run(remote(), stored, words);
  }

  /** The same on the local disk, without a store. */
  KblakeRun truth(String... words) {
    return run(backing(), false, words);
  }

  private KblakeRun run(Path archive, boolean stored, String... words) {
    KblakeRun.Builder builder = KblakeRun.in(directory).with("KBLAKE_ARCHIVE", archive.toString());
    if (stored) {
      builder.with("KBLAKE_STORE", store().toString());
    }
    return words[0].equals("kblogrd")
        ? builder.kblogrd(List.of(words).subList(1, words.length).toArray(String[]::new))
        : builder.run(words);
  }

  /** A run ended well, or says for each thing that is missing which file could not be read. */
  void assertInOrder(KblakeRun run, String what) {
    if (!run.err().contains("a record table of the period could not be read")) {
      assertThat(run.status()).as("%s: %s", what, run.err()).isIn(SUCCESS, INCOMPLETE);
    }
    for (String line : run.err().lines().toList()) {
      assertThat(line).as(what).contains("file=" + remote()).doesNotContain("\tat ");
    }
    if (run.status() == INCOMPLETE) {
      assertThat(run.err()).as(what).isNotEmpty();
    }
  }

  /** Bytes of logs that are in the store, of groups whose name has some part. */
  long storedBytes(String part) throws IOException {
    long bytes = 0;
    try (Store open = Store.open(store(), null)) {
      for (Group group : open.groups()) {
        for (Block block : open.blocks(group, problem -> {})) {
          bytes += group.toString().contains(part) ? block.facts().rawBytes() : 0;
        }
      }
    }
    return bytes;
  }

  /** Bytes of all logs whose path has some part. */
  long logBytes(String part) throws IOException {
    long bytes = 0;
    try (Stream<Path> all = Files.walk(backing())) {
      for (Path file : (Iterable<Path>) all::iterator) {
        String path = file.toString();
        bytes += path.endsWith(".log2") && path.contains(part) ? Files.size(file) : 0;
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
