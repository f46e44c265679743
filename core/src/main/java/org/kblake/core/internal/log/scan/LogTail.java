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
 * Reads a log to its end, and later what was appended: each event once, in log order, without going
 * over anything twice.
 *
 * <pre>
 *   while (true) {
 *     while (tail.next()) {
 *       tail.scanner().record(), tail.scanner().timeNanos() ...
 *     }
 *     tail.look();             // how far the log has got by now
 *   }
 * </pre>
 *
 * Up to the last milestone of the index the events are those of a {@link LogScanner}; from there on
 * {@link TailWalk} decides which events are returned. Holds one file open; for one thread.
 */
public final class LogTail implements Closeable {

  private static final int PIECE_BYTES = 1 << 16;

  private final Pair pair;
  private final @Nullable BitSet wanted;
  private final Consumer<Damage> damage;
  private final LogWindow window;
  private final LogScanner live;
  private final TailWalk walk;

  private PairLog log;
  private KnownMilestones known;
  private long lastMilestoneOffset;

  /** Where the index leads already and the log had not got yet. */
  private long aheadOffset;

  private FileState index;
  private FileState data;
  private long dataBytes;

  /** Whether the last of them was looked at, and was not zero. */
  private boolean endsWritten;

  /** Scans a stretch that has an end, or null. */
  private @Nullable LogScanner scan;

  private long scanToOffset;

  /** The segment that was handed out last by a scan. */
  private @Nullable Segment scanned;

  private LogScanner scanner;
  private boolean serving;

  /** Events before it are not given... */
  private long fromOffset;

  /** ... nor those in between: they were given before a milestone turned out to be among them. */
  private long givenFromOffset;

  private long givenToOffset;

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
    window = LogWindow.inPieces(file, dataBytes, log.order(), PIECE_BYTES);
    window.extendTo(dataBytes, endsWritten);
    live = new LogScanner(log, window, log.boundaries(file, 0), 0, null, false);
    known = log.knownMilestones(file);
    walk = new TailWalk(log, window, known, this::tell);
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
   * Begins to read what a log has from an offset on, and what is appended to it later.
   *
   * @param fromOffset no event before it is given; need not be where one begins
   * @param wanted ordinals of the records whose events are wanted, null for all; not kept
   * @param damage takes what is skipped, when it is known to be damaged
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

  /** The pair's files as they were when the index was last read. */
  public PairLog log() {
    return log;
  }

  /**
   * Looks how far the log has got: asks the system about both files, and reads the index if it has
   * changed. Without a look {@link #next} gives nothing new; until it has said false, no look.
   *
   * @throws UnavailableException if one of the files cannot be looked at, is another one by now, or
   *     has become shorter; this tail is of no use any more
   */
  public void look() throws IOException {
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
      believe();
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
      return access.ask(file, () -> FileState.of(file));
    } catch (IOException e) {
      throw pair.unavailable(file, e);
    }
  }

  private void believe() throws IOException {
    LogFile file = window.file();
    boolean settled = isFinal();
    long believed = settled ? data.bytes() : TailZeros.lastWritten(file, data.bytes());
    if (believed > dataBytes) {
      dataBytes = believed;
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
      // read in the midst of a write; what is known already stays right
      return;
    }
    if (!Objects.equals(log.fileState().key(), fresh.fileState().key())) {
      throw pair.unavailable(
          pair.logPath(), "replaced by another file since it was opened; read it again");
    }
    know(fresh);
    long missed = known.after(walk.segmentOffset());
    if (missed < walk.offset()) {
      // an event with a wrong length was returned, and led past the milestone
      givenFromOffset = walk.eventAtOrBehind(missed);
      givenToOffset = walk.offset();
      tell(
          new Damage(
              pair.logPath(),
              missed,
              givenToOffset - missed,
              "found a milestone that an event before it runs into",
              Damage.Kind.STRETCH));
      fromOffset = missed;
      closeScan();
      serving = false;
      walk.begin(missed);
    }
  }

  private void know(PairLog fresh) throws IOException {
    log = fresh;
    aheadOffset = fresh.firstOffsetAhead();
    known = fresh.knownMilestones(window.file());
    walk.know(known);
    lastMilestoneOffset = known.last();
  }

  /**
   * Says that nothing will be appended any more: what is left is judged as that of a closed pair.
   *
   * @param closed the pair, opened again
   */
  public void finish(PairLog closed) throws IOException {
    know(closed);
    closeScan();
    serving = false;
    fromOffset = Math.max(fromOffset, walk.offset());
    scan(closed, known.upTo(walk.offset()), closed.logBytes());
  }

  /**
   * Moves to the next event of a wanted record.
   *
   * @return false if there is no valid one so far
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
      } while (nextStretch());
      return false;
    } catch (InternalError e) {
      throw scanner.fault(e);
    }
  }

  private boolean isNew(long offset) {
    return offset >= fromOffset && (offset < givenFromOffset || offset >= givenToOffset);
  }

  private boolean nextStretch() throws IOException {
    while (true) {
      LogScanner current = scan;
      if (current != null) {
        serving = !isStopped() && current.nextSegment();
        if (serving) {
          Segment segment = current.segment();
          scanned = segment;
          segment.damage().forEach(this::tell);
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
      Segment stretch = walk.walk(dataBytes);
      serving = stretch != null;
      if (stretch != null) {
        live.serve(stretch);
        scanner = live;
      }
      return serving;
    }
  }

  /**
   * Whether the scan has come to what is not written yet: nothing behind that is given before it.
   */
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

  private void tell(Damage found) {
    if (found.offset() + found.bytes() > fromOffset) {
      damage.accept(found);
    }
  }

  /** The event's fields; valid until the next call of {@link #next}. */
  public LogScanner scanner() {
    return scanner;
  }

  /** All events before it have been given, once {@link #next} has said false. */
  public long offset() {
    return Math.max(walk.offset(), Math.max(fromOffset, givenToOffset));
  }

  /** What is invalid at the log's end, for people; null if nothing is wrong there. */
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
   * Whether all there is of the log was given, and none of it may change any more.
   *
   * <p>More may be appended all the same.
   */
  public boolean isAtEnd() {
    return scan == null && walk.offset() == data.bytes() && isFinal();
  }

  /** Whether neither file has changed for so long, as far as was looked. */
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
