package org.kblake.core.internal.store.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.columns.CorruptBlockException;

/**
 * The segments of a block. Only the parts with the requested segments are read, because a question
 * about an hour needs few segments of a year. If a block was written without parts, all its
 * segments are read. Segments with a gap between them are rejected, because the gap would not be
 * read from the log. Safe for many threads.
 */
final class SegmentList {

  private final Path file;
  private final List<Stretch> stretches;
  private final @Nullable SegmentParts parts;
  private final StoredSegment[] segments;
  private final List<StoredSegment> view;

  /** 1 for each part that was read, otherwise 0. */
  private final AtomicIntegerArray read;

  private SegmentList(
      Path block, BlockSummary summary, @Nullable SegmentParts parts, StoredSegment[] segments) {
    this.file = block.resolve(BlockSections.FILE_NAME);
    this.stretches = summary.stretches();
    this.parts = parts;
    this.segments = segments;
    this.read = new AtomicIntegerArray(parts == null ? 0 : parts.count());
    this.view = Collections.unmodifiableList(Arrays.asList(segments));
  }

  static SegmentList open(Path block, BlockSummary summary) throws IOException {
    SegmentParts parts = SegmentParts.find(block, summary);
    if (parts != null) {
      return new SegmentList(block, summary, parts, new StoredSegment[summary.segments()]);
    }
    List<StoredSegment> all = BlockSections.readSegments(block);
    if (all.size() != summary.segments()) {
      throw new CorruptBlockException(
          block.resolve(BlockSections.FILE_NAME),
          0,
          all.size() + " segments",
          summary.segments() + " segments");
    }
    SegmentList list =
        new SegmentList(block, summary, null, all.toArray(new StoredSegment[summary.segments()]));
    list.requireAdjoining(0, summary.segments());
    return list;
  }

  /**
   * Returns the first segment of a stretch. For the stretch behind the last it is the number of
   * segments.
   */
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

  /** Returns the segments [from, to). */
  List<StoredSegment> range(int from, int to) throws IOException {
    if (!has(from, to)) {
      read(from, to);
    }
    return view.subList(from, to);
  }

  /** Returns whether the segments [from, to) are in memory. */
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
        requireAdjoining(
            part * unread.segmentsOfPart(),
            Math.min(next * unread.segmentsOfPart(), segments.length));
      }
      for (; part < next; part++) {
        read.set(part, 1);
      }
      part = next + 1;
    }
  }

  /** Checks both ends of each of these segments against its neighbours, if those are in memory. */
  private void requireAdjoining(int from, int to) throws CorruptBlockException {
    for (int i = from; i <= to; i++) {
      StoredSegment last = i == 0 ? null : segments[i - 1];
      StoredSegment next = i == segments.length ? null : segments[i];
      boolean unread = i > 0 && last == null || i < segments.length && next == null;
      if (!unread && !adjoin(last, next)) {
        Stretch stretch = stretches.get(last == null ? 0 : last.stretch());
        throw new CorruptBlockException(
            file,
            0,
            "segments that do not adjoin at offset "
                + (last == null ? stretch.fromOffset() : last.endOffset())
                + " of the log of pair "
                + stretch.stamp(),
            "segments without a gap from " + stretch.fromOffset() + " to " + stretch.toOffset());
      }
    }
  }

  /**
   * Returns whether two segments of a stretch are adjacent. For segments of two stretches, returns
   * whether the first ends and the second begins with its stretch.
   *
   * @param last the first of the two; null before the first segment of the block
   * @param next the second of the two; null behind the last segment of the block
   */
  private boolean adjoin(@Nullable StoredSegment last, @Nullable StoredSegment next) {
    if (last != null && next != null && last.stretch() == next.stretch()) {
      return last.endOffset() == next.startOffset();
    }
    int ended = last == null ? -1 : last.stretch();
    int begun = next == null ? stretches.size() : next.stretch();
    return begun == ended + 1
        && (last == null || last.endOffset() == stretches.get(ended).toOffset())
        && (next == null || next.startOffset() == stretches.get(begun).fromOffset());
  }
}
