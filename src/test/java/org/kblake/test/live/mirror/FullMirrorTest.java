package org.kblake.test.live.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.LogWriter;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.service.FollowServiceFixture;

/** The disk of a mirror is full, as reported by the operating system. */
final class FullMirrorTest {

  /** Waits for a line of the log, or for another condition, and prints a line after a timeout. */
  private static final String AWAIT =
      "await() { for i in $(seq 900); do eval \"$1\" && return; sleep 0.1; done; echo never: $1; };"
          + " logs() { grep -q \"$1\" log; };"
          + " same() { kblake get -q VALCCG:PRES --from 2000 > both;"
          + " kblake get -q --source raw VALCCG:PRES --from 2000 > raw;"
          + " cmp both raw && echo =$(wc -l < both); };";

  @TempDir private Path directory;

  /** Mounts a small disk without privileges, in a user name space. */
  @Test
  void sealingContinuesAndTheMirrorContinuesWhenThereIsSpace() throws Exception {
    Shell shell = new Shell(directory);
    assumeThat(shell.run("unshare -rm mount -t tmpfs tmpfs /mnt").status())
        .as("needs user name spaces")
        .isZero();
    FollowServiceFixture archive = new FollowServiceFixture(directory);
    try (LogWriter writer = archive.pair(GROUP, 0)) {
      archive.segment(writer, 0, 20_000);
      archive.segment(writer, 60, 100);
      Files.writeString(
          directory.resolve("kblake.toml"),
          FollowServiceFixture.EAGER_SETTINGS + "mirror = \"mirror\"\n");
      Files.createDirectory(directory.resolve("mirror"));
      Shell.Result result =
          shell.run(
              "unshare -rm bash -c "
                  + Shell.quoted(
                      KblakeProcess.function()
                          + KblakeProcess.backgroundFunction()
                          + AWAIT
                          + " mount -t tmpfs -o size=300k tmpfs mirror;"
                          + " background run 2> log &"
                          + " await \"logs 'mirror cannot be written'\"; await 'logs sealed';"
                          + " same; mount -o remount,size=20m mirror;"
                          + " await \"logs 'problem is over'\";"
                          + " await \"test $(du -sk mirror | cut -f1) -gt 400\";"
                          + " kill $!; wait"));
      String log = Files.readString(directory.resolve("log"));
      assertThat(result.out()).as(log + result.err()).isEqualTo("=20101\n");
      assertThat(log.lines().filter(line -> line.contains("mirror cannot be written")).findFirst())
          .hasValueSatisfying(
              line ->
                  assertThat(line)
                      .contains(
                          "logs are read from the archive",
                          "group=VA/CCG",
                          "mirror=" + directory.resolve("mirror"),
                          "No space left on device",
                          "free space"));
    }
  }
}
