package org.kblake.ingest.internal.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.LostMilestones;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.store.CutLogs;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.LogSpan;
import org.kblake.ingest.internal.image.BlockReplay;
import org.kblake.ingest.internal.image.LogComparison;
import org.kblake.ingest.internal.image.RawLog;

/** Compares the encoded bytes with the log, buffer by buffer. */
final class BlockComparison implements BlockReplay.Sink, AutoCloseable {
  private static final String HASHES_DECIDE = "; the stored hashes are compared";

  private final @Nullable Archive archive;
  private final List<LogLayout> layouts;
  private final Block block;
  private final Verify.Listener listener;
  private final byte[] buffer = new byte[1 << 16];
  private int span = -1;
  private @Nullable PairLog log;
  private @Nullable RawLog raw;
  private boolean againstLog = true;
  private @Nullable String failure;
  private boolean logChanged;
  private boolean anotherPair;

  /**
   * @param archive null to compare with the stored hashes only
   */
  BlockComparison(
      @Nullable Archive archive, List<LogLayout> layouts, Block block, Verify.Listener listener) {
    this.archive = archive;
    this.layouts = layouts;
    this.block = block;
    this.listener = listener;
  }

  /** Returns the text of the first difference; null if there is none. */
  @Nullable String failure() {
    return failure;
  }

  /** Returns whether the columns match all stored hashes of the log, but the log does not. */
  boolean logChanged() {
    return logChanged;
  }

  /** Returns whether the archive's pair of this name is another pair. */
  boolean anotherPair() {
    return anotherPair;
  }

  /** Returns whether all bytes were compared with the log. */
  boolean againstLog() {
    return againstLog;
  }

  @Override
  public void bytes(StoredSegment segment, long offset, ByteBuffer bytes) throws IOException {
    if (segment.span() != span) {
      openLog(segment.span());
    }
    RawLog present = raw;
    if (present == null || failure != null) {
      return;
    }
    ByteBuffer left = bytes.duplicate();
    long at = offset;
    while (left.hasRemaining()) {
      int length = Math.min(buffer.length, left.remaining());
      ByteBuffer there = read(present, at, length);
      if (there == null) {
        return;
      }
      int different = there.mismatch(left.slice(left.position(), length));
      if (different >= 0) {
        failure = difference(segment, at + different);
        logChanged = true;
        return;
      }
      left.position(left.position() + length);
      at += length;
    }
  }

  /** Returns the log's bytes; null if it cannot be read any more. */
  private @Nullable ByteBuffer read(RawLog present, long at, int length) throws IOException {
    try {
      return present.read(at, length, buffer);
    } catch (UnavailableException e) {
      listener.note(block.group(), e.getMessage() + HASHES_DECIDE);
      againstLog = false;
      close();
      return null;
    }
  }

  private String difference(StoredSegment segment, long offset) throws IOException {
    PairLog of = log;
    return "columns differ from the log: block="
        + block
        + ", log="
        + (of == null ? "" : of.pair().logPath())
        + ", offset="
        + offset
        + ", event="
        + (of == null ? "unknown" : eventAt(of, segment, offset));
  }

  private static String eventAt(PairLog log, StoredSegment segment, long offset)
      throws IOException {
    try {
      return RawLog.eventAt(log, segment, offset);
    } catch (UnavailableException e) {
      return "unknown, because the log cannot be read any more";
    }
  }

  @Override
  public void end(StoredSegment segment) {
    if (failure == null) {
      listener.proved(block.group(), segment.bytes());
    }
  }

  @Override
  public void differs(StoredSegment segment, CorruptBlockException difference) {
    logChanged = false;
    if (failure == null) {
      failure =
          "columns do not reproduce the log: block="
              + block
              + ", segment at offset="
              + segment.startOffset()
              + ", found another SHA-256 than the log's";
    }
  }

  /** Opens the log of a span. Without a log only the hashes are compared. */
  private void openLog(int wanted) throws IOException {
    close();
    span = wanted;
    LogSpan of = block.spans().get(wanted);
    Archive from = archive;
    if (from == null) {
      reportLost(wanted, null);
      againstLog = false;
      return;
    }
    try {
      for (Pair pair : from.pairs(block.group())) {
        if (pair.stamp().equals(of.stamp())) {
          PairLog opened = pair.open();
          if (opened.logBytes() < of.toOffset()) {
            failure =
                "log " + LogComparison.shorter(opened.logBytes(), of) + ", file=" + pair.logPath();
            logChanged = true;
            return;
          }
          reportLost(wanted, opened);
          if (block.isOf(wanted, PairIdentity.of(opened))) {
            log = opened;
            raw = new RawLog(opened);
            return;
          }
          anotherPair = true;
          failure =
              "block is of another pair than the archive's: block=" + block + ", pair=" + pair;
          return;
        }
      }
      reportLost(wanted, null);
      listener.note(
          block.group(), "log is missing: pair=" + of.stamp() + ", the stored hashes are compared");
    } catch (UnavailableException
        | PendingPairException
        | CorruptLogException
        | TooNewException e) {
      reportLost(wanted, null);
      listener.note(block.group(), e.getMessage() + HASHES_DECIDE);
    }
    againstLog = false;
  }

  /**
   * Reports that the log has lost its end.
   *
   * @param opened the log; null if it cannot be read, so that the block's copy of the index decides
   */
  private void reportLost(int wanted, @Nullable PairLog opened) throws IOException {
    LostMilestones lost =
        opened == null
            ? CutLogs.of(block, block.pairs().get(wanted), layouts)
            : opened.isCutShort() ? opened.behindEnd() : LostMilestones.none(block.directory());
    if (!lost.isEmpty()) {
      listener.lost(block.group(), lost.toString());
    }
  }

  @Override
  public void close() throws IOException {
    RawLog open = raw;
    raw = null;
    log = null;
    if (open != null) {
      open.close();
    }
  }
}
