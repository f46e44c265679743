package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.cli.doctor.Diagnosis;
import org.kblake.core.model.Group;

/** What {@code kblake config check} and {@code kblake doctor} say of the table {@code [record]}. */
final class RecorderTableTest {

  @TempDir Path directory;
  private final Map<String, String> variables = new HashMap<>();

  @BeforeEach
  void archive() throws IOException {
    variables.put("LC_ALL", "C");
    variables.put("EPICS_CA_ADDR_LIST", "127.0.0.1");
    Files.createDirectories(directory.resolve("logs/SYS/LCF"));
    Files.writeString(directory.resolve("logs/SYS/LCF/CCG.lcf"), "A:X\nA:Y\n");
    Files.writeString(directory.resolve("logs/SYS/KEKBLog.list"), "VA CCG\n");
    settings("");
  }

  private void settings(String lines) throws IOException {
    Files.writeString(directory.resolve("kblake.toml"), "archive = \"logs\"\n[record]\n" + lines);
  }

  private KblakeRun run(String... line) {
    KblakeRun.Builder builder = KblakeRun.in(directory).at(Instant.now());
    variables.forEach(builder::with);
    return builder.run(line);
  }

  private String doctor() {
    return run("doctor").out().replaceAll("\\s+", " ");
  }

  @Test
  void configCheckKnowsTheTable() throws IOException {
    settings("rotate = \"1d\"\nlists.\"VA/CCG\" = \"ccg.lcf\"\n");
    KblakeRun check = run("config", "check");
    assertThat(check.err()).isEmpty();
    assertThat(check.out())
        .containsPattern("record.rotate +1d")
        .containsPattern("record.lists.\"VA/CCG\" +\\S*ccg.lcf");
    settings("rotat = \"1d\"\nflush = \"1h\"\n");
    KblakeRun wrong = run("config", "check");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("kblake.toml: line 3: unknown key 'record.rotat'", "kblake.toml: line 4: record");
  }

  @Test
  void doctorTellsWhatIsThere() {
    assertThat(doctor())
        .contains(
            "record ok groups with a list: 1, channels: 2",
            "record ok this user may write to the archive",
            "record ok EPICS_CA_AUTO_ADDR_LIST is not set, which means NO here",
            "record ok no recorder of these groups runs on this machine",
            "record ok kblake record needs up to ");
    assertThat(directory.resolve("logs")).isDirectoryNotContaining("glob:**Kblake");
  }

  @Test
  void doctorNamesMissingLists() throws IOException {
    settings("groups = \"VA/CCG, BM/DCCT\"\n");
    assertThat(doctor())
        .contains("record problem BM/DCCT: no list: " + logs("SYS/LCF/DCCT.lcf"))
        .contains("groups with a list: 1, channels: 2");
    Files.delete(logs("SYS/KEKBLog.list"));
    settings("");
    assertThat(doctor()).contains("record problem nothing to record");
  }

  private Path logs(String path) {
    return directory.resolve("logs").resolve(path);
  }

  /** An empty mount point must not be taken for an archive, so only an operator makes SYS. */
  @Test
  void doctorTellsHowToBeginAnArchive() throws IOException {
    Files.delete(logs("SYS/KEKBLog.list"));
    Files.delete(logs("SYS/LCF/CCG.lcf"));
    Files.delete(logs("SYS/LCF"));
    Files.delete(logs("SYS"));
    assertThat(doctor()).contains("mkdir " + logs("SYS"));
  }

  @Test
  void doctorWarnsWithoutAddresses() {
    variables.remove("EPICS_CA_ADDR_LIST");
    assertThat(doctor())
        .contains("record warning no address to search: set EPICS_CA_ADDR_LIST")
        .contains("/etc/kblake/record.environment");
  }

  @Test
  void doctorLooksForARepeater() throws IOException {
    try (DatagramSocket repeater = new DatagramSocket()) {
      variables.put("EPICS_CA_REPEATER_PORT", String.valueOf(repeater.getLocalPort()));
      assertThat(doctor()).contains("record ok a repeater of beacons (caRepeater) has port ");
    }
    assertThat(doctor()).contains("record warning no repeater of beacons at port ");
  }

  @Test
  void doctorLooksAtThePort() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      settings("listen = \"127.0.0.1:" + other.getLocalPort() + "\"\n");
      assertThat(doctor()).contains("record problem cannot listen on 127.0.0.1:");
    }
    assertThat(doctor()).doesNotContain("cannot listen");
  }

  @Test
  void doctorAsksWhetherZooKeeperIsThere() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + server.getLocalPort();
      settings("zookeeper = \"" + address + "/site\"\n");
      assertThat(doctor()).contains("record ok ZooKeeper accepts connections: " + address);
      settings("zookeeper = \"" + address + ",127.0.0.1:1\"\n");
      assertThat(doctor())
          .contains("record warning ZooKeeper does not accept connections: 127.0.0.1:1 (");
    }
  }

  @Test
  void doctorComparesTheAgeOfStamps() throws IOException {
    List<Diagnosis> found = new ArrayList<>();
    StandbyExamination standby = new StandbyExamination(directory.resolve("logs"), found::add);
    Group group = Group.parse("VA/CCG");
    Instant now = Instant.now();
    standby.stamps(group, now, Duration.ofSeconds(60));
    assertThat(found).isEmpty();
    Files.createDirectories(logs("VA"));
    Files.createFile(logs("VA/.CCG_20260101000000.stamps"));
    Files.createFile(logs("VA/.CCG_B_20260101000000.stamps"));
    Files.setLastModifiedTime(
        logs("VA/.CCG_20260101000000.stamps"), FileTime.from(now.minusSeconds(61)));
    standby.stamps(group, now, Duration.ofSeconds(60));
    standby.stamps(group, now, Duration.ofSeconds(61));
    assertThat(found.toString())
        .contains(
            "stamps for a standby: VA/CCG, 61 s old: ", "stamps for a standby: VA/CCG, 61 s old,");
  }

  @Test
  void doctorComparesTheMemory() throws IOException {
    settings("waiting = \"1000G\"\nring = \"1G\"\n");
    assertThat(doctor())
        .contains(" beside it for the ring and events that wait; the machine has ")
        .contains("set waiting in [record] lower");
  }

  @Test
  void doctorFindsARecorderAndItsLedger() throws Exception {
    settings("source = \"host\"\ngroups = \"HOST/CPU\"\nlisten = \"127.0.0.1:0\"\n");
    try (RecorderProcess recorder = RecorderProcess.start(directory, Map.of("LC_ALL", "C"))) {
      recorder.awaitLine("connected", "group=HOST/CPU");
      recorder.await(() -> Files.exists(logs("Kblake")));
      assertThat(doctor()).containsPattern("record ok a recorder runs: pid=\\d+, group=HOST/CPU");
      recorder.end("TERM");
    }
    assertThat(doctor())
        .contains("ledger ok no loss is stated of the last day")
        .contains("record ok no recorder of these groups runs");
  }

  @Test
  void aLineOfALockNamesItsProcess() throws IOException {
    Path file = Files.createFile(directory.resolve("lock"));
    Object node = Files.getAttribute(file, "unix:ino");
    String other = "1: FLOCK  ADVISORY  WRITE 17 fd:00:" + node + " 0 EOF\n";
    assertThat(new LockTable(other).holder(file)).isNull();
    assertThat(
            new LockTable(other + "2: POSIX  ADVISORY  WRITE 18 fd:00:" + node + " 0 EOF")
                .holder(file))
        .isEqualTo(18);
    assertThat(new LockTable("2: -> POSIX ADVISORY\n\n").holder(file)).isNull();
  }
}
