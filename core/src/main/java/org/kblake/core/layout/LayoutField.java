package org.kblake.core.layout;

import java.nio.ByteBuffer;

/**
 * A field of a fixed structure, as shown to users.
 *
 * @param name the name of the field
 * @param offset the offset from the structure's start, in bytes
 * @param kind its encoding
 */
public record LayoutField(String name, int offset, Kind kind) {

  /** An encoding of a number. */
  public enum Kind {
    UINT8(1),
    UINT16(2),
    INT32(4),
    UINT32(4),
    INT64(8),
    FLOAT64(8);

    private final int bytes;

    Kind(int bytes) {
      this.bytes = bytes;
    }

    public int bytes() {
      return bytes;
    }
  }

  /** Returns the number of the field as text, for the structure at a position. */
  public String text(ByteBuffer bytes, int structureAt) {
    int at = structureAt + offset;
    return switch (kind) {
      case UINT8 -> Integer.toString(Byte.toUnsignedInt(bytes.get(at)));
      case UINT16 -> Integer.toString(Short.toUnsignedInt(bytes.getShort(at)));
      case INT32 -> Integer.toString(bytes.getInt(at));
      case UINT32 -> Integer.toUnsignedString(bytes.getInt(at));
      case INT64 -> Long.toString(bytes.getLong(at));
      case FLOAT64 -> Double.toString(bytes.getDouble(at));
    };
  }
}
