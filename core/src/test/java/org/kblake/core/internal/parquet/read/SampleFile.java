package org.kblake.core.internal.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.write.EventFileWriter;
import org.kblake.core.internal.parquet.write.RowGroupEncoder;
import org.kblake.core.model.ValueType;

/** Writes rows to a file in memory and compares the rows read from it. */
final class SampleFile {

  static final EnumSet<EventColumn> ALL = EnumSet.allOf(EventColumn.class);

  private SampleFile() {}

  /** A written file. */
  record Written(MemoryFile file, FileLayout layout) {}

  /** Writes a file with a row group for each batch. Each row group has one channel. */
  static Written write(WriteProfile profile, List<EventColumns> rowGroups) {
    MemoryFile.Sink sink = new MemoryFile.Sink();
    ValueType type = rowGroups.get(0).type();
    boolean waveform = rowGroups.get(0).waveform();
    RowGroupEncoder encoder = new RowGroupEncoder();
    try (EventFileWriter writer =
        new EventFileWriter(sink, type, waveform, profile, Map.of("kblake.group", "VA/CCG"))) {
      int channel = 0;
      for (EventColumns rows : rowGroups) {
        encoder.begin(type, waveform, profile);
        encoder.channel("CHANNEL:" + channel++);
        encoder.append(rows);
        writer.append(encoder.finish());
      }
      FileLayout layout = writer.finish();
      return new Written(sink.file(), layout);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads all rows of a row group. */
  static EventColumns read(MemoryFile file, RowGroupLayout rowGroup, EventColumns like)
      throws IOException {
    EventColumns into = new EventColumns(like.type(), like.waveform(), 1);
    new EventPageReader().read(file, rowGroup, 0, rowGroup.pages(), ALL, into);
    return into;
  }

  /** Asserts that rows are bit for bit equal to a span of others. */
  static void assertSame(EventColumns found, EventColumns expected, int from, int to) {
    int count = to - from;
    assertThat(found.count).isEqualTo(count);
    same(found.timeNanos, expected.timeNanos, from, to);
    same(found.latenessNanos, expected.latenessNanos, from, to);
    assertThat(Arrays.copyOf(found.state, count))
        .isEqualTo(Arrays.copyOfRange(expected.state, from, to));
    assertThat(Arrays.copyOf(found.severity, count))
        .isEqualTo(Arrays.copyOfRange(expected.severity, from, to));
    assertThat(Arrays.copyOf(found.status, count))
        .isEqualTo(Arrays.copyOfRange(expected.status, from, to));
    assertThat(Arrays.copyOf(found.stray, count))
        .isEqualTo(Arrays.copyOfRange(expected.stray, from, to));
    assertThat(Arrays.copyOf(found.segment, count))
        .isEqualTo(Arrays.copyOfRange(expected.segment, from, to));
    assertThat(Arrays.copyOf(found.tie, count))
        .isEqualTo(Arrays.copyOfRange(expected.tie, from, to));
    int fromElement = from;
    int toElement = to;
    if (expected.waveform()) {
      fromElement = expected.listStarts[from];
      toElement = expected.listStarts[to];
      assertThat(starts(found.listStarts, 0, count))
          .isEqualTo(starts(expected.listStarts, from, to));
    }
    if (expected.type() == ValueType.STRING) {
      int elements = toElement - fromElement;
      assertThat(starts(found.textStarts, 0, elements))
          .isEqualTo(starts(expected.textStarts, fromElement, toElement));
      assertThat(Arrays.copyOf(found.text, found.textStarts[elements]))
          .isEqualTo(
              Arrays.copyOfRange(
                  expected.text, expected.textStarts[fromElement], expected.textStarts[toElement]));
    } else {
      same(found.values, expected.values, fromElement, toElement);
    }
  }

  private static void same(long[] found, long[] expected, int from, int to) {
    assertThat(Arrays.mismatch(found, 0, to - from, expected, from, to)).isEqualTo(-1);
  }

  private static int[] starts(int[] starts, int from, int to) {
    int[] moved = Arrays.copyOfRange(starts, from, to + 1);
    for (int i = moved.length - 1; i >= 0; i--) {
      moved[i] -= moved[0];
    }
    return moved;
  }
}
