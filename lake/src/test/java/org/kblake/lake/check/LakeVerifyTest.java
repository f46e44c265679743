package org.kblake.lake.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.test.fixture.TestStores;

/** {@code kblake lake verify} finds each difference between tables and store. */
final class LakeVerifyTest {

  @TempDir private Path directory;

  private LakeFixture fixture;

  @BeforeEach
  void archive() throws IOException {
    fixture = LakeFixture.small(directory, Seeds.one("LakeVerifyTest"));
  }

  private void publish(String profile) {
    fixture.backfill("--profile " + profile);
    fixture.succeed("lake publish tables");
  }

  private List<Path> data() throws IOException {
    try (Stream<Path> files = Files.walk(fixture.tables())) {
      return files.filter(file -> file.toString().endsWith(".parquet")).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lake", "standard"})
  void publishedTablesAreProven(String profile) throws IOException {
    publish(profile);
    assertThat(fixture.succeed("lake verify tables"))
        .containsPattern("as in the store +" + data().size() + "\n")
        .containsPattern("as published +0\n")
        .containsPattern("not published +0\n")
        .contains("the tables have what was published");
  }

  @Test
  void blocksOfGroupsWithoutTablesAreNotPublished() throws IOException {
    Path other = Files.createDirectory(directory.resolve("other"));
    LakeFixture several = LakeFixture.of(other, 4);
    several.backfill("");
    String first = "BM/DCCT";
    several.succeed("lake publish -g " + first + " tables");
    assertThat(several.succeed("lake verify tables"))
        .containsPattern("not published +[1-9]")
        .contains("kblake lake publish adds what the store has now");
    assertThat(several.succeed("lake verify -g " + first + " tables"))
        .containsPattern("not published +0\n");
  }

  @Test
  void aChangedByteIsFound() throws IOException {
    publish("standard");
    Path file = data().get(0);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.delete(file);
    Files.write(file, bytes);
    KblakeRun run = fixture.run("lake", "verify", "-q", "tables");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(file + ", found SHA-256 ").hasLineCount(1);
    assertThat(run.out()).containsPattern("wrong +1\n");
  }

  @Test
  void aMissingFileIsFound() throws IOException {
    publish("lake");
    Path file = data().get(0);
    Files.delete(file);
    KblakeRun run = fixture.run("lake", "verify", "-q", "tables");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(file.getFileName() + ", found no file").hasLineCount(1);
  }

  @Test
  void aMissingProvenanceIsFound() throws IOException {
    publish("lake");
    Files.delete(Path.of(data().get(0) + ".json"));
    KblakeRun run = fixture.run("lake", "verify", "-q", "tables");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("provenance of a data file cannot be read").hasLineCount(1);
  }

  /** A file whose provenance was changed with it has the hash that it states, but other rows. */
  @Test
  void rowsThatAreNotThoseOfTheBlockAreFound() throws Exception {
    Path changed = null;
    long seed = Seeds.one("LakeVerifyTest");
    // Not each archive makes a table with two data files.
    for (int attempt = 0; changed == null && attempt < 20; attempt++) {
      fixture = LakeFixture.of(directory.resolve("large" + attempt), seed + attempt);
      TestStores.backfillInSteps(fixture.archive(), fixture.store(), 6, new SplittableRandom(1));
      fixture.succeed("lake publish tables");
      changed = replaceAFileByAnother();
    }
    Path wrong = Objects.requireNonNull(changed, "a table with two data files");
    KblakeRun run = fixture.run("lake", "verify", "-q", "tables");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("data file is wrong", String.valueOf(wrong.getFileName()));
  }

  /** Returns the file that has other rows now, or null if no table has two files. */
  private @Nullable Path replaceAFileByAnother() throws Exception {
    for (Path file : data()) {
      for (Path other : data()) {
        if (Objects.equals(other.getParent(), file.getParent()) && !other.equals(file)) {
          Files.copy(other, file, StandardCopyOption.REPLACE_EXISTING);
          Path provenance = Path.of(file + ".json");
          String sha256 =
              HexFormat.of()
                  .formatHex(
                      MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(other)));
          Files.writeString(
              provenance,
              Files.readString(provenance)
                  .replaceFirst("(\"file\"[^}]*\"sha256\" : \")[0-9a-f]+", "$1" + sha256));
          return file;
        }
      }
    }
    return null;
  }

  @Test
  void whatTheStoreHasMoreIsNoError() throws Exception {
    publish("lake");
    fixture.discard(fixture.blocks());
    assertThat(fixture.succeed("lake verify tables"))
        .containsPattern("as in the store +0\n")
        .containsPattern("as published +" + data().size() + "\n");
  }

  @Test
  void withoutTablesItTellsHowToMakeThem() {
    fixture.backfill("");
    KblakeRun run = fixture.run("lake", "verify", "tables");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("kblake lake verify: no tables: location=" + fixture.tables())
        .endsWith("; make them with kblake lake publish\n");
  }
}
