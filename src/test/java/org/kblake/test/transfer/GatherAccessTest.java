package org.kblake.test.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.test.server.TestCertificate;

/** Tokens and TLS between {@code kblake gather} and {@code kblake run}. */
final class GatherAccessTest {

  private static final String OWN = "own-secret-0123456789";
  private static final String OTHER = "other-secret-0123456789";
  private static final String ENDED = "ended-secret-0123456789";

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init")
  private GatherFixture gather;

  @BeforeEach
  void prepare() throws Exception {
    gather = new GatherFixture(directory);
    TestCertificate.write(directory, "own");
    TestCertificate.write(directory, "next");
    secret("own.key");
    secret("next.key");
    gather.secret("tokens", "b1 " + OWN + "\nb2 " + OTHER + "\nb3 2020-01-31 " + ENDED);
    gather.secret("token", "unknown-secret-0123456789");
    trust();
  }

  @AfterEach
  void stop() {
    gather.close();
  }

  private void secret(String name) throws IOException {
    Files.setAttribute(directory.resolve(name), "unix:mode", 0600);
  }

  /** Writes what a builder trusts. */
  private void trust() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (String name : List.of("own", "next")) {
      trusted.setCertificateEntry(name, certificate(name));
    }
    try (OutputStream out = Files.newOutputStream(directory.resolve("trust.p12"))) {
      trusted.store(out, "changeit".toCharArray());
    }
  }

  private Certificate certificate(String name) throws Exception {
    try (var in = Files.newInputStream(directory.resolve(name + ".crt"))) {
      return CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private void build(int port) throws IOException {
    gather.settings(
        "builder",
        "archive = \"archive\"",
        "store = \"store\"",
        "[run]",
        "gather = [\"localhost:" + port + "\"]",
        "gather-name = \"b1\"",
        "gather-tls = \"yes\"",
        "gather-token-file = \"token\"");
    gather.start(
        "builder",
        List.of(
            "-Djavax.net.ssl.trustStore=" + directory.resolve("trust.p12"),
            "-Djavax.net.ssl.trustStorePassword=changeit"),
        "run");
  }

  private Certificate presented(int port) throws Exception {
    SSLContext trust = TestCertificate.trusting(directory, "own", "next");
    try (SSLSocket socket = (SSLSocket) trust.getSocketFactory().createSocket("127.0.0.1", port)) {
      return socket.getSession().getPeerCertificates()[0];
    }
  }

  @Test
  void tokensAndCertificateChangeWhileBothSidesRun() throws Exception {
    gather.grow(0.5);
    gather.settings(
        "collector",
        "archive = \"logs\"",
        "[gather]",
        "listen = \"127.0.0.1:0\"",
        "token-file = \"tokens\"",
        "tls-cert = \"own.crt\"",
        "tls-key = \"own.key\"");
    int port = gather.collect("collector");
    gather.awaitLogged("collector", "tokens: 3, expired: 1");
    build(port);
    gather.awaitLogged("builder", "refused: the token is unknown");
    gather.secret("token", OTHER);
    gather.awaitLogged("builder", "refused: the token is that of another builder");
    gather.secret("token", "short");
    gather.awaitLogged("builder", "gather-token-file has changed, and the old token stays in use");
    gather.secret("token", ENDED);
    gather.awaitLogged("builder", "the token b3 has expired: its last day was 2020-01-31 (UTC)");
    gather.secret("token", OWN);
    gather.awaitLogged("builder", "collector is connected");
    gather.awaitLogs();

    gather.secret("tokens", "b2 " + OTHER);
    gather.awaitLogged("collector", "builder is refused: name=b1, the token is unknown");
    gather.grow(1);
    gather.secret("tokens", "b1 " + OWN);
    gather.awaitAll();

    Certificate next = certificate("next");
    assertThat(presented(port)).isEqualTo(certificate("own"));
    for (String end : List.of(".crt", ".key")) {
      Files.move(
          directory.resolve("next" + end),
          directory.resolve("own" + end),
          StandardCopyOption.REPLACE_EXISTING);
    }
    await("the new certificate", () -> presented(port).equals(next));
    gather.awaitLogged("collector", "certificate: read again");
    gather.kill("builder");
    build(port);
    gather.awaitLogged("builder", "collector is connected");
    assertThat(gather.logged("collector") + gather.logged("builder")).doesNotContain("secret");
  }

  private String refusal(String... words) {
    KblakeRun run = gather.run(words);
    assertThat(run.status()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).doesNotContain("secret");
    return run.err();
  }

  private String refusal(String option) {
    return refusal("gather", "--archive=logs", option);
  }

  @Test
  void aCollectorThatOthersCouldReachNeedsTokenAndTls() throws IOException {
    assertThat(refusal("--listen=:0")).contains("there is no token and no TLS;");
    assertThat(refusal("gather", "--archive=logs", "--listen=0.0.0.0:0", "--token-file=tokens"))
        .contains("there is no TLS;");
    assertThat(refusal("--token-file=none")).contains("--token-file: there is no file");
    assertThat(refusal("--tls-cert=own.crt")).contains("TLS needs both --tls-cert and --tls-key");
    assertThat(refusal("--listen=here")).contains("--listen: 'here' is not HOST:PORT");
    assertThat(refusal("--builders=b1")).contains("'b1' is not BUILDER=GROUP");
    assertThat(refusal("--builders=b1=VA/*,b2=VA/CCG")).contains("a group would have two builders");
    assertThat(refusal("VA/CCG")).contains("channels are for --events manager only");
    Files.setAttribute(directory.resolve("tokens"), "unix:mode", 0602);
    assertThat(refusal("--token-file=tokens")).contains("every user may write the file");
    assertThat(gather.run("gather", "--help").out()).contains("--token-file", "--tc");
  }

  /** What a builder lacks is found before it starts, and before it stands by. */
  @Test
  void whatABuilderLacksIsFoundByTheCheckAndAtTheStart() throws IOException {
    Files.createDirectories(directory.resolve("store"));
    assertBuilderLacks("gather = \"192.0.2.1:17670\"", "192.0.2.1:17670 is on another host: set");
    assertBuilderLacks(
        "gather = \"127.0.0.1:1\"\ngather-token-file = \"none\"", "there is no file");
    assertBuilderLacks(
        "gather = \"127.0.0.1:1\"\ngather-token-file = \"tokens\"", "must have one token of 16");
    assertBuilderLacks("gather = \"127.0.0.1:1\"\ngather-name = \"a b\"", "'a b' is not a name");
    assertBuilderLacks("gather = \"127.0.0.1\"", "'127.0.0.1' is not HOST:PORT");
    assertBuilderLacks(
        "gather = \"127.0.0.1:1\"\n[gather]\nbuilders = \"b1=*,b2=*\"", "two builders", false);
    // The longest token, and the end of its line.
    gather.secret("token", "x".repeat(512));
    gather.settings("good", "archive = \"archive\"", "store = \"store\"", "[run]", LONG);
    KblakeRun check = gather.run("config", "check", "good.toml");
    assertThat(check.status()).as(check.err()).isZero();
  }

  private static final String LONG =
      "gather = \"192.0.2.1:17670\"\ngather-token-file = \"token\"\ngather-name = \"b1\"";

  private void assertBuilderLacks(String lines, String said) throws IOException {
    assertBuilderLacks(lines, said, true);
  }

  private void assertBuilderLacks(String lines, String said, boolean ofRun) throws IOException {
    gather.settings("bad", "archive = \"archive\"", "store = \"store\"", "[run]", lines);
    assertThat(refusal("config", "check", "bad.toml")).contains("bad.toml: line ").contains(said);
    if (ofRun) {
      assertThat(refusal("run", "--config=bad.toml", "--standby")).contains(said);
    }
  }
}
