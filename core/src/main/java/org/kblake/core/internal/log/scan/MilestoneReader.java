package org.kblake.core.internal.log.scan;

import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.CorruptLogException;

/** A reader of the record states in the milestones of one log. For one thread. */
public final class MilestoneReader implements Closeable {

  /** The bytes of one read. Most milestones are smaller than a scan's reads. */
  public static final int BUFFER_BYTES = 1 << 16;

  private final PairLog log;
  private final LogWindow window;
  private final EventWalk events;
  private final MilestoneBody body;

  /**
   * Opens a reader of a log's milestones.
   *
   * @throws UnavailableException if the log cannot be read any more
   */
  public static MilestoneReader open(PairLog log) throws IOException {
    return new MilestoneReader(log, log.buffered(log.source().open(), BUFFER_BYTES));
  }

  private MilestoneReader(PairLog log, LogWindow window) {
    this.log = log;
    this.window = window;
    events = new EventWalk(log, window, false);
    body = new MilestoneBody(log.layout(), log.rules(), window);
  }

  /**
   * Reads a milestone. All entries are checked, including those that are not wanted.
   *
   * @param offset the log offset of the milestone
   * @param into takes the states of the milestone; cleared first
   * @param wanted ordinals of the wanted records, null for all
   * @return the milestone's time, nanoseconds since 1970 UTC
   * @throws CorruptLogException if there is no undamaged milestone, or the index has another time
   *     for it; then the contents of {@code into} are invalid
   * @throws UnavailableException if the log cannot be read any more
   */
  public long read(long offset, RecordStates into, @Nullable BitSet wanted) throws IOException {
    if (offset < 0 || events.found(offset) == EventWalk.Found.END) {
      throw corrupt(offset, "the end of the data, expected a milestone");
    }
    long endOffset = offset + events.length(offset);
    // The body is checked when it is read.
    String fault = events.milestoneHeaderFault(offset, log.milestones().nanosAt(offset));
    if (fault == null && endOffset > log.dataBytes()) {
      fault = "the end of the data, expected a whole milestone";
    }
    if (fault != null) {
      throw corrupt(offset, fault);
    }
    long nanos = events.nanos(offset);
    into.clear();
    fault = body.read(offset, endOffset, into::load, wanted);
    if (fault != null) {
      throw corrupt(offset, fault + ", expected a body that matches the record table");
    }
    return nanos;
  }

  private CorruptLogException corrupt(long offset, String fault) {
    return new CorruptLogException("damaged milestone", log.pair().logPath(), offset, fault);
  }

  @Override
  public void close() throws IOException {
    window.close();
  }
}
