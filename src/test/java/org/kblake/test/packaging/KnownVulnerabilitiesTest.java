package org.kblake.test.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which versions of libraries the build refuses. */
final class KnownVulnerabilitiesTest {

  private static final String LIST =
      """
      artifact,fixed,vulnerability,accepted
      org.example:library,1.10.1,CVE-2026-1,
      org.example:other,2.0,CVE-2026-2,it is not called, because of that
      """;

  @ParameterizedTest
  @ValueSource(strings = {"1.10.0", "1.9.9", "1.9", "0.99.Final", "1.10"})
  void aLowerVersionIsRefused(String version) throws IOException {
    assertThat(KnownVulnerabilities.of(LIST).of(bill("library", version)))
        .containsExactly("org.example:library " + version + " has CVE-2026-1: raise it to 1.10.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.10.1", "1.10.1.Final", "1.10.1-hadoop3", "1.10.2", "1.11", "2.0"})
  void theFixedVersionAndHigherOnesArePermitted(String version) throws IOException {
    assertThat(KnownVulnerabilities.of(LIST).of(bill("library", version))).isEmpty();
  }

  @Test
  void aVulnerabilityWithAReasonIsAcceptedAsLongAsItIsThere() throws IOException {
    KnownVulnerabilities list = KnownVulnerabilities.of(LIST);
    assertThat(list.of(bill("other", "1.0"))).isEmpty();
    assertThat(list.needlessReasons(List.of(bill("other", "1.0")))).isEmpty();
    assertThat(list.needlessReasons(List.of(bill("other", "2.0"), bill("library", "1.0"))))
        .containsExactly("org.example:other CVE-2026-2");
  }

  @Test
  void theListOfTheProjectCanBeRead() throws IOException {
    assertThat(
            KnownVulnerabilities.ofProject()
                .of(
                    json(
                        "{'components': [{'group': 'org.apache.zookeeper', 'name': 'zookeeper',"
                            + " 'version': '3.8.4'}]}")))
        .hasSize(2)
        .allMatch(line -> line.endsWith("raise it to 3.8.6"));
  }

  private static JsonNode bill(String name, String version) throws IOException {
    return json(
        "{'components': [{'group': 'org.example', 'name': '%s', 'version': '%s'}]}"
            .formatted(name, version));
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }
}
