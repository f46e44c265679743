package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.model.Group;
import org.kblake.record.channelaccess.ChannelAccessSource;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.fixture.CaServer;
import org.kblake.record.fixture.ServedRecord;
import org.kblake.record.fixture.Wire;
import org.kblake.record.ledger.Ledger;
import org.kblake.record.ledger.LedgerSettings;
import org.kblake.record.log.DiskThreads;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.SyncPolicy;
import org.kblake.record.source.ChannelSource;

/** From a server in this JVM to the log on the disk, with real clocks. */
final class LiveRecordingTest implements GroupListener {

  private static final Group GROUP = new Group("BM", "DCCT");

  @TempDir Path root;
  private final List<String> notices = new ArrayList<>();
  private final CaServer server;
  private final ChannelSource source;

  LiveRecordingTest() throws IOException {
    server = CaServer.start();
    source =
        ChannelAccessSource.start(
            new ChannelAccessSettings(
                new SearchSettings(
                    List.of(server.address()),
                    List.of(),
                    SearchSettings.PACKETS_PER_SECOND,
                    Duration.ofMinutes(5),
                    new SearchSettings.Ports(5064, 25_999)),
                Duration.ofSeconds(30),
                Long.MAX_VALUE,
                1 << 22,
                ChannelAccessSettings.VALUE_AND_ALARM));
  }

  @BeforeEach
  void list() throws IOException {
    Files.createDirectories(root.resolve("SYS/LCF"));
    Files.write(root.resolve("SYS/LCF/DCCT.lcf"), List.of("BMLDCCT:CURRENT", "BM_BLM:D1:ADC"));
  }

  @AfterEach
  void close() {
    source.close();
    server.close();
  }

  @Override
  public void gap(Group group, LogGap gap) {
    notices.add(gap.toString());
  }

  @Override
  public void notice(Group group, String line) {
    notices.add(line);
  }

  private void record(Recorder recorder, BooleanSupplier isDone) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!isDone.getAsBoolean()) {
      assertThat(System.nanoTime()).as("recorded %s %s", read(), notices).isLessThan(end);
      recorder.turn();
    }
  }

  private List<String> read() {
    try {
      return LoggedEvents.read(root, GROUP).stream()
          .map(line -> line.replaceFirst(" \\d+ ", " "))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String doubles(double... values) {
    byte[] wire = Wire.doubles(values);
    return HexFormat.of().formatHex(wire, wire.length - 8 * values.length, wire.length);
  }

  @Test
  void valuesAlarmsConnectionsAndNewTypesReachTheLog() throws IOException {
    server.add(ServedRecord.number("BMLDCCT:CURRENT", 1));
    server.add(new ServedRecord("BM_BLM:D1:ADC", ServedRecord.DOUBLE, 3, 2, Wire.doubles(1, 2)));
    LogTiming timing = new LogTiming(60_000_000_000L, 0, 0, Long.MAX_VALUE, 0, 5_000_000_000L);
    LogSettings log =
        new LogSettings(
            root,
            ArchiveSettings.defaults(),
            timing,
            SyncPolicy.EVENT,
            ReferenceLayout.INSTANCE.maxLogBytes());
    GroupCounts counts;
    RecorderSettings settings = RecorderSettings.of(log);
    // Logs are only written while they are not read.
    DiskThreads threads = new DiskThreads(Runnable::run, 0);
    Ledger ledger = new Ledger(LedgerSettings.of("", Map.of()), source, settings, this);
    try (Recorder recorder = new Recorder(source, settings, ledger, threads)) {
      ledger.begin(recorder);
      counts = recorder.add(GROUP);
      recorder.awaitAdded(Duration.ofSeconds(60)); // the ledger
      String current = "BMLDCCT:CURRENT ";
      String losses = "BM_BLM:D1:ADC ";
      record(recorder, () -> read().size() == 4);
      assertThat(read())
          .containsExactlyInAnyOrder(
              current + "1 0 0 ",
              current + "2 0 0 " + doubles(1),
              losses + "1 0 0 ",
              losses + "2 0 0 " + doubles(1, 2));
      server.post("BMLDCCT:CURRENT", 1, Wire.stampedDoubles(3, 2, 1_000_000_000, 5, 7));
      record(recorder, () -> read().contains(current + "2 2 3 " + doubles(7)));
      server.post("BM_BLM:D1:ADC", 0, Wire.doubles());
      record(recorder, () -> read().size() == 6);
      assertThat(read()).endsWith(losses + "1 0 0 ");
      server.add(
          new ServedRecord("BMLDCCT:CURRENT", ServedRecord.STRING, 1, 1, Wire.strings("off")));
      server.closeCircuits();
      String off = HexFormat.of().formatHex("off".getBytes(StandardCharsets.UTF_8));
      String text = current + "2 0 0 " + off + "00".repeat(37);
      record(recorder, () -> read().contains(text) && read().size() == 12);
      assertThat(read()).contains(current + "0 3 9 ", losses + "0 3 9 ");
    }
    assertThat(read()).hasSize(12);
    assertThat(LoggedEvents.logs(root, GROUP)).hasSize(2);
    assertThat(counts.get(Count.WRITTEN)).isEqualTo(12);
    // The array is still empty after the reconnection.
    assertThat(counts.get(Count.EMPTY_ARRAYS)).isEqualTo(2);
    assertThat(notices).isEmpty();
    LoggedLedger losses = LoggedLedger.read(root);
    assertThat(losses.losses(GROUP)).isEqualTo(losses.losses(GROUP, LossReason.CIRCUIT_DOWN));
    assertThat(losses.losses(GROUP)).hasSize(1);
    assertThat(losses.last("127.0.0.1:" + server.port() + ":RECEIVED")).isEqualTo(6.0);
  }
}
