package org.kblake.record.importing.appliance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.TimeRange;
import org.kblake.record.importing.ImportReport;
import org.kblake.record.importing.ImportSource;

final class PbTreeTest {

  private static final int CHANNELS = 40;
  private static final int FILES = 250;
  private static final long BEGIN = 1_600_000_000_000_000_000L;

  @TempDir Path directory;

  private final ImportReport report = new ImportReport(line -> {});

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private List<PbChannel> channels() throws IOException {
    PbTree tree = PbTree.read(directory, report);
    List<PbChannel> channels = new ArrayList<>();
    for (String name : tree.names()) {
      channels.add(Objects.requireNonNull(tree.channel(name, TimeRange.ALL)));
    }
    return channels;
  }

  /** An appliance of 10,000 channels with a file for each day has millions of files. */
  @Test
  void aFileTakesFewBytesOfMemory() throws IOException {
    for (int channel = 0; channel < CHANNELS; channel++) {
      String name = "VALCCG_D01_H%02d:PRES".formatted(channel);
      Path folder = Files.createDirectories(directory.resolve(name.replace('_', '/')));
      for (int day = 0; day < FILES; day++) {
        PbFileBytes file = new PbFileBytes(name, 6, 2020, 1);
        file.sample(BEGIN + day, new Object[] {0L}, 0, 0, -1, -1);
        Files.write(folder.resolve("PRES:2020_%05d.pb".formatted(day)), file.get());
      }
    }
    channels(); // Loads the classes.
    long before = usedHeap();
    List<PbChannel> channels = channels();
    ImportSource source = new ApplianceSource(channels, TimeRange.ALL, Long.MIN_VALUE, report);
    long bytes = (usedHeap() - before) / (CHANNELS * FILES);
    System.out.println("bytes of a file: " + bytes);
    assertThat(bytes).isLessThan(200);
    int events = 0;
    while (source.next() != null) {
      events++;
    }
    assertThat(events).isEqualTo(CHANNELS * FILES);
    source.close();
  }

  /** A new pair for each longer value would have all records of the group, hundreds of times. */
  @Test
  void aWaveformHasRoomForTheValuesThatWereSeen() throws IOException {
    PbFileBytes file = new PbFileBytes("W", 13, 2020, 1);
    for (int i = 1; i < 20; i++) {
      Object[] value = new Object[10 * i];
      Arrays.fill(value, (long) i);
      file.sample(BEGIN + i, value, 0, 0, -1, -1);
    }
    Files.write(directory.resolve("W.pb"), file.get());
    assertThat(channels().get(0).asSource().elements()).isEqualTo(256);
  }
}
