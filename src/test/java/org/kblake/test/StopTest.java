package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

/** Ctrl-C and full disks: what is there stays, the next run goes on. */
final class StopTest {

  /** So slow that the sample takes a minute. */
  private static final String SLOWLY = "16K";

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
  }

  @Test
  void controlCStopsABackfillThatGoesOnLater() throws Exception {
    Path err = directory.resolve("err");
    Process process =
        KblakeProcess.start(
            directory,
            err,
            "--archive=archive",
            "--store=store",
            "backfill",
            "--threads=1",
            "--io-limit=" + SLOWLY);
    awaitFile(process, kblake.store().resolve("writer.lock"));
    interrupt(process);
    assertThat(process.waitFor()).as(Files.readString(err)).isEqualTo(130);
    assertThat(err)
        .content()
        .contains("stopped; blocks made so far stay: run the same command again to go on")
        .doesNotContain("Exception");
    assertThat(unfinished()).isEmpty();
    KblakeRun again = kblake.run("backfill");
    assertThat(again.status()).as(again.err()).isZero();
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void controlCRemovesWhatADryRunMade() throws Exception {
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    Path err = directory.resolve("err");
    Process process =
        KblakeProcess.start(
            List.of("-Djava.io.tmpdir=" + temporary),
            directory,
            err,
            "--archive=archive",
            "--store=store",
            "backfill",
            "--dry-run",
            "--io-limit=" + SLOWLY);
    while (process.isAlive() && isEmpty(temporary)) {
      Thread.onSpinWait();
    }
    interrupt(process);
    assertThat(process.waitFor()).as(Files.readString(err)).isEqualTo(130);
    assertThat(err).content().contains("stopped; nothing was written");
    assertThat(temporary).isEmptyDirectory();
    assertThat(kblake.store()).doesNotExist();
  }

  /** Mounts a small disk as a user without rights can: in a name space of its own. */
  @Test
  void fullDiskIsOneLineAndTheNextRunGoesOn() throws IOException {
    Shell shell = new Shell(directory);
    assumeThat(shell.run("unshare -rm mount -t tmpfs tmpfs /mnt").status())
        .as("needs user name spaces")
        .isZero();
    Files.createDirectory(kblake.store());
    Shell.Result result =
        shell
            .with("KBLAKE_ARCHIVE", kblake.archive())
            .with("KBLAKE_STORE", kblake.store())
            .run(
                "unshare -rm bash -c "
                    + Shell.quoted(
                        KblakeProcess.function()
                            + "mount -t tmpfs -o size=300k tmpfs store; kblake backfill; echo =$?;"
                            + " find store -name 'unfinished*'; kblake verify; echo =$?;"
                            + " mount -o remount,size=10m store; kblake backfill; echo =$?;"
                            + " kblake verify; echo =$?"));
    assertThat(result.status()).isZero();
    assertThat(result.err())
        .startsWith("kblake backfill: disk is full: directory=" + kblake.store() + ", free=")
        .endsWith("; blocks made so far stay: run the same command again to go on\n")
        .hasLineCount(1);
    assertThat(result.out().lines().filter(line -> line.matches("=.*|.*unfinished.*")))
        .containsExactly("=1", "=0", "=0", "=0");
  }

  private static void awaitFile(Process process, Path file) {
    while (process.isAlive() && !Files.exists(file)) {
      Thread.onSpinWait();
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  /** What a terminal sends. A process whose parent ignores it is born deaf to it. */
  private static void interrupt(Process process) throws Exception {
    Path status = Path.of("/proc/" + process.pid() + "/status");
    assumeThat(status).as("signals are looked up in /proc").exists();
    long ignored = 0;
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("SigIgn:")) {
        ignored = Long.parseUnsignedLong(line.substring(7).strip(), 16);
      }
    }
    if ((ignored & 2) != 0) {
      process.destroyForcibly().waitFor();
    }
    assumeThat(ignored & 2).as("SIGINT is ignored here").isZero();
    Process kill = new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
    assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  private Stream<Path> unfinished() throws IOException {
    try (Stream<Path> files = Files.walk(kblake.store())) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("unfinished"))
          .toList()
          .stream();
    }
  }
}
