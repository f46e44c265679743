package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.RequestConnection;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.state.BackfillRequest;
import org.kblake.test.fixture.FollowingProcess;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.volume.RemoteFileSystem;
import org.kblake.test.fixture.volume.RemoteFileSystem.Cache;
import org.kblake.test.fixture.volume.RemoteFileSystem.Operations;

/**
 * {@code kblake run} as a process, with signals and HTTP, while one of three volumes, or the
 * archive's root, does not answer. The other volumes are followed. The unresponsive one is followed
 * when it answers again.
 */
@Tag("faults")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RunBesideUnresponsiveVolumeTest {

  private static final Group UNRESPONSIVE = new Group("VA", "CCG");
  private static final List<Group> OTHERS =
      List.of(new Group("BM", "BPM"), new Group("RF", "AnalogData"));

  /** The number of events that take ten seconds to read at the limited rate. */
  private static final int EVENTS_OF_SECONDS = 200_000;

  private static final int RATE = 500_000;
  private static final int HEADER = 1;

  /** The last line in the log of a process that ends in order, and the time limit for it. */
  private static final Duration STOP = Duration.ofSeconds(30);

  @TempDir Path directory;

  private FollowServiceFixture live;
  private RemoteFileSystem files;
  private final Map<Group, LogWriter> writers = new TreeMap<>();
  private final List<FollowingProcess> processes = new ArrayList<>();
  private long seconds;

  /** The number of events that the unresponsive group has more than others. */
  private int more;

  @BeforeEach
  void mount() throws IOException {
    live = new FollowServiceFixture(directory);
    for (Group group : groups()) {
      writers.put(group, live.pair(group, 0));
    }
    grow();
    files = RemoteFileSystem.mount(live.root, directory.resolve("remote"), Cache.CACHED);
  }

  @AfterEach
  void endAndUnmount() throws IOException {
    files.release();
    processes.forEach(FollowingProcess::close);
    files.close();
    for (LogWriter writer : writers.values()) {
      writer.close();
    }
  }

  private static List<Group> groups() {
    List<Group> all = new ArrayList<>(OTHERS);
    all.add(UNRESPONSIVE);
    return all;
  }

  /** Ends a segment of each group and begins another one. */
  private void grow() throws IOException {
    seconds += 60;
    for (LogWriter writer : writers.values()) {
      live.segment(writer, seconds, 100);
    }
  }

  private FollowingProcess start(String... lines) throws IOException {
    FollowingProcess process =
        FollowingProcess.start(directory, "run" + processes.size() + ".log", lines);
    processes.add(process);
    return process;
  }

  /** Returns the offset at which a group's last block ends; -1 if there is no block. */
  private long sealedOffset(Group group) throws IOException {
    if (!Files.exists(live.storePath.resolve("kblake-store.properties"))) {
      return -1;
    }
    List<Block> blocks = live.blocks(group);
    return blocks.isEmpty() ? -1 : blocks.get(blocks.size() - 1).summary().to().offset();
  }

  /** Writes segments and waits until the segments that were complete then are in columns. */
  private void growAndAwait(List<Group> sealed) throws Exception {
    Map<Group, Long> ends = new TreeMap<>();
    for (Group group : sealed) {
      ends.put(group, Files.size(live.archive.pairs(group).get(0).logPath()));
    }
    grow();
    for (Group group : sealed) {
      await(
          "columns of " + group + " in " + processes.get(processes.size() - 1).logged(),
          () -> sealedOffset(group) >= ends.getOrDefault(group, Long.MAX_VALUE));
    }
  }

  /** Waits until the process reports the unresponsive group, and no other. */
  private static void awaitUnready(FollowingProcess process) throws Exception {
    awaitUnready(process, UNRESPONSIVE.toString());
  }

  private static void awaitUnready(FollowingProcess process, String named) throws Exception {
    await(
        "the unresponsive group at /ready",
        () -> {
          HttpResponse<String> answer = process.get("/ready");
          return answer.statusCode() == 503 && answer.body().contains(named);
        });
    assertThat(process.get("/ready").body())
        .doesNotContain(OTHERS.stream().map(Group::toString).toList());
    assertThat(process.get("/health").statusCode()).isEqualTo(200);
  }

  private void endsWithEverything(FollowingProcess process) throws Exception {
    growAndAwait(groups());
    process.awaitReady();
    process.terminate(STOP);
    KblakeRun verified = run("verify");
    assertThat(verified.status()).as(verified.err()).isZero();
    for (Group group : groups()) {
      String[] question = {
        "get", "-q", "-g", group.toString(), "*", "--from", live.begin.toString()
      };
      KblakeRun both = run(question);
      KblakeRun raw =
          KblakeRun.in(live.root)
              .with("KBLAKE_ARCHIVE", live.root.toString())
              .at(Instant.now())
              .run(question);
      assertThat(both.status()).as(both.err()).isZero();
      assertThat(raw.status()).as(raw.err()).isZero();
      assertThat(both.out().equals(raw.out())).as("columns of %s equal the log", group).isTrue();
      assertThat(raw.out())
          .hasLineCount(
              (int) (101 * seconds / 60) + (group.equals(UNRESPONSIVE) ? more : 0) + HEADER);
    }
  }

  private KblakeRun run(String... words) {
    return KblakeRun.in(directory)
        .with("KBLAKE_ARCHIVE", files.root().toString())
        .with("KBLAKE_STORE", live.storePath.toString())
        .at(Instant.now())
        .run(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mirror = \"mirror\""})
  void hangUpWhileAVolumeIsUnresponsive(String mirror) throws Exception {
    FollowingProcess process = start(mirror);
    growAndAwait(groups());
    process.awaitReady();
    files.hang("/VA");
    awaitUnready(process);
    growAndAwait(OTHERS);
    process.hangUp(mirror, "threads = 1");
    growAndAwait(OTHERS);
    awaitUnready(process);
    process.hangUp(mirror, "threads = 3");
    growAndAwait(OTHERS);
    awaitUnready(process);
    files.release();
    endsWithEverything(process);
  }

  @Test
  void startBesideAnUnresponsiveVolume() throws Exception {
    // libfuse looks up the names of a directory one after the other, unless they are in its cache.
    for (Group group : groups()) {
      assertThat(files.root().resolve(group.system())).exists();
    }
    files.hang("/VA");
    FollowingProcess process = start();
    growAndAwait(OTHERS);
    awaitUnready(process, "VA/*");
    files.release();
    endsWithEverything(process);
  }

  @Test
  void startBeforeAnUnresponsiveArchive() throws Exception {
    files.hang("/");
    FollowingProcess process = start();
    process.awaitLogged("does not answer");
    assertThat(process.get("/ready").statusCode()).isEqualTo(503);
    files.release();
    endsWithEverything(process);
  }

  @Test
  void hangUpWhileTheArchiveIsUnresponsive() throws Exception {
    FollowingProcess process = start();
    growAndAwait(groups());
    files.hang("/");
    await("a question", () -> files.waiting() > 0);
    process.hangUp("threads = 1");
    await("not ready", () -> process.get("/ready").statusCode() == 503);
    files.release();
    endsWithEverything(process);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/VA", "/"})
  void terminateWhileAVolumeIsUnresponsive(String unresponsive) throws Exception {
    FollowingProcess process = start("mirror = \"mirror\"");
    growAndAwait(groups());
    files.hang(unresponsive);
    await("a question", () -> files.waiting() > 0);
    process.terminate(STOP);
    assertThat(Files.readString(live.storePath.resolve("kblake-run.json")))
        .contains("\"state\":\"stopped\"");
    FollowingProcess next = start();
    files.release();
    endsWithEverything(next);
  }

  /** Includes threads that stayed behind when settings were read again. */
  @Test
  void terminateAfterAHangUpWhileAVolumeIsUnresponsive() throws Exception {
    FollowingProcess process = start();
    growAndAwait(groups());
    files.hang("/VA");
    await("a question", () -> files.waiting() > 0);
    process.hangUp("threads = 1");
    process.hangUp("threads = 3");
    process.terminate(STOP);
    files.release();
    endsWithEverything(start());
  }

  @Test
  void terminateWhileTheArchiveIsUnresponsiveFromTheBeginning() throws Exception {
    files.hang("/");
    FollowingProcess process = start();
    await("a question", () -> files.waiting() > 0);
    process.end(STOP);
    FollowingProcess next = start();
    next.awaitLogged("message=started");
    next.terminate(STOP);
    files.release();
    endsWithEverything(start());
  }

  /** A worker waits here, not the thread that polls files. */
  @Test
  void volumeStopsRespondingWhileItsLogIsRead() throws Exception {
    live.segment(
        Objects.requireNonNull(writers.get(UNRESPONSIVE)), seconds + 30, EVENTS_OF_SECONDS - 1);
    more = EVENTS_OF_SECONDS;
    grow();
    files.limitRate(RATE);
    files.fail(Operations.READ, "EIO", Long.MAX_VALUE, RemoteFileSystem.EVER, "/VA/");
    FollowingProcess process = start();
    await("reads of the log", () -> files.count() > 20);
    files.hang("/VA");
    files.limitRate(0);
    awaitUnready(process);
    growAndAwait(OTHERS);
    process.hangUp("threads = 1");
    growAndAwait(OTHERS);
    awaitUnready(process);
    files.release();
    endsWithEverything(process);
  }

  /** The request is sent as by a backfill. */
  @Test
  void requestForAnotherGroupWhileAVolumeIsUnresponsive() throws Exception {
    FollowingProcess process = start("mode = \"never\"");
    process.awaitReady();
    grow();
    files.hang("/VA");
    awaitUnready(process);
    List<Group> asked = List.of(UNRESPONSIVE, OTHERS.get(0));
    List<HandoverAnswer> answers = new ArrayList<>();
    HandoverRequest request =
        HandoverRequest.of(
            new BackfillRequest(
                asked, new TimeRange(0, System.currentTimeMillis() * 1_000_000), 0));
    long untilNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    HandoverAnswer answer;
    try (RequestConnection connection =
        Objects.requireNonNull(RequestConnection.open(live.storePath, request))) {
      answer = Objects.requireNonNull(connection.end(() -> untilNanos, answers::add));
    }
    assertThat(answer.state()).as(answer.why()).isEqualTo(HandoverAnswer.State.done);
    assertThat(answers.stream().flatMap(each -> each.problems().stream()))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.message())
                    .isEqualTo("archive does not answer: group=" + UNRESPONSIVE));
    assertThat(sealedOffset(OTHERS.get(0))).isPositive();
    files.release();
    process.terminate(STOP);
  }
}
