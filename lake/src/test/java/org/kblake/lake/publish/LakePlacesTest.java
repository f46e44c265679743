package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.FileTreeState;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.fixture.RestCatalogServer;

/** No table is made where logs, columns, copies or metadata are, whatever the place is called. */
final class LakePlacesTest {

  private static final List<String> COMMANDS =
      List.of("publish", "follow --every 0.1s", "drop --before 2200-01-01", "sql", "verify");

  @TempDir private Path temporary;

  /** The directory of the fixture, below another one. */
  private Path directory;

  private LakeFixture fixture;
  private String system;

  @BeforeEach
  void files() throws Exception {
    directory = Files.createDirectories(temporary.toRealPath().resolve("site/data"));
    fixture = LakeFixture.small(directory, Seeds.one("LakePlacesTest"));
    fixture.backfill("--profile lake");
    system = fixture.groups().get(0).system();
    Path volume = Files.createDirectories(directory.resolve("volume/linked"));
    Files.createSymbolicLink(directory.resolve("archive/linked"), volume);
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("archive"));
    Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("archive/new"));
    Files.createDirectories(directory.resolve("mirror"));
    Files.createDirectories(directory.resolve("channels"));
    Files.createDirectories(directory.resolve("other/store"));
    Files.writeString(directory.resolve("other/store/kblake-store.properties"), "");
    Files.createDirectories(directory.resolve("others/VA"));
    Files.writeString(directory.resolve("others/VA/KEKBLog.list"), "");
    Files.writeString(directory.resolve("kblake.toml"), "[run]\nmirror = \"mirror\"\n");
  }

  private void assertRefused(String options, String expected) throws IOException {
    String before = FileTreeState.of(temporary);
    for (String command : COMMANDS) {
      KblakeRun run = fixture.run(("lake " + command + " " + options).split(" "));
      assertThat(run.err())
          .as("%s %s", command, options)
          .contains("is no place for tables", expected)
          .hasLineCount(1);
      assertThat(run.status()).as("%s %s", command, options).isEqualTo(1);
    }
    assertThat(FileTreeState.of(temporary)).as(options).isEqualTo(before);
  }

  @Test
  void noTableIsMadeInsideOfData() throws Exception {
    assertRefused("archive", "inside the archive: ");
    assertRefused("archive/" + system, "inside the archive: ");
    assertRefused("archive/new/tables", "inside the archive: ");
    assertRefused("store", "inside the store: ");
    assertRefused("store/" + system + "/new", "inside the store: ");
    assertRefused("mirror", "inside the mirror: ");
    assertRefused("mirror/VA", "inside the mirror: ");
    assertRefused("channels/VA", "inside the folder with metadata: ");
  }

  @Test
  void noTableIsMadeAboveData() throws Exception {
    assertRefused(".", "above the archive: ");
    assertRefused("..", "above the archive: ");
    assertRefused(temporary.toString(), "above the archive: ");
    assertRefused("/", "above the archive: ");
  }

  @Test
  void otherNamesOfAPlaceAreTheSamePlace() throws Exception {
    assertRefused("link", "inside the archive: ");
    assertRefused("link/new", "inside the archive: ");
    assertRefused("dangling", "inside the archive: ");
    assertRefused("volume/linked/new", "inside the archive: ");
    assertRefused("volume", "above the archive: ");
    assertRefused("tables/../archive/", "inside the archive: ");
    for (String scheme : List.of("file:", "file://", "FILE:", "file:///", "file://localhost")) {
      assertRefused(scheme + directory + "/archive", "inside the archive: ");
      assertRefused(scheme + directory + "/link/../store", "inside the store: ");
    }
  }

  /** No setting names them. */
  @Test
  void directoriesOfOthersAreKnownByTheirFiles() throws Exception {
    assertRefused("other/store/tables", "inside a store: ");
    assertRefused("other", "above a store: ");
    assertRefused("others/VA/tables", "inside an archive: ");
    assertRefused("others", "above an archive: ");
    KblakeRun run = KblakeRun.in(directory).run("lake", "publish", "--store", "store", "archive");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("inside the archive of the store: ");
  }

  @Test
  void noCatalogIsMadeInsideOfData() throws Exception {
    String database = "--catalog jdbc --property uri=jdbc:sqlite:";
    assertRefused(database + directory + "/archive/catalog.db tables", "inside the archive: ");
    assertRefused(database + "file:" + directory + "/store/c.db?x=1 tables", "inside the store: ");
    assertRefused("--property warehouse=" + directory + "/store tables", "inside the store: ");
    assertRefused(
        "--property table-override.write.metadata.path=file:" + directory + "/link/x tables",
        "inside the archive: ");
  }

  /** The location is elsewhere, but the directories of tables are not. */
  @Test
  void noTableIsMadeThroughALinkOfALocation() throws Exception {
    Files.createDirectories(directory.resolve("tables"));
    Path namespace = directory.resolve("tables/" + system);
    Files.createSymbolicLink(namespace, directory.resolve("archive/" + system));
    String before = FileTreeState.of(directory.resolve("archive"));
    KblakeRun run = fixture.run("lake", "publish", "-q", "tables");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).contains("is no place for tables", "inside the archive: ");
    assertThat(FileTreeState.of(directory.resolve("archive"))).isEqualTo(before);
  }

  /** A server of REST chooses the directories of tables. No data file is made there. */
  @Test
  void noTableIsMadeWhereAServerWantsIt() throws Exception {
    Configuration hadoop = new Configuration();
    // As other tests: Hadoop keeps the first file system, and this one writes no checksums.
    hadoop.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    Path chosen = directory.resolve("store/warehouse");
    HadoopCatalog catalog = new HadoopCatalog(hadoop, chosen.toString());
    try (RestCatalogServer server = new RestCatalogServer(catalog)) {
      String rest = "--catalog rest --property uri=" + server.uri() + " tables";
      for (int attempt = 0; attempt < 2; attempt++) {
        KblakeRun run = fixture.run(("lake publish -q " + rest).split(" "));
        assertThat(run.status()).isIn(1, 3);
        assertThat(run.err()).contains("is no place for tables", "inside the store: ");
        assertThat(FileTreeState.of(chosen)).doesNotContain(".parquet", "unfinished");
      }
    }
  }
}
