package org.kblake.test.command.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.TestStores;

/** {@code kblake inspect} shows the bytes of a pair with their meaning, and names damage. */
final class InspectCommandTest {

  @TempDir private Path directory;

  private Path index = Path.of("");
  private Path log = Path.of("");

  @BeforeEach
  void copy() throws IOException {
    Path archive = TestStores.sample("tiny-be", directory.resolve("archive"));
    index = archive.resolve("BM/DCCT_20220315031800.log1");
    log = archive.resolve("BM/DCCT_20220315031800.log2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"log1", "log2"})
  void eitherFileShowsThePair(String ending) {
    KblakeRun run = inspect("archive/BM/DCCT_20220315031800." + ending, "--records", "2");
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("  file         " + index + "\n", "  layout       reference-1\n")
        .contains("  byte order   big-endian\n", "  file         " + log + "\n")
        .containsPattern("\n  00000000  4b424c31 +magic +1262636081\n")
        .containsPattern("\n  0000001c  424d5f444343543a48435552 +name +BM_DCCT:HCUR\n")
        .contains("\n  2 of 5 records\n", "\n  all 3 milestones\n")
        .containsPattern("\n  000000b0  0000019c +log offset +412\n")
        .contains("\nevent at 196 (0xc4)\n")
        .containsPattern(" time +2022-03-15T03:18:01\\.279999999\\+09:00\n")
        .containsPattern("\n  000000d8  3ff8000000000000 +value, double +1\\.5\n");
  }

  /** The samples cover texts and waveforms, in both byte orders. */
  @Test
  void everySampleIsShownToItsEnd() throws IOException {
    for (String sample : new String[] {"tiny-le", "mixed"}) {
      Path archive = TestStores.sample(sample, directory.resolve(sample));
      try (Stream<Path> files = Files.walk(archive)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".log2")).toList()) {
          KblakeRun run = inspect(file.toString(), "--events", "1000000");
          assertThat(run.status()).as(run.err()).isZero();
          assertThat(run.out()).contains("\n  the log ends here\n");
        }
      }
    }
  }

  @Test
  void milestonesAndEventsAreFoundByOffset() {
    for (String offset : new String[] {"412", "0x19c"}) {
      KblakeRun run = inspect(log.toString(), "--at", offset, "--events", "1", "--records", "1");
      assertThat(run.status()).isZero();
      assertThat(run.out())
          .contains("\nevent at 412 (0x19c)\n")
          .containsPattern(" record +none: a milestone\n")
          .contains("\n  1 of 5 entries\n")
          .doesNotContain("event at 0");
    }
    KblakeRun none = inspect(log.toString(), "--at", "413");
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err())
        .startsWith("kblake inspect: no event begins there: ")
        .contains("offset=413, one begins at 412")
        .hasLineCount(1);
  }

  @Test
  void timesAreInTheChosenZone() {
    KblakeRun run = inspect(log.toString(), "--zone", "UTC");
    assertThat(run.out()).contains("2022-03-14T18:18:01.279999999+00:00\n");
  }

  @Test
  void kindsOfOtherFilesAreNamed() throws IOException {
    // Other layouts may be installed, too.
    String expected = "0x4B424C31 (KBL1) in either byte order; give a pair's .log1 or .log2 file";
    Path file = Files.writeString(directory.resolve("other"), "PAR1....");
    assertRefused(
        inspect("other"),
        "file=" + file + ", offset=0, ",
        "(Parquet), expected an index",
        expected);
    Files.writeString(file, "ABCDEFGH");
    assertRefused(inspect("other"), "found bytes 4142434445464748, expected an index", expected);
  }

  @Test
  void compressedFilesAreRefusedWithTheirFormat() throws IOException {
    Files.write(index, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0});
    assertRefused(inspect(index.toString()), "(gzip)", "; unpack it first");
    Files.write(log, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0});
    KblakeRun run = inspect(log.toString());
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.out()).contains("a file of another kind (gzip): unpack it first");
  }

  @Test
  void laterLayoutVersionIsRefused() throws IOException {
    put(index, 5, 2);
    KblakeRun run = inspect(index.toString());
    assertRefused(run, "layout is too new: ", "version=2, newest known=1; use a newer kblake");
    assertThat(run.out()).containsPattern("00000004  0002 +layout version +2\n");
  }

  @Test
  void directoriesLinksAndEmptyFilesAreNamed() throws IOException {
    assertRefused(inspect(directory.toString()), "a directory; give a pair's .log1 or .log2 file");
    assertRefused(inspect("missing.log1"), "missing.log1, missing; restore it");
    Path volume = directory.resolve("volume/DCCT.log1");
    Files.createSymbolicLink(directory.resolve("link.log1"), volume);
    assertRefused(inspect("link.log1"), "link has no target: target=" + volume, "mount its volume");
    Files.write(index, new byte[0]);
    assertRefused(inspect(index.toString()), "empty: nothing is written yet, try again later");
  }

  @Test
  void anIndexWithoutLogIsShown() throws IOException {
    Files.delete(log);
    KblakeRun run = inspect(index.toString());
    assertDamaged(run, "file=" + log + ", missing; restore it, or mount its volume");
    assertThat(run.out()).contains("\n  all 5 records\n", "\n  all 3 milestones\n");
  }

  @Test
  void aLogWithoutIndexShowsItsBytes() throws IOException {
    Files.delete(index);
    KblakeRun run = inspect(log.toString());
    assertDamaged(run, "file=" + index + ", missing; restore it, or mount its volume");
    assertThat(run.out())
        .contains("the log's events cannot be decoded without its index")
        .containsPattern("\n  00000000  0000009cffffffff3c90e9581017df80 +\\Q........<..X....\\E\n")
        .contains("\n  256 of 1004 bytes\n");
  }

  @Test
  void aCutRecordTableIsShownUpToItsEnd() throws IOException {
    Files.write(index, Arrays.copyOf(Files.readAllBytes(index), 50));
    KblakeRun run = inspect(index.toString());
    assertDamaged(run, "index ends too early: ", "offset=50, ", "; try again later");
    assertThat(run.out()).contains("\nrecord 0\n", "\nrecord 1\n").doesNotContain("record 2");
  }

  @Test
  void damageIsShownAtItsPosition() throws IOException {
    // The severity of the event at 196.
    put(log, 196 + 17, 9);
    assertDamaged(
        inspect(log.toString()),
        "damaged event: file=" + log + ", offset=196, bytes=28, found severity=9, expected 0 to 3",
        "continuing: the next event at 224");
  }

  /** Control characters in a file do not reach the terminal. */
  @Test
  void controlCharactersAreEscaped() throws IOException {
    put(index, 0x1c, 0x1b);
    KblakeRun run = inspect(index.toString());
    assertThat(run.out()).contains("\\u001bM_DCCT:HCUR").doesNotContain("\u001b");
  }

  @Test
  void wrongUsageIsStatusTwo() {
    for (String[] args :
        new String[][] {{}, {"--records", "-1", "x"}, {"--at", "-1", "x"}, {"--at", "0x", "x"}}) {
      KblakeRun run = inspect(args);
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err()).startsWith("kblake inspect: ").hasLineCount(1);
    }
  }

  private KblakeRun inspect(String... args) {
    String[] line = new String[args.length + 1];
    line[0] = "inspect";
    System.arraycopy(args, 0, line, 1, args.length);
    return KblakeRun.in(directory).run(line);
  }

  private static void assertRefused(KblakeRun run, String... words) {
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("kblake inspect: ").contains(words).hasLineCount(1);
  }

  private static void assertDamaged(KblakeRun run, String... words) {
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .contains(": damaged: see the lines of the listing that begin with !")
        .hasLineCount(1);
    String marked = String.join("\n", run.out().lines().filter(l -> l.startsWith("! ")).toList());
    assertThat(marked).contains(words).hasLineCount(1);
  }

  private static void put(Path file, int offset, int value) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[offset] = (byte) value;
    Files.write(file, bytes);
  }
}
