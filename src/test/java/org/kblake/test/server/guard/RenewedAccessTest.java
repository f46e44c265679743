package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.KblakeProcess;
import org.kblake.test.server.RawExchange;
import org.kblake.test.server.TestCertificate;

/** Tokens and certificates that are changed under a running {@code kblake serve}. */
final class RenewedAccessTest {

  private static final Pattern PORT = Pattern.compile("at https://127\\.0\\.0\\.1:(\\d+)/");
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final String KEPT = "kept-secret-0123456789";
  private static final String OLD = "old-secret-0123456789";
  private static final String NEW = "new-secret-0123456789";

  @TempDir private Path directory;

  private final CountDownLatch end = new CountDownLatch(1);

  private @Nullable Process process;

  @SuppressWarnings("NullAway.Init")
  private SSLContext trust;

  private int port;

  private record Answer(String text, Certificate certificate) {
    boolean isGiven() {
      return text.startsWith("HTTP/1.1 200 ");
    }
  }

  @AfterEach
  void stop() {
    end.countDown();
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  private void serve() throws Exception {
    CommandFixture.mixed(directory);
    TestCertificate.write(directory, "own");
    TestCertificate.write(directory, "next");
    trust = TestCertificate.trusting(directory, "own", "next");
    tokens("kept " + KEPT, "old " + OLD);
    process =
        KblakeProcess.start(
            directory,
            directory.resolve("log"),
            "serve",
            "--archive=archive",
            "--listen=127.0.0.1:0",
            "--token-file=tokens",
            "--tls-cert=own.crt",
            "--tls-key=own.key");
    awaitLogged("tokens: 2\n");
    Matcher found = PORT.matcher(logged());
    assertThat(found.find()).isTrue();
    port = Integer.parseInt(found.group(1));
  }

  private String logged() throws IOException {
    return Files.readString(directory.resolve("log"));
  }

  private void tokens(String... lines) throws IOException {
    tokens(0600, lines);
  }

  /** The file has its mode before the server sees it. */
  private void tokens(int mode, String... lines) throws IOException {
    Path file = Files.write(directory.resolve("tokens.new"), List.of(lines));
    Files.setAttribute(file, "unix:mode", mode);
    move(file, "tokens");
  }

  private void awaitLogged(String text) throws Exception {
    await("the line: " + text, () -> logged().contains(text));
  }

  private void move(Path file, String name) throws IOException {
    Files.move(file, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Asks on a connection of its own. */
  private Answer ask(String path, String token) throws IOException {
    try (SSLSocket socket = (SSLSocket) trust.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      String request = RawExchange.request("GET", path, "Authorization: Bearer " + token);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      return new Answer(text, socket.getSession().getPeerCertificates()[0]);
    }
  }

  private boolean isAdmitted(String token) throws IOException {
    return ask("/api/v1/channels?limit=1", token).isGiven();
  }

  private boolean isOutdated(String file) throws IOException {
    return ask("/metrics", KEPT).text().contains("kblake_serve_outdated{file=\"" + file + "\"} 1");
  }

  /** Waits a moment, so that the requests do not take the processor from the server. */
  private boolean ended() {
    try {
      return end.await(10, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void hangUp() throws Exception {
    long pid = Objects.requireNonNull(process).pid();
    new ProcessBuilder("kill", "-HUP", String.valueOf(pid)).start().waitFor();
  }

  @Test
  void tokensAndCertificateChangeWithoutALostRequest() throws Exception {
    serve();
    List<String> lost = new ArrayList<>();
    CompletableFuture<Integer> asking =
        CompletableFuture.supplyAsync(
            () -> {
              int count = 0;
              while (!ended()) {
                try {
                  Answer answer = ask("/api/v1/channels?limit=1", KEPT);
                  if (!answer.isGiven()) {
                    lost.add(answer.text());
                  }
                } catch (IOException e) {
                  lost.add(e.toString());
                }
                count++;
              }
              return count;
            });
    Certificate first = ask("/health", KEPT).certificate();
    assertThat(isAdmitted(OLD)).isTrue();
    assertThat(isAdmitted(NEW)).isFalse();

    // Without a signal.
    tokens("kept " + KEPT, "new " + NEW);
    await("the new token", () -> isAdmitted(NEW));
    assertThat(isAdmitted(OLD)).isFalse();

    // A certificate without its key is a pair that cannot be used.
    move(directory.resolve("next.crt"), "own.crt");
    hangUp();
    awaitLogged("tls-cert has changed, and the old one stays in use: cannot use");
    await("the metric", () -> isOutdated("tls-cert"));
    assertThat(ask("/health", KEPT).certificate()).isEqualTo(first);
    move(directory.resolve("next.key"), "own.key");
    await("the new certificate", () -> !ask("/health", KEPT).certificate().equals(first));
    await("the end of the report", () -> !isOutdated("tls-cert"));

    end.countDown();
    assertThat(asking.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)).isPositive();
    assertThat(lost).isEmpty();
    awaitLogged("certificate: read again");
    assertThat(logged()).doesNotContain("secret");
  }

  @Test
  void aTokenFileThatCannotBeUsedChangesNothing() throws Exception {
    serve();
    tokens("kept " + KEPT, "new short");
    await("the metric", () -> isOutdated("token-file"));
    awaitLogged("token-file has changed, and the old one stays in use: line 2 of ");
    assertThat(logged()).doesNotContain("short");
    assertThat(isAdmitted(OLD)).isTrue();

    tokens("kept " + KEPT);
    await("a correct file", () -> !isOutdated("token-file"));
    assertThat(isAdmitted(OLD)).isFalse();

    Files.delete(directory.resolve("tokens"));
    await("the metric", () -> isOutdated("token-file"));
    awaitLogged("stays in use: there is no file ");

    // Everybody may exchange it, until the directory has another mode.
    Files.setAttribute(directory, "unix:mode", 0777);
    tokens("kept " + KEPT);
    awaitLogged("every user may exchange the file");
    Files.setAttribute(directory, "unix:mode", 0700);
    await("the mode of the directory", () -> !isOutdated("token-file"));

    // Everybody may write it, so that it may be of anybody.
    tokens(0666, "kept " + KEPT, "old " + OLD);
    hangUp();
    awaitLogged("every user may write the file");
    assertThat(isAdmitted(OLD)).isFalse();
    Files.setAttribute(directory.resolve("tokens"), "unix:mode", 0600);
    await("the mode", () -> isAdmitted(OLD));

    // Nobody has a token. A file that was emptied by mistake must not keep revoked tokens alive.
    tokens("# none");
    await("the end of all tokens", () -> !isAdmitted(KEPT));
    awaitLogged("tokens: 0\n");
  }
}
