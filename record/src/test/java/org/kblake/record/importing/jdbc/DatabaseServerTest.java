package org.kblake.record.importing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.Statement;
import java.util.Objects;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;

/** {@code kblake import jdbc} from servers, where they are installed. */
final class DatabaseServerTest {

  private static final Path MARIADB_DRIVER = Path.of("/usr/share/java/mariadb-java-client.jar");

  @TempDir Path directory;

  @Test
  void postgresHasTheEventsOfLogs() throws Exception {
    @Nullable Path programs = DatabaseServer.postgresPrograms();
    Assumptions.assumeTrue(programs != null, "PostgreSQL is not installed");
    try (DatabaseServer server = DatabaseServer.postgres(Objects.requireNonNull(programs))) {
      compare(server, "import-postgres", RandomTables.POSTGRES);
      rowsThatArriveMeanwhileAreNotSeen(server);
    }
  }

  @Test
  void mariaDbHasTheEventsOfLogs() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/mariadbd")) && Files.isReadable(MARIADB_DRIVER),
        "MariaDB is not installed");
    URL[] jar = {MARIADB_DRIVER.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(jar, Driver.class.getClassLoader())) {
      Driver driver = ServiceLoader.load(Driver.class, loader).iterator().next();
      try (DatabaseServer server = DatabaseServer.mariaDb(driver)) {
        compare(
            server, "import-mariadb", RandomTables.MYSQL, "--driver", MARIADB_DRIVER.toString());
      }
    }
  }

  private void compare(
      DatabaseServer server, String name, RandomTables.Dialect dialect, String... options)
      throws Exception {
    Seeds.each(
        name,
        Seeds.cases(4, 20),
        seed -> {
          String database = "s" + Long.toUnsignedString(seed);
          boolean isMysql = dialect.equals(RandomTables.MYSQL);
          try (Connection connection = server.connect(isMysql ? "mysql" : "postgres");
              Statement statement = connection.createStatement()) {
            statement.execute(
                "CREATE DATABASE " + database + (isMysql ? " CHARACTER SET utf8mb4" : ""));
          }
          Path in = Files.createDirectory(directory.resolve(database));
          try (Connection connection = server.connect(database)) {
            RandomTables tables = new RandomTables(seed, connection, dialect);
            ImportDatabaseTest.compare(in, server.url(database), tables, options);
          }
        });
  }

  /** Types are those of the first reading, so the second one must have the same rows. */
  private static void rowsThatArriveMeanwhileAreNotSeen(DatabaseServer server) throws Exception {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (name VARCHAR(9), s DECIMAL(20, 9), v BIGINT)");
      statement.execute("INSERT INTO t VALUES ('A', 1700000000, 1)");
    }
    assertThat(ImportDatabaseTest.imported(server.url("postgres"), "1099511627781", "2"))
        .containsExactly("00000001");
  }
}
