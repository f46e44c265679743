package org.kblake.format.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.kblake.format.AnswerWriter;
import org.kblake.format.time.TimeText;

/** Writes rows of a table as lines of text: a time, and the value of each other vector. */
public final class WideTextWriter implements AnswerWriter {

  private final List<FieldVector> table;
  private final TextDialect dialect;
  private final TimeText time;
  private final TextBuffer out;
  private final List<ValueText> values = new ArrayList<>();

  /** The text before each cell. */
  private final List<byte[]> openings = new ArrayList<>();

  private final byte[] timeClosing;
  private boolean first = true;

  public WideTextWriter(
      OutputStream stream, List<FieldVector> table, TextDialect dialect, TimeText time)
      throws IOException {
    this.table = table;
    this.dialect = dialect;
    this.time = time;
    out = TextBuffer.to(stream);
    boolean quotedTime = dialect.objects() && !time.numeric();
    timeClosing = (quotedTime ? "\"" : "").getBytes(UTF_8);
    List<String> names = new ArrayList<>();
    for (FieldVector vector : table) {
      boolean isTime = names.isEmpty();
      names.add(dialect.objects() ? vector.getName() : text(vector.getName(), dialect.escape()));
      String opening =
          dialect.objects()
              ? (isTime ? "" : ",") + text(vector.getName(), TextEscape.JSON) + ":"
              : dialect.cellOpening("", isTime);
      openings.add((opening + (isTime && quotedTime ? "\"" : "")).getBytes(UTF_8));
      if (!isTime) {
        values.add(ValueText.of(vector, dialect, time));
      }
    }
    out.put(dialect.opening(names).getBytes(UTF_8));
  }

  private static String text(String name, TextEscape escape) throws IOException {
    TextBuffer cell = TextBuffer.inMemory();
    byte[] bytes = name.getBytes(UTF_8);
    escape.write(bytes, 0, bytes.length, cell);
    return new String(Arrays.copyOf(cell.bytes, cell.position), UTF_8);
  }

  @Override
  public void write() throws IOException {
    int rows = table.get(0).getValueCount();
    if (rows == 0) {
      return;
    }
    ByteBuffer nanos = VectorBytes.of(table.get(0), Long.BYTES);
    for (ValueText each : values) {
      each.bind();
    }
    for (int row = 0; row < rows; row++) {
      out.put(dialect.rowOpening(first).getBytes(UTF_8));
      first = false;
      out.put(openings.get(0));
      out.ensure(TimeText.MAX_BYTES);
      out.position = time.write(nanos.getLong(row * Long.BYTES), out.bytes, out.position);
      out.put(timeClosing);
      for (int i = 0; i < values.size(); i++) {
        out.put(openings.get(i + 1));
        if (!values.get(i).write(row, out)) {
          out.put(dialect.noValue().getBytes(UTF_8));
        }
      }
      out.put(dialect.rowClosing().getBytes(UTF_8));
    }
    out.flush();
  }

  @Override
  public void finish() throws IOException {
    out.put(dialect.closing().getBytes(UTF_8));
    out.flush();
  }

  @Override
  public void close() {}
}
