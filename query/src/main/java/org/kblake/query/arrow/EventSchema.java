package org.kblake.query.arrow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.UnionMode;
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
 * waveforms. Where they differ, it is a dense union with one child a type, named as {@link
 * ValueShape#text()}, or, with {@code asDouble}, float64 (a list of it if one of them is a
 * waveform).
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

  /** Id of the dictionary of channel names. */
  public static final long CHANNEL_DICTIONARY = 0;

  /** Id of the dictionary of group names. */
  public static final long GROUP_DICTIONARY = 1;

  static final ArrowType UTC_NANOS = new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC");
  private static final ArrowType.Int INT32 = new ArrowType.Int(Integer.SIZE, true);
  private static final ArrowType FLOAT64 =
      new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);

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
    fields.add(valueField());
    return new Schema(fields);
  }

  /** Whether values are a dense union. */
  boolean isUnion() {
    return !asDouble && shapes.size() > 1;
  }

  /** Whether values are lists: of the one type there is, or of doubles. */
  boolean isList() {
    return asDouble ? shapes.stream().anyMatch(ValueShape::waveform) : shapes.get(0).waveform();
  }

  private Field valueField() {
    if (asDouble) {
      return field(VALUE, FLOAT64, isList());
    }
    if (!isUnion()) {
      return field(VALUE, arrowType(shapes.get(0).type()), isList());
    }
    List<Field> children = new ArrayList<>();
    int[] typeIds = new int[shapes.size()];
    for (ValueShape shape : shapes) {
      typeIds[children.size()] = children.size();
      children.add(field(shape.text(), arrowType(shape.type()), shape.waveform()));
    }
    return new Field(
        VALUE, FieldType.nullable(new ArrowType.Union(UnionMode.Dense, typeIds)), children);
  }

  private static Field field(String name, ArrowType type, boolean list) {
    if (!list) {
      return Field.nullable(name, type);
    }
    Field element = new Field("element", FieldType.notNullable(type), null);
    return new Field(name, FieldType.nullable(ArrowType.List.INSTANCE), List.of(element));
  }

  private static Field required(String name, ArrowType type, Map<String, String> metadata) {
    return new Field(name, new FieldType(false, type, null, metadata), null);
  }

  private static Field encoded(String name, long dictionary) {
    DictionaryEncoding encoding = new DictionaryEncoding(dictionary, false, INT32);
    return new Field(name, new FieldType(false, ArrowType.Utf8.INSTANCE, encoding), null);
  }

  private static ArrowType arrowType(ValueType type) {
    return switch (type) {
      case STRING -> ArrowType.Utf8.INSTANCE;
      case SHORT -> new ArrowType.Int(Short.SIZE, true);
      case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case ENUM -> new ArrowType.Int(Short.SIZE, false);
      case CHAR -> new ArrowType.Int(Byte.SIZE, false);
      case LONG -> INT32;
      case DOUBLE -> FLOAT64;
    };
  }
}
