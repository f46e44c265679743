package org.kblake.record.pvaccess;

import java.nio.ByteBuffer;
import java.util.function.IntSupplier;
import org.epics.pva.data.PVABool;
import org.epics.pva.data.PVABoolArray;
import org.epics.pva.data.PVAByte;
import org.epics.pva.data.PVAByteArray;
import org.epics.pva.data.PVAData;
import org.epics.pva.data.PVADouble;
import org.epics.pva.data.PVADoubleArray;
import org.epics.pva.data.PVAFloat;
import org.epics.pva.data.PVAFloatArray;
import org.epics.pva.data.PVAInt;
import org.epics.pva.data.PVAIntArray;
import org.epics.pva.data.PVALong;
import org.epics.pva.data.PVALongArray;
import org.epics.pva.data.PVAShort;
import org.epics.pva.data.PVAShortArray;
import org.epics.pva.data.PVAString;
import org.epics.pva.data.PVAStringArray;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.record.source.Conversions;

/**
 * The elements of a field of a structure, as a type of a log. Reads the field's present value each
 * time.
 */
final class PvElements {

  private final ValueType type;
  private final IntSupplier count;
  private final Element element;

  /** Appends an element in network byte order. */
  private interface Element {
    void put(ByteBuffer target, int index);
  }

  private PvElements(ValueType type, IntSupplier count, Element element) {
    this.type = type;
    this.count = count;
    this.element = element;
  }

  ValueType type() {
    return type;
  }

  /** Returns the number of elements, now. */
  int count() {
    return count.getAsInt();
  }

  /** Appends this number of elements in network byte order. */
  void put(ByteBuffer target, int number) {
    for (int i = 0; i < number; i++) {
      element.put(target, i);
    }
  }

  /** Returns the index of an enum's state. */
  static PvElements ofEnum(PVAInt index) {
    return scalar(ValueType.ENUM, (to, i) -> to.putShort((short) index.get()));
  }

  /** Returns the element of a scalar, or null if the field is none. */
  static @Nullable PvElements ofScalar(@Nullable PVAData field, Conversions conversions) {
    if (field instanceof PVADouble value) {
      return scalar(ValueType.DOUBLE, (to, i) -> to.putDouble(value.get()));
    } else if (field instanceof PVAFloat value) {
      return scalar(ValueType.FLOAT, (to, i) -> to.putFloat(value.get()));
    } else if (field instanceof PVAString value) {
      return scalar(
          ValueType.STRING, (to, i) -> conversions.putString(to, Fields.text(value.get())));
    } else if (field instanceof PVABool value) {
      return scalar(ValueType.CHAR, (to, i) -> to.put((byte) (value.get() ? 1 : 0)));
    } else if (field instanceof PVAByte value) {
      return value.isUnsigned()
          ? scalar(ValueType.CHAR, (to, i) -> to.put(value.get()))
          : scalar(ValueType.SHORT, (to, i) -> to.putShort(value.get()));
    } else if (field instanceof PVAShort value) {
      return value.isUnsigned()
          ? scalar(ValueType.LONG, (to, i) -> to.putInt(value.get() & 0xFFFF))
          : scalar(ValueType.SHORT, (to, i) -> to.putShort(value.get()));
    } else if (field instanceof PVAInt value) {
      return value.isUnsigned()
          ? scalar(
              ValueType.DOUBLE,
              (to, i) -> to.putDouble((double) Integer.toUnsignedLong(value.get())))
          : scalar(ValueType.LONG, (to, i) -> to.putInt(value.get()));
    } else if (field instanceof PVALong value) {
      return scalar(
          ValueType.DOUBLE, (to, i) -> conversions.putInteger(to, value.get(), value.isUnsigned()));
    }
    return null;
  }

  private static PvElements scalar(ValueType type, Element element) {
    return new PvElements(type, () -> 1, element);
  }

  /** Returns the elements of an array of scalars, or null if the field is none. */
  static @Nullable PvElements ofArray(@Nullable PVAData field, Conversions conversions) {
    if (field instanceof PVADoubleArray array) {
      return new PvElements(
          ValueType.DOUBLE, () -> array.get().length, (to, i) -> to.putDouble(array.get()[i]));
    } else if (field instanceof PVAFloatArray array) {
      return new PvElements(
          ValueType.FLOAT, () -> array.get().length, (to, i) -> to.putFloat(array.get()[i]));
    } else if (field instanceof PVAStringArray array) {
      return new PvElements(
          ValueType.STRING,
          () -> array.get().length,
          (to, i) -> conversions.putString(to, Fields.text(array.get()[i])));
    } else if (field instanceof PVABoolArray array) {
      return new PvElements(
          ValueType.CHAR,
          () -> array.get().length,
          (to, i) -> to.put((byte) (array.get()[i] ? 1 : 0)));
    } else if (field instanceof PVAByteArray array) {
      return array.isUnsigned()
          ? new PvElements(
              ValueType.CHAR, () -> array.get().length, (to, i) -> to.put(array.get()[i]))
          : new PvElements(
              ValueType.SHORT, () -> array.get().length, (to, i) -> to.putShort(array.get()[i]));
    } else if (field instanceof PVAShortArray array) {
      return array.isUnsigned()
          ? new PvElements(
              ValueType.LONG,
              () -> array.get().length,
              (to, i) -> to.putInt(array.get()[i] & 0xFFFF))
          : new PvElements(
              ValueType.SHORT, () -> array.get().length, (to, i) -> to.putShort(array.get()[i]));
    } else if (field instanceof PVAIntArray array) {
      return array.isUnsigned()
          ? new PvElements(
              ValueType.DOUBLE,
              () -> array.get().length,
              (to, i) -> to.putDouble((double) Integer.toUnsignedLong(array.get()[i])))
          : new PvElements(
              ValueType.LONG, () -> array.get().length, (to, i) -> to.putInt(array.get()[i]));
    } else if (field instanceof PVALongArray array) {
      return new PvElements(
          ValueType.DOUBLE,
          () -> array.get().length,
          (to, i) -> conversions.putInteger(to, array.get()[i], array.isUnsigned()));
    }
    return null;
  }
}
