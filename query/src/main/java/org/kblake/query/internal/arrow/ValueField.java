package org.kblake.query.internal.arrow;

import java.util.List;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.kblake.core.model.ValueType;

/**
 * A column of values of one kind.
 *
 * @param name the name of the column
 * @param types the types of the values, at least one
 * @param list whether a value is a list of elements
 * @param asDouble whether values of any type are converted to doubles
 */
record ValueField(String name, List<ValueType> types, boolean list, boolean asDouble) {

  private static final ArrowType FLOAT64 =
      new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);

  /** Returns whether values of a type are in this column, as they are or as doubles. */
  boolean holds(ValueType type, boolean waveform) {
    return waveform == list && types.contains(type);
  }

  Field toArrow() {
    ArrowType type = asDouble ? FLOAT64 : arrowType(types.get(0));
    if (!list) {
      return Field.nullable(name, type);
    }
    Field element = new Field("element", FieldType.notNullable(type), null);
    return new Field(name, FieldType.nullable(ArrowType.List.INSTANCE), List.of(element));
  }

  private static ArrowType arrowType(ValueType type) {
    return switch (type) {
      case STRING -> ArrowType.Utf8.INSTANCE;
      case SHORT -> new ArrowType.Int(Short.SIZE, true);
      case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case ENUM -> new ArrowType.Int(Short.SIZE, false);
      case CHAR -> new ArrowType.Int(Byte.SIZE, false);
      case LONG -> new ArrowType.Int(Integer.SIZE, true);
      case DOUBLE -> FLOAT64;
    };
  }
}
