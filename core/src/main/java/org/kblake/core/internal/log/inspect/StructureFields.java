package org.kblake.core.internal.log.inspect;

import java.nio.ByteBuffer;
import java.util.List;
import org.kblake.core.layout.LayoutField;

/** Shows a fixed structure: its fields, and the bytes between them that belong to no field. */
final class StructureFields {

  private StructureFields() {}

  /**
   * @param fields in their order; those that reach past the structure's end are excluded
   * @param size bytes of the structure
   * @param at the structure's position in the buffer
   * @param offset the structure's offset in its file
   */
  static void show(
      List<LayoutField> fields,
      int size,
      ByteBuffer bytes,
      int at,
      long offset,
      InspectionListener listener) {
    int shown = 0;
    for (LayoutField field : fields) {
      int end = field.offset() + field.kind().bytes();
      if (end > size) {
        continue;
      }
      gap(shown, field.offset(), bytes, at, offset, listener);
      listener.field(
          ShownBytes.of(bytes, at + field.offset(), offset + field.offset(), field.kind().bytes()),
          field.name(),
          field.text(bytes, at));
      shown = end;
    }
    gap(shown, size, bytes, at, offset, listener);
  }

  private static void gap(
      int from, int to, ByteBuffer bytes, int at, long offset, InspectionListener listener) {
    if (from < to) {
      listener.field(ShownBytes.of(bytes, at + from, offset + from, to - from), "unused", "");
    }
  }
}
