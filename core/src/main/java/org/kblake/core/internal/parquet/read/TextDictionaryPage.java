package org.kblake.core.internal.parquet.read;

import java.nio.charset.StandardCharsets;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.page.PageBody;
import org.kblake.core.model.ValueType;

/** The decoded dictionary of a chunk of texts. Reusable. */
final class TextDictionaryPage {

  private final EventColumns texts = new EventColumns(ValueType.STRING, false, 0);
  private int size;

  void clear() {
    size = 0;
  }

  /** Decodes the entries of a dictionary page. */
  void load(PageBody page) throws MalformedPageException {
    size = 0;
    int count = page.header().values();
    if (count > page.size() / 4) {
      throw new MalformedPageException(
          count + " dictionary entries in " + page.size() + " bytes", "at least 4 bytes each");
    }
    texts.ensureElements(count);
    TextPageDecoder.plain(page.bytes(), 0, page.size(), texts, 0, count);
    size = count;
  }

  int size() {
    return size;
  }

  byte[] text() {
    return texts.text;
  }

  /**
   * Returns the index of an entry's first byte. For the entry {@link #size} it is the end of the
   * last entry.
   */
  int start(int entry) {
    return texts.textStarts[entry];
  }

  String entry(int entry) {
    return new String(
        text(), start(entry), start(entry + 1) - start(entry), StandardCharsets.UTF_8);
  }
}
