package org.kblake.core.internal.store.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;

class RowSelectionTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void keepsOnlyTheSelectedRows(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (ValueType type : List.of(ValueType.DOUBLE, ValueType.STRING)) {
      for (boolean waveform : new boolean[] {false, true}) {
        EventColumns rows = randomRows(type, waveform, random);
        List<String> chosen = new ArrayList<>();
        RowSelection selection = new RowSelection();
        int keepOneOf = 1 + random.nextInt(4);
        // If all rows are kept, the selection may end earlier. No row has to move then.
        int end = keepOneOf == 1 ? random.nextInt(rows.count + 1) : rows.count;
        for (int row = 0; row < end; row++) {
          if (random.nextInt(keepOneOf) == 0) {
            selection.add(row);
            chosen.add(text(rows, row));
          }
        }
        selection.applyTo(rows);
        List<String> left = new ArrayList<>();
        for (int row = 0; row < rows.count; row++) {
          left.add(text(rows, row));
        }
        assertThat(left)
            .as("seed %d, type %s, waveform %s", seed, type, waveform)
            .isEqualTo(chosen);
      }
    }
  }

  private static EventColumns randomRows(
      ValueType type, boolean waveform, SplittableRandom random) {
    int count = random.nextInt(200);
    EventColumns rows = new EventColumns(type, waveform, 8);
    rows.ensureRows(count);
    int element = 0;
    int textByte = 0;
    for (int row = 0; row < count; row++) {
      rows.timeNanos[row] = random.nextLong();
      rows.state[row] = (byte) random.nextInt(3);
      rows.segment[row] = row;
      rows.tie[row] = random.nextInt();
      int elements = waveform ? random.nextInt(4) : 1;
      rows.ensureElements(element + elements);
      for (int i = 0; i < elements; i++, element++) {
        if (type == ValueType.STRING) {
          byte[] text = "x".repeat(random.nextInt(5)).getBytes(StandardCharsets.UTF_8);
          rows.ensureText(textByte + text.length);
          System.arraycopy(text, 0, rows.text, textByte, text.length);
          textByte += text.length;
          rows.textStarts[element + 1] = textByte;
        } else {
          rows.values[element] = random.nextLong();
        }
      }
      if (waveform) {
        rows.listStarts[row + 1] = element;
      }
    }
    rows.count = count;
    return rows;
  }

  private static String text(EventColumns rows, int row) {
    StringBuilder text = new StringBuilder();
    text.append(rows.timeNanos[row]).append(' ').append(rows.state[row]);
    text.append(' ').append(rows.segment[row]).append(' ').append(rows.tie[row]);
    int from = rows.waveform() ? rows.listStarts[row] : row;
    int to = rows.waveform() ? rows.listStarts[row + 1] : row + 1;
    for (int element = from; element < to; element++) {
      text.append(' ');
      if (rows.type() == ValueType.STRING) {
        int start = rows.textStarts[element];
        int bytes = rows.textStarts[element + 1] - start;
        text.append(new String(rows.text, start, bytes, StandardCharsets.UTF_8));
      } else {
        text.append(rows.values[element]);
      }
    }
    return text.toString();
  }
}
