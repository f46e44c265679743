package org.kblake.ingest.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

class ScatteredRowsTest {

  /** More than three slabs of rows, so that numbers cross the border between slabs. */
  private static final int MANY_ROWS = 200_000;

  @TempDir Path overflow;

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void returnsTheRowsOfEachSeriesInOrderOfArrival(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    ScatteredRows rows = new ScatteredRows(new RowMemory(1L << 30, overflow));
    List<List<Long>> expected = new ArrayList<>();
    for (int series = 0; series < 50; series++) {
      expected.add(new ArrayList<>());
    }
    for (int i = 0; i < MANY_ROWS; i++) {
      int series = random.nextInt(50);
      expected.get(series).add((long) i);
      rows.add(series, i, i * 3L, EventState.VALUE_CODE, i & 3, i & 0xFFFF, i % 7 == 0, 5, i, -i);
    }
    EventColumns batch = new EventColumns(ValueType.DOUBLE, false, 16);
    for (int series = 0; series < 50; series++) {
      int count = expected.get(series).size();
      assertThat(rows.rows(series)).isEqualTo(count);
      rows.cursor(series).read(count, batch);
      for (int row = 0; row < count; row++) {
        int i = (int) (long) expected.get(series).get(row);
        assertThat(batch.timeNanos[row]).isEqualTo(i);
        assertThat(batch.values[row]).isEqualTo(i * 3L);
        assertThat(batch.severity[row]).isEqualTo((byte) (i & 3));
        assertThat(Short.toUnsignedInt(batch.status[row])).isEqualTo(i & 0xFFFF);
        assertThat(batch.stray[row]).isEqualTo((byte) (i % 7 == 0 ? 1 : 0));
        assertThat(batch.segment[row]).isEqualTo(5);
        assertThat(batch.latenessNanos[row]).isEqualTo(i);
        assertThat(batch.tie[row]).isEqualTo(-i);
      }
    }
  }

  @Test
  void keepsTextsAndWaveformsBeyondTheBudget() throws IOException {
    RowMemory memory = new RowMemory(RowMemory.SLAB_BYTES, overflow);
    ScatteredRows rows = new ScatteredRows(memory);
    EventColumns text = new EventColumns(ValueType.STRING, false, 1);
    EventColumns wave = new EventColumns(ValueType.DOUBLE, true, 1);
    byte[] word = "運転 on".getBytes(StandardCharsets.UTF_8);
    text.count = 1;
    text.text = word;
    text.textStarts[1] = word.length;
    wave.count = 1;
    wave.ensureElements(5_120);
    wave.listStarts[1] = 5_120;
    for (int i = 0; i < 1_000; i++) {
      long textBits = rows.addValue(0, text, 0);
      rows.add(0, i, textBits, EventState.VALUE_CODE, 0, 0, false, 0, 0, 0);
      wave.values[5_119] = i;
      long waveBits = rows.addValue(1, wave, 0);
      rows.add(1, i, waveBits, EventState.VALUE_CODE, 0, 0, false, 0, 0, 0);
      rows.add(1, i, 0, 0, 3, 9, false, 0, 0, 0);
    }
    assertThat(rows.full()).isTrue();
    EventColumns read = new EventColumns(ValueType.STRING, false, 1);
    RowCursor last = rows.cursor(0);
    last.skip(999);
    last.read(1, read);
    assertThat(new String(read.text, 0, read.textStarts[1], StandardCharsets.UTF_8))
        .isEqualTo("運転 on");
    EventColumns waves = new EventColumns(ValueType.DOUBLE, true, 1);
    rows.cursor(1).read(2_000, waves);
    assertThat(waves.listStarts[2_000]).isEqualTo(1_000 * 5_120);
    assertThat(waves.values[5_119]).isZero();
    assertThat(waves.values[999 * 5_120 + 5_119]).isEqualTo(999);
    assertThat(waves.listStarts[2]).isEqualTo(5_120);
    rows.clear();
    assertThat(rows.full()).isFalse();
    assertThat(rows.rows()).isZero();
  }

  /**
   * After rows were removed, all others are as if these had never been added, and more can be
   * added.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void removesTheLastSegments(long seed) throws IOException {
    List<Series> series =
        List.of(
            new Series("A", ValueType.DOUBLE, false),
            new Series("B", ValueType.STRING, false),
            new Series("C", ValueType.DOUBLE, true),
            new Series("D", ValueType.DOUBLE, false));
    SplittableRandom random = new SplittableRandom(seed);
    int segments = 1 + random.nextInt(6);
    int kept = random.nextInt(segments + 1);
    ScatteredRows rows = new ScatteredRows(new RowMemory(1L << 30, overflow));
    ScatteredRows expected = new ScatteredRows(new RowMemory(1L << 30, overflow));
    for (int segment = 0; segment < segments; segment++) {
      long arriving = random.nextLong();
      addSegment(rows, series, segment, new SplittableRandom(arriving));
      if (segment < kept) {
        addSegment(expected, series, segment, new SplittableRandom(arriving));
      }
    }
    rows.removeFrom(kept, series);
    requireSame(rows, expected, series);
    addSegment(rows, series, kept, new SplittableRandom(seed));
    addSegment(expected, series, kept, new SplittableRandom(seed));
    requireSame(rows, expected, series);
  }

  /** Adds a segment. The last series has no rows in most segments. */
  private static void addSegment(
      ScatteredRows rows, List<Series> series, int segment, SplittableRandom random)
      throws IOException {
    for (int i = random.nextInt(3_000); i > 0; i--) {
      int number = random.nextInt(random.nextInt(20) == 0 ? series.size() : series.size() - 1);
      EventColumns row =
          new EventColumns(series.get(number).type(), series.get(number).waveform(), 1);
      int elements = row.waveform() ? random.nextInt(5) : 1;
      row.count = 1;
      row.ensureElements(elements);
      if (row.waveform()) {
        row.listStarts[1] = elements;
      }
      if (row.type() == ValueType.STRING) {
        row.text = "x".repeat(random.nextInt(40)).getBytes(StandardCharsets.UTF_8);
        row.textStarts[1] = row.text.length;
      }
      row.timeNanos[0] = random.nextLong();
      row.state[0] = (byte) (random.nextInt(3) == 0 ? 0 : EventState.VALUE_CODE);
      row.latenessNanos[0] = random.nextInt(3);
      rows.add(number, row, 0, segment);
    }
  }

  private static void requireSame(ScatteredRows rows, ScatteredRows expected, List<Series> series) {
    assertThat(rows.rows()).isEqualTo(expected.rows());
    for (int i = 0; i < series.size(); i++) {
      assertThat(rows.rows(i)).isEqualTo(expected.rows(i));
      assertThat(rows.bytes(i)).isEqualTo(expected.bytes(i));
      assertThat(rows.longestRow(i)).isEqualTo(expected.longestRow(i));
      EventColumns row = new EventColumns(series.get(i).type(), series.get(i).waveform(), 1);
      EventColumns same = new EventColumns(series.get(i).type(), series.get(i).waveform(), 1);
      RowCursor cursor = rows.cursor(i);
      RowCursor other = expected.cursor(i);
      while (other.next()) {
        assertThat(cursor.next()).isTrue();
        cursor.copy(row);
        other.copy(same);
        assertThat(row.timeNanos[0]).isEqualTo(same.timeNanos[0]);
        assertThat(row.segment[0]).isEqualTo(same.segment[0]);
        assertThat(row.elements()).isEqualTo(same.elements());
        assertThat(row.latenessNanos[0]).isEqualTo(same.latenessNanos[0]);
      }
      assertThat(cursor.next()).isFalse();
    }
  }
}
