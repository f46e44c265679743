package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.FileTreeState;
import org.kblake.cli.KblakeRun;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventFollower;
import org.kblake.query.question.ChannelSelection;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.GuardedProvider;

/**
 * Property 6 of docs/architecture.md: no command opens a file below the archive's root for writing.
 */
final class ReadOnlyArchiveTest {

  @TempDir private Path directory;

  private Path archive = Path.of("");
  private GuardedProvider guarded = new GuardedProvider(archive);

  @BeforeEach
  void copy() throws IOException {
    archive = TestStores.sample("mixed", directory.resolve("archive"));
    guarded = new GuardedProvider(archive);
  }

  @Test
  void closedPairsAreOnlyRead() throws Exception {
    runEverything(false);
  }

  /** The archive consists of links to files elsewhere, and kblog is still writing some pairs. */
  @Test
  void growingAndLinkedPairsAreOnlyRead() throws Exception {
    Path volume = Files.createDirectory(archive.resolve("volume"));
    try (Stream<Path> files = Files.list(archive.resolve("RF"))) {
      for (Path file : files.toList()) {
        Path target = Files.move(file, volume.resolve(file.getFileName()));
        Files.createSymbolicLink(file, target);
      }
    }
    FileTime now = FileTime.from(Instant.now());
    try (Stream<Path> files = Files.list(archive.resolve("VA"))) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, now);
      }
    }
    runEverything(false);
  }

  @Test
  void damagedPairsAreOnlyRead() throws Exception {
    Path log = archive.resolve("VA/CCG_20160516000000.log2");
    CommandFixture.flip(log, Files.size(log) / 2);
    Path index = archive.resolve("RF/AnalogData_20160516001500.log1");
    CommandFixture.flip(index, 20);
    runEverything(true);
  }

  private void runEverything(boolean damaged) throws Exception {
    String before = FileTreeState.of(archive);
    String index = "archive/VA/CCG_20160516000000.log1";
    String[][] commands = {
      {"get", "--from", "2016-05-15", "--to", "2016-05-17", "VA_CCG:*", "RF_AnalogData:*"},
      {"get", "--at", "2016-05-16T00:10", "VA_CCG:*"},
      {"channels", "-l"},
      {"inspect", index},
      {"backfill", "--dry-run"},
      {"backfill"},
      {"get", "--from", "2016-05-15", "--to", "2016-05-17", "VA_CCG:*", "RF_AnalogData:*"},
      {"get", "--at", "2016-05-16T00:10", "VA_CCG:*"},
      {"channels", "-l"},
      {"status"},
      {"doctor"},
      {"compact"},
      {"verify"},
      {"files"},
      {"sql"},
    };
    for (String[] command : commands) {
      int status = run(command);
      assertThat(status == 0 || damaged && status == 3).as(command[0]).isTrue();
    }
    follow();
    run("restore", "-g", "VA/CCG", "--into", "restored");
    run("restore", "-g", "VA/CCG", "--into", "archive");
    assertThat(guarded.refusals()).isEmpty();
    assertThat(guarded.reads()).anyMatch(file -> file.endsWith(".log2"));
    assertThat(FileTreeState.of(archive)).isEqualTo(before);
  }

  private void follow() throws IOException, InterruptedException {
    Path root = guarded.path(directory).resolve("archive");
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).open();
        EventFollower follower = reader.follow(ChannelSelection.glob("*"), Instant.EPOCH)) {
      assertThat(follower.next(Duration.ZERO)).isTrue();
      while (follower.next(Duration.ZERO)) {
        assertThat(follower.to()).isGreaterThan(follower.from());
      }
    }
  }

  private int run(String... args) {
    KblakeRun run =
        KblakeRun.in(guarded.path(directory))
            .with("KBLAKE_ARCHIVE", "archive")
            .with("KBLAKE_STORE", "store")
            .run(args);
    assertThat(run.err()).as(args[0]).doesNotContain("internal error");
    return run.status();
  }

  /** The guard detects the writes that this test must find. */
  @Test
  void guardRefusesWrites() throws IOException {
    Path file = guarded.path(directory).resolve("archive/SYS/KEKBLog.list");
    assertThatThrownBy(() -> FileChannel.open(file, StandardOpenOption.WRITE))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Files.delete(file)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Files.createDirectory(file.resolveSibling("new")))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Files.setLastModifiedTime(file, FileTime.from(Instant.now())))
        .isInstanceOf(AssertionError.class);
    assertThat(guarded.refusals()).hasSize(4);
    assertThat(Files.readAllLines(file)).isNotEmpty();
    Files.writeString(guarded.path(directory).resolve("beside"), "text");
    String before = FileTreeState.of(archive);
    Files.writeString(archive.resolve("SYS/KEKBLog.list"), "VA CCG\n");
    assertThat(FileTreeState.of(archive)).isNotEqualTo(before);
  }
}
