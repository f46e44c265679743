package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.fixture.CommandFixture;

/** What {@code kblake serve} refuses at its start, and its table in kblake.toml. */
final class ServeRefusalsTest {

  private static final String TOKEN = "0123456789abcdef";

  @TempDir private static Path directory;

  private static CommandFixture fixture = new CommandFixture(Path.of(""));

  @BeforeAll
  static void write() throws Exception {
    fixture = CommandFixture.mixed(directory);
    Files.writeString(directory.resolve("token"), TOKEN + "\n");
    Files.writeString(directory.resolve("short"), "short\n");
    TestCertificate.write(directory, "own");
    TestCertificate.write(directory, "other");
  }

  private static String refusal(int status, String... options) {
    String[] words = new String[options.length + 1];
    words[0] = "serve";
    System.arraycopy(options, 0, words, 1, options.length);
    KblakeRun run = fixture.run(words);
    assertThat(run.status()).as(run.err()).isEqualTo(status);
    List<String> lines =
        run.err().lines().filter(line -> !line.startsWith("no store yet")).toList();
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).startsWith("kblake serve: ");
    return lines.get(0);
  }

  @Test
  void wrongOptionsAreNamed() {
    assertThat(refusal(2, "--listen=here")).contains("--listen: 'here' is not HOST:PORT");
    assertThat(refusal(2, "--listen=127.0.0.1:65536")).contains("is not HOST:PORT");
    assertThat(refusal(2, "--allow=10.0.0.0/33")).contains("--allow: '10.0.0.0/33'");
    assertThat(refusal(2, "--host=http://a/")).contains("--host: 'http://a/' is not the name");
    assertThat(refusal(2, "--token-file=none")).contains("--token-file: there is no file");
    assertThat(refusal(2, "--token-file=short")).contains("a token of 16 to 512 letters");
    assertThat(refusal(2, "--token-file=.")).contains("--token-file: ");
    assertThat(refusal(2, "--tls-cert=own.crt")).contains("needs both --tls-cert and --tls-key");
    assertThat(refusal(2, "--tls-key=own.key")).contains("needs both --tls-cert and --tls-key");
  }

  @Test
  void listeningOffLoopbackNeedsTokenAndTls() {
    assertThat(refusal(2, "--listen=:0")).contains("there is no token and no TLS;");
    assertThat(refusal(2, "--listen=0.0.0.0:0", "--token-file=token")).contains("there is no TLS;");
    assertThat(refusal(2, "--listen=[::]:0", "--tls-cert=own.crt", "--tls-key=own.key"))
        .contains("there is no token;");
  }

  @Test
  void filesOfTlsBelongTogether() {
    String[] listen = {"--listen=127.0.0.1:0", "--tls-cert=own.crt", "--tls-key=none"};
    assertThat(refusal(1, listen)).contains("none: no such file");
    assertThat(refusal(1, "--tls-cert=own.crt", "--tls-key=other.key"))
        .contains("the key is not that of the certificate");
    assertThat(refusal(1, "--tls-cert=own.crt", "--tls-key=own.crt"))
        .contains("openssl pkcs8 -topk8 -nocrypt");
    assertThat(refusal(1, "--tls-cert=own.key", "--tls-key=own.key"))
        .contains("the file has no certificate in PEM");
  }

  @Test
  void anAddressThatCannotBeUsedIsNamed() throws IOException {
    try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(refusal(1, "--listen=127.0.0.1:" + used.getLocalPort()))
          .contains("127.0.0.1:" + used.getLocalPort() + ", Address already in use");
    }
    assertThat(refusal(1, "--listen=192.0.2.1:0", "--insecure")).contains("192.0.2.1:0, ");
    assertThat(refusal(1, "--listen=host.invalid:0", "--insecure"))
        .contains("no such host: host.invalid");
  }

  /** Ctrl-C during the start interrupts the thread. It is no fault of the address. */
  @Test
  void aStopWhileTheServerStartsIsNoError() throws IOException {
    Thread.currentThread().interrupt();
    try {
      assertThatExceptionOfType(InterruptedIOException.class)
          .isThrownBy(() -> new ServedSample(directory.resolve("archive"), null));
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void aMissingArchiveIsNamed() {
    assertThat(refusal(1, "--archive=none")).contains("archive is unavailable");
  }

  @Test
  void mistakesInTheSettingsFileHaveTheirLine() throws IOException {
    Path file = directory.resolve("bad.toml");
    Files.writeString(
        file,
        """
        [serve]
        listen = ":0"
        tls-crt = "a"
        trends = 0
        cors = true
        idle = "2d"
        """);
    String[] parts = refusal(2, "--config=bad.toml").split("; ");
    assertThat(String.join("; ", parts))
        .contains("bad.toml: line 3: unknown key 'serve.tls-crt'", "did you mean tls-cert")
        .contains("bad.toml: line 4: serve.trends: '0' is not a number from 1 to 9999")
        .contains("bad.toml: line 5: serve.cors must be a text in quotes, found true")
        .contains("bad.toml: line 6: serve.idle: '2d' is not a duration from 1ms to 1d")
        .contains("bad.toml: line 2: other hosts can reach :0, and there is no token and no TLS");
    assertThat(refusal(2, "--config=bad.toml", "--listen=127.0.0.1:0")).doesNotContain("reach");
    KblakeRun check = fixture.run("config", "check", "bad.toml");
    assertThat(check.status()).isEqualTo(2);
    assertThat(check.err()).contains("line 2: other hosts can reach").hasLineCount(5);
  }

  @Test
  void configShowsTheTable() throws IOException {
    Files.writeString(
        directory.resolve("good.toml"),
        """
        [serve]
        listen = "0.0.0.0:17668"
        host = "trends.example, trends"
        token-file = "token"
        tls-cert = "own.crt"
        tls-key = "own.key"
        allow = "10.0.0.0/8, fd00::/8"
        exports = 2
        """);
    KblakeRun check = fixture.run("config", "check", "good.toml");
    assertThat(check.err()).isEmpty();
    assertThat(check.out().lines().filter(line -> line.startsWith("serve.")))
        .hasSize(21)
        .anyMatch(line -> line.matches("serve.listen +0.0.0.0:17668 +.*good.toml"))
        .anyMatch(line -> line.matches("serve.allow +10.0.0.0/8, fd00::/8 +.*good.toml"))
        .anyMatch(line -> line.matches("serve.exports +2 +.*good.toml"))
        .anyMatch(line -> line.matches("serve.trends +16 +default"))
        .noneMatch(line -> line.contains(TOKEN));
  }
}
