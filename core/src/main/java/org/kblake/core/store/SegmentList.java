package org.kblake.core.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * A block's segments, each read when it is asked for, with some neighbours: of a year a question
 * about an hour needs few. Of a block that was written without parts all are read. Safe for many
 * threads.
 */
final class SegmentList {

  private final @Nullable SegmentParts parts;
  private final StoredSegment[] segments;
  private final List<StoredSegment> view;

  /** Of each part 1 when its segments are there. */
  private final AtomicIntegerArray read;

  private SegmentList(@Nullable SegmentParts parts, StoredSegment[] segments) {
    this.parts = parts;
    this.segments = segments;
    this.read = new AtomicIntegerArray(parts == null ? 0 : parts.count());
    this.view = Collections.unmodifiableList(Arrays.asList(segments));
  }

  static SegmentList open(Path block, BlockFacts facts) throws IOException {
    SegmentParts parts = SegmentParts.find(block, facts);
    if (parts != null) {
      return new SegmentList(parts, new StoredSegment[facts.segments()]);
    }
    List<StoredSegment> all = BlockSections.readSegments(block);
    if (all.size() != facts.segments()) {
      throw new CorruptBlockException(
          block.resolve(BlockSections.FILE_NAME),
          0,
          all.size() + " segments",
          facts.segments() + " segments");
    }
    return new SegmentList(null, all.toArray(new StoredSegment[0]));
  }

  /** The first segment of a stretch; of the stretch behind the last one their number. */
  int firstOf(int stretch) {
    if (parts != null) {
      return parts.firstSegment(stretch);
    }
    int low = 0;
    int high = segments.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (segments[middle].stretch() < stretch) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The segments in [from, to), the first of them at 0. */
  List<StoredSegment> range(int from, int to) throws IOException {
    if (!has(from, to)) {
      read(from, to);
    }
    return view.subList(from, to);
  }

  /** Whether the segments in [from, to) are at hand. */
  boolean has(int from, int to) {
    if (parts != null && from < to) {
      int last = (to - 1) / parts.segmentsOfPart();
      for (int part = from / parts.segmentsOfPart(); part <= last; part++) {
        if (read.get(part) == 0) {
          return false;
        }
      }
    }
    return true;
  }

  private synchronized void read(int from, int to) throws IOException {
    SegmentParts unread = parts;
    if (unread == null) {
      return;
    }
    int end = (to - 1) / unread.segmentsOfPart() + 1;
    int part = from / unread.segmentsOfPart();
    while (part < end) {
      int next = part;
      while (next < end && read.get(next) == 0) {
        next++;
      }
      if (part < next) {
        unread.read(part, next, segments);
      }
      for (; part < next; part++) {
        read.set(part, 1);
      }
      part = next + 1;
    }
  }
}
