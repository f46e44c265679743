package org.kblake.test.command.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.log.LogWriter;
import org.kblake.test.fixture.FollowingProcess;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.volume.NfsServer;
import org.kblake.test.fixture.volume.RemoteFileSystem;
import org.kblake.test.fixture.volume.RemoteFileSystem.Cache;

/** An archive on the NFS server nfs-ganesha, read through the client libnfs. */
@Tag("faults")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NfsTest {

  private static final Duration STOP = Duration.ofSeconds(30);
  private static final int EVENTS = 100;

  @TempDir Path directory;

  private @Nullable NfsServer server;
  private @Nullable RemoteFileSystem files;

  @BeforeEach
  void isInstalled() throws IOException {
    assumeTrue(NfsServer.isInstalled(directory), "needs nfs-ganesha, nfs-ganesha-vfs and libnfs");
  }

  @AfterEach
  void unmount() throws Exception {
    if (server != null) {
      server.resume();
    }
    if (files != null) {
      files.close();
    }
    if (server != null) {
      server.close();
    }
  }

  /** Mounts the directory {@code archive} as {@code remote}. */
  private NfsServer mount() throws Exception {
    NfsServer started = NfsServer.start(directory.resolve("archive"), directory.resolve("server"));
    server = started;
    files = RemoteFileSystem.mountNfs(started.url(), directory.resolve("remote"), Cache.CACHED);
    return started;
  }

  private KblakeRun run(String archive, boolean stored, String... words) {
    KblakeRun.Builder builder =
        KblakeRun.in(directory.resolve("archive"))
            .with("KBLAKE_ARCHIVE", directory.resolve(archive).toString())
            .at(Instant.now());
    if (stored) {
      builder.with("KBLAKE_STORE", directory.resolve("store").toString());
    }
    return builder.run(words);
  }

  /**
   * Asserts that both archives give the same answer. An event at the end of a file whose last bytes
   * are zeros is given once the file has settled.
   */
  private void assertAnswersAlike(String... question) throws Exception {
    KblakeRun truth = run("archive", false, question);
    assertThat(truth.status()).as(truth.err()).isZero();
    for (boolean stored : new boolean[] {false, true}) {
      await(
          stored ? "columns" : "raw logs",
          () -> {
            KblakeRun remote = run("remote", stored, question);
            assertThat(remote.status()).as(remote.err()).isZero();
            return remote.out().equals(truth.out());
          });
    }
  }

  @Test
  void logsBecomeColumns() throws Exception {
    TestStores.sample("mixed", directory.resolve("archive"));
    mount();
    KblakeRun backfill = run("remote", true, "backfill");
    assertThat(backfill.status()).as(backfill.err()).isZero();
    assertThat(run("remote", true, "verify").status()).isZero();
    assertAnswersAlike("get", "-q", "VA*", "RF*", "--from", "2016-05-15", "--to", "2016-05-18");
  }

  /** The server stops answering for a while, and then continues. */
  @Test
  void runFollowsAnArchiveWhoseServerIsUnresponsiveForAWhile() throws Exception {
    FollowServiceFixture live = new FollowServiceFixture(directory);
    try (LogWriter writer = live.pair(FollowServiceFixture.GROUP, 0)) {
      live.segment(writer, 0, EVENTS);
      NfsServer nfs = mount();
      try (FollowingProcess process = FollowingProcess.start(directory, "run.log")) {
        Path log = live.archive.pairs(FollowServiceFixture.GROUP).get(0).logPath();
        grow(live, writer, 60, log);
        process.awaitReady();
        nfs.suspend();
        await(
            "the unresponsive group at /ready",
            () -> process.get("/ready").body().contains(FollowServiceFixture.GROUP.toString()));
        nfs.resume();
        grow(live, writer, 120, log);
        process.awaitReady();
        process.terminate(STOP);
      }
      assertThat(run("remote", true, "verify").status()).isZero();
      assertAnswersAlike(
          "get",
          "-q",
          "-g",
          FollowServiceFixture.GROUP.toString(),
          "*",
          "--from",
          live.begin.toString());
    }
  }

  /** Ends a segment and waits until all earlier segments are in columns. */
  private static void grow(FollowServiceFixture live, LogWriter writer, long seconds, Path log)
      throws Exception {
    long size = Files.size(log);
    live.segment(writer, seconds, EVENTS);
    await(
        "columns",
        () ->
            Files.exists(live.storePath.resolve("kblake-store.properties"))
                && live.coveredBytes(FollowServiceFixture.GROUP) >= size);
  }
}
