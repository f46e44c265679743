package org.kblake.record.pvaccess;

import org.epics.pva.data.PVAData;
import org.epics.pva.data.PVANumber;
import org.epics.pva.data.PVAString;
import org.epics.pva.data.PVAStructure;
import org.jspecify.annotations.Nullable;

/** Fields of structures that a server may leave out, or send with another type. */
final class Fields {

  private Fields() {}

  /** Returns a structure in a structure, or null. */
  static @Nullable PVAStructure structure(@Nullable PVAStructure parent, String name) {
    return field(parent, name) instanceof PVAStructure structure ? structure : null;
  }

  /** Returns a field of a structure, or null. */
  static @Nullable PVAData field(@Nullable PVAStructure parent, String name) {
    return parent == null ? null : parent.get(name);
  }

  /** Returns a number in a structure, or another one if there is none. */
  static double number(@Nullable PVAStructure parent, String name, double otherwise) {
    return field(parent, name) instanceof PVANumber number
        ? number.getNumber().doubleValue()
        : otherwise;
  }

  /** Returns a text in a structure, or an empty one. */
  static String text(@Nullable PVAStructure parent, String name) {
    return field(parent, name) instanceof PVAString text ? text(text.get()) : "";
  }

  /** Returns a text that core-pva may give as null. */
  static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}
