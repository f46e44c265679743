package org.kblake.query.internal.remote;

import org.kblake.core.model.ValueType;
import org.kblake.query.arrow.ValueShape;

/** The shapes of values as numbers above 0. */
public final class ShapeCode {

  private ShapeCode() {}

  /** Returns the number of a shape. */
  public static byte of(ValueType type, boolean waveform) {
    return (byte) (1 + 2 * type.code() + (waveform ? 1 : 0));
  }

  /**
   * @throws IndexOutOfBoundsException if there is no such shape
   */
  static ValueShape shape(int code) {
    return new ValueShape(ValueType.of(code - 1 >> 1), (code - 1 & 1) != 0);
  }
}
