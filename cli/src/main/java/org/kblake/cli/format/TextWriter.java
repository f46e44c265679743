package org.kblake.cli.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EventState;

/**
 * Rows as lines of text. What repeats is made once and copied: a cell per channel and group, and
 * the cells of state, severity and status for as long as these do not change.
 */
final class TextWriter implements AnswerWriter {

  /** Room for state, severity, status and stray with the keys of JSON. */
  private static final int MAX_FACTS_BYTES = 96;

  private final VectorSchemaRoot root;
  private final TextDialect dialect;
  private final TimeText time;
  private final TextBuffer out;

  private final FieldVector times;
  private final FieldVector channels;
  private final @Nullable FieldVector groups;
  private final FieldVector states;
  private final FieldVector severities;
  private final FieldVector statuses;
  private final @Nullable BitVector strays;
  private final ValueText values;

  private final byte[] rowOpening;
  private final byte[] timeClosing;
  private final byte[][] channelCells;
  private final byte[][] groupCells;
  private final byte[] noValue;
  private final byte[] rowClosing;
  private final int maxHeadBytes;

  private byte[] pendingRowOpening;
  private int facts = -1;
  private byte[] factCells = {};

  TextWriter(
      OutputStream stream,
      VectorSchemaRoot root,
      DictionaryProvider dictionaries,
      TextDialect dialect,
      TimeText time)
      throws IOException {
    this.root = root;
    this.dialect = dialect;
    this.time = time;
    out = TextBuffer.to(stream);
    times = root.getVector("time");
    channels = root.getVector("channel");
    groups = root.getVector("group");
    states = root.getVector("state");
    severities = root.getVector("severity");
    statuses = root.getVector("status");
    strays = (BitVector) root.getVector("stray");
    values = ValueText.of(root.getVector("value"), dialect);

    boolean quotedTime = dialect.objects() && !time.numeric();
    String timeOpening = dialect.cellOpening("time", true) + (quotedTime ? "\"" : "");
    rowOpening = (dialect.rowOpening(false) + timeOpening).getBytes(UTF_8);
    pendingRowOpening = (dialect.rowOpening(true) + timeOpening).getBytes(UTF_8);
    timeClosing = (quotedTime ? "\"" : "").getBytes(UTF_8);
    channelCells = cells("channel", channels, dictionaries);
    groupCells = groups == null ? new byte[0][] : cells("group", groups, dictionaries);
    noValue = dialect.noValue().getBytes(UTF_8);
    rowClosing = dialect.rowClosing().getBytes(UTF_8);
    maxHeadBytes =
        rowOpening.length
            + TimeText.MAX_BYTES
            + longest(channelCells)
            + longest(groupCells)
            + MAX_FACTS_BYTES;
    List<String> columns = new ArrayList<>();
    root.getSchema().getFields().forEach(field -> columns.add(field.getName()));
    out.put(dialect.opening(columns).getBytes(UTF_8));
  }

  private byte[][] cells(String column, FieldVector indices, DictionaryProvider dictionaries)
      throws IOException {
    long id = indices.getField().getDictionary().getId();
    VarCharVector names = (VarCharVector) dictionaries.lookup(id).getVector();
    byte[] opening = dialect.cellOpening(column, false).getBytes(UTF_8);
    byte[][] cells = new byte[names.getValueCount()][];
    TextBuffer cell = TextBuffer.inMemory();
    for (int i = 0; i < cells.length; i++) {
      cell.position = 0;
      cell.put(opening);
      byte[] name = names.get(i);
      dialect.escape().write(name, 0, name.length, cell);
      cells[i] = Arrays.copyOf(cell.bytes, cell.position);
    }
    return cells;
  }

  private static int longest(byte[][] cells) {
    int longest = 0;
    for (byte[] cell : cells) {
      longest = Math.max(longest, cell.length);
    }
    return longest;
  }

  @Override
  public void write() throws IOException {
    int rows = root.getRowCount();
    if (rows == 0) {
      return;
    }
    ByteBuffer timeNanos = VectorBytes.of(times, Long.BYTES);
    ByteBuffer channel = VectorBytes.of(channels, Integer.BYTES);
    ByteBuffer group = groups == null ? VectorBytes.NONE : VectorBytes.of(groups, Integer.BYTES);
    ByteBuffer state = VectorBytes.of(states, Byte.BYTES);
    ByteBuffer severity = VectorBytes.of(severities, Byte.BYTES);
    ByteBuffer status = VectorBytes.of(statuses, Short.BYTES);
    values.bind();

    TextBuffer target = out;
    byte[] opening = pendingRowOpening;
    for (int row = 0; row < rows; row++) {
      target.ensure(maxHeadBytes);
      byte[] bytes = target.bytes;
      int at = append(opening, bytes, target.position);
      opening = rowOpening;
      at = time.write(timeNanos.getLong(row * Long.BYTES), bytes, at);
      at = append(timeClosing, bytes, at);
      at = append(channelCells[channel.getInt(row * Integer.BYTES)], bytes, at);
      if (groups != null) {
        at = append(groupCells[group.getInt(row * Integer.BYTES)], bytes, at);
      }
      int stray = strays == null ? 0 : strays.get(row);
      int factsHere =
          stray << 24
              | (state.get(row) & 0x0f) << 20
              | (severity.get(row) & 0x0f) << 16
              | status.getShort(row * Short.BYTES) & 0xffff;
      if (factsHere != facts) {
        facts = factsHere;
        factCells = factCells(factsHere);
      }
      target.position = append(factCells, bytes, at);
      if (!values.write(row, target)) {
        target.put(noValue);
      }
      target.put(rowClosing);
    }
    pendingRowOpening = rowOpening;
  }

  private static int append(byte[] cell, byte[] target, int at) {
    System.arraycopy(cell, 0, target, at, cell.length);
    return at + cell.length;
  }

  private byte[] factCells(int packed) {
    String word = EventState.of(packed >> 20 & 0x0f).text();
    StringBuilder cells = new StringBuilder();
    cells.append(dialect.cellOpening("state", false));
    cells.append(dialect.objects() ? '"' + word + '"' : word);
    cells.append(dialect.cellOpening("severity", false)).append(packed >> 16 & 0x0f);
    cells.append(dialect.cellOpening("status", false)).append(packed & 0xffff);
    if (strays != null) {
      boolean stray = packed >> 24 != 0;
      cells.append(dialect.cellOpening("stray", false));
      cells.append(dialect.objects() ? String.valueOf(stray) : stray ? "1" : "0");
    }
    return cells.append(dialect.cellOpening("value", false)).toString().getBytes(UTF_8);
  }

  @Override
  public void finish() throws IOException {
    out.put(dialect.closing().getBytes(UTF_8));
    out.flush();
  }

  @Override
  public void close() {}
}
