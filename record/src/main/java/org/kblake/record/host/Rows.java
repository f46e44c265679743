package org.kblake.record.host;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.kblake.record.host.ProcFormat.Column;

/**
 * The lines of a file that were ever there, and the numbers of the last sample. Lines keep their
 * order as a rule, so a line is looked for where it was.
 */
final class Rows {

  private static final byte[] NONE = {};

  private final ProcFormat format;
  private final String prefix;
  private final List<Row> rows = new ArrayList<>();
  private final List<Counter> counters = new ArrayList<>();
  private long sample;
  private int expected;
  private byte[] lastKey = NONE;

  /**
   * @param prefix the first part of names
   */
  Rows(ProcFormat format, String prefix) {
    this.format = format;
    this.prefix = prefix;
  }

  private static final class Row {
    final byte[] key;
    final List<Counter> counters = new ArrayList<>();
    long sample;

    Row(byte[] key) {
      this.key = key;
    }
  }

  /** A number of a line: the channel of this name has its values. */
  final class Counter {
    private final Row row;
    private final Column column;
    private final String name;
    private double value;

    private Counter(Row row, Column column, String name) {
      this.row = row;
      this.column = column;
      this.name = name;
    }

    String name() {
      return name;
    }

    String unit() {
      return column.unit();
    }

    String file() {
      return format.file();
    }

    /** Returns whether the last sample has it. */
    boolean isPresent() {
      return row.sample == sample;
    }

    double value() {
      return value;
    }
  }

  /** Begins a sample, in which no line is present yet. */
  void begin() {
    sample++;
    expected = 0;
    lastKey = NONE;
  }

  /** Returns the key of the last line of this sample. */
  byte[] lastKey() {
    return lastKey;
  }

  /**
   * Takes the line with the key and the numbers of a text.
   *
   * @param factor what all its numbers are multiplied with
   */
  void set(ProcText text, int factor) {
    Row row = find(text);
    row.sample = sample;
    lastKey = row.key;
    int numbers = text.count();
    for (int i = 0; i < row.counters.size(); i++) {
      Counter counter = row.counters.get(i);
      if (counter.column.index() < numbers) {
        counter.value = text.number(counter.column.index()) * counter.column.factor() * factor;
      }
    }
  }

  private Row find(ProcText text) {
    for (int i = 0; i < rows.size(); i++) {
      int index = (expected + i) % rows.size();
      if (text.isKey(rows.get(index).key)) {
        expected = index + 1;
        return rows.get(index);
      }
    }
    return add(text);
  }

  private Row add(ProcText text) {
    Row row = new Row(text.copyKey());
    String key = new String(row.key, StandardCharsets.ISO_8859_1);
    for (Column column : format.columns(key)) {
      if (column.index() < text.count()) {
        String name = prefix + ":" + format.label(key) + column.name();
        row.counters.add(new Counter(row, column, name));
      }
    }
    rows.add(row);
    counters.addAll(row.counters);
    return row;
  }

  /** Returns all that were ever present; more may be appended later. */
  List<Counter> counters() {
    return counters;
  }
}
