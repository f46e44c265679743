package org.kblake.core.internal.parquet.write;

import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.page.Codec;
import org.kblake.core.internal.parquet.page.PageCompressor;

/**
 * Chooses the encoding of a chunk by the compressed size of a sample of its pages. Encodings are
 * tried in the order of decoding speed, the fastest first. A slower one is chosen only if it is
 * smaller by the fraction {@link #SLOWER_MUST_SAVE}.
 */
final class EncodingTrial {

  private static final double SLOWER_MUST_SAVE = 0.10;

  /** The fraction of bytes that compression must save to be used. */
  private static final double CODEC_MUST_SAVE = 0.02;

  /**
   * If fast compression saves a smaller fraction than this, thorough compression hardly saves more.
   */
  private static final double EFFORT_FROM = 0.10;

  /**
   * Thorough compression has a fixed cost per page, which does not pay for smaller compressed
   * pages.
   */
  private static final int EFFORT_FROM_BYTES = 256;

  /** The fraction of the compressed bytes that thorough compression must save. */
  private static final double EFFORT_MUST_SAVE = 0.03;

  /**
   * The fraction of LZ4's bytes that Zstandard must save, because it decompresses several times
   * slower.
   */
  private static final double ZSTD_MUST_SAVE = 0.25;

  /** The number of sample pages of a chunk. */
  private static final int SAMPLES = 2;

  /** Encodes a page's values for a trial. */
  interface PageEncoder {
    void encode(ColumnEncoding encoding, int page, ByteOutput body);
  }

  private final WriteProfile profile;
  private final ByteOutput body = new ByteOutput(1 << 16);
  private final ByteOutput compressed = new ByteOutput(1 << 16);
  private @Nullable EncodingChoice best;
  private double bestBytes;
  private boolean worthEffort;

  EncodingTrial(WriteProfile profile) {
    this.profile = profile;
  }

  void begin() {
    best = null;
    worthEffort = false;
    bestBytes = Double.MAX_VALUE;
  }

  /** Returns the page of a sample. In a chunk of few pages each page is a sample. */
  static int samplePage(int sample, int pages) {
    return pages <= SAMPLES ? sample : (2 * sample + 1) * pages / (2 * SAMPLES);
  }

  static int samples(int pages) {
    return Math.min(pages, SAMPLES);
  }

  /** Returns the fraction of a chunk's values that the sample pages contain. */
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
   * @param dictionaryShare the fraction of the dictionary's bytes that is added to the size of the
   *     sample
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
      fast = compressedBytes(profile.codec(), dictionary, false) * dictionaryShare;
    }
    for (int sample = 0; sample < samples(pages); sample++) {
      body.reset();
      encoder.encode(encoding, samplePage(sample, pages), body);
      plain += body.size;
      fast += compressedBytes(profile.codec(), body, false);
    }
    boolean compress = fast < plain * (1 - CODEC_MUST_SAVE);
    double bytes = compress ? fast : plain;
    if (best == null || bytes < bestBytes * (1 - SLOWER_MUST_SAVE)) {
      best = new EncodingChoice(encoding, compress ? profile.codec() : Codec.NONE, false);
      bestBytes = bytes;
      worthEffort =
          profile.codec() == Codec.LZ4
              && fast < plain * (1 - EFFORT_FROM)
              && fast >= samples(pages) * EFFORT_FROM_BYTES;
    }
  }

  /**
   * Returns the best choice of those tried, with thorough compression or another codec if that
   * saves enough.
   */
  EncodingChoice best(int pages, PageEncoder encoder) {
    EncodingChoice choice = best;
    if (choice == null) {
      throw new IllegalStateException("no encoding was tried");
    }
    if (!worthEffort) {
      return choice;
    }
    double fast = 0;
    double thorough = 0;
    double zstd = 0;
    for (int sample = 0; sample < samples(pages); sample++) {
      body.reset();
      encoder.encode(choice.encoding(), samplePage(sample, pages), body);
      fast += compressedBytes(Codec.LZ4, body, false);
      thorough += compressedBytes(Codec.LZ4, body, true);
      zstd += profile.dense() ? compressedBytes(Codec.ZSTD, body, false) : Double.MAX_VALUE;
    }
    if (zstd < Math.min(fast, thorough) * (1 - ZSTD_MUST_SAVE)) {
      return new EncodingChoice(choice.encoding(), Codec.ZSTD, false);
    }
    boolean effort = thorough < fast * (1 - EFFORT_MUST_SAVE);
    return new EncodingChoice(choice.encoding(), Codec.LZ4, effort);
  }

  /**
   * Returns a choice without compression with the profile's codec instead, if that makes whole
   * pages smaller. Returns other choices unchanged.
   *
   * @param wholePages encodes the levels of a page and its values
   */
  EncodingChoice compressedIfSmaller(EncodingChoice choice, int pages, PageEncoder wholePages) {
    if (choice.codec() != Codec.NONE || profile.codec() == Codec.NONE) {
      return choice;
    }
    double plain = 0;
    double compressedBytes = 0;
    for (int sample = 0; sample < samples(pages); sample++) {
      body.reset();
      wholePages.encode(choice.encoding(), samplePage(sample, pages), body);
      plain += body.size;
      compressedBytes += compressedBytes(profile.codec(), body, false);
    }
    return compressedBytes < plain * (1 - CODEC_MUST_SAVE)
        ? new EncodingChoice(choice.encoding(), profile.codec(), false)
        : choice;
  }

  private int compressedBytes(Codec codec, ByteOutput page, boolean thorough) {
    if (codec == Codec.NONE) {
      return page.size;
    }
    compressed.reset();
    return PageCompressor.compress(codec, thorough, page, compressed);
  }
}
