package org.kblake.core.internal.log.scan;

import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.LogLayout;

/** Reads what milestones of one log say of its records. For one thread. */
public final class MilestoneReader implements Closeable {

  /** Most milestones are smaller than what a scan reads at once. */
  public static final int PIECE_BYTES = 1 << 16;

  private final PairLog log;
  private final LogWindow window;
  private final MilestoneBody body;

  /**
   * Opens a reader of a log's milestones.
   *
   * @throws UnavailableException if the log cannot be read any more
   */
  public static MilestoneReader open(PairLog log) throws IOException {
    return new MilestoneReader(log, log.inPieces(log.source().open(), PIECE_BYTES));
  }

  private MilestoneReader(PairLog log, LogWindow window) {
    this.log = log;
    this.window = window;
    body = new MilestoneBody(log.layout(), log.rules(), window);
  }

  /**
   * Reads a milestone, all of which is checked, whatever is wanted of it.
   *
   * @param offset where the milestone begins in the log
   * @param into takes what it says; cleared first
   * @param wanted ordinals of the records that are wanted, null for all
   * @return the milestone's time, nanoseconds since 1970 UTC
   * @throws CorruptLogException if there is no undamaged milestone, or the index gives it another
   *     time; then {@code into} is of no use
   * @throws UnavailableException if the log cannot be read any more
   */
  public long read(long offset, RecordStates into, @Nullable BitSet wanted) throws IOException {
    LogLayout layout = log.layout();
    int head = layout.eventHeaderBytes();
    long left = log.dataBytes() - offset;
    if (offset < 0 || left < head) {
      throw corrupt(offset, "the end of the data", "a milestone");
    }
    int at = window.show(offset, head);
    int id = layout.id(window.buffer(), at);
    int length = layout.length(window.buffer(), at);
    long nanos = layout.nanos(window.buffer(), at);
    if (id != LogLayout.MILESTONE_ID) {
      throw corrupt(offset, "id=" + id, "a milestone's");
    }
    if (!log.rules().isMilestoneLength(length) || length > left) {
      throw corrupt(offset, "length=" + Integer.toUnsignedString(length), "a milestone's");
    }
    if (nanos == LogLayout.IMPOSSIBLE_NANOS) {
      throw corrupt(offset, "an impossible time", "less than 10^9 nanoseconds in a second");
    }
    int known = log.milestones().indexOfOffset(offset);
    if (known >= 0 && log.milestones().nanos(known) != nanos) {
      throw corrupt(
          offset, "time=" + nanos + " ns", log.milestones().nanos(known) + " as in the index");
    }
    into.clear();
    String fault = body.read(offset, offset + length, into::load, wanted);
    if (fault != null) {
      throw corrupt(offset, fault, "a body as the record table says");
    }
    return nanos;
  }

  private CorruptLogException corrupt(long offset, String found, String expected) {
    return new CorruptLogException(
        "damaged milestone", log.pair().logPath(), offset, found, expected);
  }

  @Override
  public void close() throws IOException {
    window.close();
  }
}
