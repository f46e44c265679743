package org.kblake.cli.command.store;

import java.util.List;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.frame.Session;
import org.kblake.cli.progress.Progress;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.format.argument.ByteSize;
import org.kblake.ingest.internal.compact.Compactor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the progress of a compaction on standard error, and counts its results. */
final class CompactionReport implements Compactor.Listener, AutoCloseable {

  private static final Logger LOGGER = LoggerFactory.getLogger(CompactionReport.class);
  private static final String TASK = "compact";

  private final Session session;
  private Progress progress;
  private int problems;
  private int merged;
  private int made;
  private int given;
  private long bytesGiven;
  private long rawBytes;
  private long plannedBytes;
  private long bytesBefore;
  private long bytesAfter;

  CompactionReport(Session session) {
    this.session = session;
    progress = session.progress(TASK, 0);
  }

  /** Returns how far the work got: {@code 12 blocks became 2, 1.20 GiB of 5.00 GiB of log}. */
  String extent() {
    return "%s became %d, %s%s of %s of log"
        .formatted(
            NamedValues.count(merged, "block"),
            made,
            given == 0 ? "" : rollups() + ", ",
            new ByteSize(rawBytes),
            new ByteSize(plannedBytes));
  }

  private String rollups() {
    return "rollups were added to " + NamedValues.count(given, "block");
  }

  /** Returns the result in a sentence. */
  String verdict() {
    String done = problems == 0 ? "nothing to merge" : "nothing was merged";
    if (merged > 0) {
      long less = bytesBefore - bytesAfter;
      done =
          "%s became %d; the columns are %s %s"
              .formatted(
                  NamedValues.count(merged, "block"),
                  made,
                  new ByteSize(Math.abs(less)),
                  less >= 0 ? "smaller" : "larger");
    }
    if (given > 0) {
      String also = "%s, %s".formatted(rollups(), new ByteSize(bytesGiven));
      done = merged > 0 ? done + "; " + also : also;
    }
    return problems == 0
        ? done
        : done + "; standard error lists " + NamedValues.count(problems, "problem");
  }

  /** Begins the progress. */
  void planned(long bytes) {
    plannedBytes = bytes;
    progress = session.progress(TASK, bytes);
  }

  /** Returns the number of damaged blocks. */
  int problems() {
    return problems;
  }

  /** Returns the number of blocks that were merged. */
  int merged() {
    return merged;
  }

  /** Returns the number of blocks that the merges made. */
  int made() {
    return made;
  }

  /**
   * Returns the bytes of log in the new blocks, and in those that got rollups. A span counts each
   * time it was written.
   */
  long rawBytes() {
    return rawBytes;
  }

  /** Returns the bytes of the files of the merged blocks. */
  long bytesBefore() {
    return bytesBefore;
  }

  /** Returns the bytes of the files of the new blocks. */
  long bytesAfter() {
    return bytesAfter;
  }

  @Override
  public void proved(Group group, long bytes) {
    progress.advance(bytes, 0);
  }

  @Override
  public void committed(List<Block> blocks, long mergedBytes, Block block, long storedBytes) {
    merged += blocks.size();
    made++;
    rawBytes += block.summary().rawBytes();
    bytesBefore += mergedBytes;
    bytesAfter += storedBytes;
    LOGGER.info(
        "block={}, merged={}, raw={}, stored={}",
        block,
        blocks.size(),
        new ByteSize(block.summary().rawBytes()),
        new ByteSize(storedBytes));
  }

  @Override
  public void decided(Block before, Block block, long addedBytes, boolean kept) {
    rawBytes += block.summary().rawBytes();
    if (kept) {
      given++;
      bytesGiven += addedBytes;
    }
    LOGGER.info("block={}, rollups={}", block, kept);
  }

  @Override
  public void problem(Group group, String message) {
    problems++;
    progress.printLine(session.incompleteLine(group + ": " + message));
  }

  /** Ends the progress. */
  @Override
  public void close() {
    progress.close();
    progress = session.progress(TASK, 0);
  }
}
