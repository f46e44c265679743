package org.kblake.cli.command.store;

import org.kblake.cli.frame.Session;
import org.kblake.cli.progress.Progress;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.verify.Verify;

/** Shows the progress of a verification on standard error, and counts its findings. */
final class VerifyReport implements Verify.Listener, AutoCloseable {

  private static final String TASK = "verify";

  private final Session session;
  private Progress progress;
  private int againstLogs;
  private int againstHashes;

  VerifyReport(Session session) {
    this.session = session;
    progress = session.progress(TASK, 0);
  }

  /** Returns the number of blocks that reproduce their log. */
  int againstLogs() {
    return againstLogs;
  }

  /** Returns the number of blocks that reproduce the stored hashes of their log. */
  int againstHashes() {
    return againstHashes;
  }

  @Override
  public void planned(long rawBytes) {
    progress = session.progress(TASK, rawBytes);
  }

  @Override
  public void proved(Group group, long rawBytes) {
    progress.advance(rawBytes, 0);
  }

  @Override
  public void sound(Block block, boolean againstLog) {
    if (againstLog) {
      againstLogs++;
    } else {
      againstHashes++;
    }
  }

  @Override
  public void failed(Group group, String message) {
    progress.printLine(group + ": wrong: " + message);
  }

  @Override
  public void note(Group group, String message) {
    progress.printLine(group + ": " + message);
  }

  /** Ends the progress. */
  @Override
  public void close() {
    progress.close();
    progress = session.progress(TASK, 0);
  }
}
