package org.kblake.ingest.internal.image;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.internal.store.block.BlockSummary;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.Patch;
import org.kblake.core.internal.store.block.StoredDamage;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.rows.ScatteredRows;
import org.kblake.ingest.internal.rows.Series;

/**
 * Records segments until they fill a block. Events become rows. Differences become the patch. The
 * <em>metadata</em> of the block is the rest: its segments, its damage, and the images of its
 * pairs. Not thread safe.
 */
public final class BlockRecorder {

  /** The approximate limit of heap memory for the metadata of a block. */
  private static final long LARGEST_METADATA_BYTES = 2 << 20;

  /**
   * The approximate bytes of the metadata for a segment, a damaged span, and a record of each
   * further pair.
   */
  private static final int SEGMENT_BYTES = 160;

  private static final int DAMAGE_BYTES = 200;
  private static final int RECORD_BYTES = 240;

  private final Group group;
  private final ScatteredRows rows;
  private final Patch.Writer patch;
  private final PatchBuilder patchBuilder;
  private final MessageDigest sha256 = newSha256();

  private final Map<Series, Integer> seriesNumbers = new HashMap<>();
  private final List<Series> series = new ArrayList<>();
  private final List<RecordedSpan> spans = new ArrayList<>();
  private @Nullable RecordedPair open;
  private final List<StoredSegment> segments = new ArrayList<>();
  private final List<StoredDamage> damage = new ArrayList<>();

  private long metadataBytes;

  /** The span of a pair that is in the block. */
  private static final class RecordedSpan {
    final PairLog log;
    final PairIdentity identity;
    final long fromOffset;
    long toOffset;

    RecordedSpan(PairLog log, PairIdentity identity, long fromOffset) {
      this.log = log;
      this.identity = identity;
      this.fromOffset = fromOffset;
      this.toOffset = fromOffset;
    }
  }

  public BlockRecorder(Group group, ScatteredRows rows, Patch.Writer patch) {
    this.group = group;
    this.rows = rows;
    this.patch = patch;
    this.patchBuilder = new PatchBuilder(patch);
  }

  /**
   * Returns whether a block should be written now, because the memory for rows or for the metadata
   * is full.
   */
  public boolean full() {
    return rows.full() || metadataBytes >= LARGEST_METADATA_BYTES;
  }

  public List<Series> series() {
    return series;
  }

  /**
   * Begins a span of a pair, or continues the present span.
   *
   * @throws UnavailableException if the log cannot be read
   */
  public void pair(PairLog log, long fromOffset) throws IOException {
    RecordedSpan last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
    if (last != null
        && last.log.pair().stamp().equals(log.pair().stamp())
        && last.toOffset == fromOffset) {
      return;
    }
    PairIdentity identity = PairIdentity.of(log);
    RecordTable records = log.records();
    int[] seriesOfRecord = new int[records.size()];
    for (int ordinal = 0; ordinal < seriesOfRecord.length; ordinal++) {
      RecordEntry entry = records.entry(ordinal);
      Series of = new Series(entry.name(), entry.type(), entry.waveform());
      seriesOfRecord[ordinal] =
          seriesNumbers.computeIfAbsent(
              of,
              added -> {
                series.add(added);
                return series.size() - 1;
              });
    }
    spans.add(new RecordedSpan(log, identity, fromOffset));
    open = new RecordedPair(log, seriesOfRecord, rows);
    if (spans.size() > 1) {
      // The records of the first pair do not count. They are needed in any case, and smaller blocks
      // would need them again.
      metadataBytes += (long) records.size() * RECORD_BYTES;
    }
  }

  /**
   * Records the segment that the scanner has validated. After an error, {@link #keep} removes the
   * incomplete segment.
   *
   * @throws UnavailableException if the log cannot be read
   */
  public void segment(LogScanner scanner) throws IOException {
    RecordedPair pair = Objects.requireNonNull(open, "a pair comes first");
    Segment segment = scanner.segment();
    int number = segments.size();
    long position = milestone(scanner, pair, segment);
    while (scanner.next()) {
      long offset = scanner.eventOffset();
      long end = offset + scanner.eventBytes();
      if (offset > position) {
        insertBeforeEvent(pair.log, position, offset);
      }
      event(scanner, pair, number);
      position = end;
    }
    insert(scanner, position, segment.endOffset());
    // The hash comes before the span grows, because it may fail. The span must not reach
    // further than its segments.
    byte[] hash = hash(scanner, segment);
    spans.get(spans.size() - 1).toOffset = segment.endOffset();
    addMetadata(segment, number, hash);
  }

  /**
   * @return the offset after the milestone
   */
  private long milestone(LogScanner scanner, RecordedPair pair, Segment segment)
      throws IOException {
    long start = segment.startOffset();
    long end = segment.eventsOffset();
    LogEncoder encoder = pair.encoder;
    if (end - start > Patch.MAX_BYTES) {
      insert(scanner, start, end);
      return end;
    }
    ByteBuffer actual = copy(scanner, start, end).order(encoder.order());
    pair.applyLast(rows);
    patchBuilder.milestone(spans.size() - 1, encoder, start, segment.milestoneNanos(), actual);
    return end;
  }

  private static ByteBuffer copy(LogScanner scanner, long from, long to) throws IOException {
    ByteBuffer copy = ByteBuffer.allocate((int) (to - from));
    scanner.readBytes(from, to, copy::put);
    return copy.flip();
  }

  private void event(LogScanner scanner, RecordedPair pair, int segment) throws IOException {
    int ordinal = scanner.record();
    int number = pair.seriesOfRecord[ordinal];
    int state = scanner.state();
    long bits;
    if (pair.isNumber[ordinal]) {
      bits = scanner.numberBits();
      if (!pair.numbersAreExact) {
        compare(
            scanner,
            pair.encoder.number(
                ordinal, scanner.timeNanos(), state, scanner.severity(), scanner.status(), bits));
      }
    } else {
      EventColumns row = pair.oneRow(pair.log.records().entry(ordinal));
      fill(row, scanner);
      compare(scanner, pair.encoder.event(ordinal, row, 0));
      bits = state == EventState.VALUE_CODE ? rows.addValue(number, row, 0) : 0;
      scanner.applyTo(pair.encoder.states());
    }
    rows.add(
        number,
        scanner.timeNanos(),
        bits,
        state,
        scanner.severity(),
        scanner.status(),
        scanner.stray(),
        segment,
        scanner.latenessNanos(),
        scanner.tie());
  }

  private static void fill(EventColumns row, LogScanner scanner) {
    int elements = scanner.elements();
    row.count = 1;
    row.timeNanos[0] = scanner.timeNanos();
    row.state[0] = (byte) scanner.state();
    row.severity[0] = (byte) scanner.severity();
    row.status[0] = (short) scanner.status();
    row.ensureElements(elements);
    if (row.waveform()) {
      row.listStarts[1] = elements;
    }
    if (row.type() != ValueType.STRING) {
      scanner.copyBits(row.values, 0);
      return;
    }
    int end = 0;
    for (int i = 0; i < elements; i++) {
      row.ensureText(end + LogScanner.MAX_TEXT_BYTES);
      end += scanner.text(i, row.text, end);
      row.textStarts[i + 1] = end;
    }
    if (elements == 0 && !row.waveform()) {
      row.textStarts[1] = 0;
    }
  }

  private void compare(LogScanner scanner, ByteBuffer expected) throws IOException {
    patchBuilder.overlay(
        spans.size() - 1,
        scanner.eventOffset(),
        scanner.buffer().slice(scanner.eventAt(), scanner.eventBytes()),
        expected);
  }

  private void insert(LogScanner scanner, long from, long to) throws IOException {
    long[] at = {from};
    scanner.readBytes(
        from,
        to,
        read -> {
          int bytes = read.remaining();
          patchBuilder.insert(spans.size() - 1, at[0], read);
          at[0] += bytes;
        });
  }

  /**
   * Inserts damaged events inside a segment. They are read from the file directly, so that the
   * scanner stays on its event.
   */
  private void insertBeforeEvent(PairLog log, long from, long to) throws IOException {
    byte[] buffer = new byte[1 << 16];
    try (RawLog raw = new RawLog(log)) {
      for (long at = from; at < to; ) {
        ByteBuffer bytes = raw.read(at, (int) Math.min(buffer.length, to - at), buffer);
        if (!bytes.hasRemaining()) {
          throw log.pair()
              .failure(new EOFException("log became shorter: offset=" + at + "; read it again"));
        }
        int length = bytes.remaining();
        patchBuilder.insert(spans.size() - 1, at, bytes);
        at += length;
      }
    }
  }

  private byte[] hash(LogScanner scanner, Segment segment) throws IOException {
    scanner.readBytes(segment.startOffset(), segment.endOffset(), sha256::update);
    return sha256.digest();
  }

  private void addMetadata(Segment segment, int number, byte[] hash) {
    long damagedBytes = 0;
    for (Damage found : segment.damage()) {
      boolean cut = found.kind() == Damage.Kind.CUT;
      damagedBytes += cut ? 0 : found.bytes();
      metadataBytes += DAMAGE_BYTES;
      damage.add(new StoredDamage(number, found.offset(), found.bytes(), cut, found.found()));
    }
    metadataBytes += SEGMENT_BYTES;
    segments.add(
        new StoredSegment(
            spans.size() - 1,
            segment.startOffset(),
            segment.endOffset(),
            segment.milestoneNanos(),
            segment.spanFromNanos(),
            segment.spanToNanos(),
            segment.firstNanos(),
            segment.lastNanos(),
            segment.events(),
            segment.strays(),
            damagedBytes,
            hash));
  }

  /**
   * Removes all but the first segments, including an incomplete one. Nothing can be recorded
   * afterwards. Fewer segments are kept if the log has milestones that are not in its index,
   * because the plan of the rest must begin at a milestone of the index.
   *
   * @param most the number of segments to keep at most
   */
  public void keep(int most) throws IOException {
    if (spans.isEmpty()) {
      return;
    }
    int count = most;
    while (count > 0 && !isPlannable(count)) {
      count--;
    }
    int span = spanAfter(count);
    long offset = offsetAfter(count);
    open = null;
    rows.removeFrom(count, series);
    patch.removeFrom(span, offset);
    segments.subList(count, segments.size()).clear();
    damage.removeIf(found -> found.segment() >= segments.size());
    spans.get(span).toOffset = offset;
    spans.subList(span + 1, spans.size()).clear();
    if (spans.get(span).fromOffset == offset) {
      spans.remove(span);
    }
  }

  /** Returns whether the span after the first segments can be put into another block. */
  private boolean isPlannable(int count) {
    RecordedSpan span = spans.get(spanAfter(count));
    long offset = offsetAfter(count);
    return offset == span.fromOffset
        || offset == span.log.logBytes()
        || span.log.milestones().indexOfOffset(offset) >= 0;
  }

  private int spanAfter(int count) {
    return count == segments.size() ? spans.size() - 1 : segments.get(count).span();
  }

  private long offsetAfter(int count) {
    return count == segments.size()
        ? spans.get(spans.size() - 1).toOffset
        : segments.get(count).startOffset();
  }

  public BlockSummary summary() {
    long firstNanos = Long.MAX_VALUE;
    long lastNanos = Long.MIN_VALUE;
    long spanFromNanos = Long.MAX_VALUE;
    long spanToNanos = Long.MIN_VALUE;
    long strays = 0;
    for (StoredSegment segment : segments) {
      firstNanos = Math.min(firstNanos, segment.firstNanos());
      lastNanos = Math.max(lastNanos, segment.lastNanos());
      spanFromNanos = Math.min(spanFromNanos, segment.spanFromNanos());
      spanToNanos = Math.max(spanToNanos, segment.spanToNanos());
      strays += segment.strays();
    }
    return new BlockSummary(
        group,
        spans.stream()
            .map(span -> new LogSpan(span.log.pair().stamp(), span.fromOffset, span.toOffset))
            .toList(),
        firstNanos,
        lastNanos,
        spanFromNanos,
        spanToNanos,
        rows.rows(),
        strays,
        segments.size());
  }

  /** Returns the pair of a span. */
  PairLog log(int span) {
    return spans.get(span).log;
  }

  public List<StoredSegment> segments() {
    return segments;
  }

  public List<StoredDamage> damage() {
    return damage;
  }

  public List<PairImage> pairs() {
    return spans.stream()
        .map(span -> PairImages.of(span.log, span.identity, span.toOffset))
        .toList();
  }

  static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
