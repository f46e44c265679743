package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.ingest.internal.compact.AgedProfile;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.kblog.KblogProcess.View;

/**
 * Follows a growing archive in runs of a few seconds (<em>lives</em>) with changing settings: with
 * or without a mirror, with a large or small budget, with columns of all events or of ranges that
 * are read, in different codecs. Every other life is a process {@code kblake run --standby}, which
 * takes over from the one before and is killed. The lives between run on a thread of the test.
 */
final class RestartedRuns {

  private static final long LONGEST_LIFE_MILLIS = 5_000;

  private final Path directory;
  private final View view;
  private final SplittableRandom random;
  private final List<Process> processes = new ArrayList<>();
  private final List<FollowServiceThread> liveThreads = new ArrayList<>();
  private int started;
  private int kills;

  /** Ends one life. */
  private interface Life {
    void end() throws Exception;
  }

  /** The settings that differ between lives. */
  private record Mode(
      String mirror, boolean onRead, boolean little, String recheck, Codec codec, Codec aged) {

    String toml() {
      return String.join(
          "\n",
          mirror.isEmpty() ? "" : "mirror = \"" + mirror + "\"",
          onRead ? "mode = \"on-read\"" : "",
          little ? "budget = \"100K\"" : "",
          "recheck = \"" + recheck + "\"",
          "codec = \"" + name(codec) + "\"",
          "aged-after = \"3s\"",
          "aged-codec = \"" + name(aged) + "\"");
    }

    private static String name(Codec codec) {
      return codec.name().toLowerCase(Locale.ROOT);
    }

    FollowSettings settings(Path directory) {
      return new FollowSettings(
          List.of(),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          1 << 20,
          0,
          recheck.equals("2s") ? Duration.ofSeconds(2) : Duration.ofMinutes(5),
          1,
          32 << 20,
          0,
          Duration.ofSeconds(5),
          new WriteProfile(codec, false),
          new AgedProfile(Duration.ofSeconds(3), new WriteProfile(aged, false)),
          new CacheSettings(
              little ? 100 << 10 : 0,
              0,
              CacheSettings.Eviction.LEAST_RECENTLY_USED,
              false,
              onRead ? CacheSettings.Mode.ON_READ : CacheSettings.Mode.FOLLOW,
              Map.of()),
          mirror.isEmpty() ? null : directory.resolve(mirror));
    }
  }

  RestartedRuns(Path directory, View view, SplittableRandom random) {
    this.directory = directory;
    this.view = view;
    this.random = random;
  }

  private static String name(View view) {
    return String.valueOf(view.archive(Path.of("")).getFileName());
  }

  /** Runs until a writer ends. Returns the number of killed processes. */
  long liveBeside(Process writer) throws Exception {
    Life live = startThread(mode());
    while (writer.isAlive()) {
      Life next = started % 2 == 0 ? startThread(mode()) : startStandby(mode(), writer);
      writer.waitFor(random.nextLong(LONGEST_LIFE_MILLIS), TimeUnit.MILLISECONDS);
      live.end();
      live = next;
    }
    live.end();
    return kills;
  }

  private Life startThread(Mode mode) throws IOException {
    started++;
    Archive archive = Archive.open(view.archive(directory), view.settings());
    FollowServiceThread thread =
        new FollowServiceThread(archive, view.store(directory), mode.settings(directory));
    liveThreads.add(thread);
    thread.start();
    return thread::end;
  }

  /**
   * Starts a standby process, and waits until it waits for the lock. Sometimes the life before ends
   * earlier.
   */
  private Life startStandby(Mode mode, Process writer) throws Exception {
    Path log = log();
    Process process = start(mode, log, "run", "--standby");
    if (random.nextInt(5) != 0) {
      await("message=\"stands by\"", log, () -> !writer.isAlive());
    }
    return () -> {
      assertThat(process.isAlive()).as(log.toString()).isTrue();
      process.destroyForcibly().waitFor();
      kills++;
    };
  }

  private static void await(String text, Path log, BooleanSupplier orElse) throws Exception {
    Await.await(
        text + " in " + log, () -> orElse.getAsBoolean() || Files.readString(log).contains(text));
  }

  /** Continues to follow, and puts evicted blocks into columns again. */
  void stay() throws Exception {
    Mode everything = new Mode("", false, false, "2s", Codec.LZ4, Codec.LZ4);
    Path runLog = log();
    Process run = start(everything, runLog, "run");
    Path status = view.store(directory).resolve("kblake-run.json");
    Await.await(
        "the status of " + runLog,
        () -> Files.exists(status) && Files.readString(status).contains("" + run.pid()));
    Path log = log();
    // Status 3 means that logs are cut at which the writer crashed.
    assertThat(start(everything, log, "backfill").waitFor()).as(log.toString()).isIn(0, 3);
  }

  void end() throws InterruptedException {
    for (FollowServiceThread thread : liveThreads) {
      thread.end();
    }
    processes.forEach(Process::destroyForcibly);
  }

  /**
   * Chooses settings. The first life has a mirror and all columns. Two thirds of the later ones
   * have a mirror.
   */
  private Mode mode() {
    return new Mode(
        started % 3 == 2 ? "" : name(view) + "-mirror",
        started > 0 && random.nextInt(4) == 0,
        started > 0 && random.nextInt(4) == 0,
        random.nextBoolean() ? "2s" : "5m",
        codec(),
        codec());
  }

  private Codec codec() {
    return Codec.values()[random.nextInt(Codec.values().length)];
  }

  private Path log() {
    started++;
    return directory.resolve(name(view) + "-" + started + ".log");
  }

  private Process start(Mode mode, Path log, String... command) throws IOException {
    Path file = directory.resolve(log.getFileName() + ".toml");
    Files.writeString(
        file,
        """
        archive = "%1$s"
        store = "%1$s-store"
        disorder-bound = "3s"
        closed-after = "6s"
        tail = "%2$s"
        settle = "2s"
        [run]
        poll = "100ms"
        seal-age = "1s"
        seal-bytes = "1M"
        seal-events = 0
        threads = 1
        memory = "32M"
        scrub-cycle = "5s"
        %3$s
        """
            .formatted(name(view), view == View.NETWORK ? "provisional" : "final", mode.toml()));
    List<String> words = new ArrayList<>(List.of("--config", file.toString()));
    words.addAll(List.of(command));
    Process process =
        KblakeProcess.start(List.of("-Xmx512M"), directory, log, words.toArray(String[]::new));
    processes.add(process);
    return process;
  }
}
