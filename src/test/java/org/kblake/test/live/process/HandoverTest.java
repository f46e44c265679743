package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.CommandFixture.fact;

import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.handover.RequestSocket;
import org.kblake.cli.process.ThisProcess;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.OtherUser;
import org.kblake.test.fixture.TestStores;

/**
 * {@code kblake backfill} beside {@code kblake run}: there is one writer, and the request is
 * completed even if one of the processes is killed.
 */
final class HandoverTest {

  /** A rate at which the sample takes a minute. */
  private static final String SLOWLY = "--io-limit=16K";

  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));
  private final List<Process> processes = new ArrayList<>();
  private @Nullable SocketChannel peer;

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
    settings("");
  }

  /** The process itself puts nothing into columns, so all columns are made on request. */
  private void settings(String more) throws IOException {
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "archive"
        store = "store"
        [run]
        mode = "never"
        status-interval = "200ms"
        """
            + more);
  }

  @AfterEach
  void stopAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  private Process start(String name, String... args) throws IOException {
    return start(List.of(), name, args);
  }

  /**
   * @param options options for the JVM
   */
  private Process start(List<String> options, String name, String... args) throws IOException {
    Process process =
        KblakeProcess.start(
            options,
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

  /** Starts a process whose work takes a minute. Processes that start later are fast. */
  private Process followSlowly(String name) throws Exception {
    settings("io-limit = \"16K\"\n");
    Process process = follow(name);
    settings("");
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

  private void assertAllIsInColumns() {
    KblakeRun nothingLeft = kblake.run("backfill");
    assertThat(nothingLeft.status()).as(nothingLeft.err()).isZero();
    assertThat(fact(nothingLeft, "in store before")).isEqualTo(CommandFixture.MIXED_BYTES);
    assertThat(kblake.run("verify").status()).isZero();
  }

  @Test
  void runningProcessCarriesOutTheRequestWithTheSummaryOfABackfill() throws Exception {
    Process following = follow("run");
    assertThat(text("store/writer.lock")).endsWith(" requests=socket");
    await("the socket", () -> Files.exists(socket()));
    assertThat(Files.getPosixFilePermissions(socket())).isEqualTo(OWNER_ONLY);
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
    signal(following, "TERM");
    following.waitFor();
    assertThat(socket()).doesNotExist();
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
    // The cancelled request does not delay the next one.
    assertThat(fact(kblake.run("backfill"), "in store before")).isPositive();
    signal(following, "TERM");
    following.waitFor();
    assertAllIsInColumns();
  }

  @Test
  void requestOfAProcessThatWasKilledIsCancelled() throws Exception {
    follow("run");
    Process asking = start("backfill", "backfill", SLOWLY);
    awaitText("run", "message=request ");
    asking.destroyForcibly().waitFor();
    awaitText("run", "message=\"request is cancelled\"");
    await("no request in the status", () -> !status().contains("request  "));
  }

  @Test
  void commandContinuesWhenTheProcessIsKilled() throws Exception {
    Process following = followSlowly("run");
    Process asking = start("backfill", "backfill");
    awaitText("run", "block sealed");
    following.destroyForcibly().waitFor();
    awaitText(
        "backfill",
        "kblake run has ended before the end of the request; this command continues it");
    end(asking, "backfill", 0);
    assertThat(text("backfill.out")).containsPattern("(?m)^in store before +[1-9]");
    assertAllIsInColumns();
  }

  @Test
  void processThatTakesOverCompletesTheRequest() throws Exception {
    Process following = followSlowly("run");
    start("standby", "run", "--standby");
    awaitText("standby", "stands by");
    Process asking = start("backfill", "backfill");
    awaitText("run", "block sealed");
    following.destroyForcibly().waitFor();
    awaitText("standby", "message=request ");
    end(asking, "backfill", 0);
    awaitText("standby", "message=\"request is done\"");
    assertThat(text("backfill")).doesNotContain("this command continues it");
  }

  /** Peers that send anything else, or nothing, do not affect others. */
  @Test
  void invalidRequestsAreRefusedWithoutEffectOnOthers() throws Exception {
    follow("run");
    String fields = "\"host\":\"elsewhere\",\"pid\":1,\"fromNanos\":0,";
    List<String> lines =
        List.of(
            "nonsense",
            "null",
            "{}",
            "[".repeat(5000),
            " ".repeat(1 << 20) + " ",
            "{\"version\":1,\"what\":\"format\"," + fields + "\"toNanos\":1}",
            "{\"version\":1,\"what\":\"backfill\"," + fields + "\"toNanos\":0}",
            "{\"version\":1,\"what\":\"backfill\"," + fields + "\"groups\":[null],\"toNanos\":1}",
            "{\"version\":1,\"what\":\"backfill\","
                + fields
                + "\"groups\":[\"A/B\"],\"toNanos\":1}");
    try (SocketChannel silent = connect();
        SocketChannel halfLine = connect();
        SocketChannel manyLines = connect()) {
      write(halfLine, "{\"version\":1,");
      String valid = "{\"version\":1,\"what\":\"backfill\"," + fields + "\"toNanos\":1}\n";
      String slow =
          valid.replace(
              "\"toNanos\":1", "\"toNanos\":2000000000000000000,\"ioLimitBytesPerSecond\":1");
      write(manyLines, slow + valid);
      assertThat(text(manyLines)).contains("request has more than one line");
      for (String line : lines) {
        assertThat(answer(line))
            .as(line.substring(0, Math.min(99, line.length())))
            .contains("\"state\":\"refused\"", "\"why\":\"");
      }
      connect().close();
      awaitText("run", "no such group in the archive: A/B");
      assertThat(kblake.run("backfill").status()).isZero();
      assertThat(silent.isOpen()).isTrue();
    }
  }

  /** The answer names the files of a thousand pairs, and is larger than the buffers of a socket. */
  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 3 s of a processor")
  @Test
  @Timeout(120)
  void aPeerThatDoesNotReadDoesNotAffectOthers() throws Exception {
    String group = "ZZ/" + "Z".repeat(200);
    Path directory = Files.createDirectories(kblake.archive().resolve("ZZ"));
    for (int pair = 0; pair < 1000; pair++) {
      String name =
          group.substring(3)
              + "_2016051600"
              + String.format(Locale.ROOT, "%04d", pair / 60 * 100 + pair % 60);
      Files.writeString(directory.resolve(name + ".log2"), "nonsense");
    }
    follow("run");
    try (SocketChannel neverReads = connect()) {
      write(
          neverReads,
          "{\"version\":1,\"what\":\"backfill\",\"host\":\"elsewhere\",\"pid\":1,\"groups\":[\""
              + group
              + "\"],\"fromNanos\":0,\"toNanos\":2000000000000000000}\n");
      assertThat(kblake.run("backfill", "-g", "VA/CCG").status()).isZero();
      awaitText("run", "message=\"request is done\"");
      assertThat(text("run").split("message=\"request is done\"", -1)).hasSize(2);
      assertThat(text(neverReads)).contains("\"state\":\"done\"");
      await("both", () -> text("run").split("message=\"request is done\"", -1).length == 3);
    }
  }

  private Path socket() {
    return kblake.store().resolve("kblake-run/socket");
  }

  private SocketChannel connect() throws Exception {
    await("the socket", () -> Files.exists(socket()));
    return SocketChannel.open(UnixDomainSocketAddress.of(socket()));
  }

  private static void write(SocketChannel peer, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      peer.write(bytes);
    }
  }

  /** Returns all that the process sends until it closes the connection. */
  private static String text(SocketChannel peer) throws IOException {
    return new String(Channels.newInputStream(peer).readAllBytes(), StandardCharsets.UTF_8);
  }

  private String answer(String line) throws Exception {
    try (SocketChannel peer = connect()) {
      write(peer, line + "\n");
      return text(peer);
    }
  }

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 3 s of a processor")
  @Test
  void requestsOfTwoCommandsAreCarriedOutOneAfterTheOther() throws Exception {
    follow("run");
    Process first = start("first", "backfill", "-g", "VA/CCG");
    Process second = start("second", "backfill");
    end(first, "first", 0);
    end(second, "second", 0);
    assertThat(text("run").split("message=\"request is done\"", -1)).hasSize(3);
    assertThat(fact(kblake.run("backfill"), "in store before"))
        .isEqualTo(CommandFixture.MIXED_BYTES);
  }

  /** The request goes to the service with the new settings over another connection. */
  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 3 s of a processor")
  @Test
  void requestContinuesWithOtherSettings() throws Exception {
    Process following = followSlowly("run");
    Process asking = start("backfill", "backfill");
    awaitText("run", "block sealed");
    signal(following, "HUP");
    awaitText("run", "message=\"settings read again\"");
    end(asking, "backfill", 0);
    assertThat(text("backfill")).containsOnlyOnce("kblake run has locked the store and does this");
    assertThat(fact(kblake.run("backfill"), "in store before"))
        .isEqualTo(CommandFixture.MIXED_BYTES);
  }

  /** An address of a socket has at most 108 bytes. */
  @Test
  void storeMayHaveALongPath() throws Exception {
    Path store = useStoreWithALongPath();
    start("run", "run");
    await("the socket", () -> Files.exists(store.resolve("kblake-run/socket")));
    Process asking = start("backfill", "backfill");
    end(asking, "backfill", 0);
    assertThat(text("backfill")).contains("kblake run has locked the store and does this: host=");
  }

  private Path useStoreWithALongPath() throws IOException {
    Path store = directory.resolve("long".repeat(30)).resolve("store");
    Files.createDirectories(store.getParent());
    Files.writeString(
        directory.resolve("kblake.toml"),
        Files.readString(directory.resolve("kblake.toml"))
            .replace("\"store\"", "\"" + store + "\""));
    return store;
  }

  /** {@code kblake run} has the lock some time before it listens. */
  @Test
  void commandWaitsForAProcessThatHasTheLock() throws Exception {
    try (Store held = lockedForRequests();
        RequestSocket socket = new RequestSocket(held.directory())) {
      Process asking = start("backfill", "backfill", SLOWLY);
      awaitText("backfill", "kblake run has locked the store and begins: host=");
      ServerSocketChannel server = socket.listen(false);
      await("the request", () -> (peer = server.accept()) != null);
      write(Objects.requireNonNull(peer), "{\"state\":\"waiting\",\"host\":\"here\",\"pid\":7}\n");
      awaitText("backfill", "kblake run has locked the store and does this: host=here pid=7;");
      signal(asking, "INT");
      end(asking, "backfill", 130);
    }
  }

  /** A process that reads its settings again, or restarts, has the lock before it listens. */
  @Test
  void shortRequestWaitsForAProcessThatHasTheLock() throws Exception {
    try (Store held = lockedForRequests();
        RequestSocket socket = new RequestSocket(held.directory())) {
      RequestSocket before = new RequestSocket(held.directory());
      ServerSocketChannel first = before.listen(false);
      Process asking = start("reset", "status", "--reset");
      await("the request", () -> (peer = first.accept()) != null);
      before.close();
      Objects.requireNonNull(peer).close();
      assertThat(asking.waitFor(1, TimeUnit.SECONDS)).as(text("reset")).isFalse();
      ServerSocketChannel second = socket.listen(false);
      await("the request", () -> (peer = second.accept()) != null);
      write(Objects.requireNonNull(peer), "{\"state\":\"done\"}\n");
      end(asking, "reset", 0);
    }
  }

  /** The name of a writer stays in the file of the lock when it has ended. */
  @Test
  void processThatHasEndedIsNotNamed() throws Exception {
    for (String requests : List.of("yes", "socket")) {
      try (Store held = lockedForRequests()) {
        holder(
            held,
            "host="
                + ThisProcess.host()
                + " pid=1 since=2016-05-16T00:00:00Z requests="
                + requests);
      }
      KblakeRun asking = kblake.run("status", "--reset");
      assertThat(asking.status()).isEqualTo(1);
      assertThat(asking.err()).startsWith("kblake status: no kblake run follows the archive");
    }
  }

  /** A stopped process has the lock, and the system accepts connections to its socket. */
  @Test
  void stoppedProcessIsNamed() throws Exception {
    Process following = follow("run");
    await("the socket", () -> Files.exists(socket()));
    Files.createDirectories(kblake.store().resolve("VA.old/CCG"));
    signal(following, "STOP");
    for (String command : List.of("backfill", "status --reset", "forget -g VA.old/CCG --force")) {
      assertNamesSilent(following, List.of("-Dkblake.request.limit=2"), command);
    }
    signal(following, "CONT");
    assertThat(kblake.run("forget", "-g", "VA.old/CCG", "--force").status()).isZero();
  }

  private void assertNamesSilent(Process following, List<String> options, String command)
      throws Exception {
    Process asking = start(options, "asking", command.split(" "));
    end(asking, "asking", 1);
    assertThat(text("asking"))
        .contains("kblake run does not respond: host=" + ThisProcess.host() + " pid=")
        .endsWith(
            " requests=socket; if it is stopped, continue it (kill -CONT "
                + following.pid()
                + "), otherwise see its log\n");
  }

  @Test
  void removedSocketComesBack() throws Exception {
    follow("run");
    await("the socket", () -> Files.exists(socket()));
    Files.delete(socket());
    await("the socket", () -> Files.exists(socket()));
    assertThat(kblake.run("backfill").status()).isZero();
    assertThat(text("run")).doesNotContain("requests cannot be taken");
  }

  /** The process works on, and both sides say why they cannot talk. */
  @Test
  void processWithoutASocketSaysWhy() throws Exception {
    Path temporary = Files.createDirectories(directory.resolve("temporary".repeat(12)));
    List<String> options = List.of("-Djava.io.tmpdir=" + temporary, "-Dkblake.request.limit=2");
    useStoreWithALongPath();
    Process following = start(options, "run", "run");
    awaitText("run", "requests cannot be taken: socket=");
    assertThat(text("run"))
        .contains("path of a socket is too long: file=" + temporary)
        .contains("set KBLAKE_JAVA_OPTS=-Djava.io.tmpdir=DIR with a short DIR");
    Process asking = start(options, "long", "backfill");
    end(asking, "long", 1);
    assertThat(text("long")).contains("path of a socket is too long: file=" + temporary);
    assertNamesSilent(following, List.of("-Dkblake.request.limit=2"), "backfill");
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

  /** The text of the lock is that of a version which takes requests as files. */
  @Test
  void processOfAnEarlierVersionIsNamed() throws Exception {
    try (Store held = lockedForRequests()) {
      holder(
          held,
          "host="
              + ThisProcess.host()
              + " pid="
              + ThisProcess.pid()
              + " since="
              + ThisProcess.since()
              + " requests=yes");
      Files.createDirectory(held.directory().resolve("requests"));
      for (String command : List.of("backfill", "status --reset")) {
        Process asking = start("asking", command.split(" "));
        end(asking, "asking", 1);
        assertThat(text("asking"))
            .contains(
                "kblake run of an earlier version has locked the store, and takes no request of"
                    + " this command: host=")
            .endsWith("requests=yes; restart kblake run\n");
      }
    }
  }

  /**
   * A command of an earlier version writes its request as a file if the directory exists and the
   * lock names a process that takes such requests. Otherwise it names the holder and ends.
   */
  @Test
  void commandOfAnEarlierVersionFindsNoDirectoryForItsRequest() throws Exception {
    assertThat(kblake.run("backfill", "-g", "VA/CCG").status()).isZero();
    Path requests = Files.createDirectory(kblake.store().resolve("requests"));
    for (String name : List.of("host-12-345.request.json", "host-12-345.answer.json")) {
      try (InputStream file = getClass().getResourceAsStream("/stores/requests/" + name)) {
        Files.copy(Objects.requireNonNull(file), requests.resolve(name));
      }
    }
    follow("run");
    assertThat(requests).doesNotExist();
    assertThat(text("store/writer.lock")).startsWith("host=").doesNotEndWith(" requests=yes");
  }

  @Test
  void otherUsersCannotSendRequests() throws Exception {
    OtherUser.assumePossible(directory);
    OtherUser.letIn(directory);
    Path classes = Files.createDirectory(directory.resolve("classes"));
    OtherUser.letIn(classes);
    follow("run");
    await("the socket", () -> Files.exists(socket()));
    Process asking =
        new OtherUser(4001, OtherUser.readableClassPath(classes))
            .start(directory, directory.resolve("other"), "status", "--reset");
    processes.add(asking);
    end(asking, "other", 1);
    assertThat(text("other"))
        .isEqualTo(
            "kblake status: kblake run has locked the store, and the request cannot be sent:"
                + " file=store/kblake-run/socket, permission denied; run this as the user who runs"
                + " kblake run\n");
  }

  @Test
  void processOfAnotherHostIsNamed() throws Exception {
    try (Store held = lockedForRequests()) {
      holder(held, "host=elsewhere.example pid=1 since=2024-05-20T00:00:00Z requests=socket");
      Process asking = start("backfill", "backfill");
      end(asking, "backfill", 1);
      assertThat(text("backfill"))
          .isEqualTo(
              "kblake backfill: kblake run on another host has locked the store:"
                  + " host=elsewhere.example pid=1 since=2024-05-20T00:00:00Z requests=socket;"
                  + " run this command on that host\n");
    }
  }

  /** Writes the text of the lock in another process, since this one would lose the lock. */
  private static void holder(Store held, String text) throws Exception {
    Process writing =
        new ProcessBuilder("sh", "-c", "printf '%s' '" + text + "' > writer.lock")
            .directory(held.directory().toFile())
            .start();
    assertThat(writing.waitFor()).isZero();
  }
}
