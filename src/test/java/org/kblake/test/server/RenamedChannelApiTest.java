package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.CommandFixture;

/** Channels that were renamed are found by both names, and answer by both. */
final class RenamedChannelApiTest {

  private static final String PRESENT = "VA_CCG:D02_013:CUR";
  private static final String FORMER = "VA_CCG:D11_016:CUR";
  private static final String RANGE = "&from=2016-05-16T00:00&to=2016-05-16T01:00";

  @TempDir private Path directory;

  private String onlyFormer = "";

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeEach
  void start() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    try (ServedSample plain = new ServedSample(fixture.archive(), null)) {
      for (JsonNode each : plain.json("/api/v1/channels?pattern=VA_*&limit=1000").get("channels")) {
        String name = each.get("name").textValue();
        onlyFormer = name.equals(PRESENT) || name.equals(FORMER) ? onlyFormer : name;
      }
    }
    Path folder = Files.createDirectories(directory.resolve("channels/VA/CCG"));
    Files.writeString(
        folder.resolve("channels.csv"),
        "name,unit,former\n%s,A,%s\nNEW:NAME,Pa,%s\nNOT:RECORDED,V,\n"
            .formatted(PRESENT, FORMER, onlyFormer));
    server = ServedSample.described(fixture.archive(), directory.resolve("channels"));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private List<String> names(String query) throws Exception {
    List<String> names = new ArrayList<>();
    JsonNode answer = server.json("/api/v1/channels?" + query);
    assertThat(answer.get("complete").booleanValue()).isTrue();
    for (JsonNode each : answer.get("channels")) {
      names.add(each.get("name").textValue() + " " + each.get("aliases"));
    }
    return names;
  }

  @Test
  void listsFindTheChannelByItsFormerName() throws Exception {
    String found = PRESENT + " [\"" + FORMER + "\"]";
    assertThat(names("search=d11_016:cur")).containsExactly(found);
    assertThat(names("pattern=" + FORMER)).containsExactly(found);
    assertThat(names("regex=D11_016:CUR$")).containsExactly(found);
    assertThat(names("search=new:name")).containsExactly("NEW:NAME [\"" + onlyFormer + "\"]");
    assertThat(names("search=not:recorded")).isEmpty();
  }

  @Test
  void clientsOfTheApplianceFindBothNames() throws Exception {
    String names = server.get("/retrieval/bpl/getMatchingPVs?pv=*").body();
    assertThat(names).contains(PRESENT, FORMER, "NEW:NAME", onlyFormer);
    assertThat(names).doesNotContain("NOT:RECORDED");
    assertThat(server.get("/retrieval/bpl/areWeArchivingPV?pv=" + FORMER).body()).contains("true");
    assertThat(server.get("/retrieval/data/getData.csv?pv=NEW:NAME").statusCode()).isEqualTo(200);
  }

  /** A question that names both has the events of each once; traces of both show each. */
  @Test
  void bothNamesInOneRequestAnswer() throws Exception {
    String trend = "/api/v1/trend?points=0&bins=10" + RANGE + "&channel=";
    JsonNode both = server.json(trend + PRESENT + "&channel=" + FORMER).get("channels");
    assertThat(both).hasSize(2);
    assertThat(both.get(0)).isEqualTo(server.json(trend + PRESENT).get("channels").get(0));
    assertThat(both.get(1)).isEqualTo(server.json(trend + FORMER).get("channels").get(0));
    assertThat(both.get(1).get("bins").get("time")).isNotEmpty();
    assertThat(server.json("/api/v1/data?channel=" + FORMER + RANGE).get("events")).isNotEmpty();
    JsonNode values = server.json("/api/v1/values?channel=" + PRESENT + "&channel=" + FORMER);
    assertThat(values.get("values")).hasSize(2);
  }
}
