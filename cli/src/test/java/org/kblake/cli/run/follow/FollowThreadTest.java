package org.kblake.cli.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.cli.run.settings.LogFormat;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.run.status.RunCounters;
import org.kblake.cli.settings.Settings;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/** Tests of the end of following. */
@Timeout(60)
final class FollowThreadTest {

  private static final long BEGIN_NANOS = 1_463_324_400_000_000_000L;
  private static final long SEGMENT_NANOS = 60_000_000_000L;

  @TempDir private Path directory;

  private final CountDownLatch writing = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void release() {
    released.countDown();
  }

  /** The timeout is for unresponsive volumes. A slow disk of the store is not unresponsive. */
  @Test
  void presentWorkIsAwaitedAfterTheTimeout() throws Exception {
    RunPlan plan = plan();
    Store store = Store.openForWriting(plan.store(), plan.identity(), new SlowDisk());
    try (store) {
      PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
      RunCounters counters =
          new RunCounters(new RunLog(err, Clock.systemUTC(), LogFormat.TEXT, false));
      FollowThread following = FollowThread.start(plan, store, counters, Clock.systemUTC(), null);
      writing.await();
      following.end();
      CompletableFuture<Boolean> end = new CompletableFuture<>();
      Thread awaiting =
          new Thread(() -> end.complete(following.awaitEnd(System.nanoTime())), "awaiting");
      awaiting.start();
      while (awaiting.getState() != Thread.State.TIMED_WAITING && awaiting.isAlive()) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      released.countDown();
      assertThat(end.get()).as("whether all work has ended").isTrue();
      assertThat(following.hasEnded()).isTrue();
    }
  }

  private RunPlan plan() throws IOException {
    Path root = directory.resolve("archive");
    RecordTable records = new RecordTable(List.of(new RecordEntry(1, "A", ValueType.DOUBLE, 1)));
    try (LogWriter writer =
        LogWriter.create(
            root, new Group("VA", "CCG"), "20160516000000", ByteOrder.LITTLE_ENDIAN, records)) {
      for (int segment = 0; segment < 2; segment++) {
        writer.milestone(BEGIN_NANOS + segment * SEGMENT_NANOS);
        writer.number(0, BEGIN_NANOS + segment * SEGMENT_NANOS + 1, 0, 0, 0);
      }
    }
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    ProcessEnvironment environment =
        new ProcessEnvironment(
            new ByteArrayInputStream(new byte[0]),
            new ByteArrayOutputStream(),
            System.err,
            Map.of(),
            directory,
            Clock.systemUTC(),
            false,
            false);
    Settings settings = Settings.resolve(Map.of(), null, environment);
    RunSettings run =
        RunSettings.of(
            settings,
            Map.of(RunSetting.SEAL_AGE, "1ms", RunSetting.SEAL_EVENTS, "0"),
            problem -> {
              throw new AssertionError(problem);
            });
    StoreIdentity identity =
        StoreIdentity.of(
            root,
            archive.settings().zone().getId(),
            archive.settings().disorderBoundNanos(),
            "kekblog",
            "standard");
    return new RunPlan(archive, directory.resolve("store"), identity, List.of(), run);
  }

  /** A disk that delays the first file of a block, and ignores interrupts. */
  private final class SlowDisk implements StoreFiles {

    @Override
    public Output create(Path file) throws IOException {
      if (file.toString().contains("unfinished")) {
        writing.countDown();
        awaitRelease();
      }
      return LOCAL.create(file);
    }

    private void awaitRelease() {
      boolean interrupted = false;
      while (released.getCount() > 0) {
        try {
          released.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void createDirectories(Path path) throws IOException {
      LOCAL.createDirectories(path);
    }

    @Override
    public void forceDirectory(Path path) throws IOException {
      LOCAL.forceDirectory(path);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      LOCAL.rename(from, to);
    }

    @Override
    public void link(Path existing, Path name) throws IOException {
      LOCAL.link(existing, name);
    }

    @Override
    public void delete(Path path) throws IOException {
      LOCAL.delete(path);
    }
  }
}
