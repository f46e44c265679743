package org.kblake.core.store.parquet;

import org.kblake.core.store.EventColumns;

/** Decodes the texts of pages. Reused, not thread safe. */
final class TextPageDecoder {

  private int[] indices = new int[0];
  private long[] lengths = new long[0];

  /**
   * Decodes the texts behind a page's levels into the elements from {@code element} on, whose room
   * is there.
   *
   * @param from where they begin in the body
   * @param count exactly so many
   */
  void decode(
      PageBody page,
      int from,
      ColumnEncoding encoding,
      TextDictionaryPage dictionary,
      EventColumns into,
      int element,
      int count)
      throws MalformedPageException {
    switch (encoding) {
      case PLAIN -> plain(page.bytes(), from, page.size(), into, element, count);
      case DICTIONARY -> indices(page, from, dictionary, into, element, count);
      case DELTA_LENGTH -> lengths(page, from, into, element, count);
      case RLE, DELTA, BYTE_STREAM_SPLIT ->
          throw new MalformedPageException("texts as " + encoding, "an encoding of texts");
    }
  }

  static void plain(byte[] bytes, int from, int end, EventColumns into, int element, int count)
      throws MalformedPageException {
    into.ensureText(into.textStarts[element] + (end - from));
    int position = from;
    int text = into.textStarts[element];
    for (int i = 0; i < count; i++) {
      int length = end - position < 4 ? -1 : LittleEndian.getInt(bytes, position);
      if (length < 0 || length > end - position - 4) {
        throw new MalformedPageException(
            "a text of " + length + " bytes", "at most " + (end - position - 4));
      }
      System.arraycopy(bytes, position + 4, into.text, text, length);
      position += 4 + length;
      text += length;
      into.textStarts[element + i + 1] = text;
    }
    if (position != end) {
      throw new MalformedPageException(end - position + " bytes behind the last text", "none");
    }
  }

  private void indices(
      PageBody page,
      int from,
      TextDictionaryPage dictionary,
      EventColumns into,
      int element,
      int count)
      throws MalformedPageException {
    if (indices.length < count) {
      indices = new int[count];
    }
    NumberPageDecoder.decodeIndices(
        page.bytes(), from, page.size(), dictionary.size(), indices, count);
    int text = into.textStarts[element];
    for (int i = 0; i < count; i++) {
      int start = dictionary.start(indices[i]);
      int length = dictionary.start(indices[i] + 1) - start;
      into.ensureText(text + length);
      System.arraycopy(dictionary.text(), start, into.text, text, length);
      text += length;
      into.textStarts[element + i + 1] = text;
    }
  }

  private void lengths(PageBody page, int from, EventColumns into, int element, int count)
      throws MalformedPageException {
    if (lengths.length < count) {
      lengths = new long[count];
    }
    byte[] bytes = page.bytes();
    int position = DeltaEncoding.decode(bytes, from, page.size(), true, lengths, 0, count);
    long rest = (long) page.size() - position;
    for (int i = 0; i < count; i++) {
      if (lengths[i] < 0 || lengths[i] > rest) {
        throw new MalformedPageException("a text of " + lengths[i] + " bytes", "at most " + rest);
      }
      rest -= lengths[i];
      into.textStarts[element + i + 1] = into.textStarts[element + i] + (int) lengths[i];
    }
    if (rest != 0) {
      throw new MalformedPageException(rest + " bytes behind the last text", "none");
    }
    int text = into.textStarts[element];
    into.ensureText(text + page.size() - position);
    System.arraycopy(bytes, position, into.text, text, page.size() - position);
  }
}
