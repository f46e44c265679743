package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.CommandFixture.fact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.TestStores;

/**
 * {@code kblake backfill} beside {@code kblake run}: there is one writer, and the request is
 * completed even if one of the processes is killed.
 */
final class HandoverTest {

  /** A rate at which the sample takes a minute, in a dozen pieces. */
  private static final String SLOWLY = "--io-limit=16K";

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));
  private final List<Process> processes = new ArrayList<>();

  /** The process itself puts nothing into columns, so all columns are made on request. */
  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "archive"
        store = "store"
        [run]
        mode = "never"
        status-interval = "200ms"
        """);
  }

  @AfterEach
  void stopAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  private Process start(String name, String... args) throws IOException {
    Process process =
        KblakeProcess.start(
            List.of(),
            directory,
            ProcessBuilder.Redirect.to(directory.resolve(name + ".out").toFile()),
            directory.resolve(name),
            args);
    processes.add(process);
    return process;
  }

  /** Starts a process that follows, and waits until it has reported its start. */
  private Process follow(String name) throws Exception {
    Process process = start(name, "run");
    await(
        "the start of " + name, () -> text(name).contains("started") && status().contains("since"));
    return process;
  }

  private String text(String name) throws IOException {
    Path file = directory.resolve(name);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private void awaitText(String name, String text) throws Exception {
    await(text + " in " + name, () -> text(name).contains(text));
  }

  private String status() {
    return kblake.runner().at(Instant.now()).run("status").out();
  }

  private static void signal(Process process, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private void end(Process process, String name, int status) throws Exception {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(text(name)).isTrue();
    assertThat(process.exitValue()).as(text(name)).isEqualTo(status);
  }

  private List<String> requests() throws IOException {
    try (Stream<Path> files = Files.list(kblake.store().resolve("requests"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void assertAllIsInColumns() {
    KblakeRun nothingLeft = kblake.run("backfill");
    assertThat(nothingLeft.status()).as(nothingLeft.err()).isZero();
    assertThat(fact(nothingLeft, "in store before")).isEqualTo(CommandFixture.MIXED_BYTES);
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void runningProcessCarriesOutTheRequestWithTheSummaryOfABackfill() throws Exception {
    Process following = follow("run");
    assertThat(text("store/writer.lock")).endsWith(" requests=yes");
    KblakeRun asking = kblake.run("backfill", "--threads=1");
    assertThat(asking.status()).as(asking.err()).isZero();
    assertThat(fact(asking, "events")).isEqualTo(CommandFixture.MIXED_EVENTS);
    assertThat(fact(asking, "raw bytes")).isEqualTo(CommandFixture.MIXED_BYTES);
    assertThat(fact(asking, "blocks")).isPositive();
    assertThat(fact(asking, "in store before")).isZero();
    assertThat(asking.err())
        .contains("kblake run has locked the store and does this: host=")
        .contains("pid=" + following.pid())
        .contains("--threads: the settings of kblake run apply instead");
    KblakeRun again = kblake.run("backfill", "-q", "-g", "VA/CCG");
    assertThat(again.err()).isEmpty();
    assertThat(fact(again, "events")).isZero();
    awaitText("run", "message=\"request is done\"");
    assertThat(text("run"))
        .contains("message=request ")
        .contains("what=\"backfill of all groups\"");
    await("the end of the request", () -> requests().isEmpty());
    signal(following, "TERM");
    following.waitFor();
    assertAllIsInColumns();
  }

  @Test
  void unreadablePairsAreNamedAndSetTheStatus() throws Exception {
    Files.delete(kblake.archive().resolve("VA/CCG_20160516000000.log2"));
    follow("run");
    KblakeRun run = kblake.run("backfill");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err())
        .containsOnlyOnce("pair is unavailable: group=VA/CCG")
        .contains("VA/CCG_20160516000000.log2");
    assertThat(fact(run, "events")).isBetween(20_000L, CommandFixture.MIXED_EVENTS - 1);
  }

  @Test
  void controlCCancelsTheRequest() throws Exception {
    Process following = follow("run");
    Process asking = start("backfill", "backfill", SLOWLY);
    await("the request in the status", () -> status().contains("request  backfill of all groups"));
    await("a block", () -> text("run").contains("block sealed"));
    Pattern working = Pattern.compile("for host=\\S+ pid=" + asking.pid() + ": working, .* of 9");
    await("its progress", () -> working.matcher(status()).find());
    signal(asking, "INT");
    end(asking, "backfill", 130);
    assertThat(text("backfill"))
        .contains("request is cancelled; kblake run stops this work\n")
        .endsWith("stopped; blocks made so far stay; to continue, run the same command again\n");
    awaitText("run", "message=\"request is cancelled\"");
    await("the end of the request", () -> requests().isEmpty());
    // The cancelled request does not delay the next one.
    assertThat(fact(kblake.run("backfill"), "in store before")).isPositive();
    signal(following, "TERM");
    following.waitFor();
    assertAllIsInColumns();
  }

  @Test
  void requestOfAProcessThatWasKilledIsDropped() throws Exception {
    follow("run");
    Process asking = start("backfill", "backfill", SLOWLY);
    awaitText("run", "block sealed");
    asking.destroyForcibly().waitFor();
    awaitText("run", "message=\"request is dropped, because its process has ended\"");
    await("the end of the request", () -> requests().isEmpty());
    await("no request in the status", () -> !status().contains("request  "));
  }

  @Test
  void commandContinuesWhenTheProcessIsKilled() throws Exception {
    Process following = follow("run");
    Process asking = start("backfill", "backfill", "--io-limit=256K");
    awaitText("run", "block sealed");
    following.destroyForcibly().waitFor();
    awaitText(
        "backfill",
        "kblake run has ended before the end of the request; this command continues it");
    end(asking, "backfill", 0);
    assertThat(text("backfill.out")).containsPattern("(?m)^in store before +[1-9]");
    assertThat(requests()).isEmpty();
    assertAllIsInColumns();
  }

  @Test
  void processThatTakesOverCompletesTheRequest() throws Exception {
    Process following = follow("run");
    start("standby", "run", "--standby");
    awaitText("standby", "stands by");
    Process asking = start("backfill", "backfill", "--io-limit=256K");
    awaitText("run", "block sealed");
    following.destroyForcibly().waitFor();
    awaitText("standby", "message=request ");
    end(asking, "backfill", 0);
    awaitText("standby", "message=\"request is done\"");
    assertThat(text("backfill")).doesNotContain("this command continues it");
  }

  @Test
  void invalidRequestsAreRefusedWithoutEffectOnOthers() throws Exception {
    follow("run");
    Path requests = kblake.store().resolve("requests");
    await("the directory of requests", () -> Files.isDirectory(requests));
    String fields =
        "\"host\":\"elsewhere\",\"pid\":1,\"since\":\"2016-05-16T00:00:00Z\",\"fromNanos\":0,";
    List<String> texts =
        List.of(
            "nonsense",
            "null",
            "{}",
            "[".repeat(5000),
            " ".repeat(2 << 20),
            "{\"version\":1,\"what\":\"format\"," + fields + "\"toNanos\":1}",
            "{\"version\":1,\"what\":\"backfill\"," + fields + "\"toNanos\":0}",
            "{\"version\":1,\"what\":\"backfill\"," + fields + "\"groups\":[null],\"toNanos\":1}",
            "{\"version\":1,\"what\":\"backfill\","
                + fields
                + "\"groups\":[\"A/B\"],\"toNanos\":1}");
    for (int i = 0; i < texts.size(); i++) {
      Files.writeString(requests.resolve("bad-" + i + ".request.json"), texts.get(i));
    }
    Files.createSymbolicLink(requests.resolve("link.request.json"), directory.resolve("secret"));
    Files.writeString(requests.resolve("other"), "not a request");
    await(
        "answers to all of them",
        () ->
            requests().stream().filter(name -> name.endsWith("answer.json")).count()
                == texts.size() + 1);
    for (int i = 0; i < texts.size(); i++) {
      Path answer = requests.resolve("bad-" + i + ".answer.json");
      await(
          "its end: " + texts.get(i).substring(0, Math.min(99, texts.get(i).length())),
          () -> Files.readString(answer).contains("\"state\":\"refused\""));
      assertThat(Files.readString(answer)).contains("\"state\":\"refused\"", "\"why\":\"");
    }
    await(
        "the report of the last", () -> text("run").contains("no such group in the archive: A/B"));
    // A request that can be neither answered nor removed does not delay others.
    Path odd = Files.createDirectories(requests.resolve("odd.answer.json/odd"));
    Files.writeString(requests.resolve("odd.request.json"), "nonsense");
    await("the report of it", () -> text("run").contains("request cannot be carried out"));
    // The requester removes its request. These requests are not removed, so they expire.
    Files.delete(requests.resolve("bad-0.request.json"));
    await("its end", () -> !requests().contains("bad-0.answer.json"));
    assertThat(kblake.run("backfill").status()).isZero();
    Files.delete(odd);
    await("the end of all", () -> requests().equals(List.of("other")));
  }

  /**
   * {@code kblake run} has the lock some time before its status is written, longer if the machine
   * has much to do.
   */
  @Test
  void commandWaitsForTheStatusOfAProcessThatHasTheLock() throws Exception {
    try (Store held = lockedForRequests()) {
      Process asking = start("backfill", "backfill", SLOWLY);
      awaitText("backfill", "kblake run has locked the store and begins: host=");
      String holder = text("store/writer.lock");
      Files.createDirectory(held.directory().resolve("requests"));
      Files.writeString(
          held.directory().resolve("kblake-run.json"),
          """
          {"version": 1, "state": "running", "host": "%s", "pid": %d,
           "since": "2024-05-20T00:00:00Z", "written": "2024-05-20T00:00:00Z",
           "counters": {}, "rates": {}, "disk": {}, "groups": [], "problems": []}
          """
              .formatted(
                  holder.substring("host=".length(), holder.indexOf(" pid=")),
                  ProcessHandle.current().pid()));
      awaitText("backfill", "kblake run has locked the store and does this: host=");
      await("the request", () -> !requests().isEmpty());
      signal(asking, "INT");
      end(asking, "backfill", 130);
    }
  }

  @Test
  void commandDoesTheWorkIfTheProcessEndsWhileItBegins() throws Exception {
    Store held = lockedForRequests();
    Process asking;
    try {
      asking = start("backfill", "backfill");
      awaitText("backfill", "kblake run has locked the store and begins: host=");
    } finally {
      held.close();
    }
    end(asking, "backfill", 0);
    assertAllIsInColumns();
  }

  private Store lockedForRequests() throws IOException {
    Archive archive = Archive.open(kblake.archive(), ArchiveSettings.defaults());
    return Store.openForRequests(kblake.store(), TestStores.identity(archive));
  }

  @Test
  void writerThatTakesNoRequestsIsNamed() throws Exception {
    Process first = start("first", "backfill", SLOWLY);
    await("its lock", () -> Files.exists(kblake.store().resolve("writer.lock")));
    await("its name", () -> text("store/writer.lock").contains("pid="));
    KblakeRun second = kblake.run("backfill");
    assertThat(second.status()).isEqualTo(1);
    assertThat(second.err())
        .startsWith("kblake backfill: another process has locked this store: store=")
        .contains("pid=" + first.pid() + " since=")
        .hasLineCount(1);
  }
}
