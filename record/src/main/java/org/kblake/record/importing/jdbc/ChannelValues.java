package org.kblake.record.importing.jdbc;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.importing.SourceChannel;
import org.kblake.record.source.Conversions;

/**
 * A channel's values: first they are noted, which gives the narrowest type for all its numbers,
 * then they are converted. Texts among numbers stay texts.
 */
public final class ChannelValues {

  private static final int MOST_ENUM = 0xFFFF;

  private final String name;
  private final boolean isEnum;
  private boolean hasBoolean;
  private boolean hasInteger;
  private boolean hasFloat;
  private boolean hasDouble;
  private boolean hasText;
  private int elements = 1;
  private long rows;
  private long firstNanos = Long.MAX_VALUE;
  private long lastNanos = Long.MIN_VALUE;

  ChannelValues(String name, boolean isEnum) {
    this.name = name;
    this.isEnum = isEnum;
  }

  /** Returns what the first pair is begun with. */
  public SourceChannel asSource() {
    return new SourceChannel(
        name, hasNumber() || !hasText ? numbers() : ValueType.STRING, elements);
  }

  /** Returns the number of rows. */
  public long rows() {
    return rows;
  }

  /** Returns the earliest time, nanoseconds since 1970 UTC. */
  public long firstNanos() {
    return firstNanos;
  }

  /** Returns the latest time, nanoseconds since 1970 UTC. */
  public long lastNanos() {
    return lastNanos;
  }

  void note(ArchiveRow row) {
    rows++;
    firstNanos = Math.min(firstNanos, row.nanos());
    lastNanos = Math.max(lastNanos, row.nanos());
    Object value = row.value();
    if (value == null || row.isDown()) {
      return;
    }
    int length = value.getClass().isArray() ? Array.getLength(value) : 1;
    elements = Math.max(elements, length);
    for (int i = 0; i < length; i++) {
      noteElement(value.getClass().isArray() ? Array.get(value, i) : value);
    }
  }

  private void noteElement(@Nullable Object element) {
    if (element instanceof Boolean) {
      hasBoolean = true;
    } else if (element instanceof Float) {
      hasFloat = true;
    } else if (element instanceof Byte || element instanceof Short || element instanceof Integer) {
      hasInteger = true;
    } else if (element instanceof Long number) {
      hasInteger |= number.intValue() == number;
      hasDouble |= number.intValue() != number;
    } else if (element instanceof Number) {
      hasDouble = true;
    } else if (element != null) {
      hasText = true;
    }
  }

  private boolean hasNumber() {
    return hasBoolean || hasInteger || hasFloat || hasDouble;
  }

  private ValueType numbers() {
    if (isEnum) {
      return ValueType.ENUM;
    }
    if (hasDouble || (hasFloat && hasInteger) || !hasNumber()) {
      return ValueType.DOUBLE;
    }
    if (hasFloat) {
      return ValueType.FLOAT;
    }
    return hasInteger ? ValueType.LONG : ValueType.CHAR;
  }

  /** A value as a log has it. */
  record Converted(ValueType type, byte[] bytes) {}

  /**
   * Converts a value.
   *
   * @return null if no log can hold it, or if it was not noted and needs a wider type
   */
  @Nullable Converted convert(Object value, Conversions conversions) {
    boolean isArray = value.getClass().isArray();
    int length = isArray ? Array.getLength(value) : 1;
    Object first = isArray ? (length == 0 ? null : Array.get(value, 0)) : value;
    boolean isText = first != null && !(first instanceof Number) && !(first instanceof Boolean);
    ValueType type =
        isText || (first == null && !hasNumber() && hasText) ? ValueType.STRING : numbers();
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(length, type.bytes()));
    for (int i = 0; i < length; i++) {
      Object element = isArray ? Array.get(value, i) : value;
      if (!put(bytes, type, element, conversions)) {
        return null;
      }
    }
    return new Converted(type, bytes.array());
  }

  private static boolean put(
      ByteBuffer bytes, ValueType type, @Nullable Object element, Conversions conversions) {
    if (type == ValueType.STRING) {
      conversions.putString(bytes, element == null ? "" : element.toString());
      return true;
    }
    Object plain = element instanceof Boolean flag ? (flag ? 1 : 0) : element;
    if (!(plain instanceof Number number)) {
      return false;
    }
    if (!holds(type, number)) {
      return false;
    }
    switch (type) {
      case CHAR -> bytes.put(number.byteValue());
      case LONG -> bytes.putInt(number.intValue());
      case FLOAT -> bytes.putFloat(number.floatValue());
      case ENUM -> {
        if (number.doubleValue() < 0 || number.doubleValue() > MOST_ENUM) {
          return false;
        }
        bytes.putShort((short) number.intValue());
      }
      default -> putDouble(bytes, number, conversions);
    }
    return true;
  }

  /** Returns whether a type has a number. Rows may be new since the others were noted. */
  private static boolean holds(ValueType type, Number number) {
    double exact = number.doubleValue();
    return switch (type) {
      case CHAR -> exact == number.byteValue();
      case LONG -> exact == number.intValue();
      case FLOAT -> Double.compare(exact, number.floatValue()) == 0;
      default -> true;
    };
  }

  private static void putDouble(ByteBuffer bytes, Number number, Conversions conversions) {
    if (number instanceof Long integer) {
      conversions.putInteger(bytes, integer, false);
    } else if (number instanceof BigDecimal decimal) {
      conversions.putDecimal(bytes, decimal);
    } else if (number instanceof BigInteger integer) {
      conversions.putDecimal(bytes, new BigDecimal(integer));
    } else {
      bytes.putDouble(number.doubleValue());
    }
  }
}
