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
 * What the two files of a pair said at one moment. Never changes, holds no file open, safe for many
 * threads. What it hands out reads the log up to what was there at that moment.
 */
public final class PairLog {

  private static final int OBJECT_BYTES = 1_000;
  private static final int RECORD_BYTES = 200;
  private static final int MILESTONE_BYTES = 40;

  private final Pair pair;
  private final IndexFile index;
  private final EventRules rules;
  private final Milestones milestones;
  private final long milestoneIntervalNanos;
  private final PairFileState fileState;
  private final LogSource source;
  private final List<Damage> indexDamage;

  /** The times of milestones that were read in the log, null where not read. */
  private final AtomicReferenceArray<@Nullable Span> milestoneTimes;

  PairLog(
      Pair pair,
      IndexFile index,
      EventRules rules,
      Milestones milestones,
      long milestoneIntervalNanos,
      PairFileState fileState,
      LogSource source,
      List<Damage> indexDamage) {
    this.pair = pair;
    this.index = index;
    this.rules = rules;
    this.milestones = milestones;
    this.milestoneIntervalNanos = milestoneIntervalNanos;
    this.fileState = fileState;
    this.source = source;
    this.indexDamage = indexDamage;
    milestoneTimes = new AtomicReferenceArray<>(milestones.count());
  }

  public Pair pair() {
    return pair;
  }

  /** About the bytes of memory that this takes, with the index. */
  public long memoryBytes() {
    return OBJECT_BYTES
        + (long) RECORD_BYTES * records().size()
        + (long) MILESTONE_BYTES * milestones.count()
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

  /** The milestones that the index knows. */
  public Milestones milestones() {
    return milestones;
  }

  /**
   * Whether the last entry of the index is not among {@link #milestones}. While a pair grows over a
   * network, the log may be seen later than the index, and the entry later than the index's size.
   */
  public boolean lacksLastMilestone() {
    int entries = index.milestoneEntries();
    if (entries == 0) {
      return false;
    }
    long last = layout().milestoneEntryOffset(index.bytes(), index.entryAt(entries - 1));
    return milestones.indexOfOffset(last) < 0;
  }

  /** The median of the intervals between milestones; one hour where the index has but one. */
  public long milestoneIntervalNanos() {
    return milestoneIntervalNanos;
  }

  /** Whether nothing will be appended any more. */
  public boolean closed() {
    return fileState.closed();
  }

  /** Whether this is the group's newest pair and it still grows: its last segment has no end. */
  public boolean growing() {
    return !fileState.closed() && pair.nextStamp() == null;
  }

  /** Size of the log. */
  public long logBytes() {
    return fileState.logBytes();
  }

  /**
   * How many bytes of the log count as written: less than its size where a network file system may
   * not have brought the end yet.
   */
  public long dataBytes() {
    return fileState.dataBytes();
  }

  /** Whether the pair was closed, and its files are as they were. */
  public boolean isStill(FileState indexNow, FileState logNow) {
    return fileState.closed()
        && fileState.index().equals(indexNow)
        && fileState.log().equals(logNow);
  }

  /** When the log was last changed. */
  public FileTime logModified() {
    return fileState.log().modified();
  }

  /** When the index was last changed. */
  public FileTime indexModified() {
    return fileState.index().modified();
  }

  /** The bytes of the whole index, read-only, in the pair's byte order. */
  public ByteBuffer indexBytes() {
    return index.bytes().asReadOnlyBuffer().order(index.order()).position(0);
  }

  /** The bytes of the index before the milestone table: header and records. */
  public byte[] indexHead() {
    byte[] head = new byte[headBytes()];
    index.bytes().get(0, head);
    return head;
  }

  /** The bytes of the index from the milestone table on. */
  public byte[] indexTail() {
    int offset = headBytes();
    byte[] tail = new byte[index.bytes().limit() - offset];
    index.bytes().get(offset, tail);
    return tail;
  }

  /** The milestone table may be said to begin behind the end of the file. */
  private int headBytes() {
    return (int) Math.min(index.milestoneTableOffset(), index.bytes().limit());
  }

  /** Whether the log's first event is there as a whole, so that it stays what it is. */
  public boolean hasFirstEvent() throws IOException {
    byte[] first = firstEvent();
    if (first.length < layout().eventHeaderBytes()) {
      return false;
    }
    long length = layout().length(ByteBuffer.wrap(first).order(order()), 0);
    return length != 0 && (!rules.isMilestoneLength(length) || length <= dataBytes());
  }

  /** The bytes of the log's first event, fewer where the log ends before. */
  public byte[] firstEvent() throws IOException {
    ByteBuffer head = ByteBuffer.allocate((int) Math.min(layout().eventHeaderBytes(), dataBytes()));
    try (LogFile file = source.open()) {
      file.readPaced(head, 0);
      if (head.limit() < layout().eventHeaderBytes()) {
        return head.array();
      }
      long length = layout().length(head.order(order()), 0);
      boolean plausible = rules.isMilestoneLength(length) && length <= dataBytes();
      ByteBuffer event = ByteBuffer.allocate(plausible ? (int) length : head.limit());
      file.readPaced(event, 0);
      return event.array();
    }
  }

  /** Whether bytes may still change after they were read: a growing file seen over a network. */
  public boolean provisional() {
    return !fileState.tailFinal();
  }

  /** How long bytes of a provisional pair need to settle. */
  public long settleNanos() {
    return pair.archive().settings().settleNanos();
  }

  /** Entries of the index that are ignored, and why. */
  public List<Damage> indexDamage() {
    return indexDamage;
  }

  /**
   * The segments of the index, in log order, that can hold events of a range which are not strays:
   * those whose spans meet it, spans being known only roughly before a scan. Reads a few headers.
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
   * As {@link #segmentsMeeting}, without a look at the log: also those segments of which only the
   * log could tell that they do not hold events of the range.
   */
  public List<IndexSegment> segmentsThatMayMeet(TimeRange range) throws IOException {
    return new SegmentPlanner(this, null).meeting(range);
  }

  /**
   * Whether {@link #segmentsThatMayMeet} has a segment: one that is not, is not read for the range,
   * though the log may give its milestones other times than the index.
   *
   * @param milestone the one of the index that the segment begins with
   */
  public boolean mayMeet(int milestone, TimeRange range) {
    return new SegmentPlanner(this, null).mayMeet(milestone, range);
  }

  /**
   * How far a scan may have read when it has come to an offset: a log that is not mapped is read in
   * pieces.
   */
  public long scannedTo(long offset) {
    return fileState.mappable() ? offset : Math.min(dataBytes(), offset + LogWindow.PIECE_BYTES);
  }

  /**
   * Where the last milestone begins of which index and log both know, 0 if there is none. Whatever
   * is damaged before it, a scan that begins earlier continues there.
   *
   * @throws UnavailableException if the log cannot be read any more
   */
  public long lastMilestoneOffset() throws IOException {
    try (LogFile file = source.open()) {
      return knownMilestones(file).last();
    }
  }

  /**
   * Where the first milestone behind an offset begins of which index and log both know, or the end
   * of the log if there is none. Whatever is damaged before it, a segment begins there.
   *
   * @throws UnavailableException if the log cannot be read any more
   */
  public long milestoneOffsetAfter(long offset) throws IOException {
    try (LogFile file = source.open()) {
      return Math.min(knownMilestones(file).after(offset), logBytes());
    }
  }

  public LogWindow inPieces(LogFile file, int pieceBytes) {
    LogWindow window = LogWindow.inPieces(file, fileState.dataBytes(), order(), pieceBytes);
    return fileState.endsWritten() ? window.endingWritten() : window;
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

  /** The span of the last segment, before it is widened. */
  public Span lastSpan(Span milestone) {
    return growing()
        ? milestone.openEnded()
        : milestone.plusTo(milestoneIntervalNanos).plusTo(milestoneIntervalNanos);
  }

  public long disorderBoundNanos() {
    return pair.archive().settings().disorderBoundNanos();
  }

  /** Where in the index the entry lies that leads to an offset of the log. */
  public long entryOffset(long logOffset) {
    for (int i = 0; i < index.milestoneEntries(); i++) {
      int at = index.entryAt(i);
      if (layout().milestoneEntryOffset(index.bytes(), at) == logOffset) {
        return at;
      }
    }
    return index.milestoneTableOffset();
  }

  /** Where the first entry of the index leads that the log has not reached, or the largest long. */
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
   * The stretch of the log that can be read without a look at the archive, if that is all there is
   * of it: what {@link Pair#openCopy} had at hand.
   *
   * @return null if the log is read in the archive
   */
  public @Nullable LogCopy onlyCopy() {
    return source.reachable() ? null : source.copy();
  }

  /** Whether bytes of the log are read in a copy as far as it has them. */
  public boolean isMirrored() {
    return source.copy() != null;
  }

  IndexFile index() {
    return index;
  }

  public EventRules rules() {
    return rules;
  }
}
