package org.kblake.query.arrow;

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
import org.apache.arrow.vector.types.pojo.Schema;
import org.kblake.core.model.ValueType;

/**
 * The columns of an answer.
 *
 * <pre>
 *   time      timestamp[ns, UTC]
 *   channel   dictionary of utf8, int32 indices
 *   group     likewise; only where several groups answer
 *   state     uint8    0 disconnected, 1 connected, 2 value
 *   severity  uint8    0 none, 1 minor, 2 major, 3 invalid
 *   status    uint16   EPICS menuAlarmStat
 *   stray     bool     only where strays are asked for
 *   value     null where the state is not value
 * </pre>
 *
 * The type of {@code value} is that of the channels asked for: utf8, int16 (short), float32
 * (float), uint16 (enum), uint8 (char), int32 (long), float64 (double), and a list of these for
 * waveforms. Numbers of several types are float64, which holds each of them exactly: a long has 32
 * bits. Where values are of several kinds, each kind has a column of its own, with a null where a
 * row's value is in another column:
 *
 * <pre>
 *   value            numbers
 *   value_text       texts
 *   value_list       waveforms of numbers
 *   value_text_list  waveforms of texts
 * </pre>
 *
 * Only kinds that can occur have a column. One kind alone is always in {@code value}. With {@code
 * asDouble} there is {@code value} only: float64, a list of it if one of them is a waveform.
 *
 * @param shapes the types that values can have, ascending
 * @param asDouble whether values are turned into doubles; a text is NaN then
 * @param withGroup whether there is a column {@code group}
 * @param withStray whether there is a column {@code stray}
 */
public record EventSchema(
    List<ValueShape> shapes, boolean asDouble, boolean withGroup, boolean withStray) {

  public static final String TIME = "time";
  public static final String CHANNEL = "channel";
  public static final String GROUP = "group";
  public static final String STATE = "state";
  public static final String SEVERITY = "severity";
  public static final String STATUS = "status";
  public static final String STRAY = "stray";
  public static final String VALUE = "value";
  public static final String VALUE_TEXT = "value_text";
  public static final String VALUE_LIST = "value_list";
  public static final String VALUE_TEXT_LIST = "value_text_list";

  /** Id of the dictionary of channel names. */
  public static final long CHANNEL_DICTIONARY = 0;

  /** Id of the dictionary of group names. */
  public static final long GROUP_DICTIONARY = 1;

  static final ArrowType UTC_NANOS = new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC");
  private static final ArrowType.Int INT32 = new ArrowType.Int(Integer.SIZE, true);

  /** Sorts the shapes, and takes double where there are none: nobody knows a type. */
  public EventSchema {
    shapes =
        shapes.isEmpty()
            ? List.of(new ValueShape(ValueType.DOUBLE, false))
            : List.copyOf(new TreeSet<>(shapes));
  }

  public static EventSchema of(
      Collection<ValueShape> shapes, boolean asDouble, boolean withGroup, boolean withStray) {
    return new EventSchema(List.copyOf(shapes), asDouble, withGroup, withStray);
  }

  /** The schema as messages say it: dictionary-encoded columns have the type of their values. */
  public Schema toArrow() {
    List<Field> fields = new ArrayList<>();
    fields.add(required(TIME, UTC_NANOS, Map.of()));
    fields.add(encoded(CHANNEL, CHANNEL_DICTIONARY));
    if (withGroup) {
      fields.add(encoded(GROUP, GROUP_DICTIONARY));
    }
    fields.add(
        required(
            STATE,
            new ArrowType.Int(Byte.SIZE, false),
            Map.of("codes", "0=disconnected,1=connected,2=value")));
    fields.add(
        required(
            SEVERITY,
            new ArrowType.Int(Byte.SIZE, false),
            Map.of("codes", "0=none,1=minor,2=major,3=invalid")));
    fields.add(
        required(
            STATUS, new ArrowType.Int(Short.SIZE, false), Map.of("codes", "EPICS menuAlarmStat")));
    if (withStray) {
      fields.add(required(STRAY, ArrowType.Bool.INSTANCE, Map.of()));
    }
    valueFields().forEach(field -> fields.add(field.toArrow()));
    return new Schema(fields);
  }

  /** The columns that values are in, in their order. */
  List<ValueField> valueFields() {
    List<ValueField> fields = new ArrayList<>();
    if (asDouble) {
      boolean list = shapes.stream().anyMatch(ValueShape::waveform);
      fields.add(new ValueField(VALUE, shapes.stream().map(ValueShape::type).toList(), list, true));
      return fields;
    }
    addValueField(VALUE, false, false, fields);
    addValueField(VALUE_TEXT, true, false, fields);
    addValueField(VALUE_LIST, false, true, fields);
    addValueField(VALUE_TEXT_LIST, true, true, fields);
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
      fields.add(new ValueField(alone ? VALUE : name, types, list, types.size() > 1));
    }
  }

  private static Field required(String name, ArrowType type, Map<String, String> metadata) {
    return new Field(name, new FieldType(false, type, null, metadata), null);
  }

  private static Field encoded(String name, long dictionary) {
    DictionaryEncoding encoding = new DictionaryEncoding(dictionary, false, INT32);
    return new Field(name, new FieldType(false, ArrowType.Utf8.INSTANCE, encoding), null);
  }
}
