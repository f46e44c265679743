package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.RootCommand;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.fixture.archive.WrittenLedger;
import org.kblake.test.fixture.archive.WrittenLedger.Statement;

/**
 * No answer claims more than it has, at no door: each command and path that answers events of a
 * lossy archive tells of it. A new command or path has to be in one of the lists.
 */
final class LossesAtDoorsTest {

  private static final String RF = "RF_AnalogData:D02_007:XPOS";
  private static final String SUMMARY = "possibly lossy: 1 span of RF/AnalogData, at least 12 ";
  private static final String FROM = " --from 2016-05-16T00:00 --to 2016-05-16T00:30";
  private static final String PERIOD = "from=2016-05-16T00:00&to=2016-05-16T00:30";
  private static final String RANGE = "channel=" + RF + "&" + PERIOD;
  private static final String PAST = "from=2016-05-15T15:00:00Z&to=2016-05-15T15:30:00Z";

  /** 2016-05-16T00:00:00+09:00. */
  private static final long BEGIN = 1_463_324_400_000_000_000L;

  private static final long SECOND = 1_000_000_000L;

  /** Words of commands; # is a blank within a word. */
  private static final List<String> COMMANDS =
      List.of(
          "get " + RF + FROM,
          "get -f arrow -o a.arrow " + RF + FROM,
          "get --at 2016-05-16T00:05:30 " + RF,
          "get --last 100000 " + RF + FROM,
          "get --wide --every 60s " + RF + FROM,
          "get --every 60s --aggregate max " + RF + FROM,
          "get --when " + RF + "#>#0 VA_CCG:D02_013:CUR" + FROM,
          "plot -o a.svg " + RF + FROM,
          "moved --at 2016-05-16T00:06 --baseline 5m " + RF,
          "diff --at 2016-05-16T00:05:30 --and 2016-05-16T00:20 " + RF,
          "when " + RF + "#>#0" + FROM,
          "build --event " + RF + "#>#0 --offset 0s --offset 10s VA_CCG:D02_013:CUR" + FROM,
          "coverage RF/AnalogData");

  /** Commands that answer no events; of some the help says so, of others the documents do. */
  private static final List<String> OTHER_COMMANDS =
      List.of(
          "channels",
          "status",
          "check",
          "run",
          "serve",
          "backfill",
          "pin",
          "forget",
          "compact",
          "verify",
          "restore",
          "inspect",
          "files",
          "compare",
          "config",
          "simulate",
          "demo",
          "record",
          "import",
          // Names losses of the last day, which DoctorCommandTest checks.
          "doctor",
          // The ledger is a table among theirs.
          "sql",
          "lake",
          "export",
          // Collectors tell them.
          "gather",
          "ship");

  private static final List<String> PATHS =
      List.of(
          "/api/v1/data?" + RANGE,
          "/api/v1/data?format=csv&" + RANGE,
          "/api/v1/data?format=arrow&" + RANGE,
          "/api/v1/data?format=csv&channel=VA_CCG:D02_013:CUR&when=" + RF + "%3E0&" + PERIOD,
          "/api/v1/table?every=60s&" + RANGE,
          "/api/v1/table?every=60s&format=arrow&" + RANGE,
          "/api/v1/trend?" + RANGE,
          "/api/v1/values?at=2016-05-16T00:05:30&channel=" + RF,
          "/api/v1/when?condition=" + RF + "%3E0&" + PERIOD,
          "/api/v1/when?format=csv&condition=" + RF + "%3E0&" + PERIOD,
          "/api/v1/moved?at=2016-05-16T00:06&baseline=5m&channel=" + RF,
          "/api/v1/diff?at=2016-05-16T00:05:30&and=2016-05-16T00:20&channel=" + RF,
          "/api/v1/coverage?" + RANGE,
          "/api/v1/live?channel=" + RF + "&from=2016-05-16T00:00",
          "/retrieval/data/getData.json?pv=" + RF + "&" + PAST,
          "/retrieval/data/getData.raw?pv=" + RF + "&" + PAST,
          "/retrieval/data/getData.csv?pv=mean_60(" + RF + ")&" + PAST,
          "/retrieval/data/getDataForPVs.json?pv=" + RF + "&pv=VA_CCG:D02_013:CUR&" + PAST,
          "/retrieval/data/getDataAtTime?at=2016-05-15T15:05:30Z",
          "/archive/1/samples/" + RF + "?start=" + BEGIN + "&end=" + (BEGIN + 1800 * SECOND));

  private static final List<String> OTHER_PATHS =
      List.of(
          "/api/v1/archive",
          "/api/v1/channels",
          "/api/v1/metadata",
          "/api/v1/openapi.json",
          "/api/v1/status");

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init")
  private CommandFixture fixture;

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeEach
  void start() throws IOException {
    fixture = CommandFixture.mixed(directory);
    server = new ServedSample(fixture.archive(), null);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void writeLedger(String name, long from, double count) throws IOException {
    long begin = BEGIN + from * SECOND;
    WrittenLedger.write(
        fixture.archive(),
        Group.parse("Kblake/" + name),
        List.of(Statement.of("RF/AnalogData", begin, begin + 60 * SECOND, count, 1)));
  }

  private static String[] words(String command) {
    return Arrays.stream(command.split(" "))
        .map(word -> word.replace('#', ' '))
        .toArray(String[]::new);
  }

  private String url() {
    return "http://127.0.0.1:" + server.port();
  }

  @Test
  void eachCommandTellsThem() throws Exception {
    List<KblakeRun> before = new ArrayList<>();
    for (String command : COMMANDS) {
      before.add(fixture.run(words(command)));
      assertThat(before.get(before.size() - 1).err()).as(command).doesNotContain("lossy");
      assertThat(before.get(before.size() - 1).status()).as(command).isZero();
    }
    writeLedger("Record", 300, 12);
    for (int i = 0; i < COMMANDS.size(); i++) {
      String command = COMMANDS.get(i);
      KblakeRun run = fixture.run(words(command));
      assertThat(run.status()).as(command + run.err()).isEqualTo(before.get(i).status());
      assertThat(told(run, command)).as(command).isTrue();
    }
    assertKnown(
        COMMANDS.stream().map(command -> command.split(" ")[0]).toList(),
        OTHER_COMMANDS,
        RootCommand.model().getSubcommands().keySet());
  }

  /** The strips of {@code coverage} have a table, which is more than the line. */
  private static boolean told(KblakeRun run, String command) {
    return command.startsWith("coverage ")
        ? run.out().contains("POSSIBLY LOSSY FROM")
        : run.err().contains(SUMMARY);
  }

  private static void assertKnown(
      List<String> telling, List<String> others, Iterable<String> present) {
    TreeSet<String> known = new TreeSet<>(telling);
    known.addAll(others);
    assertThat(known).containsExactlyInAnyOrderElementsOf(present);
  }

  /** A server tells them, and if it is away, the raw logs that are read instead do. */
  @Test
  void commandsThatAskAServerTellThem() throws Exception {
    writeLedger("Record", 300, 12);
    for (String address : List.of(url(), "http://127.0.0.1:1")) {
      for (String command :
          List.of(
              "get " + RF + FROM,
              "get --last 100000 " + RF + FROM,
              COMMANDS.get(6),
              "when " + RF + "#>#0" + FROM)) {
        List<String> all = new ArrayList<>(List.of(words(command)));
        all.addAll(List.of("--server", address));
        KblakeRun run = fixture.run(all.toArray(String[]::new));
        assertThat(run.status()).as(command + run.err()).isZero();
        assertThat(run.err().lines().filter(line -> line.contains(SUMMARY)))
            .as("%s %s", command, address)
            .hasSize(1);
      }
    }
  }

  @Test
  void eachPathTellsThem() throws Exception {
    for (String path : PATHS) {
      if (!path.contains("/live")) {
        assertThat(answer(path)).as(path).doesNotContain("lossy");
      }
    }
    writeLedger("Record", 300, 12);
    for (String path : PATHS) {
      assertThat(answer(path)).as(path).contains(SUMMARY);
    }
    List<String> present = new ArrayList<>();
    server.json("/api/v1/openapi.json").get("paths").fieldNames().forEachRemaining(present::add);
    assertKnown(
        PATHS.stream()
            .filter(path -> path.startsWith("/api"))
            .map(path -> path.replaceAll("\\?.*", ""))
            .toList(),
        OTHER_PATHS,
        present);
  }

  /** Returns headers and body; of a live stream the body up to the note. */
  private String answer(String path) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path));
    if (path.contains("AtTime")) {
      request.POST(HttpRequest.BodyPublishers.ofString("[\"" + RF + "\"]"));
    }
    HttpResponse<InputStream> answer =
        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).as(path).isEqualTo(200);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try (InputStream in = answer.body()) {
      int next = in.read();
      while (next >= 0) {
        body.write(next);
        if (next == '\n' && text(body).contains("event: note\ndata: {\"note\":\"")) {
          break;
        }
        next = in.read();
      }
    }
    // Notes of Arrow are URL-encoded.
    return answer.headers().allValues("Kblake-Note")
        + text(body).replace('+', ' ').replace("%3A", ":").replace("%2F", "/").replace("%2C", ",");
  }

  private static String text(ByteArrayOutputStream body) {
    return body.toString(StandardCharsets.ISO_8859_1);
  }

  /** Those of the history, and each later one, once. */
  @Test
  void followedEventsTellWhatIsStatedLater() throws Exception {
    writeLedger("Record", 300, 12);
    Path err = directory.resolve("err");
    Process process =
        KblakeProcess.start(
            directory,
            err,
            "get",
            "--archive=" + fixture.archive(),
            "--from=2016-05-16T00:00",
            "--follow",
            RF);
    try {
      Await.await("the history", () -> Files.readString(err).contains(SUMMARY));
      writeLedger("Record-B", 600, 34);
      Await.await("a later one", () -> Files.readString(err).contains("at least 34 events"));
      writeLedger("Record-B", 900, 56);
      Await.await("the last one", () -> Files.readString(err).contains("at least 56 events"));
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(Files.readString(err)).hasLineCount(3);
  }
}
