package org.kblake.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.write.EventFileWriter;
import org.kblake.core.internal.parquet.write.RowGroupEncoder;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** A file of 100,000 channels becomes a data file, with bounds and few splits. */
final class ManyChannelsTest {

  private static final int CHANNELS = 100_000;
  private static final int CHANNELS_OF_ROW_GROUP = 50_000;

  @TempDir private Path directory;

  @Test
  void aFileOfManyChannelsIsWrittenAgain() throws Exception {
    Path source = directory.resolve("double.parquet");
    write(source);
    Path target = directory.resolve("rewritten.parquet");
    try (EventFile file = EventFile.open(source)) {
      assertThat(file.isForAllEngines(ValueType.DOUBLE, false, null, false)).isFalse();
      FileChannel out =
          FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      long rows = new FileRewriter(Codec.LZ4).write(file, null, out, Map.of("kblake.block", "x"));
      assertThat(rows).isEqualTo(CHANNELS);
    }
    try (EventFile file = EventFile.open(target)) {
      assertThat(file.isForAllEngines(ValueType.DOUBLE, false, Codec.LZ4, true)).isTrue();
      Set<String> channels = new HashSet<>();
      file.read((channel, rows, from, to) -> channels.add(channel));
      assertThat(channels).hasSize(CHANNELS);
      assertThat(file.rows()).isEqualTo(CHANNELS);
      assertThat(
              Util.readFileMetaData(new ByteArrayInputStream(file.footer()))
                  .getKey_value_metadata())
          .anyMatch(pair -> pair.getKey().equals("kblake.block") && pair.getValue().equals("x"));
    }
  }

  private static void write(Path file) throws Exception {
    RowGroupEncoder encoder = new RowGroupEncoder();
    EventColumns row = new EventColumns(ValueType.DOUBLE, false, 1);
    row.count = 1;
    row.state[0] = EventState.VALUE_CODE;
    FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (EventFileWriter writer =
        new EventFileWriter(out, ValueType.DOUBLE, false, WriteProfile.STANDARD, Map.of())) {
      for (int first = 0; first < CHANNELS; first += CHANNELS_OF_ROW_GROUP) {
        encoder.begin(ValueType.DOUBLE, false, WriteProfile.STANDARD);
        for (int channel = first; channel < first + CHANNELS_OF_ROW_GROUP; channel++) {
          encoder.channel(String.format(Locale.ROOT, "C%06d", channel));
          row.timeNanos[0] = channel;
          row.values[0] = Double.doubleToRawLongBits(channel / 3.0);
          encoder.append(row);
        }
        writer.append(encoder.finish());
      }
      writer.finish();
    }
  }
}
