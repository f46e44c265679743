package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.Shell;

/** {@code kblake run} as a process: a single writer, signals, status and HTTP. */
final class RunProcessTest {

  private static final Pattern ADDRESS = Pattern.compile("address=/?(\\S+)");

  private static final Pattern COVERED = Pattern.compile("total.* 100% ");

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));
  private final List<Process> processes = new ArrayList<>();

  @BeforeEach
  void copySample() throws IOException {
    kblake = CommandFixture.mixed(directory);
    settings("status-interval = \"200ms\"", "listen = \"127.0.0.1:0\"");
  }

  @AfterEach
  void stopAll() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  private void settings(String... lines) throws IOException {
    Path fresh = directory.resolve("kblake.toml.new");
    Files.writeString(
        fresh,
        "archive = \"archive\"\nstore = \"store\"\n[run]\n" + String.join("\n", lines) + "\n");
    Files.move(fresh, directory.resolve("kblake.toml"), StandardCopyOption.REPLACE_EXISTING);
  }

  private Process start(String err, String... args) throws IOException {
    String[] line = Stream.concat(Stream.of("run"), Stream.of(args)).toArray(String[]::new);
    Process process = KblakeProcess.start(directory, directory.resolve(err), line);
    processes.add(process);
    return process;
  }

  private String text(String err) throws IOException {
    return Files.readString(directory.resolve(err));
  }

  private void awaitText(String err, String text) throws Exception {
    await(text + " in " + err, () -> text(err).contains(text));
  }

  private KblakeRun now(String... args) {
    return kblake.runner().at(Instant.now()).run(args);
  }

  private static void signal(Process process, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private static boolean isCovered(String status) {
    return COVERED.matcher(status).find();
  }

  @Test
  void putsEverythingIntoColumnsAndEndsInOrder() throws Exception {
    Process process = start("err");
    await("all events in columns", () -> now("status").out().contains("27,159 events"));
    await("full coverage", () -> isCovered(now("status").out()));
    assertThat(now("status").out())
        .containsPattern("process  host=\\S+ pid=" + process.pid() + " since 2")
        .containsPattern("total.* 100% ");
    await("a good status", () -> now("check").status() == 0);
    signal(process, "TERM");
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(text("err")).isEqualTo(143);
    assertThat(text("err"))
        .contains("message=\"block sealed\" group=VA/CCG")
        .endsWith("message=stopped\n");
    try (Stream<Path> files = Files.walk(kblake.store())) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("unfinished"));
    }
    assertThat(kblake.run("verify").status()).isZero();
    assertThat(now("status").out()).contains("process  none, stopped 2");
    assertThat(now("check", "process").out()).startsWith("KBLAKE CRITICAL - process was stopped");
  }

  @Test
  void secondProcessNamesTheOwnerOfTheStore() throws Exception {
    Process first = start("first");
    awaitText("first", "message=started");
    Process second = start("second");
    assertThat(second.waitFor()).isEqualTo(1);
    assertThat(text("second"))
        .startsWith("kblake run: another process has locked this store: store=")
        .contains("pid=" + first.pid() + " since=")
        .hasLineCount(1);
  }

  @Test
  void standbyTakesOverWhenTheFirstIsKilled() throws Exception {
    Process first = start("first");
    awaitText("first", "message=started");
    Process second = start("second", "--standby");
    awaitText("second", "message=\"stands by\"");
    assertThat(text("second")).contains("pid=" + first.pid());
    await("a status file", () -> now("check", "process").status() == 0);
    // The standby is stopped meanwhile, so that the check sees the state before it takes over.
    signal(second, "STOP");
    first.destroyForcibly().waitFor();
    assertThat(now("check", "process").out()).startsWith("KBLAKE CRITICAL - process is dead");
    long killed = System.nanoTime();
    signal(second, "CONT");
    awaitText("second", "message=started");
    assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(20));
    await("its status file", () -> now("check", "process").status() == 0);
    assertThat(now("status").out()).contains("pid=" + second.pid());
  }

  @Test
  void readsItsSettingsAgainOnHangUpAndKeepsThemIfTheyAreWrong() throws Exception {
    Process process = start("err");
    awaitText("err", "message=listens");
    settings("pol = \"2s\"");
    signal(process, "HUP");
    awaitText("err", "message=\"settings are not changed\"");
    assertThat(text("err")).contains("unknown key 'run.pol'; did you mean poll?");
    settings("poll = \"2s\"", "log-format = \"json\"", "status-interval = \"200ms\"");
    signal(process, "HUP");
    awaitText("err", "run.poll=2s");
    await("the status file again", () -> now("check", "process").status() == 0);
    signal(process, "TERM");
    process.waitFor();
    assertThat(text("err")).endsWith("\"message\":\"stopped\"}\n");
  }

  /** A token that is revoked ends without a restart, and a mistake in the file revokes none. */
  @Test
  void readsItsTokensAgainWhenTheirFileHasChanged() throws Exception {
    Path tokens = directory.resolve("tokens");
    Files.writeString(tokens, "first 0123456789abcdef-first\n");
    settings("listen = \"127.0.0.1:0\"", "token-file = \"tokens\"");
    start("err");
    awaitText("err", "message=listens");
    assertThat(metrics("0123456789abcdef-first").statusCode()).isEqualTo(200);
    Files.writeString(tokens, "second 0123456789abcdef-second\n");
    await("the new token", () -> metrics("0123456789abcdef-second").statusCode() == 200);
    assertThat(metrics("0123456789abcdef-first").statusCode()).isEqualTo(401);
    Files.writeString(tokens, "second\n");
    awaitText("err", "message=\"tokens are not changed\"");
    assertThat(metrics("0123456789abcdef-second").body()).contains("kblake_token_file_outdated 1");
    assertThat(text("err"))
        .contains("message=\"token file read again\" tokens=1")
        .doesNotContain("0123456789abcdef");
  }

  /** A program that reads the log gets no other lines, at the start and after SIGHUP. */
  @Test
  void aTokenThatEveryUserCanReadIsAWarningOfTheLog() throws Exception {
    Path tokens = Files.writeString(directory.resolve("tokens"), "0123456789abcdef-first\n");
    Files.setAttribute(directory, "unix:mode", 0755);
    Files.setAttribute(tokens, "unix:mode", 0644);
    settings("listen = \"127.0.0.1:0\"", "token-file = \"tokens\"", "log-format = \"json\"");
    Process process = start("err");
    String warning = "\"level\":\"WARN\",\"message\":\"token is no secret\"";
    awaitText("err", warning);
    signal(process, "HUP");
    await("the second line", () -> text("err").split(warning, -1).length == 3);
    signal(process, "TERM");
    process.waitFor();
    assertThat(text("err").lines()).allMatch(line -> line.startsWith("{"));
  }

  private HttpResponse<String> metrics(String token) throws Exception {
    Matcher address = ADDRESS.matcher(text("err"));
    assertThat(address.find()).isTrue();
    URI uri = URI.create("http://" + address.group(1) + "/metrics");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + token).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void reportsItsStateOverHttp() throws Exception {
    settings(
        "status-interval = \"200ms\"",
        "listen = \"127.0.0.1:0\"",
        "[run.group.\"VA/CCG\"]",
        "stale-warning = \"3d\"",
        "stale-critical = \"never\"");
    start("err");
    awaitText("err", "message=listens");
    Matcher address = ADDRESS.matcher(text("err"));
    assertThat(address.find()).isTrue();
    String root = "http://" + address.group(1);
    assertThat(get(root + "/health").statusCode()).isEqualTo(200);
    await("the first poll", () -> get(root + "/ready").statusCode() == 200);
    await(
        "blocks of both groups",
        () -> get(root + "/metrics").body().contains("kblake_sealed_events_total 27159.0\n"));
    await(
        "metrics without lag",
        () -> get(root + "/metrics").body().contains("kblake_lag_seconds{group=\"VA/CCG\"} 0.0\n"));
    assertThat(get(root + "/metrics").body())
        .contains("jvm_memory_used_bytes{")
        .contains("kblake_stale_warning_seconds{group=\"VA/CCG\"} 259200.0\n")
        .contains("kblake_stale_critical_seconds{group=\"VA/CCG\"} +Inf\n")
        .containsPattern("kblake_stale_warning_seconds.group=.(?!VA/CCG).*. 3600.0\n")
        .containsPattern("kblake_stale_critical_seconds.group=.(?!VA/CCG).*. 21600.0\n")
        .contains("kblake_followed{group=\"VA/CCG\"} 1.0\n");
    assertThat(get(root + "/else").statusCode()).isEqualTo(404);
  }

  private static HttpResponse<String> get(String address) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void watchRepeatsTheStatusUntilItIsStopped() throws Exception {
    Path out = directory.resolve("out");
    Process process =
        KblakeProcess.start(
            List.of(),
            directory,
            ProcessBuilder.Redirect.to(out.toFile()),
            directory.resolve("err"),
            "status",
            "--watch");
    processes.add(process);
    await("two of them", () -> text("out").lines().filter(l -> l.startsWith("total")).count() >= 2);
    signal(process, "INT");
    assertThat(process.waitFor()).isEqualTo(130);
    assertThat(text("err")).isEqualTo("stopped; nothing was changed\n");
  }

  /** A group that is not to be in columns has no lag, whether a process runs or not. */
  @Test
  void groupThatIsNotFollowedIsNoAlarmWhenTheProcessIsDead() throws Exception {
    settings("status-interval = \"200ms\"", "[run.group.\"RF/AnalogData\"]", "mode = \"never\"");
    Process process = start("err");
    await("its group's blocks", () -> now("check", "coverage").out().contains("coverage 100.00%"));
    process.destroyForcibly().waitFor();
    assertThat(now("check", "process").out()).startsWith("KBLAKE CRITICAL - process is dead");
    assertThat(now("check", "coverage").out()).startsWith("KBLAKE OK - coverage 100.00%");
    assertThat(now("check", "lag").out()).startsWith("KBLAKE OK - lag 0 s (VA/CCG)");
    Files.delete(kblake.store().resolve("kblake-run.json"));
    KblakeRun run =
        kblake
            .runner()
            .at(Instant.now())
            .run("--config", directory.resolve("kblake.toml").toString(), "check", "coverage");
    assertThat(run.out()).startsWith("KBLAKE OK - coverage 100.00%");
  }

  @Test
  void countersAreResetByAnotherProcess() throws Exception {
    assertThat(now("status", "--reset").err()).contains("no kblake run follows the archive");
    start("err");
    await("all events in columns", () -> now("status").out().contains("27,159 events"));
    KblakeRun reset = now("status", "--reset");
    assertThat(reset.status()).as(reset.err()).isZero();
    await("nothing", () -> now("status").out().contains(" 0 events in 0 blocks"));
    assertThat(now("status").out()).doesNotContain("since its begin");
    Matcher address = ADDRESS.matcher(text("err"));
    assertThat(address.find()).isTrue();
    assertThat(get("http://" + address.group(1) + "/metrics").body())
        .contains("kblake_sealed_events_total 27159.0\n");
  }

  @Test
  void systemdIsNotifiedWhileGroupsAreLookedAt() throws Exception {
    Path notify = directory.resolve("systemd-notify");
    Files.writeString(
        notify,
        """
        #!/usr/bin/env bash
        if [ "$1" = READY=1 ]; then
          address=$(sed -n 's:.*address=/*::p' err)
          exec 3<>"/dev/tcp/${address/://}"
          printf 'GET /ready HTTP/1.0\\r\\n\\r\\n' >&3
          head -1 <&3 >ready
        fi
        echo "$*" >>calls
        """);
    assertThat(notify.toFile().setExecutable(true)).isTrue();
    Shell.Result run =
        new Shell(directory)
            .with("NOTIFY_SOCKET", "/run/systemd/notify")
            .with("WATCHDOG_USEC", "200000")
            .run(
                KblakeProcess.backgroundFunction()
                    + "PATH=.:$PATH; background run 2>err & pid=$!;"
                    + " until grep -q '^WATCHDOG=1 STATUS=follows 2 groups' calls; do"
                    + " kill -0 $pid || exit 1; sleep 0.1; done;"
                    + " kill -TERM $pid; wait $pid; cat calls");
    assertThat(run.out()).startsWith("READY=1 STATUS=follows ").endsWith("\nSTOPPING=1\n");
    assertThat(text("ready")).startsWith("HTTP/1.1 200 ");
    assertThat(text("err")).doesNotContain("systemd");
  }
}
