package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.fixture.RestCatalogServer;
import org.kblake.test.fixture.Await;

/** Tables through other catalogs, and catalogs that do not respond. */
final class CatalogsTest {

  @TempDir private Path directory;

  private LakeFixture fixture;

  @BeforeEach
  void archive() throws Exception {
    fixture = LakeFixture.small(directory, Seeds.one("CatalogsTest"));
    fixture.backfill("--profile lake");
  }

  private RestCatalogServer server() throws Exception {
    Configuration hadoop = new Configuration();
    hadoop.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    return new RestCatalogServer(new HadoopCatalog(hadoop, fixture.tables().toString()));
  }

  private void assertPublished() throws Exception {
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows(group)).isEqualTo(fixture.events(group));
    }
  }

  @Test
  void tablesMayBeInARestCatalog() throws Exception {
    try (RestCatalogServer server = server()) {
      String rest = "--catalog rest --property uri=" + server.uri() + " tables";
      fixture.succeed("lake publish " + rest);
      assertPublished();
      assertThat(fixture.succeed("lake publish " + rest)).containsPattern("snapshots +0\n");
      assertThat(fixture.succeed("lake verify " + rest)).containsPattern("wrong +0\n");
      fixture.succeed("lake drop --before 2200-01-01 " + rest);
      assertPublished();
    }
  }

  /** The snapshot may be there, and need the data files. They must not be removed. */
  @Test
  void aCommitWhoseAnswerWasLostKeepsItsFiles() throws Exception {
    try (RestCatalogServer server = server()) {
      // By default the client of the catalog tries for half a minute.
      String rest =
          "--catalog rest --property rest.client.max-retries=1 --property uri="
              + server.uri()
              + " tables";
      server.goAwayWithTheNextCommit();
      KblakeRun run = fixture.run(("lake publish -q " + rest).split(" "));
      assertThat(run.status()).isEqualTo(3);
      assertThat(run.err()).contains("whether the snapshot was committed is unknown");
      server.comeBack();
      fixture.succeed("lake verify -q " + rest);
      fixture.succeed("lake publish " + rest);
      assertPublished();
      fixture.succeed("lake verify -q " + rest);
    }
  }

  @Test
  void aCatalogThatIsAwayIsAnErrorInOneLine() {
    String away = "--catalog rest --property uri=http://127.0.0.1:1 tables";
    for (String command : new String[] {"publish", "verify", "drop --before 2024-01-01"}) {
      KblakeRun run = fixture.run(("lake " + command + " " + away).split(" "));
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .contains("catalog cannot be opened: catalog=rest, location=" + fixture.tables())
          .hasLineCount(1);
    }
    assertThat(Files.exists(fixture.tables().resolve("kblake-publisher"))).isFalse();
  }

  /** It reports the error once, and publishes when the catalog is back. */
  @Test
  void followWaitsForACatalogThatIsAway() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (RestCatalogServer server = server()) {
      server.goAway();
      String rest = "--catalog rest --property uri=" + server.uri();
      // Iceberg itself repeats a request, here once.
      rest += " --property rest.client.max-retries=1 tables";
      String[] follow = ("lake follow --every 0.1s " + rest).split(" ");
      String[] verify = ("lake verify " + rest).split(" ");
      Future<KblakeRun> following = thread.submit(() -> fixture.run(follow));
      Await.await("a second attempt", () -> server.unanswered() >= 3);
      server.comeBack();
      Await.await(
          "published tables",
          () ->
              fixture
                  .run(verify)
                  .out()
                  .matches("(?s).*as in the store +[1-9].*not published +0\n.*"));
      KblakeRun run = LakeFixture.stop(thread, following);
      assertThat(run.status()).isEqualTo(130);
      assertThat(run.err().lines().filter(line -> line.contains("the catalog is away")))
          .as(run.err())
          .hasSize(1);
      assertPublished();
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void tablesMayBeInADatabase() throws Exception {
    String jdbc =
        "--catalog jdbc --property uri=jdbc:sqlite:" + directory.resolve("catalog.db") + " tables";
    fixture.succeed("lake publish " + jdbc);
    assertThat(fixture.succeed("lake publish " + jdbc)).containsPattern("snapshots +0\n");
    assertThat(fixture.succeed("lake verify " + jdbc))
        .containsPattern("as in the store +[1-9]")
        .containsPattern("wrong +0\n");
    KblakeRun away =
        fixture.run(
            "lake", "publish", "--catalog", "jdbc", "--property", "uri=jdbc:none:x", "tables");
    assertThat(away.status()).isEqualTo(1);
    assertThat(away.err()).contains("catalog cannot be opened: catalog=jdbc").hasLineCount(1);
  }

  /** Data files were made, but the catalog does not take their commit. */
  @Test
  void aDatabaseThatGoesAwayIsReportedAndTheNextPublishContinues() throws Exception {
    Path database = directory.resolve("catalog.db");
    String jdbc = "--catalog jdbc --property uri=jdbc:sqlite:" + database + " tables";
    List<Block> blocks = fixture.blocks();
    fixture.discard(blocks);
    assertThat(fixture.succeed("lake publish " + jdbc)).containsPattern("snapshots +0\n");
    fixture.backfill("");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TRIGGER away BEFORE UPDATE ON iceberg_tables"
              + " BEGIN SELECT RAISE(ABORT, 'the database is gone'); END");
      KblakeRun run = fixture.run(("lake publish -q " + jdbc).split(" "));
      assertThat(run.status()).isEqualTo(3);
      assertThat(run.err()).contains("the database is gone");
      statement.execute("DROP TRIGGER away");
    }
    assertThat(fixture.succeed("lake publish " + jdbc)).containsPattern("snapshots +[1-9]");
    assertThat(fixture.succeed("lake verify " + jdbc))
        .containsPattern("wrong +0\n")
        .containsPattern("not published +0\n");
  }

  /** Its files would be taken for those of an attempt that was killed, and removed. */
  @Test
  void tablesOfAnotherCatalogAreLeftAlone() throws Exception {
    String jdbc = "--catalog jdbc --property uri=jdbc:sqlite:" + directory.resolve("catalog.db");
    String other = jdbc.replace("catalog.db", "other.db");
    fixture.succeed("lake publish " + jdbc + " database");
    fixture.succeed("lake publish files");
    for (String place : new String[] {"database", other + " database", other + " files"}) {
      KblakeRun run = fixture.run(("lake publish " + place).split(" "));
      assertThat(run.status()).isEqualTo(3);
      assertThat(run.err()).contains("directory has a table of another catalog: directory=");
    }
    fixture.succeed("lake verify -q " + jdbc + " database");
    fixture.succeed("lake verify -q files");
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows("files", group)).isEqualTo(fixture.events(group));
    }
  }

  /** The metadata of a table is written before the database knows it. */
  @Test
  void aTableThatTheDatabaseDidNotTakeIsMadeByTheNextPublish() throws Exception {
    Path database = directory.resolve("catalog.db");
    String jdbc = "--catalog jdbc --property uri=jdbc:sqlite:" + database + " tables";
    // It makes the tables of the catalog itself.
    assertThat(fixture.run(("lake verify -q " + jdbc).split(" ")).err()).contains("no tables");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TRIGGER away BEFORE INSERT ON iceberg_tables"
              + " BEGIN SELECT RAISE(ABORT, 'the database is gone'); END");
      KblakeRun run = fixture.run(("lake publish -q " + jdbc).split(" "));
      assertThat(run.status()).isEqualTo(3);
      assertThat(run.err()).contains("the database is gone");
      statement.execute("DROP TRIGGER away");
    }
    try (Stream<Path> files = Files.walk(fixture.tables())) {
      assertThat(files).anyMatch(file -> file.toString().endsWith(".metadata.json"));
    }
    // Another catalog may have the table.
    KblakeRun other = fixture.run("lake", "publish", "-q", "tables");
    assertThat(other.status()).isEqualTo(3);
    assertThat(other.err()).contains("; name its catalog with --catalog, or another location");
    assertThat(fixture.succeed("lake publish " + jdbc)).containsPattern("snapshots +[1-9]");
    assertThat(fixture.succeed("lake verify " + jdbc))
        .containsPattern("wrong +0\n")
        .containsPattern("not published +0\n");
  }

  @Test
  void wrongOptionsAreWrongUsage() {
    KblakeRun run = fixture.run("lake", "publish", "--property", "uri", "tables");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--property is not KEY=VALUE: uri");
    assertThat(fixture.run("lake", "publish", "--catalog", "hive", "tables").status()).isEqualTo(2);
  }
}
