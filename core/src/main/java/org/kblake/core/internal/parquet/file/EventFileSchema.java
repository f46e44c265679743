package org.kblake.core.internal.parquet.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.model.ValueType;

/**
 * The schema of a file.
 *
 * <pre>
 *   message event {                                      lake: event_TYPE
 *     required binary channel (STRING);
 *     required int64 time (TIMESTAMP(NANOS,true));       lake: plain int64
 *     optional double value;                             by type, see below
 *     required int32 state (INTEGER(8,false));           lake: plain int32
 *     required int32 severity (INTEGER(8,false));        lake: plain int32
 *     required int32 status (INTEGER(16,false));         lake: plain int32
 *     required boolean stray;
 *     required int32 segment;
 *     required int64 lateness;
 *     required int32 tie;
 *   }
 *
 *   string  binary (STRING)          enum  int32 (INTEGER(16,false))    double  double
 *   short   int32 (INTEGER(16,true)) char  int32 (INTEGER(8,false))
 *   float   float                    long  int32       lake: plain int32 for enum, short and char
 *
 *   waveforms: optional group value (LIST) { repeated group list { required TYPE element; } }
 * </pre>
 *
 * <p>Integers of {@code lake} are plain because Apache Iceberg in Spark rejects unsigned ones. The
 * message's name has the type instead. In stores of format 1 they are annotated, too.
 */
public record EventFileSchema(ValueType type, boolean waveform, boolean lake) {

  public static EventFileSchema of(ValueType type, boolean waveform, WriteProfile profile) {
    return new EventFileSchema(type, waveform, profile.lake());
  }

  /** Returns every schema that a file of events may have. */
  public static List<EventFileSchema> all() {
    List<EventFileSchema> all = new ArrayList<>();
    for (ValueType type : ValueType.values()) {
      for (int bits = 0; bits < 4; bits++) {
        all.add(new EventFileSchema(type, (bits & 1) != 0, (bits & 2) != 0));
      }
    }
    return all;
  }

  public Type physicalType(EventColumn column) {
    return switch (column) {
      case CHANNEL -> Type.BYTE_ARRAY;
      case STRAY -> Type.BOOLEAN;
      case VALUE -> type == ValueType.STRING ? Type.BYTE_ARRAY : NumberKind.of(type).parquet();
      case TIME, STATE, SEVERITY, STATUS, SEGMENT, LATENESS, TIE -> kind(column).parquet();
    };
  }

  /** Returns the physical type of a column of numbers. */
  public NumberKind kind(EventColumn column) {
    return switch (column) {
      case TIME, LATENESS -> NumberKind.INT64;
      case STATE, SEVERITY, STATUS, SEGMENT, TIE -> NumberKind.INT32;
      case VALUE -> NumberKind.of(type);
      case CHANNEL, STRAY -> throw new IllegalArgumentException(column + " is not a number");
    };
  }

  public List<String> path(EventColumn column) {
    return column == EventColumn.VALUE && waveform
        ? List.of(column.text(), "list", "element")
        : List.of(column.text());
  }

  /** Returns whether a footer's list is this schema, with or without ids of columns. */
  public boolean matches(List<SchemaElement> elements) {
    List<SchemaElement> plain = withoutFieldIds(elements);
    return plain.equals(elements(true)) || lake && plain.equals(elements(false));
  }

  /**
   * Returns a schema in which columns have ids, as tables of Apache Iceberg number them: 1, 2 and
   * so on, then the elements of a waveform.
   */
  public static List<SchemaElement> withFieldIds(List<SchemaElement> elements) {
    List<SchemaElement> numbered = new ArrayList<>();
    for (SchemaElement element : elements) {
      SchemaElement copy = new SchemaElement(element);
      for (EventColumn column : EventColumn.inOrder()) {
        if (column.text().equals(element.getName())) {
          copy.setField_id(column.ordinal() + 1);
        }
      }
      if (element.getName().equals("element")) {
        copy.setField_id(EventColumn.count() + 1);
      }
      numbered.add(copy);
    }
    return numbered;
  }

  /** Returns a footer's list without ids of columns. */
  public static List<SchemaElement> withoutFieldIds(List<SchemaElement> elements) {
    if (elements.stream().noneMatch(SchemaElement::isSetField_id)) {
      return elements;
    }
    List<SchemaElement> plain = new ArrayList<>();
    for (SchemaElement element : elements) {
      SchemaElement copy = new SchemaElement(element);
      copy.unsetField_id();
      plain.add(copy);
    }
    return plain;
  }

  /**
   * Returns the schema as a footer lists it: depth first, beginning with the message itself.
   *
   * @param annotated whether small integers have their widths as annotations; else the name of the
   *     message has the type of the values
   */
  public List<SchemaElement> elements(boolean annotated) {
    List<SchemaElement> elements = new ArrayList<>();
    String name = annotated ? "event" : "event_" + type.name().toLowerCase(Locale.ROOT);
    elements.add(SchemaElements.message(name, EventColumn.count()));
    elements.add(SchemaElements.text(leaf("channel", Type.BYTE_ARRAY)));
    SchemaElement time = leaf("time", Type.INT64);
    elements.add(lake ? time : SchemaElements.utcNanos(time));
    addValue(elements, annotated);
    elements.add(integer(leaf("state", Type.INT32), 8, annotated));
    elements.add(integer(leaf("severity", Type.INT32), 8, annotated));
    elements.add(integer(leaf("status", Type.INT32), 16, annotated));
    elements.add(leaf("stray", Type.BOOLEAN));
    elements.add(leaf("segment", Type.INT32));
    elements.add(leaf("lateness", Type.INT64));
    elements.add(leaf("tie", Type.INT32));
    return elements;
  }

  private void addValue(List<SchemaElement> elements, boolean annotated) {
    Type physical = physicalType(EventColumn.VALUE);
    if (waveform) {
      elements.addAll(SchemaElements.list("value", typed(leaf("element", physical), annotated)));
    } else {
      elements.add(typed(SchemaElements.leaf("value", physical, true), annotated));
    }
  }

  private SchemaElement typed(SchemaElement value, boolean annotated) {
    return switch (type) {
      case STRING -> SchemaElements.text(value);
      case SHORT -> annotated ? SchemaElements.integer(value, 16, true) : value;
      case ENUM -> integer(value, 16, annotated);
      case CHAR -> integer(value, 8, annotated);
      case LONG, FLOAT, DOUBLE -> value;
    };
  }

  private static SchemaElement integer(SchemaElement leaf, int bits, boolean annotated) {
    return annotated ? SchemaElements.integer(leaf, bits, false) : leaf;
  }

  private static SchemaElement leaf(String name, Type type) {
    return SchemaElements.leaf(name, type, false);
  }
}
