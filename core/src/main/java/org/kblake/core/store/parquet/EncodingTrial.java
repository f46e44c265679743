package org.kblake.core.store.parquet;

import org.jspecify.annotations.Nullable;

/**
 * Weighs encodings of a chunk by what they make of a sample of its pages, compression included.
 * They are tried from the fastest to decode to the slowest; a slower one must be at least {@link
 * #SLOWER_MUST_SAVE} smaller to be taken.
 */
final class EncodingTrial {

  private static final double SLOWER_MUST_SAVE = 0.10;

  /** A codec that saves less costs more time than it is worth. */
  private static final double CODEC_MUST_SAVE = 0.02;

  /** Where a codec saves less than this, more effort does not save more. */
  private static final double EFFORT_FROM = 0.10;

  /** What more effort must save of the compressed bytes. */
  private static final double EFFORT_MUST_SAVE = 0.06;

  /** Sample pages of a chunk. */
  private static final int SAMPLES = 2;

  /** Encodes a page's values for a trial. */
  interface PageEncoder {
    void encode(ColumnEncoding encoding, int page, ByteOutput body);
  }

  private final Codec codec;
  private final ByteOutput body = new ByteOutput(1 << 16);
  private final ByteOutput compressed = new ByteOutput(1 << 16);
  private @Nullable EncodingChoice best;
  private double bestBytes;

  EncodingTrial(Codec codec) {
    this.codec = codec;
  }

  void begin() {
    best = null;
    bestBytes = Double.MAX_VALUE;
  }

  /** The sample page of a number; all of them in a chunk of few pages. */
  static int samplePage(int sample, int pages) {
    return pages <= SAMPLES ? sample : (2 * sample + 1) * pages / (2 * SAMPLES);
  }

  static int samples(int pages) {
    return Math.min(pages, SAMPLES);
  }

  /** Which share of a chunk's values the sample pages hold. */
  static double sampleShare(int[] valueStarts) {
    int pages = valueStarts.length - 1;
    double sampled = 0;
    for (int sample = 0; sample < samples(pages); sample++) {
      int page = samplePage(sample, pages);
      sampled += valueStarts[page + 1] - valueStarts[page];
    }
    return sampled / Math.max(1, valueStarts[pages]);
  }

  /**
   * Tries an encoding.
   *
   * @param dictionary the dictionary page's body that the encoding needs, or null
   * @param dictionaryShare which share of it the sample bears
   */
  void attempt(
      ColumnEncoding encoding,
      int pages,
      PageEncoder encoder,
      @Nullable ByteOutput dictionary,
      double dictionaryShare) {
    double plain = 0;
    double fast = 0;
    if (dictionary != null) {
      plain = dictionary.size * dictionaryShare;
      fast = compressedBytes(dictionary, false) * dictionaryShare;
    }
    for (int sample = 0; sample < samples(pages); sample++) {
      body.reset();
      encoder.encode(encoding, samplePage(sample, pages), body);
      plain += body.size;
      fast += compressedBytes(body, false);
    }
    boolean compress = fast < plain * (1 - CODEC_MUST_SAVE);
    double bytes = compress ? fast : plain;
    if (best == null || bytes < bestBytes * (1 - SLOWER_MUST_SAVE)) {
      boolean effort =
          codec == Codec.LZ4
              && fast < plain * (1 - EFFORT_FROM)
              && effortPays(encoding, pages, encoder);
      best = new EncodingChoice(encoding, compress ? codec : Codec.NONE, effort);
      bestBytes = bytes;
    }
  }

  private boolean effortPays(ColumnEncoding encoding, int pages, PageEncoder encoder) {
    body.reset();
    encoder.encode(encoding, samplePage(0, pages), body);
    return compressedBytes(body, true) <= compressedBytes(body, false) * (1 - EFFORT_MUST_SAVE);
  }

  private int compressedBytes(ByteOutput page, boolean thorough) {
    if (codec == Codec.NONE) {
      return page.size;
    }
    compressed.reset();
    return PageCompressor.compress(codec, thorough, page, compressed);
  }

  EncodingChoice best() {
    if (best == null) {
      throw new IllegalStateException("nothing was tried");
    }
    return best;
  }
}
