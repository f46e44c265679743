package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.file.LogFile;
import org.kblake.core.internal.log.file.LogSource;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.TimeRange;

/**
 * A snapshot of the two files of a pair. Immutable, holds no file open, safe for many threads.
 * Objects that it returns read the log up to the end as of the snapshot.
 */
public final class PairLog {

  private static final int OBJECT_BYTES = 1_000;
  private static final int RECORD_BYTES = 200;
  private static final int MILESTONE_BYTES = 40;

  private final Pair pair;
  private final IndexFile index;
  private final EventRules rules;
  private final Milestones milestones;
  private final LostMilestones behindEnd;
  private final long milestoneIntervalNanos;
  private final PairFileState fileState;
  private final LogSource source;
  private final List<Damage> indexDamage;

  /** The times of milestones in index and log, null if not read yet. */
  private final AtomicReferenceArray<@Nullable TimeSpan> milestoneTimes;

  PairLog(
      Pair pair,
      IndexFile index,
      EventRules rules,
      Milestones milestones,
      LostMilestones behindEnd,
      long milestoneIntervalNanos,
      PairFileState fileState,
      LogSource source,
      List<Damage> indexDamage) {
    this.pair = pair;
    this.index = index;
    this.rules = rules;
    this.milestones = milestones;
    this.behindEnd = behindEnd;
    this.milestoneIntervalNanos = milestoneIntervalNanos;
    this.fileState = fileState;
    this.source = source;
    this.indexDamage = indexDamage;
    milestoneTimes = new AtomicReferenceArray<>(milestones.count());
  }

  public Pair pair() {
    return pair;
  }

  /** Returns the approximate bytes of memory of this snapshot, with the index. */
  public long memoryBytes() {
    return OBJECT_BYTES
        + (long) RECORD_BYTES * records().size()
        + (long) MILESTONE_BYTES * (milestones.count() + behindEnd.milestones().count())
        + index.bytes().capacity();
  }

  public LogLayout layout() {
    return index.layout();
  }

  public ByteOrder order() {
    return index.order();
  }

  public RecordTable records() {
    return index.records();
  }

  /** Returns the milestones of the index. */
  public Milestones milestones() {
    return milestones;
  }

  /**
   * Returns the milestones of the index that lie behind the end of the log. If the pair is closed,
   * they and the events around them are lost.
   */
  public LostMilestones behindEnd() {
    return behindEnd;
  }

  /**
   * Returns the times of the milestones around a span of the log that is lost.
   *
   * @param fromOffset the begin of the span
   * @param toOffset the milestone behind it; {@link Long#MAX_VALUE} if the pair ends with it
   * @param endNanos the begin of the next pair
   */
  public TimeSpan lostTimes(long fromOffset, long toOffset, long endNanos) {
    int inside = milestones.count();
    long insideNanos = inside == 0 ? pair.beginNanos() : milestones.nanos(inside - 1);
    return behindEnd.times(fromOffset, toOffset, insideNanos, milestoneIntervalNanos, endNanos);
  }

  /** Returns whether the pair is closed, and its log ends before a milestone of its index. */
  public boolean isCutShort() {
    return closed() && !behindEnd.isEmpty();
  }

  /**
   * Returns whether the last index entry is not among {@link #milestones}. While a pair grows over
   * a network, the log may become visible later than the index, and the bytes of the entry later
   * than the index's size.
   */
  public boolean lacksLastMilestone() {
    int entries = index.milestoneEntries();
    if (entries == 0) {
      return false;
    }
    long last = layout().milestoneEntryOffset(index.bytes(), index.entryAt(entries - 1));
    return milestones.indexOfOffset(last) < 0;
  }

  /** Returns the median of the intervals between milestones; one hour if the index has only one. */
  public long milestoneIntervalNanos() {
    return milestoneIntervalNanos;
  }

  /** Returns whether nothing will be appended any more. */
  public boolean closed() {
    return fileState.closed();
  }

  /**
   * Returns whether this is the group's newest pair and it still grows. Then its last segment has
   * no end.
   */
  public boolean growing() {
    return !fileState.closed() && !pair.isSuperseded();
  }

  /** Returns the size of the log. */
  public long logBytes() {
    return fileState.logBytes();
  }

  /**
   * Returns the bytes of the log that count as written. They are less than its size if a network
   * file system may show zeros for bytes at the end that have not arrived yet.
   */
  public long dataBytes() {
    return fileState.dataBytes();
  }

  /** Returns whether the pair was closed and its files are unchanged. */
  public boolean isStill(FileState indexNow, FileState logNow) {
    return fileState.closed()
        && fileState.index().equals(indexNow)
        && fileState.log().equals(logNow);
  }

  /** Returns the time of the log's last modification. */
  public FileTime logModified() {
    return fileState.log().modified();
  }

  /** Returns the time of the index's last modification. */
  public FileTime indexModified() {
    return fileState.index().modified();
  }

  /** Returns the bytes of the whole index, read-only, in the pair's byte order. */
  public ByteBuffer indexBytes() {
    return index.bytes().asReadOnlyBuffer().order(index.order()).position(0);
  }

  /** Returns the bytes of the index before the milestone table: header and records. */
  public byte[] indexHead() {
    byte[] head = new byte[headBytes()];
    index.bytes().get(0, head);
    return head;
  }

  /** Returns the bytes of the index from the milestone table on. */
  public byte[] indexTail() {
    int offset = headBytes();
    byte[] tail = new byte[index.bytes().limit() - offset];
    index.bytes().get(offset, tail);
    return tail;
  }

  /**
   * Returns the size of the head. In a damaged index the milestone table may begin behind the end
   * of the file.
   */
  private int headBytes() {
    return (int) Math.min(index.milestoneTableOffset(), index.bytes().limit());
  }

  /** Returns whether the log's first event is complete, so that its bytes will not change. */
  public boolean hasFirstEvent() throws IOException {
    byte[] first = firstEvent();
    return !endsWithin(first) && layout().length(ByteBuffer.wrap(first).order(order()), 0) != 0;
  }

  /**
   * Returns whether the log ends before its first event does.
   *
   * @param firstEvent the result of {@link #firstEvent}
   */
  public boolean endsWithin(byte[] firstEvent) {
    if (firstEvent.length < layout().eventHeaderBytes()) {
      return true;
    }
    long length = layout().length(ByteBuffer.wrap(firstEvent).order(order()), 0);
    return rules.isMilestoneLength(length) && length > dataBytes();
  }

  /** Returns the bytes of the log's first event, or fewer if the log ends earlier. */
  public byte[] firstEvent() throws IOException {
    ByteBuffer head = ByteBuffer.allocate((int) Math.min(layout().eventHeaderBytes(), dataBytes()));
    try (LogFile file = source.open()) {
      file.readStartPaced(head);
      if (head.limit() < layout().eventHeaderBytes()) {
        return head.array();
      }
      long length = layout().length(head.order(order()), 0);
      boolean plausible = rules.isMilestoneLength(length) && length <= dataBytes();
      ByteBuffer event = ByteBuffer.allocate(plausible ? (int) length : head.limit());
      file.readStartPaced(event);
      return event.array();
    }
  }

  /**
   * Returns whether bytes may change after they were read. This occurs in a growing file on a
   * network file system.
   */
  public boolean provisional() {
    return !fileState.tailFinal();
  }

  /**
   * Returns the time after which the bytes of a provisional pair are final, if its files have not
   * changed.
   */
  public long settleNanos() {
    return pair.archive().settings().settleNanos();
  }

  /** Returns the index entries that are ignored, and the reasons. */
  public List<Damage> indexDamage() {
    return indexDamage;
  }

  /**
   * Returns the segments of the index, in log order, that can have events of a range that are not
   * strays. Their spans meet the range. Spans are only approximate before a scan. Reads a few
   * headers.
   *
   * @throws UnavailableException if the log cannot be read any more
   */
  public List<IndexSegment> segmentsMeeting(TimeRange range) throws IOException {
    try (MilestoneTimes times =
        new MilestoneTimes(source, file -> boundaries(file, 0), milestoneTimes)) {
      return new SegmentPlanner(this, times).meeting(range);
    }
  }

  /**
   * Returns segments as {@link #segmentsMeeting} does, but without reading the log. The result also
   * has the segments that only headers in the log could rule out.
   */
  public List<IndexSegment> segmentsThatMayMeet(TimeRange range) throws IOException {
    return new SegmentPlanner(this, null).meeting(range);
  }

  /** Returns whether {@link #segmentsThatMayMeet} returns any segment. */
  public boolean mayMeet(TimeRange range) {
    return new SegmentPlanner(this, null).mayMeet(range);
  }

  /**
   * Returns whether {@link #segmentsThatMayMeet} returns a segment. Other segments are not read for
   * the range, even if the log has other times for their milestones than the index.
   *
   * @param milestone the index of the milestone with which the segment begins
   */
  public boolean mayMeet(int milestone, TimeRange range) {
    return new SegmentPlanner(this, null).mayMeet(milestone, range);
  }

  /**
   * Returns the offset up to which a scan may have read when it reaches an offset. A log that is
   * not mapped is read into a buffer.
   */
  public long scannedTo(long offset) {
    return fileState.mappable() ? offset : Math.min(dataBytes(), offset + LogWindow.BUFFER_BYTES);
  }

  /**
   * Returns whether the log ends inside of the header of an event, such as a milestone that is not
   * written yet.
   *
   * @param offset of the event
   */
  public boolean endsInHeader(long offset) {
    return logBytes() - offset < layout().eventHeaderBytes();
  }

  /**
   * Returns the offset of the last milestone that is in both index and log, 0 if there is none. A
   * scan that begins earlier continues there after any damage.
   *
   * @throws UnavailableException if the log cannot be read any more
   */
  public long lastMilestoneOffset() throws IOException {
    try (LogFile file = source.open()) {
      return knownMilestones(file).last();
    }
  }

  /**
   * Returns the offset of the first milestone behind an offset that is in both index and log, or
   * the end of the log if there is none. A segment begins there, even if there is damage before it.
   *
   * @throws UnavailableException if the log cannot be read any more
   */
  public long milestoneOffsetAfter(long offset) throws IOException {
    try (LogFile file = source.open()) {
      return Math.min(knownMilestones(file).after(offset), logBytes());
    }
  }

  public LogWindow buffered(LogFile file, int bufferBytes) {
    LogWindow window = LogWindow.buffered(file, fileState.dataBytes(), order(), bufferBytes);
    return fileState.endsWritten() ? window.endingWritten() : window;
  }

  /**
   * Returns the boundaries of a scan. The headers of a closed log are taken from the scan's window
   * where it has them. Over a network each read takes a millisecond, and segments may be small.
   */
  public Boundaries boundaries(LogWindow window, long fromOffset) {
    LogFile file = window.file();
    return fileState.closed()
        ? new Boundaries(
            pair.beginNanos(),
            milestones,
            new MilestoneProbe(layout(), rules, file, window, order()),
            fromOffset)
        : boundaries(file, fromOffset);
  }

  public Boundaries boundaries(LogFile file, long fromOffset) {
    return new Boundaries(pair.beginNanos(), milestones, probe(file), fromOffset);
  }

  public KnownMilestones knownMilestones(LogFile file) {
    return new KnownMilestones(milestones, probe(file));
  }

  private MilestoneProbe probe(LogFile file) {
    return new MilestoneProbe(layout(), rules, file, order());
  }

  /**
   * Returns the span of the last segment, before it is widened by the disorder bound. If the log
   * has lost its end, the index still has the time of the next milestone.
   */
  public TimeSpan lastSpan(TimeSpan milestone) {
    if (growing()) {
      return milestone.openEnded();
    }
    return !behindEnd.isEmpty()
        ? milestone.and(behindEnd.milestones().nanos(0))
        : milestone.plusTo(milestoneIntervalNanos).plusTo(milestoneIntervalNanos);
  }

  public long disorderBoundNanos() {
    return pair.archive().settings().disorderBoundNanos();
  }

  /**
   * Returns the position of the index entry for a log offset, or that of the milestone table if
   * there is none.
   */
  public long entryOffset(long logOffset) {
    for (int i = 0; i < index.milestoneEntries(); i++) {
      int at = index.entryAt(i);
      if (layout().milestoneEntryOffset(index.bytes(), at) == logOffset) {
        return at;
      }
    }
    return index.milestoneTableOffset();
  }

  /**
   * Returns the first log offset in the index that lies behind the data of the log, or {@link
   * Long#MAX_VALUE}.
   */
  public long firstOffsetAhead() {
    long first = Long.MAX_VALUE;
    for (int i = 0; i < index.milestoneEntries(); i++) {
      long offset = layout().milestoneEntryOffset(index.bytes(), index.entryAt(i));
      if (offset > dataBytes() - layout().eventHeaderBytes()) {
        first = Math.min(first, offset);
      }
    }
    return first;
  }

  public PairFileState fileState() {
    return fileState;
  }

  public LogSource source() {
    return source;
  }

  /**
   * Returns the copy if only the copy is read, as after {@link Pair#openCopy}, and if a closed log
   * ends before its copy begins.
   *
   * @return null if the log is also read from the archive
   */
  public @Nullable LogCopy onlyCopy() {
    return source.reachable() ? null : source.copy();
  }

  IndexFile index() {
    return index;
  }

  public EventRules rules() {
    return rules;
  }
}
