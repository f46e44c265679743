package org.kblake.test.oracle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.arrow.EventSchema;
import org.kblake.query.question.EventQuery;

/**
 * Converts answers to text, one event a line, so that they can be compared. Numbers are compared as
 * the bits of doubles, so that NaN payloads and the sign of zero count. An answer of several types
 * has doubles only.
 */
public final class AnswerLines {

  private AnswerLines() {}

  /**
   * An answer.
   *
   * @param events a line each: time, group, channel, state, severity, status, stray, value
   * @param coverage its coverage report
   */
  public record Lines(List<String> events, CoverageReport coverage) {}

  /** Reads an answer to its end, and asserts that every buffer is freed. */
  public static Lines read(ArchiveReader archive, EventQuery query) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        EventReader reader = archive.read(query, allocator)) {
      List<String> lines = new ArrayList<>();
      while (reader.loadNextBatch()) {
        add(reader, lines);
      }
      return new Lines(lines, reader.coverage());
    }
  }

  /** Adds the rows of the reader's current batch. */
  public static void add(EventReader reader, List<String> lines) throws IOException {
    VectorSchemaRoot root = reader.getVectorSchemaRoot();
    TimeStampNanoTZVector time = (TimeStampNanoTZVector) root.getVector(EventSchema.TIME);
    IntVector channel = (IntVector) root.getVector(EventSchema.CHANNEL);
    FieldVector group = root.getVector(EventSchema.GROUP);
    UInt1Vector state = (UInt1Vector) root.getVector(EventSchema.STATE);
    UInt1Vector severity = (UInt1Vector) root.getVector(EventSchema.SEVERITY);
    UInt2Vector status = (UInt2Vector) root.getVector(EventSchema.STATUS);
    FieldVector stray = root.getVector(EventSchema.STRAY);
    List<FieldVector> values =
        root.getFieldVectors().stream()
            .filter(vector -> vector.getName().startsWith(EventSchema.VALUE))
            .toList();
    FieldVector channels = names(reader, EventSchema.CHANNEL_DICTIONARY);
    for (int row = 0; row < root.getRowCount(); row++) {
      StringBuilder line = new StringBuilder();
      line.append(time.get(row)).append('\t');
      if (group != null) {
        line.append(
            names(reader, EventSchema.GROUP_DICTIONARY).getObject(((IntVector) group).get(row)));
      } else {
        line.append(reader.groups().get(0));
      }
      line.append('\t').append(channels.getObject(channel.get(row)));
      line.append('\t').append(state.get(row));
      line.append('\t').append(severity.get(row));
      line.append('\t').append((int) status.get(row));
      line.append('\t').append(stray == null ? 0 : ((BitVector) stray).get(row));
      line.append('\t').append(text(asDouble(value(values, row))));
      lines.add(line.toString());
    }
  }

  private static FieldVector names(EventReader reader, long dictionary) {
    return Objects.requireNonNull(reader.lookup(dictionary)).getVector();
  }

  /** Returns the value of a row from the column of its kind. No row has two values. */
  private static @Nullable Object value(List<FieldVector> columns, int row) {
    Object value = null;
    for (FieldVector column : columns) {
      Object found = column.getObject(row);
      if (found != null && value != null) {
        throw new AssertionError("two values in row " + row + ": " + value + ", " + found);
      }
      value = found == null ? value : found;
    }
    return value;
  }

  /**
   * Converts a number of any type to a double, which holds it exactly. Returns other values
   * unchanged.
   */
  public static @Nullable Object asDouble(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(AnswerLines::asDouble).toList();
    }
    if (value instanceof Character unsigned) {
      return (double) unsigned;
    }
    if (value instanceof Byte small) {
      return (double) Byte.toUnsignedInt(small);
    }
    return value instanceof Number number ? (Object) number.doubleValue() : value;
  }

  /** Returns a value as text. */
  public static String text(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof List<?> list) {
      StringBuilder text = new StringBuilder();
      for (Object element : list) {
        text.append(text.isEmpty() ? "" : " ").append(text(element));
      }
      return "[" + text + "]";
    }
    if (value instanceof Double number) {
      return "d" + Long.toHexString(Double.doubleToRawLongBits(number));
    }
    if (value instanceof Float number) {
      return "f" + Integer.toHexString(Float.floatToRawIntBits(number));
    }
    if (value instanceof Character unsigned) {
      return Integer.toString(unsigned);
    }
    if (value instanceof Byte small) {
      return Integer.toString(Byte.toUnsignedInt(small));
    }
    return value.toString();
  }

  /** Returns the report as lines: the spans, then the counts. */
  public static List<String> lines(CoverageReport report) {
    List<String> lines = new ArrayList<>();
    for (CoverageSpan span : report.spans()) {
      lines.add(
          span.group()
              + " "
              + span.kind()
              + " "
              + span.range()
              + " "
              + span.file()
              + " "
              + span.bytes()
              + " "
              + span.missing()
              + " "
              + span.absent());
    }
    lines.add("strays " + report.strays() + ", backward steps " + report.backwardSteps());
    return lines;
  }
}
