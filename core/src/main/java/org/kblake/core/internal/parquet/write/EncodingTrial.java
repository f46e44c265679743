package org.kblake.core.internal.parquet.write;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.page.PageCompressor;

/**
 * Chooses the encoding of a chunk by the compressed size of a sample of its pages. Encodings are
 * tried in the order of decoding speed, the fastest first. A slower one is chosen only if it is
 * smaller by the fraction {@link #SLOWER_MUST_SAVE}. The sample pages of the choice are kept, so
 * that the chunk need not encode them again.
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

  /**
   * If Zstandard needs a smaller fraction of the bytes of fast LZ4, thorough LZ4 is not tried. It
   * takes longer than all else, and hardly ever saves enough.
   */
  private static final double CLEAR_OF_LZ4 = 0.5;

  /** The number of sample pages of a chunk. */
  private static final int SAMPLES = 2;

  private static final int LARGEST_KEPT_BYTES = 1 << 18;

  /** Encodes a page's values for a trial. */
  interface PageEncoder {
    void encode(ColumnEncoding encoding, int page, ByteOutput body);
  }

  private final WriteProfile profile;
  private Sample[] tried = {new Sample(), new Sample()};
  private Sample[] kept = {new Sample(), new Sample()};
  private @Nullable EncodingChoice best;
  private double bestBytes;
  private double keptBytes;
  private boolean worthEffort;
  private int keptPages;
  private boolean compresses;

  /** The values of a sample page, encoded, and compressed. */
  private static final class Sample {
    ByteOutput values = new ByteOutput(1 << 12);
    ByteOutput compressed = new ByteOutput(1 << 12);

    /** Frees the memory of a waveform's pages, which are much larger than others. */
    void shrink() {
      if (values.bytes.length + compressed.bytes.length > LARGEST_KEPT_BYTES) {
        values = new ByteOutput(1 << 12);
        compressed = new ByteOutput(1 << 12);
      }
    }
  }

  EncodingTrial(WriteProfile profile) {
    this.profile = profile;
  }

  void begin() {
    for (int sample = 0; sample < SAMPLES; sample++) {
      kept[sample].shrink();
      tried[sample].shrink();
    }
    keptPages = 0;
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
      fast = compress(profile.codec(), dictionary, false, tried[0].compressed) * dictionaryShare;
    }
    double fastOfValues = 0;
    for (int sample = 0; sample < samples(pages); sample++) {
      Sample into = tried[sample];
      into.values.reset();
      encoder.encode(encoding, samplePage(sample, pages), into.values);
      plain += into.values.size;
      fastOfValues += compress(profile.codec(), into.values, false, into.compressed);
    }
    fast += fastOfValues;
    boolean compress = fast < plain * (1 - CODEC_MUST_SAVE);
    double bytes = compress ? fast : plain;
    if (best == null || bytes < bestBytes * (1 - SLOWER_MUST_SAVE)) {
      best = new EncodingChoice(encoding, compress ? profile.codec() : Codec.NONE, false);
      bestBytes = bytes;
      keptBytes = fastOfValues;
      keptPages = pages;
      compresses = compress;
      Sample[] worse = kept;
      kept = tried;
      tried = worse;
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
  EncodingChoice best(int pages) {
    EncodingChoice choice = best;
    if (choice == null) {
      throw new IllegalStateException("no encoding was tried");
    }
    if (!worthEffort) {
      return choice;
    }
    double thorough = 0;
    double zstd = profile.dense() ? 0 : Double.MAX_VALUE;
    for (int sample = 0; sample < samples(pages) && profile.dense(); sample++) {
      zstd += compress(Codec.ZSTD, kept[sample].values, false, tried[sample].compressed);
    }
    boolean clear = zstd < keptBytes * CLEAR_OF_LZ4;
    for (int sample = 0; sample < samples(pages) && !clear; sample++) {
      thorough += compress(Codec.LZ4, kept[sample].values, true, tried[sample].values);
    }
    if (clear || zstd < Math.min(keptBytes, thorough) * (1 - ZSTD_MUST_SAVE)) {
      for (int sample = 0; sample < SAMPLES; sample++) {
        ByteOutput unused = kept[sample].compressed;
        kept[sample].compressed = tried[sample].compressed;
        tried[sample].compressed = unused;
      }
      return new EncodingChoice(choice.encoding(), Codec.ZSTD, false);
    }
    boolean effort = thorough < keptBytes * (1 - EFFORT_MUST_SAVE);
    for (int sample = 0; sample < SAMPLES && effort; sample++) {
      ByteOutput unused = kept[sample].compressed;
      kept[sample].compressed = tried[sample].values;
      tried[sample].values = unused;
    }
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
      Sample whole = tried[sample];
      whole.values.reset();
      wholePages.encode(choice.encoding(), samplePage(sample, pages), whole.values);
      plain += whole.values.size;
      compressedBytes += compress(profile.codec(), whole.values, false, whole.compressed);
    }
    return compressedBytes < plain * (1 - CODEC_MUST_SAVE)
        ? new EncodingChoice(choice.encoding(), profile.codec(), false)
        : choice;
  }

  /**
   * Returns the values of a page in the best encoding, if the page was a sample; otherwise null.
   */
  @Nullable ByteOutput values(int page) {
    Sample sample = sampleOf(page);
    return sample == null ? null : sample.values;
  }

  /**
   * Returns these values as the choice of {@link #best} compresses them; null if it does not
   * compress, or the page was no sample.
   */
  @Nullable ByteOutput compressed(int page) {
    Sample sample = sampleOf(page);
    return sample == null || !compresses ? null : sample.compressed;
  }

  private @Nullable Sample sampleOf(int page) {
    for (int sample = 0; sample < samples(keptPages); sample++) {
      if (samplePage(sample, keptPages) == page) {
        return kept[sample];
      }
    }
    return null;
  }

  private static int compress(Codec codec, ByteOutput page, boolean thorough, ByteOutput into) {
    if (codec == Codec.NONE) {
      return page.size;
    }
    into.reset();
    return PageCompressor.compress(codec, thorough, page, into);
  }
}
