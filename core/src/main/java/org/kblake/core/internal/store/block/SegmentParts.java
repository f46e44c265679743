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
import org.kblake.core.internal.columns.CorruptBlockException;

/**
 * The parts of the list of a block's segments, which can be read one by one. The list is one zlib
 * stream, like other deflated sections, and can be inflated as a whole. If it has more segments
 * than {@link #PART}, the stream is flushed behind each part, so that a reader can inflate any part
 * without those before it. The file's tail contains the positions of the parts.
 *
 * <pre>
 *   magic u64 "KBLAKESP" | segments of a part u32 | parts u32 | stretches u32
 *   | ( offset u32 | stored bytes u32 | CRC of them u32 ) * parts
 *   | first segment u32 * stretches | CRC of all before u32
 * </pre>
 *
 * Offsets count from the section's first stored byte. A part is deflated without a header (RFC
 * 1951). The first one begins with the number of segments, u32, as the section does.
 */
final class SegmentParts {

  private static final long MAGIC = 0x4B424C414B455350L; // "KBLAKESP"
  private static final int HEADER_BYTES = 20;
  private static final int ENTRY_BYTES = 12;

  /** The number of segments of a part: most of a day with segments of ten minutes. */
  static final int PART = 128;

  /** The header of a zlib stream. */
  private static final int ZLIB_HEADER_BYTES = 2;

  private final Path file;
  private final long sectionOffset;
  private final int segments;
  private final int perPart;
  private final int[] offset;
  private final int[] storedBytes;
  private final int[] checksum;
  private final int[] firstSegment;

  private SegmentParts(
      Path file,
      long sectionOffset,
      int segments,
      int perPart,
      int[] offset,
      int[] storedBytes,
      int[] checksum,
      int[] firstSegment) {
    this.file = file;
    this.sectionOffset = sectionOffset;
    this.segments = segments;
    this.perPart = perPart;
    this.offset = offset;
    this.storedBytes = storedBytes;
    this.checksum = checksum;
    this.firstSegment = firstSegment;
  }

  /**
   * The encoded list.
   *
   * @param index the positions of the parts; empty if the list has one part only
   */
  record Written(Sections.Stored section, byte[] index) {}

  /**
   * @param stretches the number of stretches of the block
   */
  static Written write(List<StoredSegment> segments, int stretches) {
    if (segments.size() <= PART) {
      return whole(segments);
    }
    long bytes = Integer.BYTES + (long) segments.size() * StoredSegment.BYTES;
    List<byte[]> pieces = new ArrayList<>();
    Deflater deflater = new Deflater(Sections.level(bytes));
    try {
      for (int from = 0; from < segments.size(); from += PART) {
        int to = Math.min(segments.size(), from + PART);
        deflater.setInput(plain(segments, from, to));
        if (to == segments.size()) {
          deflater.finish();
        }
        pieces.add(deflated(deflater));
      }
    } finally {
      deflater.end();
    }
    Sections.Stored section = new Sections.Stored(pieces, Math.toIntExact(bytes));
    return section.storedBytes() < bytes
        ? new Written(section, index(segments, pieces, stretches))
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
    byte[] target = new byte[2 * PART * StoredSegment.BYTES];
    int length = deflater.deflate(target, 0, target.length, Deflater.FULL_FLUSH);
    if (length == target.length) {
      throw new IllegalStateException("deflated bytes exceed twice the input");
    }
    return Arrays.copyOf(target, length);
  }

  private static byte[] index(List<StoredSegment> segments, List<byte[]> pieces, int stretches) {
    ByteBuffer index =
        ByteBuffer.allocate(HEADER_BYTES + pieces.size() * ENTRY_BYTES + (stretches + 1) * 4);
    index.putLong(MAGIC).putInt(PART).putInt(pieces.size()).putInt(stretches);
    int offset = 0;
    for (int i = 0; i < pieces.size(); i++) {
      byte[] piece = pieces.get(i);
      int skipped = i == 0 ? ZLIB_HEADER_BYTES : 0;
      index.putInt(offset + skipped).putInt(piece.length - skipped);
      index.putInt(Sections.crc(piece, skipped, piece.length));
      offset += piece.length;
    }
    int segment = 0;
    for (int stretch = 0; stretch < stretches; stretch++) {
      while (segment < segments.size() && segments.get(segment).stretch() < stretch) {
        segment++;
      }
      index.putInt(segment);
    }
    index.putInt(Sections.crc(index.array(), 0, index.position()));
    return index.array();
  }

  /**
   * Finds the parts of a block's list.
   *
   * @return null if the list has no parts and must be read as a whole
   */
  static @Nullable SegmentParts find(Path block, BlockSummary summary) throws IOException {
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
    int perPart = tail.getInt();
    int parts = tail.getInt();
    int stretches = tail.getInt();
    if (magic != MAGIC
        || perPart < 1
        || place.bytes() != Integer.BYTES + (long) summary.segments() * StoredSegment.BYTES
        || parts != (summary.segments() + (long) perPart - 1) / perPart
        || stretches != summary.stretches().size()
        || end != HEADER_BYTES + (long) parts * ENTRY_BYTES + (long) stretches * 4) {
      throw corrupt(file, place, parts + " parts of " + perPart, "parts of the block's segments");
    }
    int[] offset = new int[parts];
    int[] storedBytes = new int[parts];
    int[] checksum = new int[parts];
    for (int i = 0; i < parts; i++) {
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
    int[] firstSegment = new int[stretches + 1];
    for (int i = 0; i < stretches; i++) {
      firstSegment[i] = tail.getInt();
    }
    firstSegment[stretches] = summary.segments();
    for (int i = 0; i < stretches; i++) {
      if (firstSegment[i] < 0 || firstSegment[i] > firstSegment[i + 1]) {
        throw corrupt(file, place, "segment " + firstSegment[i], "the first of a stretch");
      }
    }
    return new SegmentParts(
        file,
        place.offset(),
        summary.segments(),
        perPart,
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

  /** Returns the number of parts. */
  int count() {
    return offset.length;
  }

  int segmentsOfPart() {
    return perPart;
  }

  /**
   * Returns the first segment of a stretch. For the stretch behind the last it is the number of
   * segments.
   */
  int firstSegment(int stretch) {
    return firstSegment[stretch];
  }

  /**
   * Reads consecutive parts.
   *
   * @param into receives their segments, at their indices in the whole list
   */
  void read(int fromPart, int toPart, StoredSegment[] into) throws IOException {
    int first = offset[fromPart];
    int bytes = offset[toPart - 1] + storedBytes[toPart - 1] - first;
    byte[] stored = Sections.stored(file, sectionOffset + first, bytes);
    for (int part = fromPart; part < toPart; part++) {
      int at = offset[part] - first;
      long inFile = sectionOffset + offset[part];
      if (Sections.crc(stored, at, at + storedBytes[part]) != checksum[part]) {
        throw new CorruptBlockException(
            file, inFile, "another checksum", "that of a part of the segments");
      }
      int from = part * perPart;
      int to = Math.min(segments, from + perPart);
      int head = part == 0 ? Integer.BYTES : 0;
      ByteBuffer plain =
          ByteBuffer.wrap(
              Sections.inflate(
                  new Inflater(true),
                  file,
                  inFile,
                  stored,
                  at,
                  storedBytes[part],
                  head + (to - from) * StoredSegment.BYTES));
      plain.position(head);
      for (int i = from; i < to; i++) {
        into[i] = StoredSegment.read(plain);
      }
    }
  }
}
