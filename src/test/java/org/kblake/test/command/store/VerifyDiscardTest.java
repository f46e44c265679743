package org.kblake.test.command.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.CommandFixture.fact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.verify.Verify;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.VerifyFindings;

/**
 * {@code kblake verify --discard} removes wrong blocks from the store if they can be made again.
 */
final class VerifyDiscardTest {

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  /** The block of VA/CCG. The block of the other group stays correct. */
  private Path block = Path.of("");

  @BeforeEach
  void backfill() throws IOException {
    kblake = CommandFixture.mixed(directory);
    assertThat(kblake.run("backfill").status()).isZero();
    block = CommandFixture.block(kblake.store().resolve("VA/CCG"));
  }

  private Path log(String ending) {
    return kblake.archive().resolve("VA/CCG_20160516000000." + ending);
  }

  private void cut(String name) throws IOException {
    Path file = block.resolve(name);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"double.parquet", "chunks.kb", "patch.kb", "block.kb"})
  void wrongBlocksAreDiscardedAndMadeAgain(String file) throws IOException {
    cut(file);
    KblakeRun run = kblake.run("verify", "--discard");
    assertThat(run.err())
        .startsWith("VA/CCG: wrong: ")
        .contains("; it is in the trash now: make it again with backfill")
        .hasLineCount(1);
    assertThat(run.status()).isZero();
    assertThat(fact(run, "wrong")).isEqualTo(1);
    assertThat(fact(run, "discarded")).isEqualTo(1);
    assertThat(block).doesNotExist();
    assertThat(kblake.store().resolve("trash"))
        .isDirectoryContaining(entry -> entry.toString().endsWith("-CCG-" + block.getFileName()));
    KblakeRun again = kblake.run("backfill");
    assertThat(again.status()).isZero();
    KblakeRun sound = kblake.run("verify");
    assertThat(sound.status()).isZero();
    assertThat(fact(sound, "blocks")).isEqualTo(2);
  }

  /** The lengths of the files are right, so backfill alone would keep this block. */
  @Test
  void aBlockWithOneWrongByteIsDiscarded() throws IOException {
    Path columns = block.resolve("double.parquet");
    CommandFixture.flip(columns, Files.size(columns) / 2);
    assertThat(kblake.run("backfill").status()).isZero();
    assertThat(kblake.run("verify").status()).isEqualTo(1);
    assertThat(kblake.run("verify", "--discard").status()).isZero();
    assertThat(kblake.run("backfill").status()).isZero();
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void correctBlocksAreKept() {
    KblakeRun run = kblake.run("verify", "--discard");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(fact(run, "discarded")).isZero();
    assertThat(kblake.store().resolve("trash")).doesNotExist();
  }

  @Test
  void withoutTheOptionNothingIsDiscarded() throws IOException {
    cut("double.parquet");
    KblakeRun run = kblake.run("verify");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("make the block again with verify --discard and backfill");
    assertThat(block).isDirectory();
  }

  /** The damaged block is the only copy of these events. */
  @ParameterizedTest
  @ValueSource(strings = {"double.parquet", "chunks.kb", "block.kb"})
  void aBlockIsKeptIfItsLogIsMissing(String file) throws IOException {
    cut(file);
    Files.delete(log("log2"));
    Files.delete(log("log1"));
    checkKept("; it is kept, because its log cannot be read");
  }

  /** The log in the archive ends before the block does. */
  @Test
  void aBlockIsKeptIfItsLogIsCut() throws IOException {
    cut("double.parquet");
    Files.write(log("log2"), Arrays.copyOf(Files.readAllBytes(log("log2")), 20_000));
    TestStores.closePairs(kblake.archive());
    checkKept("; it is kept, because ");
  }

  /** A new block would contain the changed log, and the original events would be lost. */
  @Test
  void aBlockIsKeptIfItsLogHasChanged() throws IOException {
    cut("double.parquet");
    CommandFixture.flip(log("log2"), Files.size(log("log2")) - 1);
    checkKept("; it is kept, because its log has changed since: other bytes: file=");
  }

  @Test
  void aCorrectBlockIsKeptIfOnlyItsLogHasChanged() throws IOException {
    CommandFixture.flip(log("log2"), Files.size(log("log2")) - 1);
    checkKept("; the columns have the original hashes, so the log has changed: keep the block");
  }

  private void checkKept(String why) {
    KblakeRun run = kblake.run("verify", "--discard");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(why);
    assertThat(fact(run, "wrong")).isEqualTo(1);
    assertThat(fact(run, "discarded")).isZero();
    assertThat(block).isDirectory();
    assertThat(kblake.store().resolve("trash")).doesNotExist();
  }

  /** Another thread of the process that follows the archive merged or evicted it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBlockThatWasRemovedMeanwhileIsNotWrong(boolean discard) throws Exception {
    Archive archive = Archive.open(kblake.archive(), ArchiveSettings.defaults());
    VerifyFindings findings = new VerifyFindings();
    try (Store store = TestStores.storeForWriting(archive, kblake.store())) {
      Block removed = store.blocks(new Group("VA", "CCG"), problem -> {}).get(0);
      assertThat(store.discard(removed)).isTrue();
      Verify.Summary summary =
          new Verify(
                  archive,
                  store,
                  archive.settings().layouts(),
                  BackfillSettings.MIN_MEMORY_BYTES,
                  discard,
                  findings)
              .run(removed);
      assertThat(summary.failed()).isZero();
      assertThat(summary.discarded()).isZero();
    }
    assertThat(findings.failures()).isEmpty();
    assertThat(findings.notes())
        .singleElement(InstanceOfAssertFactories.STRING)
        .startsWith("block was removed before it was verified: block=");
  }

  @Test
  void anotherWriterIsNamed() throws IOException {
    Archive archive = Archive.open(kblake.archive(), ArchiveSettings.defaults());
    try (Store held = TestStores.storeForWriting(archive, kblake.store())) {
      KblakeRun run = kblake.run("verify", "--discard");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .startsWith(
              "kblake verify: another process has locked this store: store=" + held.directory())
          .hasLineCount(1);
      assertThat(kblake.run("verify").status()).isZero();
    }
  }

  @Test
  void anArchiveIsNeeded() throws IOException {
    KblakeRun usage = kblake.run("verify", "--discard", "--no-archive");
    assertThat(usage.status()).isEqualTo(2);
    assertThat(usage.err())
        .startsWith("kblake verify: --discard excludes --no-archive: ")
        .hasLineCount(1);
    Files.move(kblake.archive(), directory.resolve("unmounted"));
    KblakeRun offline = kblake.run("verify", "--discard");
    assertThat(offline.status()).isEqualTo(1);
    assertThat(offline.err()).contains("archive is unavailable: ").hasLineCount(1);
  }

  @Test
  void noStoreIsMade() {
    KblakeRun run = kblake.run("verify", "--discard", "--store", "none");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("not a store: directory=").hasLineCount(1);
    assertThat(directory.resolve("none")).doesNotExist();
  }
}
