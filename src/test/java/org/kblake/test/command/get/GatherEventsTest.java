package org.kblake.test.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;

/** {@code kblake gather --events}: rows of {@code kblake build} from several collectors. */
final class GatherEventsTest {

  private static final String[] ASKED = {
    "--event", "VA_CCG:D02_013:CUR > 2.5", "--each", "--from", "2016-05-15", "--to", "2016-05-18"
  };

  @TempDir private Path directory;

  private final List<Process> processes = new ArrayList<>();
  private CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeEach
  void copySample() throws IOException {
    fixture = CommandFixture.mixed(directory);
  }

  @AfterEach
  void stop() throws InterruptedException {
    processes.forEach(Process::destroy);
    for (Process each : processes) {
      assertThat(each.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void start(String role, String name, int port) throws IOException {
    processes.add(
        KblakeProcess.start(
            List.of(),
            directory,
            ProcessBuilder.Redirect.to(directory.resolve(name + ".csv").toFile()),
            directory.resolve(name + ".err"),
            "gather",
            "--archive",
            fixture.archive().toString(),
            "--events",
            role,
            "--name",
            name,
            "--manager",
            "127.0.0.1:" + port,
            "--listen",
            "127.0.0.1:0"));
  }

  private static String[] words(String... more) {
    List<String> words = new ArrayList<>(List.of(more));
    words.addAll(List.of(ASKED));
    return words.toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"push", "pull"})
  void rowsAreThoseOfBuildBesideEachOther(String by) throws Exception {
    int port = freePort();
    start("collector", "first", port);
    start("collector", "second", port);
    start("builder", "rows", port);
    KblakeRun run =
        fixture.run(
            words(
                "gather",
                "--events",
                "manager",
                "--listen",
                "127.0.0.1:" + port,
                "--system",
                "2x1",
                "--by",
                by,
                "--deadline",
                "20s",
                "*_013:*"));
    assertThat(run.status()).as(run.err()).isZero();
    List<String> built = fixture.run(words("build", "*_013:*")).out().lines().toList();
    assertThat(run.out()).contains("\"built\":" + (built.size() - 1) + ",\"lost\":0,");
    stop();
    List<String> rows = Files.readAllLines(directory.resolve("rows.csv"));
    assertThat(rows.get(0)).isEqualTo(twice(built.get(0)));
    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(built.stream().map(GatherEventsTest::twice).toList());
  }

  /** Returns a row with its cells twice. */
  private static String twice(String row) {
    return row + "," + row.split(",", 4)[3];
  }

  @Test
  void wrongOptionsAreRefused() {
    for (String[] wrong :
        new String[][] {
          {"gather", "A"},
          {"gather", "--events", "collector"},
          {"gather", "--events", "builder", "--manager", "h:1", "--listen", ":17670"},
          {"gather", "--events", "manager", "A"},
          words("gather", "--events", "manager"),
          words("gather", "--events", "manager", "--system", "65x1", "A"),
          words("gather", "--events", "manager", "--window", "257", "A"),
          words("gather", "--events", "manager", "--rate", "0", "A"),
          words("gather", "--events", "manager", "--deadline", "0s", "A"),
        }) {
      KblakeRun run = fixture.run(wrong);
      assertThat(run.status()).as(String.join(" ", wrong) + run.err()).isEqualTo(2);
    }
  }
}
