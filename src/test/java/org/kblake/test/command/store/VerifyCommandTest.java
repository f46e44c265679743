package org.kblake.test.command.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.CommandFixture.fact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.Shell;

/** {@code kblake verify} confirms correct blocks and names wrong ones. */
final class VerifyCommandTest {

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void backfill() throws IOException {
    kblake = CommandFixture.mixed(directory);
    assertThat(kblake.run("backfill").status()).isZero();
  }

  @Test
  void correctStoreIsVerifiedByItsLogs() {
    KblakeRun run = kblake.run("verify");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(fact(run, "blocks")).isEqualTo(2);
    assertThat(fact(run, "wrong")).isZero();
    assertThat(fact(run, "checked by logs")).isEqualTo(2);
    assertThat(fact(run, "raw bytes")).isEqualTo(CommandFixture.MIXED_BYTES);
  }

  @Test
  void endsWithASentence() throws IOException {
    assertThat(kblake.run("verify").out())
        .endsWith("verdict           2 blocks proved byte for byte against their logs\n");
    Files.delete(kblake.archive().resolve("VA/CCG_20160516000000.log2"));
    assertThat(kblake.run("verify").out())
        .endsWith(
            "verdict           1 block proved byte for byte against their logs, 1 by hashes\n");
    CommandFixture.flip(block("VA/CCG").resolve("double.parquet"), 2000);
    assertThat(kblake.run("verify").out())
        .endsWith("verdict           2 blocks verified, 1 wrong; standard error names them\n");
    assertThat(kblake.run("verify", "--from", "2030-01-01").out())
        .endsWith("verdict           there is no block to verify\n");
    assertThat(kblake.run("status").out()).contains("verify   0 s ago: 2 blocks, 1 wrong");
  }

  /** The clock of the runs stands still, so that equal blocks make equal reports. */
  @Test
  void reportsOfEqualBlocksAreEqual() throws IOException {
    assertThat(kblake.run("verify", "--report", "a.json").status()).isZero();
    assertThat(kblake.run("verify", "--report", "b.json", "--threads", "1").status()).isZero();
    assertThat(directory.resolve("a.json")).hasSameTextualContentAs(directory.resolve("b.json"));
    KblakeRun same = kblake.run("verify", "--compare", "a.json", "b.json");
    assertThat(same.status()).as(same.err()).isZero();
    assertThat(fact(same, "same")).isEqualTo(2);
  }

  @Test
  void comparisonOfReportsNamesBlocksThatDifferAreGoneNewOrWrong() throws IOException {
    assertThat(kblake.run("verify", "--report", "all.json").status()).isZero();
    String all = Files.readString(directory.resolve("all.json"));
    Files.writeString(
        directory.resolve("other.json"),
        all.replaceFirst("\"sha256\" : \"....", "\"sha256\" : \"0000"));
    KblakeRun differs = kblake.run("verify", "--compare", "all.json", "other.json");
    assertThat(differs.status()).isEqualTo(1);
    assertThat(differs.out())
        .containsPattern("(?m)^differs RF/AnalogData/2016\\S+: sha256 \\S{64}, now 0000");
    assertThat(kblake.run("verify", "-g", "VA/CCG", "--report", "one.json").status()).isZero();
    KblakeRun gone = kblake.run("verify", "--compare", "all.json", "one.json");
    assertThat(gone.status()).isEqualTo(1);
    assertThat(gone.out()).containsPattern("(?m)^gone RF/AnalogData/2016\\S+$");
    KblakeRun fresh = kblake.run("verify", "--compare", "one.json", "all.json");
    assertThat(fresh.status()).isZero();
    assertThat(fresh.out()).containsPattern("(?m)^new RF/AnalogData/2016\\S+$");
    CommandFixture.flip(block("VA/CCG").resolve("double.parquet"), 2000);
    assertThat(kblake.run("verify", "--report", "wrong.json").status()).isEqualTo(1);
    KblakeRun wrong = kblake.run("verify", "--compare", "all.json", "wrong.json");
    assertThat(wrong.status()).isEqualTo(1);
    assertThat(wrong.out())
        .containsPattern("(?m)^wrong VA/CCG/2016\\S+$")
        .doesNotContain("differs ");
  }

  @Test
  void fileThatIsNoReportIsNamed() throws IOException {
    for (String text : List.of("", "{", "[]", "{}", "{\"version\": 2, \"blocks\": []}")) {
      Files.writeString(directory.resolve("x.json"), text);
      KblakeRun run = kblake.run("verify", "--compare", "x.json", "x.json");
      assertThat(run.status()).as(text).isEqualTo(1);
      assertThat(run.err()).as(text).contains("not a report of verify: file=").hasLineCount(1);
    }
    KblakeRun inside = kblake.run("verify", "--report", "archive/report.json");
    assertThat(inside.status()).isEqualTo(1);
    assertThat(inside.err()).contains("--report is inside the archive");
  }

  @Test
  void groupChoosesBlocks() {
    KblakeRun run = kblake.run("verify", "-g", "VA/CCG");
    assertThat(run.status()).isZero();
    assertThat(fact(run, "blocks")).isEqualTo(1);
  }

  /** The archive is backfilled in two steps: two blocks of each group. */
  @Test
  void periodChoosesBlocks(@TempDir Path other) throws IOException {
    CommandFixture steps = CommandFixture.mixed(other);
    assertThat(steps.run("backfill", "--to", "2016-05-16 00:20").status()).isZero();
    assertThat(steps.run("backfill").status()).isZero();
    long all = fact(steps.run("verify"), "blocks");
    long later = fact(steps.run("verify", "--from", "2016-05-16 00:40"), "blocks");
    long earlier = fact(steps.run("verify", "--to", "2016-05-16 00:05"), "blocks");
    assertThat(later).isPositive().isLessThan(all);
    assertThat(earlier).isPositive().isLessThan(all);
    KblakeRun none = steps.run("verify", "--from", "2030-01-01");
    assertThat(none.status()).isZero();
    assertThat(fact(none, "blocks")).isZero();
    assertThat(steps.run("verify", "--from", "2017-01-01", "--to", "2016-01-01").status())
        .isEqualTo(2);
  }

  @Test
  void numberOfThreadsDoesNotChangeTheResult() {
    for (String threads : List.of("1", "2", "9")) {
      KblakeRun run = kblake.run("verify", "--threads", threads);
      assertThat(run.status()).isZero();
      assertThat(fact(run, "checked by logs")).isEqualTo(2);
      assertThat(fact(run, "raw bytes")).isEqualTo(CommandFixture.MIXED_BYTES);
    }
    assertThat(kblake.run("verify", "--threads", "0").status()).isEqualTo(2);
  }

  @Test
  void withoutArchiveHashesAreCompared() {
    KblakeRun run =
        KblakeRun.in(directory).run("verify", "--no-archive", "--store", kblake.store().toString());
    assertThat(run.status()).isZero();
    assertThat(fact(run, "checked by hashes")).isEqualTo(2);
  }

  @Test
  void ifTheLogIsMissingHashesAreCompared() throws IOException {
    Files.delete(kblake.archive().resolve("VA/CCG_20160516000000.log2"));
    KblakeRun run = kblake.run("verify");
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .contains("CCG_20160516000000.log2")
        .contains("; the stored hashes are compared");
    assertThat(fact(run, "checked by logs")).isEqualTo(1);
    assertThat(fact(run, "checked by hashes")).isEqualTo(1);
  }

  @Test
  void ifTheArchiveIsOfflineHashesAreCompared() throws IOException {
    Files.move(kblake.archive(), directory.resolve("unmounted"));
    KblakeRun run = kblake.run("verify");
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .contains("archive is unavailable: ")
        .contains("; the stored hashes are compared");
    assertThat(fact(run, "checked by hashes")).isEqualTo(2);
  }

  @Test
  void firstDifferingEventIsNamed() throws IOException {
    Path log = kblake.archive().resolve("VA/CCG_20160516000000.log2");
    // The last byte of a closed log belongs to the value of an event.
    CommandFixture.flip(log, Files.size(log) - 1);
    KblakeRun run = kblake.run("verify");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("VA/CCG: wrong: columns differ from the log: block=")
        .containsPattern(
            "log=\\Q"
                + log
                + "\\E, offset="
                + (Files.size(log) - 1)
                + ", event=VA_CCG:\\w+:\\w+ at 2016-05-1")
        .contains("; the columns have the original hashes, so the log has changed: keep the")
        .hasLineCount(1);
    assertThat(fact(run, "wrong")).isEqualTo(1);
    assertThat(fact(run, "checked by logs")).isEqualTo(1);
  }

  @Test
  void flippedBitInColumnsIsNamed() throws IOException {
    Path columns = block("VA/CCG").resolve("double.parquet");
    CommandFixture.flip(columns, Files.size(columns) / 2);
    KblakeRun run = kblake.run("verify");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("VA/CCG: wrong: ").contains("double.parquet").hasLineCount(1);
    assertThat(fact(run, "wrong")).isEqualTo(1);
  }

  @Test
  void wrongBlocksAreNamedDeletedAndMadeAgain() throws IOException {
    Files.delete(block("VA/CCG").resolve("double.parquet"));
    Path cut = block("RF/AnalogData").resolve("block.kb");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 100));
    KblakeRun run = kblake.run("verify");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("double.parquet").contains(cut.toString()).hasLineCount(2);
    assertThat(fact(run, "wrong")).isEqualTo(2);
    Shell.Result deleted =
        new Shell(directory).run("rm -r store/VA/CCG/2016* store/RF/AnalogData/2016*");
    assertThat(deleted.status()).isZero();
    assertThat(kblake.run("backfill").status()).isZero();
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void wrongUsageIsStatusTwo() {
    KblakeRun run = KblakeRun.in(directory).run("verify", "--store", kblake.store().toString());
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("kblake verify: no archive: ").hasLineCount(1);
  }

  @Test
  void missingStoreAndUnknownGroupAreErrors() {
    KblakeRun missing = kblake.run("verify", "--store", "none");
    assertThat(missing.status()).isEqualTo(1);
    assertThat(missing.err()).contains("not a store: directory=").hasLineCount(1);
    KblakeRun unknown = kblake.run("verify", "-g", "VA/IPump");
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.err()).contains("no such group in the store: VA/IPump").hasLineCount(1);
  }

  private Path block(String group) throws IOException {
    return CommandFixture.block(kblake.store().resolve(group));
  }
}
