package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.RandomArchive;

/** {@code kblake get --server} against {@code kblake get} on the host of the server. */
final class RemoteGetTest {

  private static final int ARCHIVES = Seeds.cases(2, 6);
  private static final String TOKEN = "a-token-of-the-test-0123456789";
  private static final List<String> FORMATS =
      List.of("csv", "tsv", "json", "ndjson", "arrow", "parquet");

  private static final long RECENT_NANOS = 1_700_000_000_000_000_000L;

  @TempDir private Path directory;

  /** All formats and options, of all types of values, waveforms, disorder and several groups. */
  @Test
  void answersAreThoseOfTheHostOfTheServer() throws Exception {
    Seeds.each("get of a server", ARCHIVES, this::compareRandom);
  }

  private void compareRandom(long seed) throws Exception {
    Path root = directory.resolve("seed" + seed);
    Path store = directory.resolve("store" + seed);
    RandomArchive.Written written = RandomArchive.write(root, seed);
    TestStores.closePairs(root);
    TestStores.backfillInSteps(
        Archive.open(root, ArchiveSettings.defaults()), store, 2, new SplittableRandom(seed));
    List<Long> times = new ArrayList<>();
    for (Group group : written.groups()) {
      written.events(group).forEach(event -> times.add(event.timeNanos()));
    }
    // The coverage of later times names the present time.
    times.removeIf(nanos -> nanos > RECENT_NANOS);
    Random random = new Random(seed);
    List<List<String>> options =
        List.of(
            List.of(),
            List.of("--strays"),
            List.of("--last", "3"),
            List.of("--held"),
            List.of("--severity", "minor"),
            List.of("--columns", "time,value"),
            List.of("-g", written.groups().get(0).toString(), "--source", "raw"));
    try (ServedSample server = new ServedSample(root, store);
        CuttingProxy proxy = new CuttingProxy(server.port(), 7)) {
      List<List<String>> all = new ArrayList<>();
      for (String format : FORMATS) {
        for (List<String> each : options) {
          long one = times.get(random.nextInt(times.size()));
          long other = times.get(random.nextInt(times.size()));
          List<String> args = new ArrayList<>(List.of("get", "*", "-f", format));
          args.addAll(
              List.of("--from", at(Math.min(one, other)), "--to", at(Math.max(one, other))));
          args.addAll(each);
          all.add(args);
        }
      }
      for (List<String> args : Seeds.sample(5, all).toList()) {
        compare(root, store, proxy.url(), args);
      }
    }
  }

  private static String at(long nanos) {
    return "@"
        + Math.floorDiv(nanos, 1_000_000_000L)
        + "."
        + "%09d".formatted(Math.floorMod(nanos, 1_000_000_000L));
  }

  private void compare(Path root, Path store, String url, List<String> args) throws IOException {
    KblakeRun local =
        KblakeRun.in(directory)
            .with("KBLAKE_ARCHIVE", root.toString())
            .with("KBLAKE_STORE", store.toString())
            .run(with(args, "-o", "local.out", "--coverage", "local.json"));
    KblakeRun remote =
        KblakeRun.in(directory)
            .run(with(args, "-o", "remote.out", "--coverage", "remote.json", "--server", url));
    assertThat(remote.status()).as("%s: %s, %s", args, remote, local).isEqualTo(local.status());
    for (String ending : List.of(".out", ".json")) {
      Path expected = directory.resolve("local" + ending);
      Path found = directory.resolve("remote" + ending);
      if (Files.exists(expected)) {
        assertThat(found).as("%s: %s", args, remote).hasSameBinaryContentAs(expected);
        Files.delete(found);
        Files.delete(expected);
      } else {
        assertThat(found).doesNotExist();
      }
    }
  }

  private static String[] with(List<String> args, String... more) {
    List<String> all = new ArrayList<>(args);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  /** The server's host dies at any byte of its answer. The rest comes from the own logs. */
  @Test
  void answerThatIsCutGoesOnFromOwnLogs() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    fixture.backfill();
    List<String> some = List.of("--held", "", "--strays", "--severity minor");
    for (String options : some.subList(0, Seeds.cases(1, some.size()))) {
      List<String> args = all(options);
      KblakeRun local = run(fixture, true, args);
      assertThat(local.out().lines().count()).isGreaterThan(100);
      try (ServedSample server = new ServedSample(fixture.archive(), fixture.store());
          CuttingProxy proxy = new CuttingProxy(server.port(), 500)) {
        List<String> remote = List.of(with(args, "--server", proxy.url()));
        KblakeRun whole = run(fixture, false, remote);
        assertThat(whole.out()).isEqualTo(local.out());
        long length = proxy.sent();
        Random random = new Random(Seeds.one("cut answers"));
        for (int i = 0; i < Seeds.cases(3, 5); i++) {
          proxy.cutAfter(i == 0 ? 20 : random.nextLong(length));
          KblakeRun cut = run(fixture, true, remote);
          assertThat(cut.out()).as("%s: %s", options, cut.err()).isEqualTo(local.out());
          assertThat(cut.status()).as(cut.err()).isZero();
          assertThat(cut.err()).contains("raw logs are read");
          KblakeRun lost = run(fixture, false, remote);
          assertThat(local.out()).startsWith(lost.out());
          assertThat(lost.status()).as(lost.err()).isEqualTo(lost.out().isEmpty() ? 1 : 3);
        }
      }
    }
  }

  /** An own archive without the pair of the place cannot go on. */
  @Test
  void answerEndsIncompleteIfTheOwnArchiveLacksThePair() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    CommandFixture other = CommandFixture.mixed(Files.createDirectory(directory.resolve("other")));
    try (Stream<Path> files = Files.walk(other.archive())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = String.valueOf(file.getFileName());
        Files.move(file, file.resolveSibling(name.replace("_20160516", "_20160515")));
      }
    }
    List<String> args = all("");
    KblakeRun local = run(fixture, true, args);
    try (ServedSample server = new ServedSample(fixture.archive(), null);
        CuttingProxy proxy = new CuttingProxy(server.port(), 500)) {
      List<String> remote = List.of(with(args, "--server", proxy.url()));
      assertThat(run(fixture, false, remote).out()).isEqualTo(local.out());
      proxy.cutAfter(proxy.sent() / 2);
      KblakeRun cut = run(other, true, remote);
      assertThat(cut.status()).as(cut.err()).isEqualTo(3);
      assertThat(local.out()).startsWith(cut.out());
      assertThat(cut.out()).isNotEmpty().isNotEqualTo(local.out());
      assertThat(cut.err()).contains("cannot be read from raw logs", "no log of");
    }
  }

  /** The last events of a channel are not counted twice: their answer ends incomplete. */
  @Test
  void lastEventsThatAreCutEndIncomplete() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    List<String> args = all("--last 300");
    KblakeRun local = run(fixture, true, args);
    try (ServedSample server = new ServedSample(fixture.archive(), null);
        CuttingProxy proxy = new CuttingProxy(server.port(), 100)) {
      List<String> remote = List.of(with(args, "--server", proxy.url()));
      assertThat(run(fixture, false, remote).out()).isEqualTo(local.out());
      proxy.cutAfter(proxy.sent() / 2);
      KblakeRun cut = run(fixture, true, remote);
      assertThat(cut.status()).isEqualTo(3);
      assertThat(local.out()).startsWith(cut.out());
      assertThat(cut.err()).contains("cut off");
    }
  }

  /** Servers that cannot answer: own logs answer, and without them the error says why. */
  @Test
  void ownLogsAnswerInPlaceOfAServerThatCannot() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    List<String> args = all("");
    KblakeRun local = run(fixture, true, args);
    String arrow = "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.apache.arrow.stream\r\n";
    List<String[]> answers =
        List.of(
            new String[] {"", "Unexpected end of file"},
            new String[] {"garbage\r\n\r\n", "not of HTTP"},
            new String[] {"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "status 401"},
            new String[] {
              "HTTP/1.1 503 No\r\nContent-Length: 19\r\n\r\n{\"error\":\"it \\\"is\"}", "status 503"
            },
            new String[] {"HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno", "status 404"},
            new String[] {
              "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nno",
              "no Arrow stream"
            },
            new String[] {arrow + "Content-Length: 9\r\n\r\n012345678", "no Arrow stream"},
            new String[] {arrow + "Content-Length: 0\r\n\r\n", "without its end mark"});
    for (String[] answer : answers) {
      try (OneAnswer server = new OneAnswer(answer[0])) {
        List<String> remote = List.of(with(args, "--server", server.url()));
        KblakeRun own = run(fixture, true, remote);
        assertThat(own.out()).as(own.err()).isEqualTo(local.out());
        assertThat(own.status()).isZero();
        assertThat(own.err()).contains(answer[1], "raw logs are read");
        KblakeRun none = run(fixture, false, remote);
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.out()).isEmpty();
        assertThat(none.err()).contains(answer[1]);
      }
    }
  }

  @Test
  void serverThatIsSilentOrAbsentCountsAsAway() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    List<String> args = all("--server-timeout 300ms");
    KblakeRun local = run(fixture, true, all(""));
    String url;
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      url = "http://127.0.0.1:" + silent.getLocalPort();
      KblakeRun own = run(fixture, true, List.of(with(args, "--server", url)));
      assertThat(own.out()).isEqualTo(local.out());
      assertThat(own.err()).contains("no answer within 300 ms", "raw logs are read");
    }
    KblakeRun absent = run(fixture, true, List.of(with(args, "--server", url)));
    assertThat(absent.out()).isEqualTo(local.out());
    assertThat(absent.err()).contains("refused", "raw logs are read");
  }

  /** The answer of a later version cannot be used. */
  @Test
  void answerOfAnotherVersionIsNotUsed() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    byte[] answer;
    try (ServedSample server = new ServedSample(fixture.archive(), null)) {
      answer =
          server.bytes(
              "/api/v1/data?format=arrow&select=glob:*&range=0..1563000000000000000&last=1");
    }
    String text = new String(answer, StandardCharsets.ISO_8859_1);
    String later = text.replaceFirst("kblake\\.transfer", "kblake.tronsfer");
    assertThat(later).isNotEqualTo(text);
    try (OneAnswer server =
        new OneAnswer(
            "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.apache.arrow.stream\r\nContent-Length: "
                + later.length()
                + "\r\n\r\n"
                + later)) {
      KblakeRun none = run(fixture, false, List.of(with(all(""), "--server", server.url())));
      assertThat(none.status()).isEqualTo(1);
      assertThat(none.err()).contains("another version of kblake");
    }
  }

  @Test
  void tokenComesFromAFileOrTheEnvironment() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    Path file = Files.writeString(directory.resolve("token"), TOKEN + "\n");
    Path wrong = Files.writeString(directory.resolve("wrong"), "another-token-0123456789");
    AccessSettings access =
        new AccessSettings(List.of(), AccessTokens.read(file), List.of(), false, null, false);
    List<String> args = all("");
    KblakeRun local = run(fixture, true, args);
    try (ServedSample server =
        new ServedSample(fixture.archive(), null, access, ServerLimits.defaults(), null)) {
      String url = "http://127.0.0.1:" + server.port();
      List<String> remote = List.of(with(args, "--server", url));
      List<String> fromFile = List.of(with(remote, "--token-file", file.toString()));
      assertThat(run(fixture, false, fromFile).out()).isEqualTo(local.out());
      KblakeRun environment =
          KblakeRun.in(directory).with("KBLAKE_TOKEN", TOKEN).run(remote.toArray(String[]::new));
      assertThat(environment.out()).as(environment.err()).isEqualTo(local.out());
      List<String> bad = List.of(with(remote, "--token-file", wrong.toString()));
      for (KblakeRun refused : List.of(run(fixture, false, remote), run(fixture, false, bad))) {
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err())
            .contains("status 401", "a token is needed")
            .doesNotContain("another-token", TOKEN);
      }
    }
  }

  /** A question that is wrong here would be wrong there, too. Own logs are not asked. */
  @Test
  void refusedQuestionsAreErrors() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    try (ServedSample server = new ServedSample(fixture.archive(), null)) {
      String url = "http://127.0.0.1:" + server.port();
      KblakeRun unknown =
          run(fixture, true, List.of("get", "NO:SUCH", "--from", "20160515", "--server", url));
      KblakeRun local = run(fixture, true, List.of("get", "NO:SUCH", "--from", "20160515"));
      assertThat(unknown.status()).isEqualTo(local.status());
      assertThat(unknown.err()).isEqualTo(local.err());
      List<String[]> excluded =
          List.of(
              new String[] {"--at", "2016-05-16"},
              new String[] {"--wide", "--every", "1h"},
              new String[] {"--every", "1h", "--aggregate", "max"},
              new String[] {"--follow"},
              new String[] {"--dry-run"},
              new String[] {"--no-admit"});
      for (String[] options : excluded) {
        KblakeRun refused =
            run(fixture, true, List.of(with(List.of("get", "*", "--server", url), options)));
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("--server", options[0]);
      }
      for (String address : List.of("localhost:80", "ftp://host", "http://user:secret@host")) {
        KblakeRun refused = run(fixture, true, List.of("get", "*", "--server", address));
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("--server is http://HOST:PORT");
      }
    }
  }

  private static List<String> all(String options) {
    List<String> args =
        new ArrayList<>(List.of("get", "*", "--from", "2016-05-15", "--to", "2016-05-18"));
    if (!options.isEmpty()) {
      args.addAll(List.of(options.split(" ", -1)));
    }
    return args;
  }

  private KblakeRun run(CommandFixture fixture, boolean withArchive, List<String> args) {
    KblakeRun.Builder runner = KblakeRun.in(directory);
    if (withArchive) {
      runner.with("KBLAKE_ARCHIVE", fixture.archive().toString());
    }
    return runner.run(args.toArray(String[]::new));
  }

  /** A server that gives each client the same bytes. */
  private static final class OneAnswer implements AutoCloseable {
    private final ServerSocket listening =
        new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Thread thread;

    OneAnswer(String answer) throws IOException {
      thread =
          new Thread(
              () -> {
                while (!listening.isClosed()) {
                  try (Socket client = listening.accept()) {
                    byte[] request = new byte[8192];
                    int read = client.getInputStream().read(request);
                    if (read > 0) {
                      client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                    }
                  } catch (IOException e) {
                    // The client or this server has ended.
                  }
                }
              });
      thread.start();
    }

    String url() {
      return "http://127.0.0.1:" + listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      // Ends the thread, too.
      listening.close();
    }
  }
}
