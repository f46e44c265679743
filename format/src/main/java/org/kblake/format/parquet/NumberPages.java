package org.kblake.format.parquet;

import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.LongDictionary;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.EventFormat;

/**
 * Encodes numbers by a dictionary, which grows with each page of a row group. After a page with too
 * many distinct values, the pages of the row group are plain.
 */
final class NumberPages {

  /** Table and page of a dictionary take this much memory for an entry. */
  private static final int ENTRY_BYTES = 32;

  /** A table may have 100,000 columns with few rows, so the memory of each begins small. */
  private static final int FIRST_VALUES = 8;

  private final NumberKind kind;
  private LongDictionary dictionary = new LongDictionary(FIRST_VALUES);
  private long values;
  private int entries;
  private boolean plain;

  NumberPages(NumberKind kind) {
    this.kind = kind;
  }

  /** Puts {@code numbers[0, count)} into a page. */
  ColumnEncoding put(long[] numbers, int count, ByteOutput page) {
    values += count;
    int limit = (int) Math.min(EventFormat.MAX_DICTIONARY, values / 2);
    plain = plain || !dictionary.extend(numbers, count, limit);
    if (plain || dictionary.size == 0) {
      kind.putPlain(numbers, 0, count, page);
      return ColumnEncoding.PLAIN;
    }
    entries = dictionary.size;
    int width = HybridEncoding.width(entries - 1);
    page.write(width);
    HybridEncoding.encode(dictionary.indices, 0, count, width, page);
    return ColumnEncoding.DICTIONARY;
  }

  /** Returns the memory of the dictionary in bytes. */
  long dictionaryBytes() {
    return (long) ENTRY_BYTES * dictionary.size;
  }

  /**
   * Puts the dictionary of the row group into a page, and begins the next row group.
   *
   * @return the number of its entries; 0 if no page of the row group needs it
   */
  int takeDictionary(ByteOutput page) {
    int taken = entries;
    kind.putPlain(dictionary.entries, 0, taken, page);
    // The memory of a large one is not kept: a table has many columns.
    dictionary = new LongDictionary(FIRST_VALUES);
    values = 0;
    entries = 0;
    plain = false;
    return taken;
  }
}
