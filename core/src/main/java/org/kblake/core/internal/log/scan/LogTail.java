package org.kblake.core.internal.log.scan;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.file.LogFile;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.file.TailZeros;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.KnownMilestones;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;

/**
 * A reader of a log up to its end, and later of the appended events. It returns each event once, in
 * log order, and reads nothing twice.
 *
 * <pre>
 *   while (true) {
 *     while (tail.next()) {
 *       tail.scanner().record(), tail.scanner().timeNanos() ...
 *     }
 *     tail.refresh();             // reads how far the log has grown
 *   }
 * </pre>
 *
 * <p>Up to the last milestone of the index the events are those of a {@link LogScanner}. Behind it
 * {@link TailWalk} decides which events are returned. A tail holds one file open. For one thread.
 */
public final class LogTail implements Closeable {

  private static final int BUFFER_BYTES = 1 << 16;

  private final Pair pair;
  private final @Nullable BitSet wanted;
  private final Consumer<Damage> damage;
  private final LogWindow window;
  private final LogScanner live;
  private final TailWalk walk;

  private PairLog log;
  private KnownMilestones known;
  private long lastMilestoneOffset;

  /** The offset of the first index entry that leads behind the data of the log. */
  private long aheadOffset;

  private FileState index;
  private FileState data;
  private long dataBytes;

  /** Whether the last byte of the data was read and was not zero. */
  private boolean endsWritten;

  /** The scanner of a span with a fixed end, or null. */
  private @Nullable LogScanner scan;

  private long scanToOffset;

  /** The last segment that the scan returned. */
  private @Nullable Segment scanned;

  private LogScanner scanner;
  private boolean serving;

  /** The offset before which no event is returned. */
  private long fromOffset;

  /** The begin of events that were returned before a milestone was found among them. */
  private long returnedFromOffset;

  /** The end of these events, which are not returned again. */
  private long returnedToOffset;

  private LogTail(
      PairLog log, LogFile file, long fromOffset, @Nullable BitSet wanted, Consumer<Damage> damage)
      throws IOException {
    this.log = log;
    this.pair = log.pair();
    this.fromOffset = fromOffset;
    this.wanted = wanted == null ? null : (BitSet) wanted.clone();
    this.damage = damage;
    dataBytes = log.dataBytes();
    index = log.fileState().index();
    data = log.fileState().log();
    endsWritten = log.fileState().endsWritten();
    window = LogWindow.buffered(file, dataBytes, log.order(), BUFFER_BYTES);
    window.extendTo(dataBytes, endsWritten);
    live = new LogScanner(log, window, log.boundaries(file, 0), 0, null, false);
    known = log.knownMilestones(file);
    walk = new TailWalk(log, window, known, this::report);
    scanner = live;
    lastMilestoneOffset = known.last();
    aheadOffset = log.firstOffsetAhead();
    long start = known.upTo(fromOffset);
    walk.begin(start);
    if (log.closed()) {
      scan(log, start, log.logBytes());
    } else if (start < lastMilestoneOffset) {
      scan(log, start, lastMilestoneOffset);
    }
  }

  /**
   * Opens a tail that reads a log from an offset on, and later the appended events.
   *
   * @param fromOffset no event before it is returned; it need not be the offset of an event
   * @param wanted ordinals of the records whose events are wanted, null for all; not kept
   * @param damage receives skipped spans as soon as they are known to be damaged
   * @throws UnavailableException if the log cannot be read any more
   */
  public static LogTail open(
      PairLog log, long fromOffset, @Nullable BitSet wanted, Consumer<Damage> damage)
      throws IOException {
    LogFile file = log.source().open();
    try {
      return new LogTail(log, file, fromOffset, wanted, damage);
    } catch (Throwable e) {
      FirstFailure.close(e, file);
      throw e;
    }
  }

  /** Returns the snapshot of the pair as of the last read of the index. */
  public PairLog log() {
    return log;
  }

  /**
   * Reads how far the log has grown: the attributes of both files, and the index if it has changed.
   * Without this call {@link #next} returns no new events. Call it only after {@link #next}
   * returned false.
   *
   * @throws UnavailableException if one of the files cannot be read, was replaced by another one,
   *     or has become shorter; this tail cannot be used any more
   */
  public void refresh() throws IOException {
    Path path = pair.logPath();
    FileState logNow = state(path);
    if (!Objects.equals(log.fileState().key(), logNow.key())) {
      throw pair.unavailable(path, "replaced by another file since it was opened");
    }
    if (logNow.bytes() < data.bytes()) {
      throw pair.unavailable(
          path, "has become shorter: bytes=" + logNow.bytes() + ", before=" + data.bytes());
    }
    data = logNow;
    if (dataBytes < data.bytes()) {
      updateDataBytes();
    }
    window.extendTo(dataBytes, endsWritten);
    FileState now = state(pair.indexPath());
    boolean reached = aheadOffset <= dataBytes - log.layout().eventHeaderBytes();
    if (reached || !now.equals(index)) {
      index = now;
      readIndex();
    }
  }

  private FileState state(Path file) throws UnavailableException {
    try {
      FileAccess access = pair.archive().access();
      return access.call(file, () -> FileState.of(file));
    } catch (IOException e) {
      throw pair.unavailable(file, e);
    }
  }

  private void updateDataBytes() throws IOException {
    LogFile file = window.file();
    boolean settled = isFinal();
    long written = settled ? data.bytes() : TailZeros.lastWritten(file, data.bytes());
    if (written > dataBytes) {
      dataBytes = written;
      endsWritten =
          !settled || !log.fileState().tailFinal() && TailZeros.endsWritten(file, dataBytes);
    }
  }

  private boolean isFinal() {
    return log.fileState().tailFinal() || data.isUnchangedFor(log.settleNanos(), Instant.now());
  }

  private void readIndex() throws IOException {
    PairLog fresh;
    aheadOffset = KnownMilestones.NONE;
    try {
      fresh = pair.open();
    } catch (PendingPairException | CorruptLogException | TooNewException e) {
      // The index was read during a write. The known milestones stay valid.
      return;
    }
    if (!Objects.equals(log.fileState().key(), fresh.fileState().key())) {
      throw pair.unavailable(
          pair.logPath(), "replaced by another file since it was opened; read it again");
    }
    update(fresh);
    long missed = known.after(walk.segmentOffset());
    if (missed < walk.offset()) {
      // An event with a wrong length was returned. Its length leads past the milestone.
      returnedFromOffset = walk.eventAtOrBehind(missed);
      returnedToOffset = walk.offset();
      report(
          Damage.of(
              pair.logPath(),
              missed,
              returnedToOffset - missed,
              "a milestone inside of the event before it",
              Damage.Kind.SPAN));
      fromOffset = missed;
      closeScan();
      serving = false;
      walk.begin(missed);
    }
  }

  private void update(PairLog fresh) throws IOException {
    log = fresh;
    aheadOffset = fresh.firstOffsetAhead();
    known = fresh.knownMilestones(window.file());
    walk.update(known);
    lastMilestoneOffset = known.last();
  }

  /**
   * Ends the tail: nothing will be appended any more. The rest is read as that of a closed pair.
   *
   * @param closed a new snapshot of the pair
   */
  public void finish(PairLog closed) throws IOException {
    update(closed);
    closeScan();
    serving = false;
    fromOffset = Math.max(fromOffset, walk.offset());
    scan(closed, known.upTo(walk.offset()), closed.logBytes());
  }

  /**
   * Moves to the next event of a wanted record.
   *
   * @return false if there is no further valid event yet
   * @throws UnavailableException if the log cannot be read any more
   */
  public boolean next() throws IOException {
    try {
      do {
        while (serving && scanner.next()) {
          if (isNew(scanner.eventOffset()) && (wanted == null || wanted.get(scanner.record()))) {
            return true;
          }
        }
      } while (nextSpan());
      return false;
    } catch (InternalError e) {
      throw scanner.fault(e);
    }
  }

  private boolean isNew(long offset) {
    return offset >= fromOffset && (offset < returnedFromOffset || offset >= returnedToOffset);
  }

  private boolean nextSpan() throws IOException {
    while (true) {
      LogScanner current = scan;
      if (current != null) {
        serving = !isStopped() && current.nextSegment();
        if (serving) {
          Segment segment = current.segment();
          scanned = segment;
          segment.damage().forEach(this::report);
          scanner = current;
          return true;
        }
        endScan();
      }
      if (walk.offset() < lastMilestoneOffset
          && walk.isBetweenSegments()
          && known.has(walk.offset())) {
        scan(log, walk.offset(), lastMilestoneOffset);
        continue;
      }
      Segment walked = walk.walk();
      serving = walked != null;
      if (walked != null) {
        live.serve(walked);
        scanner = live;
      }
      return serving;
    }
  }

  /** Returns whether the scan has reached unwritten bytes. Events behind them must wait. */
  private boolean isStopped() {
    Segment last = scanned;
    return last != null && last.end() == Segment.End.UNWRITTEN;
  }

  private void scan(PairLog snapshot, long from, long to) throws IOException {
    scanned = null;
    scanToOffset = to;
    scan = from < to ? LogScanner.open(snapshot, from, to, wanted) : null;
  }

  private void endScan() throws IOException {
    Segment last = scanned;
    closeScan();
    if (last == null || last.end() == Segment.End.MILESTONE) {
      walk.begin(scanToOffset);
    } else if (last.end() == Segment.End.UNWRITTEN || last.end() == Segment.End.CUT) {
      walk.resume(last, last.servedEndOffset());
    } else if (scanToOffset >= log.logBytes()) {
      walk.resume(last, scanToOffset);
    } else {
      walk.begin(scanToOffset);
    }
  }

  private void closeScan() throws IOException {
    if (scan != null) {
      scan.close();
      scan = null;
    }
  }

  private void report(Damage found) {
    if (found.offset() + found.bytes() > fromOffset) {
      damage.accept(found);
    }
  }

  /** Returns the scanner with the event's fields, valid until the next {@link #next}. */
  public LogScanner scanner() {
    return scanner;
  }

  /** Returns the offset before which all events were returned once {@link #next} is false. */
  public long offset() {
    return Math.max(walk.offset(), Math.max(fromOffset, returnedToOffset));
  }

  /** Returns a text about the invalid event at the end of the log; null if there is none. */
  public @Nullable String obstacle() {
    String found = walk.obstacle();
    return found == null
        ? null
        : "log is not read further before the next milestone is known: file="
            + pair.logPath()
            + ", offset="
            + walk.offset()
            + ", found "
            + found;
  }

  /**
   * Returns whether all bytes as of the last {@link #refresh} were returned and are final. The log
   * may grow.
   */
  public boolean isAtEnd() {
    return scan == null && walk.offset() == data.bytes() && isFinal();
  }

  /**
   * Returns whether both files have not changed for {@code nanos} nanoseconds, as of the last
   * {@link #refresh}.
   */
  public boolean isUnchangedFor(long nanos) {
    Instant now = Instant.now();
    return data.isUnchangedFor(nanos, now) && index.isUnchangedFor(nanos, now);
  }

  @Override
  public void close() throws IOException {
    closeScan();
    window.close();
  }
}
