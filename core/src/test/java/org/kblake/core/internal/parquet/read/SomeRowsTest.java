package org.kblake.core.internal.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.DeltaEncoding;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** Selected rows of a page are equal to those of the whole page, in each encoding. */
class SomeRowsTest {

  /** Two pages: a full one, and one whose literals end in the middle of a group of eight. */
  private static final int ROWS = 4096 + 333;

  private final EventPageReader reader = new EventPageReader();
  private final Set<ColumnEncoding> seen = EnumSet.noneOf(ColumnEncoding.class);

  @Test
  void areEqualToThoseOfTheWholePage() throws IOException {
    long seed = Seeds.one("SomeRowsTest, whole pages");
    Random random = new Random(seed);
    for (WriteProfile profile :
        List.of(WriteProfile.STANDARD, new WriteProfile(Codec.NONE, false))) {
      for (ValueType type : ValueType.values()) {
        for (SampleRows.Shape shape : SampleRows.Shape.values()) {
          for (SampleRows.Order order : SampleRows.Order.values()) {
            for (boolean waveform : new boolean[] {false, true}) {
              String what = type + " " + shape + " " + order + " " + waveform + ", seed " + seed;
              EventColumns rows =
                  SampleRows.of(type, waveform, ROWS, shape, order, random.nextLong());
              check(rows, profile, random, what);
            }
          }
        }
      }
    }
    assertThat(seen).isEqualTo(EnumSet.allOf(ColumnEncoding.class));
  }

  /** Positions lie before, in and behind long runs and the literals between them. */
  @Test
  void areFoundAmongRuns() throws IOException {
    long seed = Seeds.one("SomeRowsTest, runs");
    Random random = new Random(seed);
    EventColumns rows =
        SampleRows.of(
            ValueType.ENUM, false, ROWS, SampleRows.Shape.FEW, SampleRows.Order.TAME, seed);
    int row = 0;
    while (row < ROWS) {
      int end = Math.min(ROWS, row + 1 + random.nextInt(200));
      boolean run = random.nextBoolean();
      for (int value = random.nextInt(5); row < end; row++) {
        rows.values[row] = run ? value : random.nextInt(5);
        rows.state[row] = (byte) (run ? EventState.VALUE_CODE : random.nextInt(3));
        rows.values[row] = rows.state[row] == EventState.VALUE_CODE ? rows.values[row] : 0;
        rows.stray[row] = (byte) (run ? 0 : random.nextInt(2));
        rows.severity[row] = (byte) (run ? value % 4 : random.nextInt(4));
      }
    }
    check(rows, WriteProfile.STANDARD, random, "seed " + seed);
  }

  /** Steps of 0 or 1 are summed by miniblock, other steps one by one. */
  @Test
  void areFoundAmongDeltas() throws MalformedPageException {
    long seed = Seeds.one("SomeRowsTest, deltas");
    Random random = new Random(seed);
    DeltaEncoding delta = new DeltaEncoding();
    for (int i = 0; i < 400; i++) {
      boolean narrow = random.nextBoolean();
      int most = new int[] {1, 2, 2, 9, Integer.MAX_VALUE}[random.nextInt(5)];
      long[] values = new long[1 + random.nextInt(1000)];
      long value = random.nextInt();
      for (int k = 0; k < values.length; k++) {
        values[k] = value;
        value += random.nextInt(most) - (random.nextInt(100) == 0 ? 1 : 0);
        value = narrow ? (int) value : value;
      }
      ByteOutput body = new ByteOutput(64);
      delta.encode(values, 0, values.length, narrow, body);
      int end = body.size;
      body.ensure(16);
      RowIndices some = someOf(values.length, 1 + random.nextInt(200), random);
      long[] found = new long[some.count()];
      delta.decodeAt(body.bytes, 0, end, narrow, values.length, some, found);
      for (int k = 0; k < found.length; k++) {
        assertThat(found[k]).as("seed %s", seed).isEqualTo(values[some.get(k)]);
      }
    }
  }

  private void check(EventColumns rows, WriteProfile profile, Random random, String what)
      throws IOException {
    SampleFile.Written written = SampleFile.write(profile, List.of(rows));
    RowGroupLayout layout = written.layout().rowGroups().get(0);
    for (ColumnLayout column : layout.columns()) {
      seen.add(column.encoding());
    }
    EventColumns found = new EventColumns(rows.type(), rows.waveform(), 1);
    for (int page = 0; page < layout.pages(); page++) {
      int first = layout.pageRows()[page];
      int count = layout.pageRows()[page + 1] - first;
      for (int gap : new int[] {1, 3, 100, 5000}) {
        RowIndices some = someOf(count, gap, random);
        EventColumns expected = new EventColumns(rows.type(), rows.waveform(), 1);
        for (int i = 0; i < some.count(); i++) {
          expected.append(rows, first + some.get(i), first + some.get(i) + 1);
        }
        reader.readRows(written.file(), layout, page, some, SampleFile.ALL, found);
        try {
          SampleFile.assertSame(found, expected, 0, expected.count);
        } catch (AssertionError e) {
          throw new AssertionError(what, e);
        }
      }
    }
  }

  /** Returns rows with gaps of at most this size between them. */
  private static RowIndices someOf(int rows, int largestGap, Random random) {
    RowIndices some = new RowIndices();
    for (int row = random.nextInt(largestGap); row < rows; row += 1 + random.nextInt(largestGap)) {
      some.add(row);
    }
    return some;
  }
}
