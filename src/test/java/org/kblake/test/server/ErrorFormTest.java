package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.CommandFixture;

/** Errors of the own API have one form, whichever part of the server finds them. */
final class ErrorFormTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  @Test
  void unknownPathsOfTheApiAreErrorsOfTheApi() throws Exception {
    try (ServedSample server = server()) {
      for (String path :
          List.of(
              "/api", "/api/", "/api/v1", "/api/v1/nothing", "/api/v2/trend", "/api/v1/trend/x")) {
        JsonNode error = server.error(path, 404);
        assertThat(error.get("status").intValue()).isEqualTo(404);
        assertThat(error.get("error").textValue()).isEqualTo("no such path: " + path);
        assertThat(error.get("nearest").isArray()).isTrue();
      }
      String head = RawExchange.ask(server.port(), RawExchange.request("HEAD", "/api/v1/nothing"));
      assertThat(head).startsWith("HTTP/1.1 404 ");
      assertThat(server.get("/nothing").statusCode()).isEqualTo(404);
      assertThat(server.get("/nothing").body()).isEqualTo("no such path: /nothing\n");
    }
  }

  /** As percent signs and as bytes, in the path and in the query. */
  @Test
  void bytesThatAreNotUtf8AreNamed() throws Exception {
    try (ServedSample server = server()) {
      for (String path :
          List.of(
              "/api/v1/channels?search=%ff",
              "/api/v1/channels?search=%c3%28",
              "/api/v1/channels?search=%f",
              "/api/v1/%ff",
              "/api/v1/channels?search=\u00ff",
              "/api/v1/\u00ff")) {
        String answer = RawExchange.ask(server.port(), RawExchange.request("GET", path));
        assertThat(answer).as(path).startsWith("HTTP/1.1 400 ");
        JsonNode error = JSON.readTree(answer.substring(answer.indexOf("\r\n\r\n")));
        assertThat(error.get("status").intValue()).isEqualTo(400);
        assertThat(error.get("error").textValue()).as(path).contains("UTF-8");
      }
      String other = RawExchange.ask(server.port(), RawExchange.request("GET", "/%ff"));
      assertThat(other).startsWith("HTTP/1.1 400 ").contains("UTF-8").doesNotContain("<html");
    }
  }

  /** Only paths of the server lose their directories. */
  @Test
  void namesOfARequestStay() throws Exception {
    try (ServedSample server = server()) {
      assertThat(server.error("/api/v1/trend?channel=/abc/def", 404).get("error").textValue())
          .contains("/abc/def");
      assertThat(server.get("/retrieval/data/getData.json?pv=/abc/def").body())
          .contains("/abc/def");
    }
  }

  /** A client takes the first line for the error, and a terminal obeys control characters. */
  @Test
  void anErrorIsOneShortLineWhateverTheRequestHas() throws Exception {
    try (ServedSample server = server()) {
      String name = "%0D%0AX:%20y%1Bm%C2%85%E2%80%A8" + "n".repeat(5000);
      String error = server.get("/retrieval/data/getData.json?pv=" + name).body();
      assertThat(error).startsWith("no such channel: ??X: y?m??nnn").endsWith("...\n");
      assertThat(error).hasSizeLessThan(2010);
      assertThat(server.error("/api/v1/trend?channel=" + name, 404).get("error").textValue())
          .isEqualTo(error.strip());
    }
  }

  private ServedSample server() throws Exception {
    return new ServedSample(CommandFixture.mixed(directory).archive(), null);
  }
}
