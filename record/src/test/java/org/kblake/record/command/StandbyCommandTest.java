package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.record.fixture.CaServer;
import org.kblake.record.fixture.ServedRecord;
import org.kblake.record.fixture.Wire;

/** {@code kblake record --standby} in two processes, as an operator or systemd starts them. */
final class StandbyCommandTest {

  private static final String CURRENT = "BMLDCCT:CURRENT";

  @TempDir Path directory;
  private final CaServer server;
  private int posted;

  StandbyCommandTest() throws IOException {
    server = CaServer.start();
  }

  @BeforeEach
  void archive() throws IOException {
    post();
    Files.createDirectories(directory.resolve("logs/SYS/LCF"));
    Files.writeString(directory.resolve("logs/SYS/LCF/DCCT.lcf"), CURRENT + "\n");
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "logs"
        store = "store"
        [record]
        groups = "BM/DCCT"
        learn = "0s"
        flush = "10ms"
        listen = "127.0.0.1:0"
        """);
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Posts the next number, with a time stamp of its own. */
  private void post() {
    posted++;
    byte[] value = Wire.stampedDoubles(0, 0, 1_000_000_000, posted, posted);
    if (posted == 1) {
      server.add(new ServedRecord(CURRENT, ServedRecord.DOUBLE, 1, 1, value));
    } else {
      server.post(CURRENT, 1, value);
    }
  }

  private RecorderProcess start() throws IOException {
    return start(Map.of());
  }

  private RecorderProcess start(Map<String, String> more) throws IOException {
    Map<String, String> variables = new HashMap<>(more);
    variables.put("EPICS_CA_ADDR_LIST", "127.0.0.1:" + server.port());
    variables.put("EPICS_CA_AUTO_ADDR_LIST", "NO");
    variables.put("LC_ALL", "C");
    return RecorderProcess.start(directory, variables, "--standby");
  }

  private static String address(RecorderProcess process) {
    return process.lines().stream()
        .filter(line -> line.contains("listens ") && line.contains("address="))
        .map(line -> line.replaceAll(".*address=/?(\\S+).*", "$1"))
        .findFirst()
        .orElse("");
  }

  private static String text(RecorderProcess process, String path) {
    try (InputStream in = new URI("http://" + address(process) + path).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException | URISyntaxException e) {
      return "";
    }
  }

  private KblakeRun run(String... line) {
    return KblakeRun.in(directory).at(Instant.now()).run(line);
  }

  private List<String> numbers() {
    return run("get", CURRENT, "-f", "csv", "--from", "2000-01-01T00:00")
        .out()
        .lines()
        .filter(line -> line.matches(".*,\\d+(\\.0)?(,.*)?"))
        .map(line -> line.replaceAll(".*,(\\d+)(\\.0)?(,.*)?$", "$1"))
        .filter(number -> !number.equals("0"))
        .toList();
  }

  private List<Path> stamps() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("logs/BM"))) {
      return files.filter(file -> file.toString().endsWith(".stamps")).toList();
    }
  }

  @Test
  void theOtherOneTakesOver() throws Exception {
    try (RecorderProcess first = start()) {
      first.awaitLine("is the active recorder");
      try (RecorderProcess second = start()) {
        second.await(() -> text(second, "/ready").equals("ready\n"));
        second.await(() -> text(second, "/metrics").contains("kblake_record_active 0.0"));
        second.await(() -> text(second, "/metrics").contains("connected{group=\"BM/DCCT\"} 1.0"));
        long end = System.nanoTime() + 2_000_000_000L;
        first.await(
            () -> {
              post();
              return System.nanoTime() > end;
            });
        first.signal("KILL");
        for (int i = 0; i < 10; i++) {
          post();
        }
        second.awaitLine("takes over");
        post();
        second.await(() -> numbers().contains(String.valueOf(posted)));
        second.await(() -> text(second, "/metrics").contains("kblake_record_active 1.0"));
        assertThat(text(second, "/metrics"))
            .contains("takeovers_total{group=\"BM/DCCT\"} 1.0")
            .contains("doubles_total{group=\"BM/DCCT\"} 0.0");
        assertThat(second.end("TERM")).isEqualTo(143);
      }
    }
    List<String> all = Stream.iterate(1, n -> n + 1).limit(posted).map(String::valueOf).toList();
    assertThat(numbers()).isEqualTo(all);
    Path coverage = directory.resolve("coverage.json");
    KblakeRun get =
        run("get", CURRENT, "--from", "2000-01-01T00:00", "--coverage", "coverage.json");
    assertThat(get.status()).as(get.err()).isZero();
    assertThat(Files.readString(coverage)).contains("BM/DCCT").doesNotContain("crashed");
    readersIgnoreTheStamps();
  }

  @Test
  void theStandbyListensOnceTheActiveOneHasEnded() throws Exception {
    try (RecorderProcess first = start()) {
      first.awaitLine("is the active recorder");
      first.awaitLine("listens ");
      String address = address(first);
      Path settings = directory.resolve("kblake.toml");
      Files.writeString(settings, Files.readString(settings).replace("127.0.0.1:0", address));
      try (RecorderProcess second = start(RecorderProcess.notifying(directory))) {
        second.awaitLine("does not listen yet");
        second.await(() -> notified().contains("WATCHDOG=1 STATUS=stands by for 1 groups"));
        first.signal("KILL");
        second.awaitLine("listens ");
        second.await(() -> text(second, "/ready").equals("ready\n"));
        assertThat(text(second, "/metrics")).contains("kblake_record_active 1.0");
        second.await(() -> notified().contains("WATCHDOG=1 STATUS=records 1 groups"));
        assertThat(second.end("TERM")).isEqualTo(143);
      }
    }
    assertThat(notified()).startsWith("READY=1 ").endsWith("STOPPING=1\n");
  }

  private String notified() {
    try {
      Path file = directory.resolve("notified");
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Readers that list a group's directory see the stamps, too. */
  private void readersIgnoreTheStamps() throws IOException {
    assertThat(stamps()).hasSize(1);
    List<KblakeRun> with = readAll();
    for (Path file : stamps()) {
      Files.delete(file);
    }
    try (Stream<Path> store = Files.walk(directory.resolve("store"))) {
      for (Path file : store.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    assertThat(readAll()).isEqualTo(with);
  }

  private List<KblakeRun> readAll() {
    KblakeRun backfill = run("backfill", "--quiet");
    assertThat(backfill.status()).as(backfill.err()).isZero();
    KblakeRun verify = run("verify", "--quiet");
    assertThat(verify.status()).as(verify.err()).isZero();
    return List.of(
        run("get", CURRENT, "-f", "csv", "--from", "2000-01-01T00:00"),
        run("ls", "BM/DCCT", "-f", "csv"),
        KblakeRun.in(directory).at(Instant.EPOCH).kblogrd("BM/DCCT"));
  }
}
