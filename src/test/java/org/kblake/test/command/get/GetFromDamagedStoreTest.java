package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.CommandFixture;

/**
 * {@code kblake get} from a store with a damaged file: the messages, and the file that they name.
 */
final class GetFromDamagedStoreTest {

  private static final String CHANNEL = "VA_CCG:D02_013:CUR";

  @TempDir private Path directory;

  private CommandFixture fixture = new CommandFixture(Path.of(""));
  private Path block = Path.of("");

  @BeforeEach
  void backfill() throws Exception {
    fixture = CommandFixture.mixed(directory);
    fixture.backfill();
    block = CommandFixture.block(fixture.store().resolve("VA/CCG"));
  }

  @Test
  void theRawLogReplacesADamagedBlockAndTheMessageSaysSo() throws IOException {
    String whole = fixture.getAll(CHANNEL).out();
    damageColumns();
    KblakeRun run = getLoudly("auto");
    assertThat(run.out()).isEqualTo(whole);
    assertThat(run.err()).contains(".parquet").contains("; the raw log is read instead");
    assertThat(run.status()).isZero();
  }

  @Test
  void storeAloneReportsMissingEvents() throws IOException {
    damageColumns();
    KblakeRun run = getLoudly("store");
    assertThat(run.err())
        .contains("; its events are missing")
        .contains("incomplete: damaged: ")
        .contains(".parquet")
        .doesNotContain("read instead");
    assertThat(run.status()).isEqualTo(3);
  }

  @Test
  void missingLogIsReportedAsMissingEvents() throws IOException {
    damageColumns();
    Files.delete(fixture.archive().resolve("VA/CCG_20160516000000.log2"));
    KblakeRun run = getLoudly("auto");
    assertThat(run.err())
        .contains("; its events are missing")
        .contains("incomplete: unavailable: ")
        .contains("CCG_20160516000000.log2")
        .contains(".parquet")
        .doesNotContain("read instead");
    assertThat(run.status()).isEqualTo(3);
  }

  /**
   * Without the pairs of a block no channel is known, and the archive must not look as if it had
   * none.
   */
  @Test
  void damagedPairsAreNamedIfNoChannelIsKnown() throws IOException {
    Path file = block.resolve("block.kb");
    damagePairs(file);
    checkNamed(file);
  }

  @Test
  void unreadableBlockIsNamedIfNoChannelIsKnown() throws IOException {
    Path file = block.resolve("block.kb");
    Files.write(file, new byte[100]);
    checkNamed(file);
  }

  private void checkNamed(Path file) {
    KblakeRun run = fixture.getAll("-g", "VA/CCG", "--source", "store", CHANNEL);
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .startsWith(
            "kblake get: incomplete: no such channel: "
                + CHANNEL
                + "; a record table of the period could not be read: block is damaged: file="
                + file)
        .hasLineCount(1);
  }

  /** Changes a byte of the pairs' section. The block can still be opened and has its segments. */
  private void damagePairs(Path file) throws IOException {
    try (Store store = Store.open(fixture.store(), null)) {
      for (int at = 0; at < Files.size(file); at += 50) {
        CommandFixture.flip(file, at);
        List<Block> blocks = store.blocks(Group.parse("VA/CCG"), problem -> {});
        if (!blocks.isEmpty() && isWithoutPairs(blocks.get(0))) {
          return;
        }
        CommandFixture.flip(file, at);
      }
    }
    throw new AssertionError("no byte belongs to the pairs alone: " + file);
  }

  private static boolean isWithoutPairs(Block opened) {
    return catchThrowable(opened::segments) == null && catchThrowable(opened::pairs) != null;
  }

  private void damageColumns() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(block, "*.parquet")) {
      for (Path file : files) {
        Files.write(file, new byte[(int) Files.size(file)]);
      }
    }
  }

  private KblakeRun getLoudly(String source) {
    return fixture.run(
        "get",
        "-v",
        "-g",
        "VA/CCG",
        "--from",
        "2016-05-15",
        "--to",
        "2016-05-18",
        "--source",
        source,
        CHANNEL);
  }
}
