package org.kblake.test.command.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;

/**
 * {@code kblake forget} after a directory of the archive had another name for a while. The group of
 * that name is in the store only.
 */
final class ForgetCommandTest {

  private static final String OTHER = "VA.old/CCG";

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
  }

  private void rename(String from, String to) throws IOException {
    Files.move(kblake.archive().resolve(from), kblake.archive().resolve(to));
  }

  /** Puts the group into columns under the name that its directory has for a while. */
  private void backfillRenamed() throws IOException {
    assertThat(kblake.run("backfill").status()).isZero();
    rename("VA", "VA.old");
    assertThat(kblake.run("backfill", "-g", OTHER).status()).isZero();
    rename("VA.old", "VA");
  }

  private String status() {
    return kblake.runner().at(Instant.now()).run("status").out();
  }

  @Test
  void removesWhatOnlyTheStoreHas() throws IOException {
    backfillRenamed();
    assertThat(kblake.run("pin", "VA/CCG").status()).isZero();
    String before = kblake.getAll("-g", "VA/CCG").out();
    assertThat(status()).contains(OTHER);

    KblakeRun shown = kblake.run("forget", "-g", OTHER, "--dry-run");
    assertThat(shown.out())
        .as(shown.err())
        .matches("would forget VA.old/CCG: 1 blocks of \\S+ \\S+ of log, \\S+ \\S+\n");
    assertThat(status()).contains(OTHER);

    KblakeRun done = kblake.run("forget", "-g", OTHER);
    assertThat(done.status()).as(done.err()).isZero();
    assertThat(done.out()).isEqualTo(shown.out().replace("would forget", "forgot"));
    assertThat(status()).doesNotContain("VA.old").contains("VA/CCG");
    assertThat(kblake.store().resolve("VA.old")).doesNotExist();
    assertThat(kblake.getAll("-g", "VA/CCG").out()).isEqualTo(before);
    assertThat(kblake.run("pin").out()).contains("VA/CCG");
    assertThat(kblake.run("verify").status()).isZero();

    KblakeRun again = kblake.run("forget", "-g", OTHER);
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err()).contains("no such group in the store: VA.old/CCG");
  }

  @Test
  void keepsAGroupThatTheArchiveHas() throws IOException {
    assertThat(kblake.run("backfill").status()).isZero();
    for (String option : new String[] {"--dry-run", "--force"}) {
      KblakeRun refused = kblake.run("forget", "-g", "VA/CCG", option);
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.err()).contains("group is kept: the archive has the group: VA/CCG");
    }
    assertThat(status()).contains("VA/CCG");
  }

  @Test
  void keepsAGroupWhoseVolumeMayBeAwayUnlessForced() throws IOException {
    backfillRenamed();
    Files.createDirectory(kblake.archive().resolve("VA.old"));
    KblakeRun mountPoint = kblake.run("forget", "-g", OTHER);
    assertThat(mountPoint.status()).isEqualTo(1);
    assertThat(mountPoint.err())
        .contains("group is kept: the volume of the group may be away: VA.old/CCG; --force");
    assertThat(kblake.run("forget", "-g", OTHER, "--force").status()).isZero();
    assertThat(status()).doesNotContain("VA.old");

    rename("VA", "gone");
    KblakeRun listed = kblake.run("forget", "-g", "VA/CCG");
    assertThat(listed.status()).isEqualTo(1);
    assertThat(listed.err()).contains("SYS/KEKBLog.list has the group");
    rename("gone", "VA");
  }

  @Test
  void keepsTheOnlyCopyUnlessForced() throws IOException {
    backfillRenamed();
    Files.writeString(directory.resolve("kblake.toml"), "[run]\nretain = \"yes\"\n");
    KblakeRun refused = kblake.run("forget", "-g", OTHER);
    assertThat(refused.status()).as(refused.out()).isEqualTo(1);
    assertThat(refused.err()).contains("may have the only copy of the group: VA.old/CCG; --force");
    assertThat(kblake.run("forget", "-g", OTHER, "--force").status()).isZero();
  }

  @Test
  void theRunningProcessForgets() throws Exception {
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "archive"
        store = "store"
        [run]
        poll = "100ms"
        status-interval = "200ms"
        """);
    Path err = directory.resolve("err");
    Process process = KblakeProcess.start(directory, err, "run");
    try {
      await("columns: " + Files.readString(err), () -> status().contains("100% in columns"));
      rename("VA", "VA.old");
      await("a block of the other name", () -> hasBlock("VA.old"));
      rename("VA.old", "VA");
      await(
          "the group is away",
          () -> Files.readString(err).contains("group is away: group=" + OTHER));
      KblakeRun done = kblake.run("forget", "-g", OTHER);
      assertThat(done.status()).as(done.err()).isZero();
      assertThat(kblake.store().resolve("VA.old")).doesNotExist();
      await("no trace", () -> !status().contains("VA.old"));
      assertThat(process.isAlive()).isTrue();
      KblakeRun refused = kblake.run("forget", "-g", "VA/CCG");
      assertThat(refused.status()).isEqualTo(1);
    } finally {
      process.destroy();
      process.waitFor();
    }
    assertThat(Files.readString(err)).doesNotContain("Exception");
  }

  private boolean hasBlock(String system) throws IOException {
    Path group = kblake.store().resolve(system).resolve("CCG");
    if (!Files.isDirectory(group)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(group)) {
      return entries.anyMatch(each -> !each.getFileName().toString().startsWith("unfinished"));
    }
  }
}
