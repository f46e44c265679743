package org.kblake.core.internal.parquet.read;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.DeltaEncoding;
import org.kblake.core.internal.parquet.encoding.LittleEndian;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.page.PageBody;
import org.kblake.core.model.ValueType;

/** Decodes the texts of pages. Reusable, not thread safe. */
final class TextPageDecoder {

  private int[] indices = new int[0];
  private long[] lengths = new long[0];
  private final EventColumns all = new EventColumns(ValueType.STRING, false, 0);

  /**
   * Decodes the texts behind a page's levels into the elements from {@code element} on. The caller
   * has ensured the capacity.
   *
   * @param from the index of the first text in the body
   * @param count the exact number of texts
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

  /**
   * Decodes the texts at some positions only, into the elements from 0 on.
   *
   * @param count the number of texts of the page
   */
  void decodeAt(
      PageBody page,
      int from,
      ColumnEncoding encoding,
      TextDictionaryPage dictionary,
      int count,
      RowIndices positions,
      EventColumns into)
      throws MalformedPageException {
    into.textStarts[0] = 0;
    switch (encoding) {
      case DICTIONARY -> {
        int[] index = indices(positions.count);
        NumberPageDecoder.decodeIndicesAt(
            page.bytes(), from, page.size(), dictionary.size(), positions, index);
        append(dictionary, index, positions.count, into, 0);
      }
      case PLAIN, DELTA_LENGTH -> {
        all.ensureElements(count);
        all.textStarts[0] = 0;
        decode(page, from, encoding, dictionary, all, 0, count);
        for (int i = 0; i < positions.count; i++) {
          int start = all.textStarts[positions.at[i]];
          int length = all.textStarts[positions.at[i] + 1] - start;
          append(all.text, start, length, into, i);
        }
      }
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
    int[] index = indices(count);
    NumberPageDecoder.decodeIndices(
        page.bytes(), from, page.size(), dictionary.size(), index, count);
    append(dictionary, index, count, into, element);
  }

  private int[] indices(int count) {
    if (indices.length < count) {
      indices = new int[count];
    }
    return indices;
  }

  private static void append(
      TextDictionaryPage dictionary, int[] indices, int count, EventColumns into, int element) {
    for (int i = 0; i < count; i++) {
      int start = dictionary.start(indices[i]);
      int length = dictionary.start(indices[i] + 1) - start;
      append(dictionary.text(), start, length, into, element + i);
    }
  }

  /** Copies a text into an element, behind the text of the previous element. */
  private static void append(byte[] text, int start, int length, EventColumns into, int element) {
    int at = into.textStarts[element];
    into.ensureText(at + length);
    System.arraycopy(text, start, into.text, at, length);
    into.textStarts[element + 1] = at + length;
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
