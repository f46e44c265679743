package org.kblake.lake.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.core.store.EventFile;
import org.kblake.lake.publish.FileHash;

/**
 * The SHA-256 of the rows of a file, in the order of the file. It does not depend on encodings,
 * compression or pages. Every column is read from its pages.
 */
final class RowHash {

  private static final int HEAD_BYTES = 3 * Long.BYTES + 7 * Integer.BYTES;

  private ByteBuffer row = ByteBuffer.allocate(1 << 12);
  private long count;

  /**
   * Returns the hash in hexadecimal digits, behind the number of rows.
   *
   * @param segments the segments whose rows count; null for all
   */
  String of(EventFile file, @Nullable BitSet segments) throws IOException, InterruptedException {
    MessageDigest digest = FileHash.digest();
    count = 0;
    file.read(
        (channel, rows, from, to) -> {
          byte[] name = channel.getBytes(StandardCharsets.UTF_8);
          for (int i = from; i < to; i++) {
            if (segments == null || segments.get(rows.segment[i])) {
              add(rows, i, name, digest);
              count++;
            }
          }
        });
    return count + " rows " + HexFormat.of().formatHex(digest.digest());
  }

  private void add(EventColumns rows, int i, byte[] name, MessageDigest digest) {
    int from = rows.waveform() ? rows.listStarts[i] : i;
    int to = rows.waveform() ? rows.listStarts[i + 1] : i + 1;
    boolean text = rows.type() == ValueType.STRING;
    long valueBytes =
        text
            ? (long) rows.textStarts[to]
                - rows.textStarts[from]
                + (to - from) * (long) Integer.BYTES
            : (to - from) * (long) Long.BYTES;
    ensure(HEAD_BYTES + name.length + valueBytes);
    row.clear();
    row.putInt(name.length).put(name);
    row.putLong(rows.timeNanos[i]).putLong(rows.latenessNanos[i]);
    row.putInt(rows.state[i]).putInt(rows.severity[i]).putInt(rows.status[i]);
    row.putInt(rows.stray[i]).putInt(rows.segment[i]).putInt(rows.tie[i]);
    row.putLong(to - from);
    for (int element = from; element < to; element++) {
      if (text) {
        int begin = rows.textStarts[element];
        int length = rows.textStarts[element + 1] - begin;
        row.putInt(length).put(rows.text, begin, length);
      } else {
        row.putLong(rows.values[element]);
      }
    }
    digest.update(row.flip());
  }

  private void ensure(long bytes) {
    if (row.capacity() < bytes) {
      row = ByteBuffer.allocate(Math.toIntExact(Math.max(bytes, 2L * row.capacity())));
    }
  }
}
