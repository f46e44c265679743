package org.kblake.ingest.internal.backfill;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.transcode.TranscodeListener;

/** Counts the work and reports it to the listener. Safe for many threads. */
public final class BackfillProgress implements TranscodeListener {

  private final BackfillListener listener;
  private final long beginNanos = System.nanoTime();
  private final AtomicLong events = new AtomicLong();
  private final AtomicLong rawBytes = new AtomicLong();
  private final AtomicLong storedBytes = new AtomicLong();
  private final AtomicInteger blocks = new AtomicInteger();
  private final AtomicInteger problems = new AtomicInteger();

  /**
   * @param listener receives all calls that this receives
   */
  public BackfillProgress(BackfillListener listener) {
    this.listener = listener;
  }

  @Override
  public void scanned(Group group, long bytes, long more) {
    listener.scanned(group, bytes, more);
  }

  @Override
  public void committed(Block block) throws IOException {
    long stored = block.storedBytes();
    events.addAndGet(block.summary().events());
    rawBytes.addAndGet(block.summary().rawBytes());
    storedBytes.addAndGet(stored);
    blocks.incrementAndGet();
    listener.committed(block, stored);
  }

  /** Reports the pending range as a problem, because a backfill is not repeated automatically. */
  @Override
  public void pending(Group group, String message) {
    problem(group, message);
  }

  @Override
  public void problem(Group group, String message) {
    problems.incrementAndGet();
    listener.problem(group, message);
  }

  /**
   * Returns the work since this object was created.
   *
   * @param coveredBytes requested bytes of log that were in columns before
   */
  public BackfillSummary summary(long coveredBytes) {
    return new BackfillSummary(
        events.get(),
        rawBytes.get(),
        storedBytes.get(),
        blocks.get(),
        coveredBytes,
        problems.get(),
        System.nanoTime() - beginNanos);
  }
}
