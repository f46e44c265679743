package org.kblake.core.internal.log.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

final class PairEncoderTest {

  private static final ReferenceLayout LAYOUT = ReferenceLayout.INSTANCE;
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
  private static final long NANOS = 1_647_281_880_000_000_000L;

  private static final RecordTable RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(1, "A", ValueType.DOUBLE, 1),
              new RecordEntry(5, "B", ValueType.LONG, 4),
              new RecordEntry(6, "C", ValueType.SHORT, 1)));

  private final ByteBuffer out = ByteBuffer.allocate(1 << 12).order(ORDER);

  @TempDir Path root;

  @Test
  void bytesAreThoseOfAWriter() throws IOException {
    PairEncoder encoder = new PairEncoder(LAYOUT, ORDER, RECORDS);
    int at = encoder.milestone(out, 0, NANOS);
    at += number(encoder, at, 0, NANOS + 1, 1.5);
    int valueAt = at + LAYOUT.recordHeaderBytes();
    out.putInt(valueAt, 7).putInt(valueAt + 4, -8);
    encoder.event(out, at, 1, NANOS + 2, EventState.VALUE_CODE, 2, 3, 8);
    at = valueAt + 8;
    encoder.event(out, at, 0, NANOS + 3, EventState.DISCONNECTED.code(), 3, 9, 0);
    at += LAYOUT.recordHeaderBytes();
    long bytes = encoder.milestoneBytes();
    assertThat(encoder.milestone(out, at, NANOS + 4)).isEqualTo((int) bytes);
    at += (int) bytes;

    try (LogWriter writer = writer("20220315031800", RECORDS)) {
      writer.milestone(NANOS);
      writer.number(0, NANOS + 1, 1, 4, Double.doubleToRawLongBits(1.5));
      writer.numbers(1, NANOS + 2, 2, 3, new long[] {7, -8}, 0, 2);
      writer.connection(0, NANOS + 3, false, 3, 9);
      writer.milestone(NANOS + 4);
    }
    assertThat(Arrays.copyOf(out.array(), at)).isEqualTo(log("20220315031800"));
  }

  /** A record keeps its state by its name. A value of another type is none of the new record. */
  @Test
  void nextPairTakesStatesByNames() throws IOException {
    PairEncoder before = new PairEncoder(LAYOUT, ORDER, RECORDS);
    int at = number(before, 0, 0, NANOS + 1, 1.5);
    before.event(out, at, 0, NANOS + 2, EventState.DISCONNECTED.code(), 3, 9, 0);
    at += LAYOUT.recordHeaderBytes();
    out.putInt(at + LAYOUT.recordHeaderBytes(), 7);
    before.event(out, at, 1, NANOS + 3, EventState.VALUE_CODE, 0, 0, 4);

    RecordTable records =
        new RecordTable(
            List.of(
                new RecordEntry(0, "B", ValueType.DOUBLE, 1),
                new RecordEntry(1, "NEW", ValueType.DOUBLE, 1),
                new RecordEntry(2, "C", ValueType.SHORT, 1),
                new RecordEntry(3, "A", ValueType.DOUBLE, 1)));
    PairEncoder encoder = new PairEncoder(LAYOUT, ORDER, records);
    encoder.continueFrom(before);
    int bytes = encoder.milestone(out, 0, NANOS + 4);

    try (LogWriter writer = writer("20220315031801", records)) {
      writer.number(3, NANOS + 1, 1, 4, Double.doubleToRawLongBits(1.5));
      writer.connection(3, NANOS + 2, false, 3, 9);
      writer.connection(0, NANOS + 3, true, 0, 0);
      writer.milestone(NANOS + 4);
    }
    byte[] written = log("20220315031801");
    assertThat(Arrays.copyOf(out.array(), bytes))
        .isEqualTo(Arrays.copyOfRange(written, written.length - bytes, written.length));
  }

  private int number(PairEncoder encoder, int at, int ordinal, long nanos, double value) {
    out.putDouble(at + LAYOUT.recordHeaderBytes(), value);
    encoder.event(out, at, ordinal, nanos, EventState.VALUE_CODE, 1, 4, Double.BYTES);
    return LAYOUT.recordHeaderBytes() + Double.BYTES;
  }

  private LogWriter writer(String stamp, RecordTable records) throws IOException {
    return LogWriter.create(root, new Group("S", "G"), stamp, ORDER, records);
  }

  private byte[] log(String stamp) throws IOException {
    return Files.readAllBytes(root.resolve("S/G_" + stamp + ".log2"));
  }
}
