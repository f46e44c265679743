package org.kblake.cli.command.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.cli.frame.Session;
import org.kblake.cli.progress.Progress;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.format.argument.ByteSize;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the progress of a backfill on standard error. */
public final class BackfillReport implements BackfillListener, AutoCloseable {

  private static final Logger LOGGER = LoggerFactory.getLogger(BackfillReport.class);

  private final Session session;
  private final String task;
  private final AtomicInteger problems = new AtomicInteger();
  private final AtomicInteger blocks = new AtomicInteger();
  private final AtomicLong scannedBytes = new AtomicLong();
  private volatile long plannedBytes;
  private volatile Progress progress;

  /**
   * @param task a word that is printed before the figures
   */
  public BackfillReport(Session session, String task) {
    this.session = session;
    this.task = task;
    progress = session.progress(task, 0);
  }

  /** Returns the number of problems. */
  int problems() {
    return problems.get();
  }

  /** Returns how far the work got: {@code 1.20 GiB of 5.00 GiB of log were read, 3 blocks made}. */
  String extent() {
    return "%s of %s of log were read, %d blocks made"
        .formatted(new ByteSize(scannedBytes.get()), new ByteSize(plannedBytes), blocks.get());
  }

  @Override
  public void planned(long rawBytes) {
    plannedBytes = rawBytes;
    progress = session.progress(task, rawBytes);
  }

  @Override
  public void scanned(Group group, long rawBytes, long events) {
    advance(rawBytes, events);
  }

  /** Adds to the amounts of raw log and events that were read. */
  void advance(long rawBytes, long events) {
    scannedBytes.addAndGet(rawBytes);
    progress.advance(rawBytes, events);
  }

  @Override
  public void committed(Block block, long storedBytes) {
    blocks.incrementAndGet();
    LOGGER.info(
        "block={}, events={}, raw={}, stored={}",
        block,
        block.summary().events(),
        new ByteSize(block.summary().rawBytes()),
        new ByteSize(storedBytes));
  }

  @Override
  public void problem(Group group, String message) {
    problems.incrementAndGet();
    String name = group.toString();
    progress.printLine(
        session.incompleteLine(message.contains(name) ? message : name + ": " + message));
  }

  /** Ends the progress. */
  @Override
  public void close() {
    progress.close();
    progress = session.progress(task, 0);
  }
}
