package org.kblake.core.internal.parquet.read;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.page.PageBody;

/** The decoded dictionary of a chunk of numbers. Reusable. */
final class NumberDictionary {

  /** An array of 2^width entries for each width of an index, or null if it was not used yet. */
  private final long[][] byWidth = new long[Integer.SIZE][];

  private long[] entries = new long[0];
  private int size;

  void clear() {
    size = 0;
  }

  /** Decodes the entries of a dictionary page. */
  void load(PageBody page, NumberKind kind) throws MalformedPageException {
    size = 0;
    int count = page.header().values();
    if ((long) count * kind.bytes() != page.size()) {
      throw new MalformedPageException(
          count + " dictionary entries in " + page.size() + " bytes", kind.bytes() + " bytes each");
    }
    if (count > 0) {
      entries = ofWidth(HybridEncoding.width(count - 1));
    }
    ByteBuffer plain = ByteBuffer.wrap(page.bytes(), 0, page.size()).order(ByteOrder.LITTLE_ENDIAN);
    kind.getPlain(plain, entries, 0, count);
    size = count;
  }

  private long[] ofWidth(int width) {
    long[] known = byWidth[width];
    if (known == null) {
      known = new long[1 << width];
      byWidth[width] = known;
    }
    return known;
  }

  /** Returns the entries from index 0 on, in an array of 2^width elements. */
  long[] entries() {
    return entries;
  }

  int size() {
    return size;
  }
}
