package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.archive.WrittenLedger;

/** The description of the API for programs: its paths, its parameters and its schemas. */
final class OpenApiTest {

  private static final Path DOORS =
      Path.of("../../server/src/main/java/org/kblake/server/internal");
  private static final List<String> SOURCES =
      List.of("api/ApiDoor.java", "status/StatusDoor.java", "live/LiveDoor.java");

  private static final Pattern ROUTE = Pattern.compile("\"(/api/v1/[a-z.]+)\"");

  @TempDir private Path directory;

  @Test
  void documentHasThePathsOfTheRoutes() throws Exception {
    try (ServedSample server = server()) {
      JsonNode document = server.json("/api/v1/openapi.json");
      assertThat(document.get("openapi").textValue()).startsWith("3.1");
      TreeSet<String> routes = new TreeSet<>();
      for (String source : SOURCES) {
        Matcher route = ROUTE.matcher(Files.readString(DOORS.resolve(source)));
        while (route.find()) {
          routes.add(route.group(1));
        }
      }
      List<String> paths = new ArrayList<>();
      document.get("paths").fieldNames().forEachRemaining(paths::add);
      assertThat(paths).containsExactlyInAnyOrderElementsOf(routes);
    }
  }

  /** Each request may come when too much is asked. */
  @Test
  void eachPathMayBeRefusedForTooManyRequests() throws Exception {
    try (ServedSample server = server()) {
      JsonNode document = server.json("/api/v1/openapi.json");
      for (JsonNode path : document.get("paths")) {
        String reference = path.at("/get/responses/429/$ref").textValue();
        assertThat(document.at(reference.substring(1)).at("/headers/Retry-After").isObject())
            .isTrue();
      }
    }
  }

  /** Each answer has the members of its schema, and no others where the schema forbids them. */
  @Test
  void answersMatchTheirSchemas() throws Exception {
    String channel = "channel=VA_CCG:D02_013:CUR&from=2016-05-16T00:00&to=2016-05-16T01:00";
    Map<String, String> requests = new TreeMap<>();
    requests.put("moved", "?at=2016-05-16T00:30&channel=VA*");
    requests.put("diff", "?at=2016-05-15T12:00&and=2016-05-16T06:00");
    requests.putAll(
        Map.of(
            "archive", "",
            "channels", "?search=ccg",
            "metadata", "?" + channel,
            "data", "?" + channel,
            "trend", "?bins=10&points=0&" + channel,
            "values", "?at=2016-05-16T00:30&" + channel,
            "coverage", "?" + channel,
            "when", "?condition=VA_CCG:D02_013:CUR%3E2.5&from=2016-05-16T00:00&to=2016-05-17",
            "status", ""));
    try (ServedSample server = server()) {
      long lost = 1_463_325_600_000_000_000L;
      WrittenLedger.write(
          directory.resolve("archive"),
          WrittenLedger.LEDGER,
          List.of(WrittenLedger.Statement.of("VA/CCG", lost, lost, -1, 1)));
      JsonNode document = server.json("/api/v1/openapi.json");
      for (Map.Entry<String, String> request : requests.entrySet()) {
        JsonNode operation = document.get("paths").get("/api/v1/" + request.getKey()).get("get");
        JsonNode schema = operation.at("/responses/200/content/application~1json/schema");
        JsonNode answer = server.json("/api/v1/" + request.getKey() + request.getValue());
        List<String> problems = new ArrayList<>();
        check(document, schema, answer, request.getKey(), problems);
        assertThat(problems).isEmpty();
      }
      JsonNode events = server.json("/api/v1/trend?" + channel + "&points=100000");
      List<String> problems = new ArrayList<>();
      check(document, document.at("/components/schemas/Trend"), events, "trend", problems);
      check(
          document,
          document.at("/components/schemas/Error"),
          server.error("/api/v1/trend", 400),
          "error",
          problems);
      assertThat(problems).isEmpty();
    }
  }

  private ServedSample server() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    return new ServedSample(fixture.archive(), null);
  }

  private static void check(
      JsonNode document, JsonNode schema, JsonNode value, String at, List<String> problems) {
    if (schema.has("$ref")) {
      check(
          document, document.at(schema.get("$ref").textValue().substring(1)), value, at, problems);
      return;
    }
    if (schema.has("type") && !types(schema.get("type")).contains(type(value))) {
      problems.add(at + " is " + type(value) + ", not " + schema.get("type"));
    }
    schema
        .path("required")
        .forEach(
            name -> {
              if (value.isObject() && !value.has(name.textValue())) {
                problems.add(at + " has no " + name);
              }
            });
    if (schema.path("enum").size() > 0) {
      List<String> words = new ArrayList<>();
      schema.get("enum").forEach(word -> words.add(word.textValue()));
      if (!words.contains(value.textValue())) {
        problems.add(at + " is " + value + ", not one of " + words);
      }
    }
    value
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (schema.path("properties").has(name)) {
                check(
                    document,
                    schema.get("properties").get(name),
                    value.get(name),
                    at + "." + name,
                    problems);
              } else if (schema.path("additionalProperties").isBoolean()) {
                problems.add(at + " has " + name + ", which is not in the schema");
              }
            });
    if (value.isArray() && schema.has("items")) {
      value.forEach(each -> check(document, schema.get("items"), each, at + "[]", problems));
    }
  }

  private static List<String> types(JsonNode type) {
    List<String> types = new ArrayList<>();
    if (type.isTextual()) {
      types.add(type.textValue());
    }
    type.forEach(each -> types.add(each.textValue()));
    if (types.contains("number")) {
      types.add("integer");
    }
    return types;
  }

  private static String type(JsonNode value) {
    return value.isIntegralNumber()
        ? "integer"
        : value.getNodeType().name().toLowerCase(java.util.Locale.ROOT);
  }
}
