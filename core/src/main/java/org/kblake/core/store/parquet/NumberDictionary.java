package org.kblake.core.store.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The dictionary of a chunk of numbers, decoded. Reused. */
final class NumberDictionary {

  private long[] entries = new long[0];
  private int size;

  void clear() {
    size = 0;
  }

  /** Takes the entries from a dictionary page. */
  void load(PageBody page, NumberKind kind) throws MalformedPageException {
    size = 0;
    int count = page.header().values();
    if ((long) count * kind.bytes() != page.size()) {
      throw new MalformedPageException(
          count + " dictionary entries in " + page.size() + " bytes", kind.bytes() + " bytes each");
    }
    int room = 1 << HybridEncoding.width(count - 1);
    if (count > 0 && entries.length < room) {
      entries = new long[room];
    }
    ByteBuffer plain = ByteBuffer.wrap(page.bytes(), 0, page.size()).order(ByteOrder.LITTLE_ENDIAN);
    kind.getPlain(plain, entries, 0, count);
    size = count;
  }

  /** The entries from index 0 on; room for as many as an index of their width can name. */
  long[] entries() {
    return entries;
  }

  int size() {
    return size;
  }
}
