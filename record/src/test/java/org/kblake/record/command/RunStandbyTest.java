package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kblake run --standby} on several hosts, as far as one host shows it. */
class RunStandbyTest {

  @TempDir Path directory;

  private RecorderProcess start(TestingServer server) throws Exception {
    Files.createDirectories(directory.resolve("archive/SYS"));
    Files.writeString(directory.resolve("archive/SYS/KEKBLog.list"), "");
    Files.writeString(
        directory.resolve("kblake.toml"),
        "archive = \"archive\"\nstore = \"store\"\n[run]\nzookeeper = \""
            + server.getConnectString()
            + "/control/room\"\n");
    return RecorderProcess.start("run", directory, Map.of(), "--standby");
  }

  /** The lock of a file would do here, but a stopped process keeps it on one host only. */
  @Test
  void aStoppedProcessIsReplacedAndEnds() throws Exception {
    try (TestingServer server = new TestingServer();
        RecorderProcess first = start(server)) {
      first.awaitLine("message=started");
      try (RecorderProcess second = start(server)) {
        second.awaitLine("another process leads");
        first.signal("STOP");
        second.awaitLine("leads", "message=leads");
        first.signal("CONT");
        assertThat(first.status()).isEqualTo(1);
        assertThat(first.lines()).anyMatch(line -> line.contains("another host has taken over"));
        second.awaitLine("message=started");
        assertThat(second.end("TERM")).isEqualTo(143);
      }
    }
  }
}
