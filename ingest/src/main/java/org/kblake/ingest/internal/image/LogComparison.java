package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.LogSpan;

/**
 * Compares a block with the archive at this moment: the bytes of each segment by their SHA-256, and
 * the end of each span with the ends of segments. The columns are not read.
 */
public final class LogComparison {

  private static final int BUFFER_BYTES = 1 << 18;

  /** The result of a comparison. */
  public enum Result {
    /** The archive has these bytes. */
    SAME,
    /** The archive has other bytes there, or another pair. */
    DIFFERENT,
    /** The log cannot be read now. */
    UNREACHABLE,
    /** The block was merged or evicted before its hashes were read. */
    REMOVED
  }

  /**
   * The result with its reason.
   *
   * @param detail the place or the error, for messages
   */
  public record Outcome(Result result, String detail) {}

  private final Archive archive;

  public LogComparison(Archive archive) {
    this.archive = archive;
  }

  /** Compares a block. */
  public Outcome compare(Block block) throws IOException {
    return compare(block, true);
  }

  /** Compares the bytes of a block's segments only. Its spans may end anywhere in the logs. */
  Outcome compareBytes(Block block) throws IOException {
    return compare(block, false);
  }

  private Outcome compare(Block block, boolean ends) throws IOException {
    try {
      return compareWithLogs(block, ends);
    } catch (CorruptBlockException e) {
      if (block.isRemoved()) {
        return new Outcome(Result.REMOVED, "");
      }
      throw e;
    }
  }

  private Outcome compareWithLogs(Block block, boolean ends) throws IOException {
    List<Pair> pairs;
    try {
      pairs = archive.pairs(block.group());
    } catch (UnavailableException e) {
      return new Outcome(Result.UNREACHABLE, String.valueOf(e.getMessage()));
    }
    for (int i = 0; i < block.spans().size(); i++) {
      LogSpan span = block.spans().get(i);
      try {
        String different = difference(block, i, open(pairs, span), ends);
        if (different != null) {
          return new Outcome(Result.DIFFERENT, different);
        }
      } catch (UnavailableException
          | PendingPairException
          | CorruptLogException
          | TooNewException e) {
        return new Outcome(Result.UNREACHABLE, String.valueOf(e.getMessage()));
      }
    }
    return new Outcome(Result.SAME, "");
  }

  private static @Nullable PairLog open(List<Pair> pairs, LogSpan span) throws IOException {
    for (Pair pair : pairs) {
      if (pair.stamp().equals(span.stamp())) {
        return pair.open();
      }
    }
    return null;
  }

  private @Nullable String difference(Block block, int span, @Nullable PairLog log, boolean ends)
      throws IOException {
    LogSpan of = block.spans().get(span);
    if (log == null) {
      throw new UnavailableException(
          "pair is missing: group=" + block.group(),
          block.directory(),
          "no pair " + of.stamp() + " in the archive",
          null);
    }
    if (log.logBytes() < of.toOffset()) {
      throw log.pair().unavailable(log.pair().logPath(), shorter(log.logBytes(), of));
    }
    if (!block.isOf(span, PairIdentity.of(log))) {
      return "another pair: pair=" + log.pair();
    }
    if (ends && !isBoundary(log, of.toOffset())) {
      return "no segment ends there any more: file="
          + log.pair().logPath()
          + ", offset="
          + of.toOffset();
    }
    // A field would keep its memory for as long as a group is followed.
    byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, of.bytes())];
    try (RawLog raw = new RawLog(log)) {
      for (StoredSegment segment : block.listedSegments()) {
        if (segment.span() == span && !raw.hasBytesOf(segment, buffer)) {
          return "other bytes: file="
              + log.pair().logPath()
              + ", segment at offset="
              + segment.startOffset();
        }
      }
    }
    return null;
  }

  /** Describes a log that has become shorter than a span of it in columns. */
  public static String shorter(long logBytes, LogSpan span) {
    return "has become shorter than its columns: bytes="
        + logBytes
        + ", in columns up to="
        + span.toOffset();
  }

  private static boolean isBoundary(PairLog log, long offset) {
    return offset == log.logBytes() || log.milestones().indexOfOffset(offset) >= 0;
  }
}
