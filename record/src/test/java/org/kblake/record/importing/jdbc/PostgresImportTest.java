package org.kblake.record.importing.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;

/** {@code kblake import jdbc} from PostgreSQL, whose times have microseconds. */
final class PostgresImportTest {

  @TempDir Path directory;

  @Test
  void logsHaveTheRowsOfTheTables() throws Exception {
    @Nullable Path programs = PostgresServer.programs();
    Assumptions.assumeTrue(programs != null, "PostgreSQL is not installed");
    try (PostgresServer server = PostgresServer.start(Objects.requireNonNull(programs))) {
      Seeds.each(
          "import-postgres",
          Seeds.cases(4, 20),
          seed -> {
            String name = "s" + Long.toUnsignedString(seed);
            try (Connection connection = DriverManager.getConnection(server.url("postgres"));
                Statement statement = connection.createStatement()) {
              statement.execute("CREATE DATABASE " + name);
            }
            Path in = Files.createDirectory(directory.resolve(name));
            String[] types = {"TIMESTAMP", "BYTEA"};
            ImportDatabaseTest.compare(in, server.url(name), types, seed);
          });
      rowsThatArriveMeanwhileAreNotSeen(server.url("postgres"));
    }
  }

  /** Types are those of the first reading, so the second one must have the same rows. */
  private static void rowsThatArriveMeanwhileAreNotSeen(String url) throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (name VARCHAR(9), s DECIMAL(20, 9), v BIGINT)");
      statement.execute("INSERT INTO t VALUES ('A', 1700000000, 1)");
    }
    assertThat(ImportDatabaseTest.imported(url, "1099511627781", "2")).containsExactly("00000001");
  }
}
