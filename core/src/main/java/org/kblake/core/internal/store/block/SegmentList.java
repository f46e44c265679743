package org.kblake.core.internal.store.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.log.LogSpan;

/**
 * The segments of a block. Only the pages with the requested segments are read, because a question
 * about an hour needs few segments of a year. If a block was written without pages, all its
 * segments are read. Segments with a gap between them are rejected, because the gap would not be
 * read from the log. Safe for many threads.
 */
final class SegmentList {

  private final Path file;
  private final List<LogSpan> spans;
  private final @Nullable SegmentPages pages;
  private final StoredSegment[] segments;
  private final List<StoredSegment> view;

  /** 1 for each page that was read, otherwise 0. */
  private final AtomicIntegerArray read;

  private SegmentList(
      Path block, BlockSummary summary, @Nullable SegmentPages pages, StoredSegment[] segments) {
    this.file = block.resolve(BlockSections.FILE_NAME);
    this.spans = summary.spans();
    this.pages = pages;
    this.segments = segments;
    this.read = new AtomicIntegerArray(pages == null ? 0 : pages.count());
    this.view = Collections.unmodifiableList(Arrays.asList(segments));
  }

  static SegmentList open(Path block, BlockSummary summary) throws IOException {
    SegmentPages pages = SegmentPages.find(block, summary);
    if (pages != null) {
      return new SegmentList(block, summary, pages, new StoredSegment[summary.segments()]);
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
   * Returns the first segment of a span. For the span behind the last it is the number of segments.
   */
  int firstOf(int span) {
    if (pages != null) {
      return pages.firstSegment(span);
    }
    int low = 0;
    int high = segments.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (segments[middle].span() < span) {
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
    if (pages != null && from < to) {
      int last = (to - 1) / pages.pageSegments();
      for (int page = from / pages.pageSegments(); page <= last; page++) {
        if (read.get(page) == 0) {
          return false;
        }
      }
    }
    return true;
  }

  private synchronized void read(int from, int to) throws IOException {
    SegmentPages unread = pages;
    if (unread == null) {
      return;
    }
    int end = (to - 1) / unread.pageSegments() + 1;
    int page = from / unread.pageSegments();
    while (page < end) {
      int next = page;
      while (next < end && read.get(next) == 0) {
        next++;
      }
      if (page < next) {
        unread.read(page, next, segments);
        requireAdjoining(
            page * unread.pageSegments(), Math.min(next * unread.pageSegments(), segments.length));
      }
      for (; page < next; page++) {
        read.set(page, 1);
      }
      page = next + 1;
    }
  }

  /** Checks both ends of each of these segments against its neighbours, if those are in memory. */
  private void requireAdjoining(int from, int to) throws CorruptBlockException {
    for (int i = from; i <= to; i++) {
      StoredSegment last = i == 0 ? null : segments[i - 1];
      StoredSegment next = i == segments.length ? null : segments[i];
      boolean unread = i > 0 && last == null || i < segments.length && next == null;
      if (!unread && !adjoin(last, next)) {
        LogSpan span = spans.get(last == null ? 0 : last.span());
        throw new CorruptBlockException(
            file,
            0,
            "segments that do not adjoin at offset "
                + (last == null ? span.fromOffset() : last.endOffset())
                + " of the log of pair "
                + span.stamp(),
            "segments without a gap from " + span.fromOffset() + " to " + span.toOffset());
      }
    }
  }

  /**
   * Returns whether two segments of a span are adjacent. For segments of two spans, returns whether
   * the first ends and the second begins with its span.
   *
   * @param last the first of the two; null before the first segment of the block
   * @param next the second of the two; null behind the last segment of the block
   */
  private boolean adjoin(@Nullable StoredSegment last, @Nullable StoredSegment next) {
    if (last != null && next != null && last.span() == next.span()) {
      return last.endOffset() == next.startOffset();
    }
    int ended = last == null ? -1 : last.span();
    int begun = next == null ? spans.size() : next.span();
    return begun == ended + 1
        && (last == null || last.endOffset() == spans.get(ended).toOffset())
        && (next == null || next.startOffset() == spans.get(begun).fromOffset());
  }
}
