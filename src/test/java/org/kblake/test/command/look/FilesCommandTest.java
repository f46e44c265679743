package org.kblake.test.command.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/** {@code kblake files} lists exactly the files of blocks that are in use. */
final class FilesCommandTest {

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void backfill() throws IOException {
    kblake = CommandFixture.mixed(directory);
    assertThat(kblake.run("backfill").status()).isZero();
  }

  @Test
  void allFilesOfAFreshStoreAreListed() throws IOException {
    KblakeRun run = kblake.run("files");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines().map(Path::of)).containsExactlyInAnyOrderElementsOf(parquetFiles());
  }

  @Test
  void groupChoosesFiles() {
    KblakeRun run = kblake.run("files", "-g", "VA/CCG");
    assertThat(run.out().lines()).isNotEmpty().allMatch(line -> line.contains("/store/VA/CCG/"));
  }

  @Test
  void pathsMayEndInNul() {
    assertThat(kblake.run("files", "-0").out())
        .isEqualTo(kblake.run("files").out().replace('\n', '\0'));
  }

  /** Files of blocks inside a wider block, of unfinished blocks and of the trash are not listed. */
  @Test
  void filesOutOfUseAreNotListed() throws IOException {
    String before = kblake.run("files").out();
    Path block = CommandFixture.block(kblake.store().resolve("VA/CCG"));
    copy(block, block.resolveSibling("unfinished-1"));
    copy(block, Files.createDirectories(kblake.store().resolve("trash")).resolve("1"));
    assertThat(kblake.run("files").out()).isEqualTo(before);
    assertThat(parquetFiles()).hasSizeGreaterThan((int) before.lines().count());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void halfDeletedBlockIsNamedOmittedAndMadeAgain(boolean cut) throws IOException {
    String before = kblake.run("files").out();
    Path damaged = CommandFixture.find(kblake.store().resolve("VA/CCG"), "double.parquet");
    byte[] bytes = Files.readAllBytes(damaged);
    Files.delete(damaged);
    if (cut) {
      Files.write(damaged, Arrays.copyOf(bytes, bytes.length - 1));
    }
    for (String command : List.of("files", "sql")) {
      KblakeRun run = kblake.run(command);
      assertThat(run.status()).as(command).isEqualTo(3);
      assertThat(run.err()).as(command).contains(damaged.toString()).hasLineCount(1);
      assertThat(run.out()).as(command).contains("/RF/AnalogData/").doesNotContain("/VA/CCG/");
    }
    KblakeRun again = kblake.run("backfill");
    assertThat(again.status()).isEqualTo(3);
    assertThat(again.err()).contains(damaged.toString()).endsWith("; it will be made again\n");
    // The block in the trash may still be read under its name, so the new one has the next
    // generation.
    assertThat(kblake.run("files").out())
        .isEqualTo(before.replaceAll("(/VA/CCG/[^/]*)\\.1/", "$1.2/"));
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void missingStoreAndUnknownGroupAreErrors() {
    for (String command : List.of("files", "sql")) {
      KblakeRun missing = kblake.run(command, "--store", "none");
      assertThat(missing.status()).isEqualTo(1);
      assertThat(missing.err()).contains("not a store: directory=").hasLineCount(1);
      KblakeRun unknown = kblake.run(command, "-g", "VA/CGG");
      assertThat(unknown.status()).isEqualTo(1);
      assertThat(unknown.err())
          .isEqualTo(
              "kblake %s: no such group in the store: VA/CGG; did you mean VA/CCG?\n"
                  .formatted(command));
      assertThat(kblake.run(command, "-g", "CCG").status()).isEqualTo(2);
      assertThat(KblakeRun.in(directory).run(command).status()).isEqualTo(2);
    }
  }

  /** The output for scripts is empty, so standard error states the reason. */
  @Test
  void storeWithoutFilesIsNamed() {
    Path empty = directory.resolve("empty");
    List<String> store = List.of("--store", empty.toString());
    assertThat(run(store, "backfill", "--to", "2010").status()).isZero();
    for (String command : List.of("files", "sql")) {
      KblakeRun run = run(store, command);
      assertThat(run.status()).as(command).isZero();
      assertThat(run.err())
          .as(command)
          .isEqualTo(
              "no Parquet files in the store: store=%s; write them with kblake backfill%n", empty);
      assertThat(run.out()).as(command).doesNotContain("CREATE OR REPLACE VIEW");
      assertThat(run(store, command, "-q").err()).as(command).isEmpty();
    }
    assertThat(run(store, "files").out()).isEmpty();
  }

  private KblakeRun run(List<String> store, String... command) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(store);
    return kblake.run(words.toArray(String[]::new));
  }

  private List<Path> parquetFiles() throws IOException {
    try (Stream<Path> files = Files.walk(kblake.store())) {
      return files.filter(file -> file.toString().endsWith(".parquet")).toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
