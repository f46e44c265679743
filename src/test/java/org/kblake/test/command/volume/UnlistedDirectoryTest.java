package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/**
 * Commands while a system's directory or KEKBLog.list cannot be read, which may contain more
 * groups. An answer about all groups is complete only if the list, or the directories, show all
 * groups. The superuser may list every directory, so links to missing targets stand for unreadable
 * directories.
 */
final class UnlistedDirectoryTest {

  private static final Path NOWHERE = Path.of("/nowhere");

  /** A channel of VA/CCG. Its blocks hold 00:00 to 00:34. */
  private static final String VA = "VA_CCG:D04_000:PRES";

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));
  private Path system = Path.of("");
  private Path list = Path.of("");

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
    system = kblake.archive().resolve("VA");
    list = kblake.archive().resolve("SYS/KEKBLog.list");
  }

  private KblakeRun get(String... args) {
    String[] all = {"get", "-q", "--from", "2016-05-16", "--to", "2016-05-16T00:32"};
    return kblake.run(AwayGroupTest.with(all, args));
  }

  private void assertIncomplete(KblakeRun run, Path place) {
    assertThat(run.status()).as(run.err()).isEqualTo(3);
    assertThat(run.err()).contains(place.toString(), "link has no target: target=/nowhere");
  }

  private void linkToNowhere(Path place) throws IOException {
    Files.move(place, directory.resolve("moved"));
    Files.createSymbolicLink(place, NOWHERE);
  }

  /** The system may have other groups than the one that has blocks. */
  @Test
  void knownGroupDoesNotImplyThatItsSystemHasNoOther() throws Exception {
    kblake.backfill();
    KblakeRun before = get("*");
    linkToNowhere(system);
    assertThat(get("*")).as("KEKBLog.list names all groups").isEqualTo(before);
    Files.delete(list);
    assertThat(get("*").out()).isEqualTo(before.out());
    assertIncomplete(get("*"), system);
    assertIncomplete(kblake.run("get", "-q", "--at", "2016-05-16T00:30", "*"), system);
    assertThat(get(VA).status()).isZero();
    assertThat(get("-g", "VA/CCG", "*").status()).isZero();
    assertThat(kblake.run("get", "-q", "--at", "2016-05-16T00:30", VA).status()).isZero();
    for (String command : List.of("channels", "status")) {
      assertThat(kblake.run(command).err()).contains("directory cannot be read: system=VA");
    }
  }

  @Test
  void groupListThatCannotBeReadIsNamed() throws Exception {
    kblake.backfill();
    linkToNowhere(list);
    KblakeRun all = get("*");
    assertIncomplete(all, list);
    assertThat(all.err()).contains("group list cannot be read").hasLineCount(1);
    assertThat(get(VA).status()).isZero();
    for (String command : List.of("channels", "status", "backfill")) {
      KblakeRun run = kblake.run(command);
      assertIncomplete(run, list);
      assertThat(run.err().lines().filter(line -> line.contains("group list"))).hasSize(1);
      assertThat(kblake.run(command, "-g", "VA/CCG").status()).as(command).isZero();
    }
  }

  /** The volume of VA is unavailable, and the list that would name its groups cannot be read. */
  @Test
  void groupThatOnlyTheListNamesIsNotReportedAsUnknown() throws Exception {
    linkToNowhere(list);
    Files.move(system, directory.resolve("VA"));
    Files.createDirectory(system);
    assertIncomplete(get("*"), list);
    assertIncomplete(get("-g", "VA/CCG", VA), list);
    for (String command : List.of("channels", "status", "backfill")) {
      assertIncomplete(kblake.run(command, "-g", "VA/CCG"), list);
    }
    assertIncomplete(kblake.kblogrd("-t", "20160516-20160517", "VA/CCG"), list);
  }

  @Test
  void directoryOfTheGroupListIsNoSystem() throws Exception {
    linkToNowhere(kblake.archive().resolve("SYS"));
    KblakeRun all = get("*");
    assertThat(all.status()).isEqualTo(3);
    assertThat(all.err()).contains("group list cannot be read", "/SYS").hasLineCount(1);
    assertThat(kblake.run("status").err())
        .contains("group list cannot be read", list.toString())
        .doesNotContain("system=SYS");
  }

  /** An ext4 volume has this directory at its root, and only the superuser may list it. */
  @Test
  void lostAndFoundIsNoSystem() throws Exception {
    Files.createSymbolicLink(kblake.archive().resolve("lost+found"), NOWHERE);
    assertThat(get("*").status()).isZero();
    for (String command : List.of("channels", "status", "backfill")) {
      KblakeRun run = kblake.run(command);
      assertThat(run.status()).as(run.err()).isZero();
    }
    assertThat(kblake.run("check", "coverage").status()).isZero();
  }
}
