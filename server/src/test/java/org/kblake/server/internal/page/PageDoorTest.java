package org.kblake.server.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.server.internal.http.HttpStatusException;

/** The files of the page over HTTP. */
final class PageDoorTest {

  private static final Path SOURCES = Path.of("src/main/resources/org/kblake/server/page");
  private static final int LARGEST_COMPRESSED = 300_000;

  private final HttpClient client = HttpClient.newHttpClient();
  private Javalin server;

  @BeforeEach
  void start() {
    server =
        Javalin.create(
                config -> {
                  config.jetty.host = "127.0.0.1";
                  config.jetty.port = 0;
                  new PageDoor().addTo(config.routes);
                  config.routes.exception(
                      HttpStatusException.class, (e, context) -> context.status(e.status()));
                })
            .start();
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private HttpResponse<byte[]> get(String path, String... headers)
      throws IOException, InterruptedException {
    URI address = URI.create("http://127.0.0.1:" + server.port() + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  @ParameterizedTest
  @CsvSource({
    "/, text/html;charset=utf-8",
    "/status, text/html;charset=utf-8",
    "/channel?c=A:B, text/html;charset=utf-8",
    "/page/page.js, text/javascript;charset=utf-8",
    "/page/theme.css, text/css;charset=utf-8",
    "/page/icon.svg, image/svg+xml",
    "/page/uplot/uPlot.esm.js, text/javascript;charset=utf-8",
    "/page/uplot/uPlot.min.css, text/css;charset=utf-8"
  })
  void filesHaveTheirTypeAndTheStrictPolicy(String path, String type) throws Exception {
    HttpResponse<byte[]> answer = get(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow().replace(" ", ""))
        .isEqualToIgnoringCase(type);
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
        .doesNotContain("unsafe");
  }

  /** A name of a channel may look like an element with a script. */
  @Test
  void noScriptOfThePageMakesElementsFromText() throws Exception {
    List<Path> scripts;
    try (Stream<Path> files = Files.walk(Path.of("src/main/resources/org/kblake/server/page"))) {
      scripts =
          files
              .filter(file -> file.toString().endsWith(".js") && !file.toString().contains("uplot"))
              .toList();
    }
    assertThat(scripts).hasSizeGreaterThan(10);
    for (Path script : scripts) {
      assertThat(Files.readString(script))
          .as(script.toString())
          .doesNotContainPattern(
              "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|DOMParser|\\beval\\(");
    }
  }

  @Test
  void aFileThatTheBrowserHasIsNotSentAgain() throws Exception {
    HttpResponse<byte[]> first = get("/page/page.js");
    String etag = first.headers().firstValue("ETag").orElseThrow();

    HttpResponse<byte[]> second = get("/page/page.js", "If-None-Match", etag);

    assertThat(second.statusCode()).isEqualTo(304);
    assertThat(second.body()).isEmpty();
    assertThat(get("/page/page.js", "If-None-Match", "\"other\"").body()).isEqualTo(first.body());
  }

  @Test
  void filesAreCompressedForThoseWhoAsk() throws Exception {
    byte[] plain = get("/page/page.js").body();

    HttpResponse<byte[]> answer = get("/page/page.js", "Accept-Encoding", "br, gzip");

    assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes())
        .isEqualTo(plain)
        .isEqualTo(Files.readAllBytes(SOURCES.resolve("page.js")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/page/none.js",
        "/page/index",
        "/page/..%2FTrendServer.class",
        "/page/%2e%2e%2f%2e%2e%2fpage.js",
        "/page/uplot/..%2F..%2Fpackage.json",
        "/page/uplot/LICENSE",
        "/page/page.js%00.html"
      })
  void otherPathsAreRefused(String path) throws Exception {
    assertThat(get(path).statusCode()).isIn(400, 404);
  }

  /** One look at the page is one load over a slow network. */
  @Test
  void allFilesTogetherAreSmall() throws Exception {
    int bytes = 0;
    for (String path : List.of("uplot/uPlot.esm.js", "uplot/uPlot.min.css")) {
      bytes += get("/page/" + path, "Accept-Encoding", "gzip").body().length;
    }
    try (var files = Files.list(SOURCES)) {
      for (Path file : files.toList()) {
        bytes += get("/page/" + file.getFileName(), "Accept-Encoding", "gzip").body().length;
      }
    }
    assertThat(bytes).isBetween(60_000, LARGEST_COMPRESSED);
  }

  /**
   * The policy forbids scripts and styles in a page, and addresses of other servers do not work.
   */
  @Test
  void pagesHaveNoScriptOrStyleInsideAndNoOtherServer() throws Exception {
    try (var files = Files.list(SOURCES)) {
      for (Path file : files.toList()) {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        assertThat(text.replace("http://www.w3.org/2000/svg", "").replace("'http://'", ""))
            .as(file.toString())
            .doesNotContain("http://")
            .doesNotContain("https://")
            .doesNotContain(" style=")
            .doesNotContain("onclick=")
            .doesNotContain("<style");
      }
    }
  }
}
