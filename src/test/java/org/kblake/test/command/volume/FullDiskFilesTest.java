package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.Shell;

/** The disk of files that commands write for the user is full. */
final class FullDiskFilesTest {

  @TempDir private Path directory;

  /**
   * Each message names the place. No empty file stays: an empty kblake.toml would hide that of
   * /etc/kblake, and an empty report would replace an older one.
   */
  @Test
  void messagesNameThePlaceAndNoEmptyFileStays() throws Exception {
    Shell shell = new Shell(directory);
    assumeThat(shell.run("unshare -rm mount -t tmpfs tmpfs /mnt").status())
        .as("needs user name spaces")
        .isZero();
    Files.createDirectory(directory.resolve("small"));
    Shell.Result result =
        shell.run(
            "unshare -rm bash -c "
                + Shell.quoted(
                    KblakeProcess.function("-XX:TieredStopAtLevel=1")
                        + "kblake simulate --scale 0.1 --days 0.02 archive 2>/dev/null;"
                        + " export KBLAKE_ARCHIVE=archive KBLAKE_STORE=store;"
                        + " kblake backfill -q >/dev/null;"
                        + " mount -t tmpfs -o size=100k tmpfs small;"
                        + " kblake verify --report small/old.json > /dev/null;"
                        + " cp small/old.json old.json; echo simulate;"
                        + " kblake simulate --scale 0.1 --days 0.02 small/archive;"
                        + " rm -r small/archive;"
                        + " cat /dev/zero > small/zeros 2>/dev/null; echo verify;"
                        + " kblake verify --report small/old.json > summary; grep verdict summary; echo init;"
                        + " kblake doctor --init --config small/kblake.toml > /dev/null;"
                        + " cmp small/old.json old.json; ls -A small")
                + " 2>&1");
    assertThat(result.out().lines().map(line -> line.replaceAll("free=[^;]*", "free=")))
        .as(result.out())
        .containsExactly(
            "simulate",
            "kblake simulate: disk is full: directory=small/archive, free=; the simulated archive"
                + " is incomplete: name another directory than small/archive",
            "verify",
            "kblake verify: disk is full: directory="
                + directory.resolve("small")
                + ", free=; nothing was written: file=small/old.json",
            "verdict           4 blocks proved byte for byte against their logs",
            "init",
            "kblake doctor: disk is full: directory="
                + directory.resolve("small")
                + ", free=; nothing was written: file="
                + directory.resolve("small/kblake.toml"),
            "old.json",
            "zeros");
  }
}
