package org.kblake.cli.run.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.query.ArchiveReader;
import org.kblake.server.ServerSettings;
import org.kblake.server.TrendServer;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.ServerLimits;

/** Checks that the packaged files for Prometheus, Grafana and Ganglia name metrics that exist. */
final class PackagedMetricsTest {

  private static final Path PACKAGING = Path.of("../packaging");
  private static final Path RULES = PACKAGING.resolve("prometheus/kblake.rules.yml");
  private static final Path DASHBOARD = PACKAGING.resolve("grafana/kblake.json");
  private static final Path SENDER = PACKAGING.resolve("ganglia/kblake-gmetric");

  private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)\\})? \\S+");
  private static final Pattern USED =
      Pattern.compile("\\b((?:kblake|jvm|process|system)_[a-z0-9_]+)(?:\\{([^}]*)\\})?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)(?:=~|!~|!=|=)\"");
  private static final Pattern SHOWN =
      Pattern.compile("\\$labels\\.(\\w+)|\\{\\{\\s*(\\w+)\\s*\\}\\}");
  private static final Pattern GROUPED = Pattern.compile("\\bby \\(([^)]*)\\)");

  private static final Path SERVER = Path.of("../docs/server.md");
  private static final Pattern LISTED = Pattern.compile("(?m)^    (kblake_serve_\\w+)");

  @TempDir private static Path directory;

  private static final String TOKEN = "0123456789abcdef";

  private static String served = "";

  @BeforeAll
  static void serve() throws Exception {
    Files.createDirectories(directory.resolve("SYS"));
    Files.writeString(directory.resolve("SYS/KEKBLog.list"), "");
    served = served(directory);
  }

  /** The labels that Prometheus adds. */
  private static final Set<String> ADDED = Set.of("job", "instance");

  @Test
  void rulesUseMetricsThatExist() throws IOException {
    assertThat(unknown(Files.readString(RULES))).isEmpty();
  }

  @Test
  void dashboardUsesMetricsThatExist() throws IOException {
    List<String> queries = new ArrayList<>();
    JsonNode dashboard = new ObjectMapper().readTree(Files.readString(DASHBOARD));
    for (String field : List.of("expr", "legendFormat", "query", "definition")) {
      dashboard.findValues(field).forEach(value -> queries.add(value.asText()));
    }
    assertThat(queries).hasSizeGreaterThan(50);
    assertThat(unknown(String.join("\n", queries))).isEmpty();
  }

  @Test
  void senderUsesMetricsThatExist() throws IOException {
    assertThat(unknown(Files.readString(SENDER))).isEmpty();
  }

  /** docs/server.md lists the metrics of kblake serve. */
  @Test
  void listedMetricsOfTheServerExist() throws IOException {
    List<String> listed = found(LISTED, Files.readString(SERVER));
    assertThat(listed).hasSizeGreaterThan(5);
    assertThat(listed)
        .allSatisfy(name -> assertThat(served).containsPattern("(?m)^" + name + "(_count)?[ {]"));
  }

  @Test
  void testFindsWrongNames() {
    assertThat(unknown("kblake_lag_second > 5 and kblake_lag_seconds{system=\"VA\"} > 5"))
        .containsExactly("kblake_lag_second", "kblake_lag_seconds{system}");
    assertThat(unknown("sum by (le, origin) (kblake_problems) {{ $labels.node }} {{place}}"))
        .containsExactly("by node", "by origin", "by place");
  }

  /** A fixed data source exists on one installation of Grafana only. */
  @Test
  void dashboardLeavesTheDataSourceOpen() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(Files.readString(DASHBOARD));
    assertThat(dashboard.findValues("datasource"))
        .isNotEmpty()
        .allMatch(source -> source.path("uid").asText().equals("${datasource}"));
    assertThat(dashboard.at("/templating/list/0/type").asText()).isEqualTo("datasource");
    assertThat(dashboard.has("id")).isFalse();
  }

  @Test
  void panelsOfTheDashboardDoNotOverlap() throws IOException {
    JsonNode panels = new ObjectMapper().readTree(Files.readString(DASHBOARD)).path("panels");
    Set<Integer> ids = new HashSet<>();
    Set<String> cells = new HashSet<>();
    for (JsonNode panel : panels) {
      String title = panel.path("title").asText();
      assertThat(title).isNotEmpty();
      assertThat(ids.add(panel.path("id").asInt())).as(title).isTrue();
      JsonNode place = panel.path("gridPos");
      int right = place.path("x").asInt() + place.path("w").asInt();
      assertThat(right).as(title).isLessThanOrEqualTo(24);
      for (int x = place.path("x").asInt(); x < right; x++) {
        int y = place.path("y").asInt();
        for (int end = y + place.path("h").asInt(); y < end; y++) {
          assertThat(cells.add(x + " " + y)).as("%s at %d %d", title, x, y).isTrue();
        }
      }
    }
    assertThat(ids).hasSizeGreaterThan(20);
  }

  /** Returns the metrics and labels of a text that {@code /metrics} does not have. */
  private static Set<String> unknown(String text) {
    Map<String, Set<String>> exposed = exposed();
    Set<String> labels = new HashSet<>(ADDED);
    exposed.values().forEach(labels::addAll);
    Set<String> unknown = new TreeSet<>();
    Matcher used = USED.matcher(text);
    while (used.find()) {
      Set<String> known = exposed.get(used.group(1));
      if (known == null) {
        unknown.add(used.group(1));
        continue;
      }
      for (String label : found(LABEL, String.valueOf(used.group(2)))) {
        if (!known.contains(label) && !ADDED.contains(label)) {
          unknown.add(used.group(1) + "{" + label + "}");
        }
      }
    }
    List<String> shown = found(SHOWN, text);
    found(GROUPED, text).forEach(list -> shown.addAll(List.of(list.split(", *"))));
    shown.stream().filter(label -> !labels.contains(label)).forEach(l -> unknown.add("by " + l));
    return unknown;
  }

  private static List<String> found(Pattern pattern, String text) {
    return new ArrayList<>(
        pattern
            .matcher(text)
            .results()
            .map(each -> each.group(1) == null ? each.group(2) : each.group(1))
            .toList());
  }

  /** Returns the labels of each metric of {@code /metrics} of both services. */
  private static Map<String, Set<String>> exposed() {
    Map<String, Set<String>> exposed = new HashMap<>();
    try (RunMetrics metrics = new RunMetrics(SampleStatuses.running(), new Counters())) {
      for (String line : (metrics.scrape() + served).split("\n")) {
        Matcher sample = SAMPLE.matcher(line);
        if (sample.matches()) {
          exposed
              .computeIfAbsent(sample.group(1), name -> new HashSet<>())
              .addAll(found(LABEL, String.valueOf(sample.group(2))));
        }
      }
    }
    return exposed;
  }

  /** Returns the metrics of {@code kblake serve} after some requests. */
  private static String served(Path archive) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    Path tokens = Files.writeString(archive.resolve("tokens"), "reader " + TOKEN);
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive).open();
        TrendServer server =
            TrendServer.start(
                reader,
                new ServerSettings(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    ZoneOffset.UTC,
                    InstantSource.system(),
                    Duration.ofDays(1),
                    new AccessSettings(
                        List.of(), AccessTokens.read(tokens), List.of(), false, null, false),
                    ServerLimits.defaults(),
                    null))) {
      String metrics = "";
      for (String path : List.of("/", "/api/v1/channels?regex=(", "/?c=%ff", "/metrics")) {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        metrics =
            client
                .send(
                    HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + TOKEN).build(),
                    HttpResponse.BodyHandlers.ofString())
                .body();
      }
      return metrics;
    }
  }
}
