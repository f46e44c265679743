package org.kblake.core.internal.parquet.write;

import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.page.Codec;
import org.kblake.core.internal.parquet.page.PageCompressor;

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

  /** A page of fewer compressed bytes saves too little: more effort costs the same for any. */
  private static final int EFFORT_FROM_BYTES = 256;

  /** What more effort must save of the compressed bytes. */
  private static final double EFFORT_MUST_SAVE = 0.03;

  /** What Zstandard, which decompresses at a fraction of LZ4's speed, must save of LZ4's bytes. */
  private static final double ZSTD_MUST_SAVE = 0.25;

  /** Sample pages of a chunk. */
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

  /** The best that was tried, with more effort or another codec where that pays. */
  EncodingChoice best(int pages, PageEncoder encoder) {
    EncodingChoice choice = best;
    if (choice == null) {
      throw new IllegalStateException("nothing was tried");
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

  private int compressedBytes(Codec codec, ByteOutput page, boolean thorough) {
    if (codec == Codec.NONE) {
      return page.size;
    }
    compressed.reset();
    return PageCompressor.compress(codec, thorough, page, compressed);
  }
}
