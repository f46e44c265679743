package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.server.RawExchange.request;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.server.RawExchange;
import org.kblake.test.server.ServedSample;

/** What web pages of other hosts may ask with the browser of a user. */
final class OtherPagesTest {

  private static final String NAMES = "/retrieval/bpl/getMatchingPVs?regex=.*";
  private static final String CHANNELS = "/api/v1/channels";
  private static final String AT_TIME = "/retrieval/data/getDataAtTime";

  private static final String[] SCRIPT = {
    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors", "Origin: http://x"
  };

  @TempDir private static Path directory;

  @BeforeAll
  static void write() throws Exception {
    CommandFixture.mixed(directory);
  }

  private static ServedSample serve(boolean cors) throws IOException {
    return new ServedSample(
        directory.resolve("archive"),
        null,
        new AccessSettings(List.of(), null, List.of(), cors, null, false),
        ServerLimits.defaults(),
        null);
  }

  private static String ask(ServedSample server, String method, String path, String... headers)
      throws IOException {
    return RawExchange.ask(server.port(), request(method, path, headers));
  }

  private static String status(ServedSample server, String path, String... headers)
      throws IOException {
    return ask(server, "GET", path, headers).split(" ", 3)[1];
  }

  @Test
  void scriptsReadOnlyTheAppliancePathsOnRequest() throws Exception {
    try (ServedSample server = serve(false)) {
      assertThat(status(server, NAMES, SCRIPT)).isEqualTo("403");
      assertThat(status(server, NAMES, "Sec-Fetch-Site: same-origin")).isEqualTo("200");
    }
    try (ServedSample server = serve(true)) {
      assertThat(ask(server, "GET", NAMES, SCRIPT))
          .startsWith("HTTP/1.1 200")
          .contains("Access-Control-Allow-Origin: *");
      assertThat(ask(server, "OPTIONS", AT_TIME, SCRIPT))
          .startsWith("HTTP/1.1 204")
          .contains("Access-Control-Allow-Methods: GET, HEAD, POST");
      assertThat(ask(server, "GET", CHANNELS, SCRIPT))
          .startsWith("HTTP/1.1 403")
          .doesNotContain("Access-Control-Allow-Origin");
    }
  }

  /** A frame or a script that changes the location could ask for a year of all channels. */
  @Test
  void aLinkLeadsToDataOnlyIfTheUserFollowedIt() throws Exception {
    try (ServedSample server = serve(false)) {
      for (String site : List.of("cross-site", "same-site")) {
        List<String> navigation =
            new ArrayList<>(List.of("Sec-Fetch-Site: " + site, "Sec-Fetch-Mode: navigate"));
        String[] alone = navigation.toArray(new String[0]);
        for (String path : List.of(NAMES, CHANNELS, "/archive/", "/metrics")) {
          assertThat(status(server, path, alone)).as(path).isEqualTo("403");
        }
        assertThat(status(server, "/", alone)).as("the page").isEqualTo("200");
        navigation.add("Sec-Fetch-User: ?1");
        for (String path : List.of("/", NAMES, CHANNELS)) {
          assertThat(status(server, path, navigation.toArray(new String[0])))
              .as(path)
              .isEqualTo("200");
        }
      }
    }
    try (ServedSample server = serve(true)) {
      assertThat(status(server, NAMES, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"))
          .as("shared paths")
          .isEqualTo("200");
    }
  }
}
