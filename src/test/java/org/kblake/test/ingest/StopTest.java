package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.Shell;
import org.kblake.test.fixture.TestStores;

/** A backfill stops after Ctrl-C or on a full disk. Its blocks stay, and the next run continues. */
final class StopTest {

  private static final int ROWS_OF_24_MEBIBYTES = 1 << 20;

  /** A rate at which the sample takes a minute. */
  private static final String SLOWLY = "16K";

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
  }

  @Test
  void controlCStopsABackfillAndTheNextContinues() throws Exception {
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
    Path lock = kblake.store().resolve("writer.lock");
    await("its lock", () -> !process.isAlive() || Files.exists(lock));
    interrupt(process);
    assertThat(process.waitFor()).as(Files.readString(err)).isEqualTo(130);
    assertThat(err)
        .content()
        .containsPattern(
            "stopped; (\\S+ \\S+ of \\S+ \\S+ of log were read, \\d+ blocks made; )?blocks made so"
                + " far stay; to continue, run the same command again")
        .doesNotContain("Exception");
    assertThat(unfinished()).isEmpty();
    KblakeRun again = kblake.run("backfill");
    assertThat(again.status()).as(again.err()).isZero();
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void controlCRemovesTheFilesOfADryRun() throws Exception {
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
    await("its files", () -> !process.isAlive() || !isEmpty(temporary));
    interrupt(process);
    assertThat(process.waitFor()).as(Files.readString(err)).isEqualTo(130);
    assertThat(err).content().contains("stopped; nothing was written");
    assertThat(temporary).isEmptyDirectory();
    assertThat(kblake.store()).doesNotExist();
  }

  @Test
  void controlCSaysHowFarAComparisonGot() throws Exception {
    Path other =
        Files.writeString(directory.resolve("other"), "#!/bin/sh\ntouch begun\nsleep 60\n");
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwx------"));
    Path err = directory.resolve("err");
    Process process =
        KblakeProcess.start(
            directory, err, "--archive=archive", "compare", "--with=other", "--count=3");
    await("its program", () -> !process.isAlive() || Files.exists(directory.resolve("begun")));
    interrupt(process);
    assertThat(process.waitFor()).as(Files.readString(err)).isEqualTo(130);
    assertThat(err).hasContent("stopped; 0 of 3 requests were compared, 0 differ\n");
  }

  @Test
  void fullDiskIsOneLineAndTheNextRunContinues() throws IOException {
    Shell.Result result =
        onSmallDisk(
            "300k",
            "kblake backfill; echo =$?;"
                + " find store -name 'unfinished*'; kblake verify; echo =$?;"
                + " mount -o remount,size=10m store; kblake backfill; echo =$?;"
                + " kblake verify; echo =$?");
    assertThat(result.status()).isZero();
    assertThat(result.err())
        .startsWith("kblake backfill: disk is full: directory=" + kblake.store() + ", free=")
        .endsWith("; blocks made so far stay; to continue, run the same command again\n")
        .hasLineCount(1);
    assertThat(result.out().lines().filter(line -> line.matches("=.*|.*unfinished.*")))
        .containsExactly("=1", "=0", "=0", "=0");
  }

  /**
   * The part of a segment that does not fit into memory goes into a file, for which this disk has
   * no space.
   */
  @Test
  void aSegmentThatFitsNeitherMemoryNorDiskIsOneLine() throws IOException {
    RecordTable records =
        new RecordTable(List.of(new RecordEntry(1, "VALCCG:PRES", ValueType.DOUBLE, 1)));
    try (LogWriter writer =
        LogWriter.create(
            kblake.archive(),
            new Group("VA", "CCG"),
            "20160517000000",
            ByteOrder.LITTLE_ENDIAN,
            records)) {
      long begin = Instant.parse("2016-05-16T15:00:00Z").getEpochSecond() * 1_000_000_000L;
      writer.milestone(begin);
      for (int i = 0; i < ROWS_OF_24_MEBIBYTES; i++) {
        writer.number(0, begin + i * 1_000L, 0, 0, Double.doubleToRawLongBits(i));
      }
    }
    TestStores.closePairs(kblake.archive());
    Shell.Result result =
        onSmallDisk(
            "4m",
            "kblake backfill --group=VA/CCG --from=2016-05-17T00:30 --memory=16M --threads=1;"
                + " echo =$?; find store -name 'unfinished*'; ls -d store/VA/CCG/*");
    assertThat(result.err().lines())
        .first()
        .asString()
        .startsWith("kblake backfill: disk is full: directory=" + kblake.store() + ", free=")
        .endsWith("; blocks made so far stay; to continue, run the same command again");
    assertThat(result.err().lines()).hasSize(2).last().asString().startsWith("ls: ");
    assertThat(result.out().lines()).containsExactly("=1");
  }

  /**
   * Runs commands with the store on a small disk. A user without privileges mounts it in a user
   * name space.
   */
  private Shell.Result onSmallDisk(String size, String commands) throws IOException {
    Shell shell = new Shell(directory);
    assumeThat(shell.run("unshare -rm mount -t tmpfs tmpfs /mnt").status())
        .as("needs user name spaces")
        .isZero();
    Files.createDirectory(kblake.store());
    String mount = "mount -t tmpfs -o size=" + size + " tmpfs store; ";
    return shell
        .with("KBLAKE_ARCHIVE", kblake.archive())
        .with("KBLAKE_STORE", kblake.store())
        .run("unshare -rm bash -c " + Shell.quoted(KblakeProcess.function() + mount + commands));
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  /**
   * Sends the SIGINT of a terminal. A process whose parent ignores SIGINT ignores it, too, so the
   * test is skipped then.
   */
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
    assertThat(kill.waitFor(60, TimeUnit.SECONDS)).isTrue();
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
