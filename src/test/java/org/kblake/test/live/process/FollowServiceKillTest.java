package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.ChildJvm;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.kblog.KblogProcess;
import org.kblake.test.fixture.kblog.KblogProcess.View;
import org.kblake.test.oracle.NaiveReader;
import org.kblake.test.oracle.PrefixReader;

/**
 * Two archives grow, one as seen over NFS, one as on a local disk. Processes in all modes follow
 * them and are killed again and again. Readers run all the time. Every answer is a prefix of the
 * written events, or its coverage names the missing spans. At the end all events are in columns.
 * {@code -Dkblake.soak.seconds} sets the duration, which is longer with {@code CI=true}, {@code
 * -Dkblake.soak.seed} the seed.
 */
class FollowServiceKillTest {

  private static final long SEED = Long.getLong("kblake.soak.seed", 20161116);
  private static final int SECONDS =
      Integer.getInteger("kblake.soak.seconds", "true".equals(System.getenv("CI")) ? 30 : 15);
  private static final int EVENTS_PER_SECOND = 2_500;
  private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(3);

  /** The written archive, its views and the stores. They are kept after a failure. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private final List<Process> writers = new ArrayList<>();
  private final List<RestartedRuns> lives = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endProcesses() throws InterruptedException, IOException {
    threads.shutdownNow();
    writers.forEach(Process::destroyForcibly);
    for (RestartedRuns each : lives) {
      each.end();
    }
  }

  /** The reader and the processes of one archive. */
  private record Scene(View view, PrefixReader reader, RestartedRuns lives) {}

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 15 s of a processor")
  @Test
  void answersAreCorrectAllTheTimeAndCompleteAtTheEnd() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Scene> scenes = new ArrayList<>();
    for (View view : View.values()) {
      scenes.add(begin(view, random));
    }
    Process writer = startWriter();
    List<Future<Long>> ends = new ArrayList<>();
    for (Scene scene : scenes) {
      SplittableRandom asking = random.split();
      SplittableRandom following = random.split();
      ends.add(threads.submit(() -> scene.lives.liveBeside(writer)));
      ends.add(threads.submit(() -> scene.reader.readBeside(writer, asking)));
      ends.add(threads.submit(() -> scene.reader.followBeside(writer, following)));
    }
    List<Long> counts = new ArrayList<>();
    for (Future<Long> end : ends) {
      counts.add(end.get());
    }
    assertThat(writer.waitFor()).as("writer, see %s", directory).isZero();
    assertThat(counts).doesNotContain(0L);
    assertThat(scenes).anyMatch(scene -> scene.reader.reportedGaps() > 0);
    for (Scene scene : scenes) {
      endsWithEverything(scene);
      System.out.printf(
          "seed=%d %s: kills=%d answers=%d, %d of them with gaps that they named, followed=%d%n",
          SEED,
          scene.view,
          counts.remove(0),
          counts.remove(0),
          scene.reader.reportedGaps(),
          counts.remove(0));
    }
  }

  /** Mounts the network view of the archive in a subclass. Here the writer makes this view. */
  void mount(Path archive) throws IOException {}

  /** Returns more arguments for the {@link KblogProcess}. */
  List<String> moreForWriter() {
    return List.of();
  }

  private Process startWriter() throws IOException {
    List<String> command = ChildJvm.command(KblogProcess.class, List.of("-Xmx256M"));
    command.addAll(
        List.of(
            directory.toString(),
            Long.toString(SEED),
            Integer.toString(SECONDS),
            Integer.toString(EVENTS_PER_SECOND)));
    command.addAll(moreForWriter());
    Process writer =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("writer.log").toFile())
            .start();
    writers.add(writer);
    return writer;
  }

  private Scene begin(View view, SplittableRandom random) throws IOException {
    Path archive = Files.createDirectories(view.archive(directory));
    if (view == View.NETWORK) {
      mount(archive);
    }
    RestartedRuns beside = new RestartedRuns(directory, view, random.split());
    lives.add(beside);
    return new Scene(view, new PrefixReader(directory, view, Long.toString(SEED)), beside);
  }

  private void endsWithEverything(Scene scene) throws Exception {
    Archive archive = Archive.open(scene.view.archive(directory), scene.view.settings());
    Path store = scene.view.store(directory);
    scene.lives.stay();
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    while (missingBytes(archive, store) > 0) {
      assertThat(System.nanoTime())
          .as("%d bytes missing, see %s", missingBytes(archive, store), directory)
          .isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(50);
    }
    scene.lives.end();
    assertThat(TestStores.verify(archive, store)).isEmpty();
    for (Group group : scene.view.groups()) {
      assertThat(scene.reader.all(group))
          .as("%s of seed %d", group, SEED)
          .isEqualTo(
              NaiveReader.read(
                      KblogProcess.truth(directory),
                      group.toString(),
                      false,
                      KblogProcess.ZONE,
                      archive.settings().disorderBoundNanos())
                  .size());
    }
  }

  private static long missingBytes(Archive archive, Path storePath) throws IOException {
    long missing = 0;
    try (Store store = Store.open(storePath, null)) {
      for (Group group : archive.groups()) {
        for (Pair pair : archive.pairs(group)) {
          missing += Files.size(pair.logPath());
        }
        for (Block block : store.blocks(group, problem -> {})) {
          missing -= block.summary().rawBytes();
        }
      }
    }
    return missing;
  }
}
