package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.CommandFixture;

/** Answers compressed as clients accept it. */
final class CompressedAnswersTest {

  private static final String CHANNELS = "channel=VA_CCG:D02_013:CUR&channel=VA_CCG:D11_016:CUR";
  private static final String RANGE = "&from=2016-05-16T00:00&to=2016-05-16T01:00";
  private static final String SAMPLES =
      "?pv=VA_CCG:D02_013:CUR&from=2016-05-15T15:00:00Z&to=2016-05-15T16:00:00Z";
  private static final List<String> TEXTS =
      List.of(
          "/api/v1/data?" + CHANNELS + RANGE,
          "/api/v1/data?format=csv&" + CHANNELS + RANGE,
          "/api/v1/trend?points=0&" + CHANNELS + RANGE,
          "/api/v1/table?every=10s&" + CHANNELS + RANGE,
          "/retrieval/data/getData.json" + SAMPLES,
          "/retrieval/data/getData.csv" + SAMPLES);

  @TempDir private Path directory;

  private final HttpClient client = HttpClient.newHttpClient();

  private HttpResponse<byte[]> get(ServedSample server, String path, String accepted)
      throws Exception {
    HttpResponse<byte[]> answer =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Accept-Encoding", accepted)
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertThat(answer.statusCode()).as(path).isEqualTo(200);
    return answer;
  }

  private static String encoding(HttpResponse<byte[]> answer) {
    return answer.headers().firstValue("Content-Encoding").orElse("");
  }

  private static byte[] plain(HttpResponse<byte[]> answer) throws Exception {
    InputStream body = new ByteArrayInputStream(answer.body());
    try (InputStream plain =
        switch (encoding(answer)) {
          case "zstd" -> new ZstdInputStream(body);
          case "gzip" -> new GZIPInputStream(body);
          default -> body;
        }) {
      return plain.readAllBytes();
    }
  }

  @Test
  void theBestAcceptedFormIsSent() throws Exception {
    try (ServedSample server = new ServedSample(CommandFixture.mixed(directory).archive(), null)) {
      for (String path : TEXTS) {
        byte[] expected = server.bytes(path);
        for (String accepted : List.of("gzip, deflate, br, zstd", "zstd", "gzip", "br", "")) {
          HttpResponse<byte[]> answer = get(server, path, accepted);
          String best =
              accepted.contains("zstd") ? "zstd" : accepted.contains("gzip") ? "gzip" : "";
          assertThat(encoding(answer)).as("%s %s", path, accepted).isEqualTo(best);
          assertThat(plain(answer)).as("%s %s", path, accepted).isEqualTo(expected);
        }
      }
      // Clients read these as they come.
      for (String path :
          List.of(
              "/retrieval/data/getData.raw" + SAMPLES,
              "/api/v1/data?format=arrow&" + CHANNELS + RANGE)) {
        assertThat(encoding(get(server, path, "gzip, zstd"))).as(path).isEmpty();
      }
    }
  }
}
