package org.kblake.core.internal.store.block;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A place of the log that could not be read as events when the block was made. Its bytes are in the
 * patch.
 *
 * @param segment ordinal of the segment in the block
 * @param offset the offset in the pair's log
 * @param bytes the number of bytes
 * @param cut whether it is the incomplete end of a pair after a crash of kblog, which does not
 *     count as damage
 * @param found a description of the bytes
 */
public record StoredDamage(int segment, long offset, long bytes, boolean cut, String found) {

  static void writeAll(List<StoredDamage> all, DataOutputStream out) throws IOException {
    out.writeInt(all.size());
    for (StoredDamage damage : all) {
      out.writeInt(damage.segment);
      out.writeLong(damage.offset);
      out.writeLong(damage.bytes);
      out.writeBoolean(damage.cut);
      out.writeUTF(damage.found);
    }
  }

  static List<StoredDamage> readAll(DataInputStream in) throws IOException {
    List<StoredDamage> all = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      all.add(
          new StoredDamage(
              in.readInt(), in.readLong(), in.readLong(), in.readBoolean(), in.readUTF()));
    }
    return all;
  }
}
