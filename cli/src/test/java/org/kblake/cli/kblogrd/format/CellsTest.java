package org.kblake.cli.kblogrd.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.format.text.TextBuffer;

class CellsTest {

  @Test
  void freeEscapesOnlyWhatBreaksALine() throws IOException {
    assertThat(text(new FreeCells(), "a b\tc\nd\\e\rf")).isEqualTo("a b\\tc\\nd\\\\e\rf");
    assertThat(text(new FreeCells(), "")).isEmpty();
    assertThat(text(new FreeCells(), "電流")).isEqualTo("電流");
  }

  @Test
  void kaleidaHasNoBlankAndNoEmptyCell() throws IOException {
    assertThat(text(new BlanklessCells(), "Beam  On\t!\n")).isEqualTo("Beam__On_!_");
    assertThat(text(new BlanklessCells(), "")).isEqualTo("\"\"");
    assertThat(text(new BlanklessCells(), " ")).isEqualTo("_");
    assertThat(text(new BlanklessCells(), "電\u3000流\u00a0\u0085\u2028")).isEqualTo("電_流___");
    assertThat(text(new BlanklessCells(), "a\u001c\\b")).isEqualTo("a_\\b");
  }

  @Test
  void sadQuotesStrings() throws IOException {
    assertThat(text(new QuotedCells(), "say \"x\"\\\n")).isEqualTo("\"say \\\"x\\\"\\\\\\n\"");
  }

  @ParameterizedTest
  @EnumSource(
      value = ValueType.class,
      names = {"SHORT", "ENUM", "CHAR", "LONG"})
  void integersHaveNoPoint(ValueType type) throws IOException {
    EventColumns columns = new EventColumns(type, false, 1);
    columns.values[0] = type == ValueType.LONG ? Integer.MIN_VALUE : 200;
    assertThat(written(new FreeCells(), columns))
        .isEqualTo(type == ValueType.LONG ? "-2147483648" : "200");
  }

  @Test
  void aFloatIsWidened() throws IOException {
    EventColumns columns = new EventColumns(ValueType.FLOAT, false, 1);
    columns.values[0] = Float.floatToRawIntBits(0.1f);
    assertThat(written(new FreeCells(), columns)).isEqualTo("1.000000e-01");
    columns.values[0] = Float.floatToRawIntBits(Float.NEGATIVE_INFINITY);
    assertThat(written(new FreeCells(), columns)).isEqualTo("-INF");
  }

  private static String text(Cells cells, String text) throws IOException {
    EventColumns columns = new EventColumns(ValueType.STRING, false, 1);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    columns.text = bytes;
    columns.textStarts[1] = bytes.length;
    return written(cells, columns);
  }

  private static String written(Cells cells, EventColumns columns) throws IOException {
    TextBuffer target = TextBuffer.inMemory();
    cells.write(columns, 0, target);
    return new String(Arrays.copyOf(target.bytes, target.position), StandardCharsets.UTF_8);
  }
}
