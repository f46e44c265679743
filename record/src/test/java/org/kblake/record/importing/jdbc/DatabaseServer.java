package org.kblake.record.importing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server of Debian on a port of its own, with its files in a new directory. */
final class DatabaseServer implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path directory;
  private final Process process;
  private final Driver driver;
  private final String url;

  private DatabaseServer(Path directory, Process process, Driver driver, String url) {
    this.directory = directory;
    this.process = process;
    this.driver = driver;
    this.url = url;
  }

  /** Returns the programs of the newest PostgreSQL, or null if there are none. */
  static @Nullable Path postgresPrograms() throws IOException {
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

  static DatabaseServer postgres(Path programs) throws Exception {
    Path directory = directory();
    String data = directory.resolve("data").toString();
    run(directory, "postgres", programs + "/initdb", "-D", data, "-A", "trust", "-U", "tester");
    int port = freePort();
    String listen = "listen_addresses=127.0.0.1";
    String[] words = {programs + "/postgres", "-D", data, "-p", "" + port, "-c", listen};
    Process server =
        start(directory, "postgres", with(words, "-c", "fsync=off", "-k", directory.toString()));
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/%s?user=tester";
    return new DatabaseServer(directory, server, DriverManager.getDriver(url.formatted("x")), url)
        .ready();
  }

  /**
   * @param driver of MariaDB or MySQL
   */
  static DatabaseServer mariaDb(Driver driver) throws Exception {
    Path directory = directory();
    String data = "--datadir=" + directory.resolve("data");
    run(
        directory,
        "mysql",
        "/usr/bin/mariadb-install-db",
        "--no-defaults",
        data,
        "--auth-root-authentication-method=normal");
    int port = freePort();
    Process server =
        start(
            directory,
            "mysql",
            "/usr/sbin/mariadbd",
            "--no-defaults",
            data,
            "--socket=" + directory.resolve("socket"),
            "--port=" + port,
            "--bind-address=127.0.0.1",
            "--innodb-flush-log-at-trx-commit=0");
    String url = "jdbc:mysql://127.0.0.1:" + port + "/%s?user=root";
    return new DatabaseServer(directory, server, driver, url).ready();
  }

  private static Path directory() throws IOException {
    Path directory = Files.createTempDirectory("kblake-database");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    return directory;
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static String[] with(String[] words, String... more) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
  }

  private static void run(Path directory, String user, String... words) throws Exception {
    Process process = start(directory, user, words);
    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(directory.resolve("log"))).isZero();
  }

  /** Starts a program, which refuses to be root. */
  private static Process start(Path directory, String user, String... words) throws IOException {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(
          List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups", "--"));
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

  private DatabaseServer ready() throws Exception {
    String any = url.startsWith("jdbc:postgresql:") ? "postgres" : "mysql";
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        connect(any).close();
        return this;
      } catch (SQLException e) {
        assertThat(System.nanoTime()).as("%s", e).isLessThan(end);
        assertThat(process.isAlive()).as(Files.readString(directory.resolve("log"))).isTrue();
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }

  String url(String database) {
    return url.formatted(database);
  }

  Connection connect(String database) throws SQLException {
    return Objects.requireNonNull(driver.connect(url(database), new Properties()));
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
