package org.kblake.test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.kblake.cli.KblakeRun;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;

/**
 * A copy of a sample archive, a place for a store, and commands that are run on both in this JVM.
 *
 * @param directory the working directory, which holds both
 */
record CommandFixture(Path directory) {

  /** The logs of the sample {@code mixed}. */
  static final long MIXED_BYTES = 946_353;

  /** The events of all groups of the sample {@code mixed}. */
  static final long MIXED_EVENTS = 27_159;

  /** Copies the sample {@code mixed}, its pairs closed. */
  static CommandFixture mixed(Path directory) throws IOException {
    TestStores.sample("mixed", directory.resolve("archive"));
    return new CommandFixture(directory);
  }

  Path archive() {
    return directory.resolve("archive");
  }

  Path store() {
    return directory.resolve("store");
  }

  /** Runs a command with both as settings; whatever it is, it must not change the archive. */
  KblakeRun run(String... args) {
    return runner().run(args);
  }

  /** Puts the whole archive into the store. */
  void backfill() throws Exception {
    TestStores.backfill(Archive.open(archive(), ArchiveSettings.defaults()), store());
  }

  /** Runs {@code kblake get} for all days of the sample {@code mixed}. */
  KblakeRun getAll(String... args) {
    List<String> all =
        new ArrayList<>(List.of("get", "-q", "--from", "2016-05-15", "--to", "2016-05-18"));
    all.addAll(List.of(args));
    return run(all.toArray(String[]::new));
  }

  /** Runs kblogrd with both as settings. */
  KblakeRun kblogrd(String... args) {
    return runner().kblogrd(args);
  }

  KblakeRun.Builder runner() {
    return KblakeRun.in(directory)
        .leavingAlone(archive())
        .with("KBLAKE_ARCHIVE", archive().toString())
        .with("KBLAKE_STORE", store().toString());
  }

  /** The file of an archive or store with this name, wherever it is; there is exactly one. */
  static Path find(Path root, String pathEnd) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> found = files.filter(file -> file.endsWith(pathEnd)).toList();
      if (found.size() != 1) {
        throw new AssertionError("files with the name " + pathEnd + ": " + found);
      }
      return found.get(0);
    }
  }

  /** The only block below a directory. */
  static Path block(Path root) throws IOException {
    return Objects.requireNonNull(find(root, "block.kb").getParent());
  }

  /** Changes one byte of a file, and leaves its modification time. */
  static void flip(Path file, long offset) throws IOException {
    FileTime modified = Files.getLastModifiedTime(file);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, offset);
      one.put(0, (byte) ~one.get(0)).flip();
      channel.write(one, offset);
    }
    Files.setLastModifiedTime(file, modified);
  }

  /** The number behind a name in a summary. */
  static long fact(KblakeRun run, String name) {
    for (String line : run.out().lines().toList()) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.substring(name.length()).strip().split(" ")[0]);
      }
    }
    throw new AssertionError("no " + name + " in: " + run);
  }
}
