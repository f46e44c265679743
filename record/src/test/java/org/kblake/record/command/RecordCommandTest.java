package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.epics.pva.data.PVADouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.record.fixture.CaServer;
import org.kblake.record.fixture.PvServer;
import org.kblake.record.fixture.ServedRecord;
import org.kblake.record.fixture.Wire;

/** The command in a process of its own, as an operator starts it, and what {@code get} reads. */
final class RecordCommandTest {

  private static final String CURRENT = "BMLDCCT:CURRENT";
  private static final String GAUGE = "VALCCG:D01:PRES";
  private static final String ADDED = "BMLDCCT:LIFE";

  @TempDir Path directory;
  private final CaServer server;
  private final Map<String, String> variables = new HashMap<>();
  private final List<Double> posted = new ArrayList<>();

  RecordCommandTest() throws IOException {
    server = CaServer.start();
    variables.put("EPICS_CA_ADDR_LIST", "127.0.0.1:" + server.port());
    variables.put("EPICS_CA_AUTO_ADDR_LIST", "NO");
    variables.put("LC_ALL", "C");
  }

  @BeforeEach
  void archive() throws IOException {
    server.add(ServedRecord.number(CURRENT, 0));
    server.add(ServedRecord.number(GAUGE, 0));
    server.add(ServedRecord.number(ADDED, 0));
    Files.createDirectories(directory.resolve("logs/SYS/LCF"));
    Files.writeString(lcf(), CURRENT + "\n");
    Files.writeString(directory.resolve("logs/SYS/KEKBLog.list"), "BM DCCT\n");
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "logs"
        [record]
        groups = "BM/DCCT, VA/CCG"
        new-pair = "0s"
        names."VA/CCG" = "VALCCG:D01:PRES"
        """);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String settings() throws IOException {
    return Files.readString(directory.resolve("kblake.toml"));
  }

  private Path lcf() {
    return directory.resolve("logs/SYS/LCF/DCCT.lcf");
  }

  private RecorderProcess start(String... arguments) throws IOException {
    return RecorderProcess.start(directory, variables, arguments);
  }

  private void post(double value) {
    posted.add(value);
    server.post(CURRENT, 1, Wire.doubles(value));
  }

  private KblakeRun run(String... line) {
    KblakeRun.Builder builder = KblakeRun.in(directory).at(Instant.now());
    variables.forEach(builder::with);
    return builder.run(line);
  }

  /** Returns the values of a channel, without the first one of each connection if it is 0. */
  private List<Double> read(String channel) {
    KblakeRun get = run("get", channel, "-f", "csv", "--from", "2000-01-01T00:00");
    return get.out()
        .lines()
        .map(line -> line.split(","))
        .filter(words -> words.length > 5 && words[2].equals("value"))
        .map(words -> Double.valueOf(words[5]))
        .toList();
  }

  private List<Path> logs(String system) throws IOException {
    Path files = directory.resolve("logs").resolve(system);
    if (!Files.isDirectory(files)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(files)) {
      return all.filter(file -> file.toString().endsWith(".log1")).sorted().toList();
    }
  }

  private boolean hasLogs(int number) {
    try {
      return logs("BM").size() == number;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void recordsGroupsThroughListsRotationAndKills() throws Exception {
    byte[] before;
    try (RecorderProcess recorder = start()) {
      recorder.awaitLine("connected", "group=BM/DCCT", "1 of 1");
      recorder.awaitLine("connected", "group=VA/CCG", "1 of 1");
      for (int i = 1; i <= 100; i++) {
        post(i);
      }
      server.post(GAUGE, 1, Wire.doubles(1e-7));
      recorder.await(() -> read(CURRENT).containsAll(posted) && read(GAUGE).contains(1e-7));
      recorder.signal("USR1");
      recorder.await(() -> hasLogs(2));
      Files.writeString(lcf(), CURRENT + "\n" + ADDED + "\n" + CURRENT + "\n");
      recorder.signal("HUP");
      recorder.awaitLine("name occurs twice, it is left out: ", "line=3");
      recorder.awaitLine("connected", "group=BM/DCCT", "2 of 2");
      recorder.await(() -> hasLogs(3));
      Files.writeString(
          directory.resolve("kblake.toml"), settings().replace(GAUGE, GAUGE + " NOT:THERE"));
      recorder.awaitLine("connected", "group=VA/CCG", "1 of 2");
      server.post(ADDED, 1, Wire.doubles(17));
      post(101);
      recorder.await(() -> read(ADDED).contains(17.0) && read(CURRENT).contains(101.0));
      before = Files.readAllBytes(logs("BM").get(2));
      assertThat(recorder.end("KILL")).isEqualTo(137);
    }
    Files.writeString(lcf(), CURRENT + "\n" + ADDED + "\n");
    try (RecorderProcess recorder = start()) {
      recorder.awaitLine("connected", "group=BM/DCCT", "2 of 2");
      recorder.await(() -> hasLogs(4));
      assertThat(logs("BM").get(2)).hasBinaryContent(before);
      post(102);
      recorder.await(() -> read(CURRENT).contains(102.0));
      assertThat(recorder.end("TERM")).isEqualTo(143);
      assertThat(recorder.lines()).last().asString().endsWith("message=stopped");
      assertThat(recorder.lines()).noneMatch(line -> line.contains("WARN"));
    }
    // Each start and each reconnection gives the present value once more.
    List<Double> expected = new ArrayList<>(List.of(0.0));
    expected.addAll(posted.subList(0, 101));
    expected.add(101.0);
    expected.add(102.0);
    assertThat(read(CURRENT)).isEqualTo(expected);
    assertThat(run("get", CURRENT, "--from", "2000-01-01T00:00").err())
        .contains("possibly lossy: 1 span of BM/DCCT, recorder crashed");
    assertThat(Files.readAllLines(directory.resolve("logs/SYS/KEKBLog.list")))
        .containsExactlyInAnyOrder("BM DCCT", "Kblake Record", "VA CCG");
    assertThat(Files.readAllLines(directory.resolve("logs/SYS/LCF/CCG.lcf")))
        .containsExactly(GAUGE, "NOT:THERE");
  }

  /** What was posted, and is not in the log, was posted in a span that is stated. */
  @Test
  void whatKillsLoseIsInTheSpansOfTheLedger() throws Exception {
    Random random = new Random(Seeds.one("kills of a recorder"));
    Map<Double, Long> postedNanos = new HashMap<>();
    int number = 0;
    for (int kill = 0; kill < 3; kill++) {
      try (RecorderProcess recorder = start("BM/DCCT")) {
        recorder.awaitLine("connected", "group=BM/DCCT", "1 of 1");
        long end = System.nanoTime() + 500_000_000 + random.nextInt(2_000_000_000);
        while (System.nanoTime() < end) {
          post(++number, postedNanos);
        }
        recorder.end("KILL");
      }
      for (int i = 0; i < 200; i++) {
        post(++number, postedNanos);
      }
    }
    try (RecorderProcess recorder = start("BM/DCCT")) {
      recorder.awaitLine("connected", "group=BM/DCCT", "1 of 1");
      recorder.end("TERM");
    }
    Map<Double, Long> lost = new TreeMap<>(postedNanos);
    read(CURRENT).forEach(lost::remove);
    assertThat(lost).hasSizeBetween(590, number - 100);
    run("get", CURRENT, "--from", "2000-01-01T00:00", "-o", "x.csv", "--coverage", "c.json");
    JsonNode lossy = new ObjectMapper().readTree(directory.resolve("c.json").toFile()).get("lossy");
    for (Map.Entry<Double, Long> each : lost.entrySet()) {
      long nanos = each.getValue();
      boolean isStated = false;
      for (JsonNode span : lossy) {
        isStated |=
            span.get("fromNanos").longValue() <= nanos && nanos <= span.get("toNanos").longValue();
      }
      assertThat(isStated).as("%s in %s", each, lossy).isTrue();
    }
  }

  private void post(double value, Map<Double, Long> postedNanos) throws InterruptedException {
    Instant now = Instant.now();
    postedNanos.put(value, now.getEpochSecond() * 1_000_000_000 + now.getNano());
    post(value);
    TimeUnit.MILLISECONDS.sleep(1);
  }

  /**
   * A process that had no processor, or waited for its memory, cannot know what servers dropped.
   */
  @Test
  void aProcessThatStoodStillStatesIt() throws Exception {
    try (RecorderProcess recorder = start("BM/DCCT")) {
      recorder.awaitLine("connected", "group=BM/DCCT", "1 of 1");
      recorder.await(() -> !read(CURRENT).isEmpty());
      recorder.signal("STOP");
      long begin = System.nanoTime();
      for (int i = 1; i <= 2000; i++) {
        post(i);
      }
      recorder.await(() -> System.nanoTime() - begin > 300_000_000);
      recorder.signal("CONT");
      recorder.await(() -> read(CURRENT).contains(2000.0));
      assertThat(recorder.end("TERM")).isEqualTo(143);
    }
    assertThat(read(CURRENT)).containsAll(posted);
    assertThat(run("get", CURRENT, "--from", "2000-01-01T00:00").err())
        .contains("possibly lossy: 1 span of BM/DCCT, recorder late");
  }

  /** What servers send until the volume is mounted is not lost, where lists are elsewhere. */
  @Test
  void anArchiveThatIsAwayIsWaitedFor() throws Exception {
    Path logs = directory.resolve("logs");
    Path away = directory.resolve("away");
    Files.move(logs, away);
    try (RecorderProcess recorder = start()) {
      recorder.awaitLine("archive has no directory SYS", "logs");
      recorder.awaitLine("connected", "group=VA/CCG", "1 of 1");
      server.post(GAUGE, 1, Wire.doubles(7));
      assertThat(logs).doesNotExist();
      Files.move(away, logs);
      recorder.signal("HUP");
      recorder.awaitLine("connected", "group=BM/DCCT", "1 of 1");
      recorder.await(() -> read(GAUGE).contains(7.0));
      post(1);
      recorder.await(() -> read(CURRENT).contains(1.0));
      server.close();
      recorder.awaitLine("message=disconnected", "group=BM/DCCT", "channels=1", CURRENT, "reason=");
      assertThat(recorder.end("TERM")).isEqualTo(143);
    }
  }

  /** A named pipe that nobody writes is opened for ever, as a file of a server that is away. */
  @Test
  void filesThatDoNotAnswerHarmTheirGroupOnly() throws Exception {
    Path toml = directory.resolve("kblake.toml");
    pipe("list");
    Files.writeString(
        toml, settings().replace("VA/CCG\"\n", "VA/CCG, RF/CAV\"\nlists.\"RF/CAV\" = \"list\"\n"));
    try (RecorderProcess recorder = start()) {
      recorder.awaitLine("RF/CAV is not recorded: the disk has not answered");
      recorder.awaitLine("connected", "group=BM/DCCT", "1 of 1");
      recorder.awaitLine("connected", "group=VA/CCG", "1 of 1");
      post(1);
      recorder.await(() -> read(CURRENT).contains(1.0));
      Path real = Files.move(toml, directory.resolve("real"));
      Files.move(pipe("other"), toml);
      recorder.signal("HUP");
      recorder.signal("USR1");
      recorder.awaitLine("new pairs are begun");
      for (int i = 2; i < 1000; i++) {
        post(i);
      }
      Files.writeString(lcf(), CURRENT + "\n" + ADDED + "\n");
      recorder.awaitLine("connected", "group=BM/DCCT", "2 of 2");
      Files.move(real, toml, StandardCopyOption.REPLACE_EXISTING);
      post(1000);
      recorder.await(() -> read(CURRENT).contains(1000.0));
      assertThat(recorder.end("TERM")).isEqualTo(143);
    }
    assertThat(read(CURRENT)).containsAll(posted);
  }

  private Path pipe(String name) throws IOException, InterruptedException {
    Path pipe = directory.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  /** Systemd is told by a program, and Prometheus over HTTP, as by {@code kblake run}. */
  @Test
  void theStateIsPublished() throws Exception {
    Path notified = directory.resolve("notified");
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        listen = "127.0.0.1:0"
        name = "east"
        canaries."127.0.0.1:%d" = "%s"
        """
            .formatted(server.port(), CURRENT),
        StandardOpenOption.APPEND);
    variables.putAll(RecorderProcess.notifying(directory));
    try (RecorderProcess recorder = start()) {
      recorder.awaitLine("connected", "group=BM/DCCT", "1 of 1");
      recorder.awaitLine("message=listens address=");
      String address =
          recorder.lines().stream()
              .filter(line -> line.contains("message=listens"))
              .map(line -> line.replaceAll(".*:", "http://127.0.0.1:"))
              .findFirst()
              .orElseThrow();
      server.post(CURRENT, 1, Wire.doubles(3));
      recorder.await(() -> text(address + "/ready").equals("ready\n"));
      recorder.await(
          () -> text(address + "/metrics").contains("written_total{group=\"BM/DCCT\"} 3"));
      assertThat(names(text(address + "/metrics"))).isEqualTo(documented());
      recorder.await(
          () -> content(notified).contains("WATCHDOG=1 STATUS=records 2 groups, 2 of 2"));
      assertThat(recorder.end("TERM")).isEqualTo(143);
    }
    assertThat(logs("Kblake")).allMatch(log -> log.toString().contains("/Record-east_"));
    assertThat(read(CURRENT + ":CANARY-LOST")).contains(2.0);
    assertThat(content(notified)).startsWith("READY=1 ").endsWith("STOPPING=1\n");
  }

  private static String content(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(String url) {
    try (InputStream in = new URI(url).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Set<String> names(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.startsWith("kblake_record_"))
        .map(line -> line.replaceFirst("kblake_record_", "").replaceAll("[{ ].*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the metrics of the table in the page. */
  private static Set<String> documented() throws IOException {
    String page = Files.readString(Path.of("../docs/record.md"));
    return Pattern.compile("`([a-z_]+)`")
        .matcher(page.substring(page.indexOf("| Metric |")))
        .results()
        .map(found -> found.group(1))
        .filter(name -> !name.equals("group"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aGroupFollowsTheSettings() throws Exception {
    String both = settings() + "listen = \"127.0.0.1:0\"\n";
    String one = both.replace(", VA/CCG", "");
    Path file = directory.resolve("kblake.toml");
    Files.writeString(file, both);
    try (RecorderProcess recorder = start()) {
      recorder.awaitLine("message=connected", "group=BM/DCCT", "1 of 1");
      recorder.awaitLine("message=connected", "group=VA/CCG", "1 of 1");
      recorder.awaitLine("message=listens address=");
      String metrics =
          recorder.lines().stream()
              .filter(line -> line.contains("message=listens"))
              .map(line -> line.replaceAll(".*:", "http://127.0.0.1:") + "/metrics")
              .findFirst()
              .orElseThrow();
      Files.writeString(file, one);
      recorder.awaitLine("is not recorded any more", "group=VA/CCG");
      assertThat(text(metrics)).contains("group=\"BM/DCCT\"").doesNotContain("VA/CCG");
      server.post(GAUGE, 1, Wire.doubles(5));
      post(1);
      recorder.await(() -> read(CURRENT).contains(1.0));
      Files.writeString(file, both);
      recorder.signal("HUP");
      recorder.await(
          () ->
              recorder.lines().stream()
                      .filter(line -> line.contains("message=connected group=VA/CCG"))
                      .count()
                  == 2);
      server.post(GAUGE, 1, Wire.doubles(6));
      recorder.await(() -> read(GAUGE).contains(6.0));
      assertThat(text(metrics)).contains("written_total{group=\"VA/CCG\"}");
      assertThat(recorder.end("TERM")).isEqualTo(143);
    }
    assertThat(logs("VA")).hasSize(2);
    assertThat(logs("BM")).hasSize(1);
    // Its present value when it came back.
    assertThat(read(GAUGE)).endsWith(5.0, 6.0);
  }

  @Test
  void thePageHasAllSettings() throws IOException {
    List<String> rows =
        Files.readAllLines(Path.of("../docs/record.md")).stream()
            .takeWhile(row -> !row.equals("## Metrics"))
            .filter(row -> row.matches("\\| `[a-z-]+` \\|[^|]*\\|[^|]*\\|"))
            .toList();
    assertThat(rows)
        .containsExactlyElementsOf(
            RecordSetting.TABLE.keys().stream()
                .map(
                    key ->
                        "| `%s` | %s | %s |"
                            .formatted(
                                key.name(),
                                Objects.requireNonNullElse(key.preset(), ""),
                                key.meaning()))
                .toList());
  }

  @Test
  void aGroupOfAnotherRecorderIsRefused() throws Exception {
    try (RecorderProcess recorder = start("VA/CCG")) {
      recorder.awaitLine("connected", "group=VA/CCG", "1 of 1");
      try (RecorderProcess other = start("VA/CCG")) {
        assertThat(other.status()).isEqualTo(1);
        assertThat(other.lines())
            .anyMatch(line -> line.contains("group is recorded by another program: group=VA/CCG"));
        assertThat(other.lines()).last().asString().startsWith("kblake record: no group is left");
      }
      // A group of both that only one may record does not disturb the rest.
      try (RecorderProcess both = start()) {
        both.awaitLine("losses are not recorded: another recorder has this ledger");
        both.awaitLine("group is recorded by another program: group=VA/CCG");
        both.awaitLine("connected", "group=BM/DCCT", "1 of 1");
        assertThat(both.end("TERM")).isEqualTo(143);
      }
      assertThat(recorder.end("TERM")).isEqualTo(143);
    }
  }

  @Test
  void theCheckPrintsChannelsAndWritesNothing() throws Exception {
    Files.writeString(lcf(), CURRENT + "\nNOBODY:HAS:THIS\n" + ADDED + "\n");
    server.setReadable(ADDED, false);
    KblakeRun.Builder check = KblakeRun.in(directory).leavingAlone(directory);
    check.with("EPICS_CA_ADDR_LIST", "127.0.0.1:" + server.port());
    KblakeRun run = check.run("record", "--check");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.out().lines().map(String::stripTrailing))
        .containsExactly(
            "BM/DCCT",
            "CHANNEL          CONNECTED  SERVER                 TYPE    ELEMENTS",
            "BMLDCCT:CURRENT  yes        127.0.0.1:%-5d        double         1"
                .formatted(server.port()),
            "NOBODY:HAS:THIS  no         no server answers",
            "BMLDCCT:LIFE     no         the server permits no reads",
            "VA/CCG",
            "CHANNEL          CONNECTED  SERVER                 TYPE    ELEMENTS",
            "VALCCG:D01:PRES  yes        127.0.0.1:%-5d        double         1"
                .formatted(server.port()));
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(run.err())
        .contains("EPICS_CA_AUTO_ADDR_LIST is not set, which means NO here")
        .contains("kblake record: incomplete: BM/DCCT: 2 of 3 channels are not connected");
    Files.writeString(lcf(), CURRENT + "\n");
    KblakeRun good = run("record", "--check", "BM/DCCT");
    assertThat(good.status()).isZero();
    assertThat(good.err()).isEmpty();
    Files.writeString(
        directory.resolve("kblake.toml"),
        "canaries.\"127.0.0.1:1\" = \"NO:CANARY\"\n",
        StandardOpenOption.APPEND);
    KblakeRun canary = run("record", "--check", "BM/DCCT");
    assertThat(canary.status()).isEqualTo(3);
    assertThat(canary.out().lines().map(String::stripTrailing))
        .endsWith(
            "canaries",
            "CHANNEL    CONNECTED  SERVER                 TYPE    ELEMENTS",
            "NO:CANARY  no         no server answers");
    assertThat(canary.err()).contains("incomplete: canaries: 1 of 1 channels are not connected");
  }

  /** Values arrive all the time; the missing channel must not let the check wait for its limit. */
  @Test
  void theCheckEndsThoughValuesArrive() throws Exception {
    Files.writeString(lcf(), CURRENT + "\nNOBODY:HAS:THIS\n");
    AtomicBoolean isOver = new AtomicBoolean();
    Thread poster =
        new Thread(
            () -> {
              for (int i = 0; !isOver.get(); i++) {
                server.post(CURRENT, 1, Wire.doubles(i));
                LockSupport.parkNanos(50_000_000);
              }
            });
    poster.start();
    long begin = System.nanoTime();
    try {
      assertThat(run("record", "--check", "BM/DCCT").status()).isEqualTo(3);
    } finally {
      isOver.set(true);
      poster.join();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(25));
  }

  @Test
  void aListMayBeElsewhereAndNameChannelsOfPvAccess() throws Exception {
    Files.writeString(directory.resolve("dcct.txt"), CURRENT + "\npva://BMLDCCT:PV\n");
    Files.writeString(
        directory.resolve("kblake.toml"),
        "archive = \"logs\"\n[record]\nlists.\"BM/DCCT\" = \"dcct.txt\"\n");
    try (PvServer pvAccess = PvServer.start()) {
      pvAccess.add("BMLDCCT:PV", PvServer.scalar(new PVADouble("value", 2.5)));
      variables.put("EPICS_PVA_NAME_SERVERS", "127.0.0.1:" + pvAccess.port());
      variables.put("EPICS_PVA_AUTO_ADDR_LIST", "NO");
      KblakeRun run = run("record", "--check");
      assertThat(run.status()).as(run.out() + run.err()).isZero();
      assertThat(run.out())
          .containsPattern("(?m)^BMLDCCT:CURRENT   yes +127.0.0.1:\\d+ +double +1$")
          .containsPattern("(?m)^pva://BMLDCCT:PV  yes .* double +1$");
    }
  }

  @Test
  void mistakesAreOneLine() throws IOException {
    assertMistake(1, "record list does not exist: file=", "record", "VA/NONE");
    assertMistake(2, "group is not SYSTEM/NAME: x", "record", "x");
    assertMistake(
        2, "--standby: another machine has", "record", "--standby", "--source=host", "HOST/CPU");
    assertMistake(
        2, "'sometimes' is not one of none, interval, event", "record", "--sync=sometimes");
    assertMistake(2, "--flush: '1h' is not a duration from 1ms to 10s", "record", "--flush", "1h");
    assertMistake(1, "group is a ledger", "record", "VA/CCG", "Kblake/Record");
    assertMistake(1, "archive is no directory", "record", "--check", "--archive", "nowhere");
    Files.writeString(lcf(), "\n");
    assertMistake(1, "record list has no name: file=", "record", "BM/DCCT");
    Files.createDirectories(directory.resolve("empty"));
    Files.writeString(
        directory.resolve("kblake.toml"), "archive = \"empty\"\n[record]\nring = \"5M\"\n");
    assertMistake(2, "line 3: ring must be a power of two", "record");
    Files.writeString(directory.resolve("kblake.toml"), "archive = \"empty\"\n");
    assertMistake(1, "no group; name one", "record");
    Files.writeString(
        directory.resolve("kblake.toml"), "archive = \"empty\"\n[record]\nlists.VA = \"x\"\n");
    assertMistake(2, "group is not SYSTEM/NAME: VA", "record");
    assertThat(directory.resolve("nowhere")).doesNotExist();
  }

  private void assertMistake(int status, String message, String... line) {
    KblakeRun run = run(line);
    assertThat(run.status()).as(run.err()).isEqualTo(status);
    List<String> errors =
        run.err().lines().filter(each -> each.startsWith("kblake record: ")).toList();
    assertThat(errors).as(run.err()).hasSize(1);
    assertThat(errors.get(0)).contains(message);
  }

  @Test
  void theHelpFitsIntoEightyColumns() {
    KblakeRun help = run("record", "--help");
    assertThat(help.status()).isZero();
    assertThat(help.out()).contains("Usage: kblake record [--check]");
    assertThat(help.out().lines()).allMatch(line -> line.length() <= 80);
  }
}
