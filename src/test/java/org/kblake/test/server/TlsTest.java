package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.test.server.RawExchange.request;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.CommandFixture;

/** HTTPS with a certificate that keytool made. */
final class TlsTest {

  private static final String TOKEN = "0123456789abcdef";

  @TempDir private Path directory;

  private ServedSample serve() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    Path token = Files.writeString(directory.resolve("token"), TOKEN);
    return new ServedSample(
        fixture.archive(),
        null,
        new AccessSettings(
            List.of(),
            AccessTokens.read(token),
            List.of(),
            false,
            TestCertificate.write(directory, "own"),
            false),
        ServerLimits.defaults(),
        null);
  }

  @Test
  void onlyTlsIsAnswered() throws Exception {
    try (ServedSample server = serve()) {
      HttpClient client =
          HttpClient.newBuilder().sslContext(TestCertificate.trusting(directory, "own")).build();
      URI channels =
          URI.create("https://localhost:" + server.port() + "/api/v1/channels?pattern=VA*&limit=1");
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(channels).header("Authorization", "Bearer " + TOKEN).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).contains("\"VA_CCG:");
      assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
      HttpResponse<String> page =
          client.send(
              HttpRequest.newBuilder(channels.resolve("/?token=" + TOKEN)).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(page.statusCode()).isEqualTo(303);
      assertThat(page.headers().firstValue("Set-Cookie").orElse("")).endsWith("; Secure");
      assertThat(RawExchange.ask(server.port(), request("GET", "/health")))
          .as("HTTP without TLS")
          .doesNotContain("alive");
      assertThatThrownBy(
              () ->
                  HttpClient.newHttpClient()
                      .send(
                          HttpRequest.newBuilder(channels).build(),
                          HttpResponse.BodyHandlers.ofString()))
          .as("a client that does not trust the certificate")
          .isInstanceOfAny(SSLHandshakeException.class, IOException.class);
    }
  }
}
