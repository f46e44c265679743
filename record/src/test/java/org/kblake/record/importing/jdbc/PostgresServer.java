package org.kblake.record.importing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL of Debian on a port of its own, with its files in a new directory. */
final class PostgresServer implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path directory;
  private final Process process;
  private final int port;

  private PostgresServer(Path directory, Process process, int port) {
    this.directory = directory;
    this.process = process;
    this.port = port;
  }

  /** Returns the programs of the newest version, or null if there are none. */
  static @Nullable Path programs() throws IOException {
    Path versions = Path.of("/usr/lib/postgresql");
    if (!Files.isDirectory(versions)) {
      return null;
    }
    try (Stream<Path> all = Files.list(versions)) {
      return all.map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder())
          .orElse(null);
    }
  }

  static PostgresServer start(Path programs) throws Exception {
    Path directory = Files.createTempDirectory("kblake-postgres");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path data = directory.resolve("data");
    Process init =
        start(
            directory, programs + "/initdb", "-D", data.toString(), "-A", "trust", "-U", "tester");
    assertThat(init.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(init.exitValue()).as(Files.readString(directory.resolve("log"))).isZero();
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Process server =
        start(
            directory,
            programs + "/postgres",
            "-D",
            data.toString(),
            "-p",
            "" + port,
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "fsync=off",
            "-k",
            directory.toString());
    PostgresServer started = new PostgresServer(directory, server, port);
    started.awaitReady();
    return started;
  }

  /** Starts a program, which refuses to be root. */
  private static Process start(Path directory, String... words) throws IOException {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(
          List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"));
    }
    command.addAll(List.of(words));
    File log = directory.resolve("log").toFile();
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
        .start();
  }

  private void awaitReady() throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        DriverManager.getConnection(url("postgres")).close();
        return;
      } catch (SQLException e) {
        assertThat(System.nanoTime()).as("%s", e).isLessThan(end);
        assertThat(process.isAlive()).as(Files.readString(directory.resolve("log"))).isTrue();
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }

  String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=tester";
  }

  @Override
  public void close() throws IOException {
    process.toHandle().destroy();
    process.onExit().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(each);
      }
    }
  }
}
