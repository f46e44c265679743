package org.kblake.core.internal.store.block;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;

/**
 * The pages of the list of a block's segments, which can be read one by one. The list is one zlib
 * stream, like other deflated sections, and can be inflated as a whole. If it has more segments
 * than {@link #PAGE_SEGMENTS}, the stream is flushed behind each page, so that a reader can inflate
 * any page without those before it. The file's tail contains the positions of the pages.
 *
 * <pre>
 *   magic u64 "KBLAKESP" | segments of a page u32 | pages u32 | spans u32
 *   | ( offset u32 | stored bytes u32 | CRC of them u32 ) * pages
 *   | first segment u32 * spans | CRC of all before u32
 * </pre>
 *
 * Offsets count from the section's first stored byte. A page is deflated without a header (RFC
 * 1951). The first one begins with the number of segments, u32, as the section does.
 */
final class SegmentPages {

  private static final long MAGIC = 0x4B424C414B455350L; // "KBLAKESP"
  private static final int HEADER_BYTES = 20;
  private static final int ENTRY_BYTES = 12;

  /** The number of segments of a page: most of a day with segments of ten minutes. */
  static final int PAGE_SEGMENTS = 128;

  /** The header of a zlib stream. */
  private static final int ZLIB_HEADER_BYTES = 2;

  private final Path file;
  private final long sectionOffset;
  private final int segments;
  private final int pageSegments;
  private final int[] offset;
  private final int[] storedBytes;
  private final int[] checksum;
  private final int[] firstSegment;

  private SegmentPages(
      Path file,
      long sectionOffset,
      int segments,
      int pageSegments,
      int[] offset,
      int[] storedBytes,
      int[] checksum,
      int[] firstSegment) {
    this.file = file;
    this.sectionOffset = sectionOffset;
    this.segments = segments;
    this.pageSegments = pageSegments;
    this.offset = offset;
    this.storedBytes = storedBytes;
    this.checksum = checksum;
    this.firstSegment = firstSegment;
  }

  /**
   * The encoded list.
   *
   * @param index the positions of the pages; empty if the list has one page only
   */
  record Written(Sections.Stored section, byte[] index) {}

  /**
   * @param spans the number of spans of the block
   */
  static Written write(List<StoredSegment> segments, int spans) {
    if (segments.size() <= PAGE_SEGMENTS) {
      return whole(segments);
    }
    long bytes = Integer.BYTES + (long) segments.size() * StoredSegment.BYTES;
    List<byte[]> arrays = new ArrayList<>();
    Deflater deflater = new Deflater(Sections.level(bytes));
    try {
      for (int from = 0; from < segments.size(); from += PAGE_SEGMENTS) {
        int to = Math.min(segments.size(), from + PAGE_SEGMENTS);
        deflater.setInput(plain(segments, from, to));
        if (to == segments.size()) {
          deflater.finish();
        }
        arrays.add(deflated(deflater));
      }
    } finally {
      deflater.end();
    }
    Sections.Stored section = new Sections.Stored(arrays, Math.toIntExact(bytes));
    return section.storedBytes() < bytes
        ? new Written(section, index(segments, arrays, spans))
        : whole(segments);
  }

  private static Written whole(List<StoredSegment> segments) {
    return new Written(
        Sections.Stored.of(Sections.bytes(out -> StoredSegment.writeAll(segments, out))),
        new byte[0]);
  }

  private static byte[] plain(List<StoredSegment> segments, int from, int to) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((to - from) * StoredSegment.BYTES + 4);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      if (from == 0) {
        out.writeInt(segments.size());
      }
      for (StoredSegment segment : segments.subList(from, to)) {
        segment.write(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Returns the deflated bytes of the input so far, flushed to a byte boundary. */
  private static byte[] deflated(Deflater deflater) {
    byte[] target = new byte[2 * PAGE_SEGMENTS * StoredSegment.BYTES];
    int length = deflater.deflate(target, 0, target.length, Deflater.FULL_FLUSH);
    if (length == target.length) {
      throw new IllegalStateException("deflated bytes exceed twice the input");
    }
    return Arrays.copyOf(target, length);
  }

  private static byte[] index(List<StoredSegment> segments, List<byte[]> arrays, int spans) {
    ByteBuffer index =
        ByteBuffer.allocate(HEADER_BYTES + arrays.size() * ENTRY_BYTES + (spans + 1) * 4);
    index.putLong(MAGIC).putInt(PAGE_SEGMENTS).putInt(arrays.size()).putInt(spans);
    int offset = 0;
    for (int i = 0; i < arrays.size(); i++) {
      byte[] array = arrays.get(i);
      int skipped = i == 0 ? ZLIB_HEADER_BYTES : 0;
      index.putInt(offset + skipped).putInt(array.length - skipped);
      index.putInt(Sections.crc(array, skipped, array.length));
      offset += array.length;
    }
    int segment = 0;
    for (int span = 0; span < spans; span++) {
      while (segment < segments.size() && segments.get(segment).span() < span) {
        segment++;
      }
      index.putInt(segment);
    }
    index.putInt(Sections.crc(index.array(), 0, index.position()));
    return index.array();
  }

  /**
   * Finds the pages of a block's list.
   *
   * @return null if the list has no pages and must be read as a whole
   */
  static @Nullable SegmentPages find(Path block, BlockSummary summary) throws IOException {
    Sections.Place place = BlockSections.findSegments(block);
    ByteBuffer tail = place.tail();
    if (!tail.hasRemaining()) {
      return null;
    }
    Path file = block.resolve(BlockSections.FILE_NAME);
    int end = Math.max(0, tail.limit() - 4);
    byte[] before = new byte[end];
    tail.get(0, before);
    if (end < HEADER_BYTES || tail.getInt(end) != Sections.crc(before, 0, end)) {
      throw corrupt(file, place, "another checksum", "that of the segments' parts");
    }
    long magic = tail.getLong();
    int pageSegments = tail.getInt();
    int pages = tail.getInt();
    int spans = tail.getInt();
    if (magic != MAGIC
        || pageSegments < 1
        || place.bytes() != Integer.BYTES + (long) summary.segments() * StoredSegment.BYTES
        || pages != (summary.segments() + (long) pageSegments - 1) / pageSegments
        || spans != summary.spans().size()
        || end != HEADER_BYTES + (long) pages * ENTRY_BYTES + (long) spans * 4) {
      throw corrupt(
          file, place, pages + " parts of " + pageSegments, "parts of the block's segments");
    }
    int[] offset = new int[pages];
    int[] storedBytes = new int[pages];
    int[] checksum = new int[pages];
    for (int i = 0; i < pages; i++) {
      offset[i] = tail.getInt();
      storedBytes[i] = tail.getInt();
      checksum[i] = tail.getInt();
      if (offset[i] < 0
          || storedBytes[i] < 0
          || offset[i] > place.storedBytes() - storedBytes[i]
          || i > 0 && offset[i] != offset[i - 1] + storedBytes[i - 1]) {
        throw corrupt(file, place, "a part at " + offset[i], "parts that adjoin");
      }
    }
    int[] firstSegment = new int[spans + 1];
    for (int i = 0; i < spans; i++) {
      firstSegment[i] = tail.getInt();
    }
    firstSegment[spans] = summary.segments();
    for (int i = 0; i < spans; i++) {
      if (firstSegment[i] < 0 || firstSegment[i] > firstSegment[i + 1]) {
        throw corrupt(file, place, "segment " + firstSegment[i], "the first of a stretch");
      }
    }
    return new SegmentPages(
        file,
        place.offset(),
        summary.segments(),
        pageSegments,
        offset,
        storedBytes,
        checksum,
        firstSegment);
  }

  private static CorruptBlockException corrupt(
      Path file, Sections.Place place, String found, String expected) {
    return new CorruptBlockException(
        file, place.offset() + place.storedBytes(), found, "behind the sections, " + expected);
  }

  /** Returns the number of pages. */
  int count() {
    return offset.length;
  }

  int pageSegments() {
    return pageSegments;
  }

  /**
   * Returns the first segment of a span. For the span behind the last it is the number of segments.
   */
  int firstSegment(int span) {
    return firstSegment[span];
  }

  /**
   * Reads consecutive pages.
   *
   * @param into receives their segments, at their indices in the whole list
   */
  void read(int fromPage, int toPage, StoredSegment[] into) throws IOException {
    int first = offset[fromPage];
    int bytes = offset[toPage - 1] + storedBytes[toPage - 1] - first;
    byte[] stored = Sections.stored(file, sectionOffset + first, bytes);
    for (int page = fromPage; page < toPage; page++) {
      int at = offset[page] - first;
      long inFile = sectionOffset + offset[page];
      if (Sections.crc(stored, at, at + storedBytes[page]) != checksum[page]) {
        throw new CorruptBlockException(
            file, inFile, "another checksum", "that of a part of the segments");
      }
      int from = page * pageSegments;
      int to = Math.min(segments, from + pageSegments);
      int head = page == 0 ? Integer.BYTES : 0;
      ByteBuffer plain =
          ByteBuffer.wrap(
              Sections.inflate(
                  new Inflater(true),
                  file,
                  inFile,
                  stored,
                  at,
                  storedBytes[page],
                  head + (to - from) * StoredSegment.BYTES));
      plain.position(head);
      for (int i = from; i < to; i++) {
        into[i] = StoredSegment.read(plain);
      }
    }
  }
}
