package org.kblake.ingest.internal.live.mirror;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.mirror.CopyFiles;
import org.kblake.core.internal.mirror.CopyWriter;
import org.kblake.ingest.internal.live.group.ZeroPages;
import org.kblake.ingest.internal.live.state.Counters.Count;

/**
 * The copy of one pair, which is updated as its log grows.
 *
 * <pre>
 *   | in blocks | verified: readers have it | waiting: read once | not read yet |
 *   0        from                      verified              waiting           size
 * </pre>
 *
 * Bytes that were read wait for the settle time. They are verified if they read the same again. So
 * each byte is read twice. Bytes that changed between two reads are read more often. Zeros at the
 * end of an open log are never verified. This holds on a local disk, too: a reader of the archive
 * sees the bytes that replace zeros at once, but a reader of a copy would not. If the tail of the
 * log is provisional, a page that ends in zeros may be a stale page among newer ones. Such a page
 * waits longer than an NFS client caches the attributes of a file. For one thread.
 */
final class PairMirror {

  private static final long MAX_WAITING_BYTES = 256 << 20;

  /**
   * The factor of the settle time for pages that end in zeros. With a settle time of two seconds
   * this is a minute, for which NFS caches attributes.
   */
  private static final int ZERO_PAGE_SETTLES = 30;

  private final CopyFiles files;
  private final MirrorContext shared;
  private final Consumer<String> differences;

  private Pair pair;
  private FileState index = FileState.MISSING;
  private FileState data = FileState.MISSING;
  private @Nullable PairLog log;
  private @Nullable CopyWriter copy;

  private long waitingOffset;
  private long waitingSinceNanos;
  private boolean endsInZeros;
  private long comparedNanos;

  /** True if readers have the pair to its end, and another pair follows it. */
  private boolean ended;

  /** True if the log is shorter than the copy. */
  private boolean shorter;

  /** True if the account in the mirror is out of date, so that readers miss bytes. */
  private boolean accountDue;

  /**
   * @param differences receives reports of bytes that differ
   */
  PairMirror(Pair pair, CopyFiles files, MirrorContext shared, Consumer<String> differences) {
    this.pair = pair;
    this.files = files;
    this.shared = shared;
    this.differences = differences;
  }

  /** Sets the pair after a new listing. It may have a successor now. */
  void listed(Pair again) {
    pair = again;
  }

  /**
   * Updates the copy, as far as the log has settled.
   *
   * @param provedOffset the offset up to which the log is without a gap in blocks that were
   *     compared with it
   * @param mayGrow whether the budget has room for more copies
   * @throws org.kblake.core.archive.UnavailableException if the archive cannot be read
   * @throws IOException if the mirror cannot be written; its last account stays valid
   */
  void advance(long provedOffset, boolean mayGrow) throws IOException {
    FileState indexNow = facts(pair.indexPath());
    FileState dataNow = facts(pair.logPath());
    if (indexNow.missing() || dataNow.missing()) {
      return;
    }
    PairLog now = snapshot(indexNow, dataNow);
    CopyWriter held = held(now, dataNow, provedOffset);
    if (held == null || isShorter(held, dataNow)) {
      return;
    }
    accountDue |= dropSealed(held, now, provedOffset);
    if (isCompareDue()) {
      accountDue |= compare(held);
    }
    if (mayGrow) {
      accountDue |= grow(held, now, dataNow.bytes());
    }
    // kblog may continue the newest pair after any time without an event.
    boolean end =
        pair.isSuperseded()
            && now.closed()
            && held.toOffset() == now.logBytes()
            && dataNow.bytes() == now.logBytes();
    if (accountDue || end != ended) {
      ended = end;
      held.account(
          now.indexBytes(),
          now.indexModified(),
          now.logModified(),
          String.valueOf(data.key()),
          end);
      accountDue = false;
    }
  }

  private FileState facts(Path file) throws IOException {
    return pair.access().call(file, () -> FileState.ofOrMissing(file));
  }

  /** Opens the pair if its index has changed, or if it may count as closed now. */
  private PairLog snapshot(FileState indexNow, FileState dataNow) throws IOException {
    PairLog known = log;
    boolean same =
        known != null
            && indexNow.equals(index)
            && String.valueOf(dataNow.key()).equals(String.valueOf(data.key()));
    boolean other =
        known != null
            && (known.closed() ? dataNow.bytes() != known.logBytes() : mayBeClosed(dataNow));
    if (known == null || !same || other) {
      known = pair.open();
      accountDue |= !same;
      log = known;
      index = indexNow;
    }
    return known;
  }

  private boolean mayBeClosed(FileState dataNow) {
    long newest = Math.max(dataNow.modified().toMillis(), index.modified().toMillis()) * 1_000_000L;
    return shared.clock().millis() * 1_000_000L - newest > pair.quietNanos();
  }

  /**
   * Returns the present copy, or begins a new one. Returns null if the log is shorter than the copy
   * of an earlier process.
   */
  private @Nullable CopyWriter held(PairLog now, FileState dataNow, long provedOffset)
      throws IOException {
    CopyWriter held = copy;
    boolean other =
        held != null && !String.valueOf(dataNow.key()).equals(String.valueOf(data.key()));
    if (other) {
      differ("log is another file, it is copied again: ", 0);
      held = null;
      copy = null;
      shorter = false;
    }
    boolean unchanged = dataNow.equals(data);
    data = dataNow;
    if (held == null && !other) {
      if (shorter && unchanged) {
        return null;
      }
      LogCopy kept = files.copyOrFail();
      if (kept != null && Pair.isShorter(kept, dataNow)) {
        keep(dataNow);
        return null;
      }
      held = CopyWriter.resume(files, String.valueOf(dataNow.key()));
      // The log may have changed in the meantime. The next comparison finds this.
      comparedNanos = shared.now() - shared.recheck().toNanos();
    }
    if (held == null || provedOffset > held.toOffset() + CopyFiles.FILE_BYTES) {
      copy = null;
      held = CopyWriter.begin(files, fileOffset(provedOffset));
      comparedNanos = shared.now();
      if (!held.hasHead()) {
        byte[] first = now.firstEvent();
        held.put(ByteBuffer.wrap(first), 0);
        held.head(first.length);
      }
    }
    if (held != copy) {
      waitingOffset = held.toOffset();
      copy = held;
      accountDue = true;
    }
    return held;
  }

  /**
   * Returns whether the log has become shorter than the copy. Nothing else has the lost bytes, so
   * the copy stays as it is until the log has them again.
   */
  private boolean isShorter(CopyWriter held, FileState dataNow) {
    if (dataNow.bytes() >= held.toOffset()) {
      shorter = false;
      waitingOffset = waitingOffset > dataNow.bytes() ? held.toOffset() : waitingOffset;
      return false;
    }
    keep(dataNow);
    waitingOffset = held.toOffset();
    compareSoon();
    return true;
  }

  private void keep(FileState dataNow) {
    if (!shorter) {
      shorter = true;
      differ("log has become shorter than its copy, which is kept: ", dataNow.bytes());
    }
  }

  private static long fileOffset(long offset) {
    return offset / CopyFiles.FILE_BYTES * CopyFiles.FILE_BYTES;
  }

  private boolean dropSealed(CopyWriter held, PairLog now, long provedOffset) throws IOException {
    long from = fileOffset(Math.min(provedOffset, held.toOffset()));
    if (from <= held.fromOffset()) {
      return false;
    }
    if (held.fromOffset() == 0) {
      held.head(now.firstEvent().length);
    }
    held.from(from);
    return true;
  }

  private boolean isCompareDue() {
    return shared.now() - comparedNanos >= shared.recheck().toNanos();
  }

  /** Compares all verified bytes at the next update. */
  void compareSoon() {
    comparedNanos = shared.now() - shared.recheck().toNanos();
  }

  /**
   * Compares the verified bytes with the log. From the first difference on, all bytes are read
   * again.
   */
  private boolean compare(CopyWriter held) throws IOException {
    long different = firstDifference(held, held.fromOffset(), held.toOffset());
    comparedNanos = shared.now();
    if (different < 0) {
      return false;
    }
    differ("mirror had other bytes than the log, they are copied again: ", different);
    held.verified(different);
    waitingOffset = different;
    return true;
  }

  private void differ(String what, long offset) {
    shared.counters().add(Count.MIRROR_DIFFERENCES, 1);
    differences.accept(
        what + "group=" + pair.group() + ", file=" + pair.logPath() + ", offset=" + offset);
  }

  /** Returns the begin of the first buffer in which log and copy differ; -1 if there is none. */
  private long firstDifference(CopyWriter held, long from, long to) throws IOException {
    long[] first = {-1};
    ByteBuffer mine = ByteBuffer.allocate(SourceReads.BUFFER_BYTES);
    shared
        .reads()
        .read(
            pair,
            from,
            to,
            (bytes, offset) -> {
              mine.clear().limit(bytes.remaining());
              if (first[0] < 0 && !(held.get(mine, offset) && mine.flip().equals(bytes))) {
                first[0] = offset;
              }
            });
    return first[0];
  }

  /**
   * Verifies the waiting bytes that have settled, and reads the next bytes. Returns whether readers
   * have more bytes afterwards.
   */
  private boolean grow(CopyWriter held, PairLog now, long size) throws IOException {
    long verified = held.toOffset();
    if (waitingOffset > verified) {
      long wait = now.settleNanos() * (endsInZeros && now.provisional() ? ZERO_PAGE_SETTLES : 1);
      if (shared.now() - waitingSinceNanos < wait) {
        return false;
      }
      if (!readAgain(held)) {
        return false;
      }
      long settled = now.closed() ? waitingOffset : withoutZeros(held, verified, waitingOffset);
      held.verified(settled);
    }
    long from = held.toOffset();
    long to = Math.min(size, from + MAX_WAITING_BYTES);
    waitingOffset = from;
    if (from < to) {
      copy(held, from, to);
      waitingOffset = to;
    }
    shared.counters().add(Count.MIRRORED_BYTES, held.toOffset() - verified);
    return held.toOffset() != verified;
  }

  private void copy(CopyWriter held, long from, long to) throws IOException {
    ZeroPages zeros = new ZeroPages();
    shared
        .reads()
        .read(
            pair,
            from,
            to,
            (bytes, offset) -> {
              zeros.examine(bytes, offset);
              held.put(bytes, offset);
            });
    endsInZeros = zeros.found();
    waitingSinceNanos = shared.now();
  }

  /**
   * Reads the waiting bytes again. Returns whether they are unchanged. Changed bytes replace the
   * copied ones, and wait again.
   */
  private boolean readAgain(CopyWriter held) throws IOException {
    boolean[] unchanged = {true};
    ZeroPages zeros = new ZeroPages();
    ByteBuffer mine = ByteBuffer.allocate(SourceReads.BUFFER_BYTES);
    shared
        .reads()
        .read(
            pair,
            held.toOffset(),
            waitingOffset,
            (bytes, offset) -> {
              zeros.examine(bytes, offset);
              mine.clear().limit(bytes.remaining());
              if (!(held.get(mine, offset) && mine.flip().equals(bytes))) {
                unchanged[0] = false;
                held.put(bytes, offset);
              }
            });
    if (!unchanged[0]) {
      endsInZeros = zeros.found();
      waitingSinceNanos = shared.now();
    }
    return unchanged[0];
  }

  private static long withoutZeros(CopyWriter held, long from, long to) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(SourceReads.BUFFER_BYTES);
    long end = to;
    while (end > from) {
      int bytes = (int) Math.min(buffer.capacity(), end - from);
      if (!held.get(buffer.clear().limit(bytes), end - bytes)) {
        return from;
      }
      for (int i = bytes - 1; i >= 0; i--) {
        if (buffer.get(i) != 0) {
          return end - bytes + i + 1;
        }
      }
      end -= bytes;
    }
    return from;
  }
}
