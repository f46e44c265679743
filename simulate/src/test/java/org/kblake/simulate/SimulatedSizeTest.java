package org.kblake.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.simulate.preset.SimulatedGroup;

/** Presets have the size and the compression ratio of the archives that they simulate. */
class SimulatedSizeTest {

  private static final int PIECE_BYTES = 128 << 10;
  private static final double MIB = 1 << 20;
  private static final double GIB = 1 << 30;

  @TempDir Path root;

  @Test
  void superkekbHasTheChannelsOfItsSubsystemsIn31Groups() {
    Map<String, Integer> channels = new TreeMap<>();
    for (SimulatedGroup plan : Preset.SUPERKEKB.groups(1)) {
      channels.merge(plan.group().system(), plan.channels().size(), Integer::sum);
    }

    assertThat(Preset.SUPERKEKB.groups(1)).hasSize(31);
    assertThat(channels)
        .isEqualTo(
            Map.of(
                "RF", 7509, "MG", 60_380, "VA", 5896, "BM", 3263, "BT", 8001, "LI", 1733, "Misc",
                1335));
  }

  @Test
  void superkekbWritesFourMebibytesAMinute() {
    SimulationSettings day = SimulationSettings.of(Preset.SUPERKEKB, root);

    double perMinute = Simulation.expectedBytes(day) / MIB / (24 * 60);

    assertThat(perMinute).isBetween(3.9, 4.1);
  }

  @Test
  void rfYearIs120Gibibytes() {
    SimulationSettings year = SimulationSettings.of(Preset.RF_YEAR, root);

    assertThat(Simulation.expectedBytes(year) / GIB).isBetween(118.0, 123.0);
    assertThat(year.length().toDays()).isEqualTo(365);
    assertThat(Preset.RF_YEAR.groups(1).get(0).channels()).hasSize(1000);
  }

  @Test
  void demoIsSmall() {
    SimulationSettings day = SimulationSettings.of(Preset.DEMO, root);

    assertThat(Simulation.expectedBytes(day) / MIB).isBetween(30.0, 60.0);
  }

  @Test
  void estimatesAreRightWithinAFewPercent() throws Exception {
    SimulationSettings settings = SimulationSettings.of(Preset.RF_YEAR, root).days(0.1);

    SimulationSummary summary = Simulation.run(settings, SimulationListener.NONE);

    assertThat((double) summary.logBytes() / Simulation.expectedBytes(settings))
        .isBetween(0.98, 1.02);
    assertThat((double) summary.events() / settings.length().toSeconds()).isBetween(140.0, 155.0);
  }

  @Test
  void rfYearCompressesAsMeasuredAtKek() throws Exception {
    Simulation.run(SimulationSettings.of(Preset.RF_YEAR, root).days(0.05), SimulationListener.NONE);

    assertThat(ratio(LZ4Factory.fastestInstance())).isBetween(1.4, 1.6);
    assertThat(ratio(LZ4Factory.safeInstance())).isBetween(1.4, 1.6);
  }

  /**
   * Simulates a quarter of an hour at full scale. At a smaller scale the groups have the same
   * ratios, but other weights.
   */
  @Test
  void superkekbCompressesAsMeasuredAtKek() throws Exception {
    Simulation.run(
        SimulationSettings.of(Preset.SUPERKEKB, root).days(0.01), SimulationListener.NONE);

    assertThat(ratio(LZ4Factory.fastestInstance())).isBetween(1.3, 1.5);
    assertThat(ratio(LZ4Factory.safeInstance())).isBetween(1.3, 1.5);
  }

  private double ratio(LZ4Factory factory) throws IOException {
    LZ4Compressor compressor = factory.fastCompressor();
    byte[] target = new byte[compressor.maxCompressedLength(PIECE_BYTES)];
    long raw = 0;
    long compressed = 0;
    for (Path log : LogWalk.logs(root)) {
      try (InputStream in = Files.newInputStream(log)) {
        byte[] piece = in.readNBytes(PIECE_BYTES);
        while (piece.length > 0) {
          raw += piece.length;
          compressed += compressor.compress(piece, 0, piece.length, target, 0, target.length);
          piece = in.readNBytes(PIECE_BYTES);
        }
      }
    }
    return (double) raw / compressed;
  }
}
