package org.kblake.query.internal.arrow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.kblake.core.model.ValueType;
import org.kblake.query.arrow.EventSchema;
import org.kblake.query.arrow.ValueShape;

/**
 * The schema of the batches of an answer, whose columns are those of {@link EventSchema}.
 *
 * @param shapes the types that values can have, ascending
 * @param asDouble whether values are converted to doubles; a text becomes NaN
 * @param withGroup whether there is a column {@code group}
 * @param withStray whether there is a column {@code stray}
 */
public record BatchSchema(
    List<ValueShape> shapes, boolean asDouble, boolean withGroup, boolean withStray) {

  static final ArrowType UTC_NANOS = new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC");
  static final ArrowType.Int INT32 = new ArrowType.Int(Integer.SIZE, true);

  /** Sorts the shapes. If there are none, the type is unknown, and double is used. */
  public BatchSchema {
    shapes =
        shapes.isEmpty()
            ? List.of(new ValueShape(ValueType.DOUBLE, false))
            : List.copyOf(new TreeSet<>(shapes));
  }

  public static BatchSchema of(
      Collection<ValueShape> shapes, boolean asDouble, boolean withGroup, boolean withStray) {
    return new BatchSchema(List.copyOf(shapes), asDouble, withGroup, withStray);
  }

  /** Returns the fields of the columns. Dictionary-encoded columns have the type of indices. */
  List<Field> fields() {
    List<Field> fields = new ArrayList<>();
    fields.add(required(EventSchema.TIME, UTC_NANOS, Map.of()));
    fields.add(encoded(EventSchema.CHANNEL, EventSchema.CHANNEL_DICTIONARY));
    if (withGroup) {
      fields.add(encoded(EventSchema.GROUP, EventSchema.GROUP_DICTIONARY));
    }
    fields.add(
        required(
            EventSchema.STATE,
            new ArrowType.Int(Byte.SIZE, false),
            Map.of("codes", "0=disconnected,1=connected,2=value")));
    fields.add(
        required(
            EventSchema.SEVERITY,
            new ArrowType.Int(Byte.SIZE, false),
            Map.of("codes", "0=none,1=minor,2=major,3=invalid")));
    fields.add(
        required(
            EventSchema.STATUS,
            new ArrowType.Int(Short.SIZE, false),
            Map.of("codes", "EPICS menuAlarmStat")));
    if (withStray) {
      fields.add(required(EventSchema.STRAY, ArrowType.Bool.INSTANCE, Map.of()));
    }
    valueFields().forEach(field -> fields.add(field.toArrow()));
    return fields;
  }

  /** Returns the columns of values, in order. */
  List<ValueField> valueFields() {
    List<ValueField> fields = new ArrayList<>();
    if (asDouble) {
      boolean list = shapes.stream().anyMatch(ValueShape::waveform);
      fields.add(
          new ValueField(
              EventSchema.VALUE, shapes.stream().map(ValueShape::type).toList(), list, true));
      return fields;
    }
    addValueField(EventSchema.VALUE, false, false, fields);
    addValueField(EventSchema.VALUE_TEXT, true, false, fields);
    addValueField(EventSchema.VALUE_LIST, false, true, fields);
    addValueField(EventSchema.VALUE_TEXT_LIST, true, true, fields);
    return fields;
  }

  private void addValueField(String name, boolean text, boolean list, List<ValueField> fields) {
    List<ValueType> types =
        shapes.stream()
            .filter(shape -> shape.waveform() == list)
            .map(ValueShape::type)
            .filter(type -> (type == ValueType.STRING) == text)
            .toList();
    if (!types.isEmpty()) {
      boolean alone = types.size() == shapes.size();
      fields.add(new ValueField(alone ? EventSchema.VALUE : name, types, list, types.size() > 1));
    }
  }

  private static Field required(String name, ArrowType type, Map<String, String> metadata) {
    return new Field(name, new FieldType(false, type, null, metadata), null);
  }

  private static Field encoded(String name, long dictionary) {
    DictionaryEncoding encoding = new DictionaryEncoding(dictionary, false, INT32);
    return new Field(name, new FieldType(false, INT32, encoding), null);
  }
}
