package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.epics.pva.data.PVADouble;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVAString;
import org.epics.pva.data.PVAStructure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.query.ArchiveReader;
import org.kblake.record.fixture.CaServer;
import org.kblake.record.fixture.PvServer;
import org.kblake.record.fixture.ServedRecord;
import org.kblake.record.fixture.Wire;
import org.kblake.server.ServerSettings;
import org.kblake.server.TrendServer;

/** From servers through the recorder's file to what users see, beneath what people wrote. */
final class RecordedMetadataTest {

  private static final String CURRENT = "BMLDCCT:CURRENT";

  @TempDir Path directory;

  @Test
  void unitsOfServersReachUsersAndPeopleComeFirst() throws Exception {
    Files.createDirectories(directory.resolve("logs/SYS/LCF"));
    Files.writeString(directory.resolve("logs/SYS/LCF/DCCT.lcf"), CURRENT + "\npva://BMLDCCT:PV\n");
    Path written = directory.resolve("channels/BM/DCCT/channels.csv");
    Files.createDirectories(written.getParent());
    String people = "name,unit,description\npva://BMLDCCT:PV,,of people\n";
    Files.writeString(written, people);
    Files.writeString(directory.resolve("kblake.toml"), "archive = \"logs\"\n");
    Map<String, String> variables = new HashMap<>();
    try (CaServer server = CaServer.start();
        PvServer pvAccess = PvServer.start()) {
      server.add(ServedRecord.number(CURRENT, 0));
      server.addControl(CURRENT, Wire.control("mA", 3, 1500, 0, 9, 8, 7, 6, 0, 0));
      server.addControl(CURRENT + ".DESC", Arrays.copyOf(Wire.text("the beam"), 40));
      pvAccess.add(
          "BMLDCCT:PV",
          PvServer.scalar(
              new PVADouble("value", 2.5),
              new PVAStructure(
                  "display",
                  "display_t",
                  new PVAString("units", "Pa"),
                  new PVAString("description", "of the server"),
                  new PVAInt("precision", 4))));
      variables.put("EPICS_CA_ADDR_LIST", "127.0.0.1:" + server.port());
      variables.put("EPICS_CA_AUTO_ADDR_LIST", "NO");
      variables.put("EPICS_PVA_NAME_SERVERS", "127.0.0.1:" + pvAccess.port());
      variables.put("EPICS_PVA_AUTO_ADDR_LIST", "NO");
      try (RecorderProcess recorder =
          RecorderProcess.start(directory, variables, "--flush", "5ms", "BM/DCCT")) {
        recorder.awaitLine("connected", "group=BM/DCCT", "2 of 2");
        Path learnt = directory.resolve("logs/SYS/channels/BM/DCCT/channels.csv");
        recorder.await(() -> Files.exists(learnt));
        server.addControl(CURRENT, Wire.control("A", 3, 1500, 0, 9, 8, 7, 6, 0, 0));
        int asked = server.commands().size();
        server.closeCircuits();
        recorder.await(() -> server.commands().lastIndexOf("15 34") >= asked);
        server.post(CURRENT, 1, Wire.doubles(17));
        recorder.await(
            () -> run("get", CURRENT, "--from", "2000-01-01T00:00").out().contains("17"));
        assertThat(recorder.end("TERM")).isEqualTo(143);
      }
    }
    assertThat(run("channels", "-l").out())
        .containsPattern(CURRENT + " .* A .*the beam")
        .containsPattern("pva://BMLDCCT:PV .* Pa .*of people");
    assertThat(run("channels", "-f", "json", CURRENT).out()).contains("\"precision\" : 3");
    assertThat(written).hasContent(people);
    try (ArchiveReader reader =
            ArchiveReader.builder()
                .archive(directory.resolve("logs"))
                .metadata(directory.resolve("channels"))
                .open();
        TrendServer server =
            TrendServer.start(
                reader,
                ServerSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))) {
      String address = "http://127.0.0.1:" + server.port() + "/api/v1/metadata?channel=" + CURRENT;
      try (InputStream in = new URI(address).toURL().openStream()) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .contains("\"unit\":\"A\"", "\"precision\":3", "the beam");
      }
    }
  }

  private KblakeRun run(String... line) {
    return KblakeRun.in(directory).at(Instant.now()).run(line);
  }
}
