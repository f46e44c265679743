package org.kblake.cli.command.store;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.Session;
import org.kblake.cli.progress.Progress;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.verify.Verify;

/** Shows the progress of a verification on standard error, and counts its findings. */
final class VerifyReport implements Verify.Listener, AutoCloseable {

  private final Session session;
  private @Nullable Progress progress;
  private int againstLogs;
  private int againstHashes;

  VerifyReport(Session session) {
    this.session = session;
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
    if (rawBytes > 0) {
      progress = session.progress("verify", rawBytes);
    }
  }

  @Override
  public void proved(Group group, long rawBytes) {
    if (progress != null) {
      progress.advance(rawBytes, 0);
    }
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
    print(group + ": wrong: " + message);
  }

  @Override
  public void note(Group group, String message) {
    print(group + ": " + message);
  }

  private void print(String line) {
    if (progress != null) {
      progress.printLine(line);
    } else {
      session.report(line);
    }
  }

  /** Ends the progress. */
  @Override
  public void close() {
    if (progress != null) {
      progress.close();
      progress = null;
    }
  }
}
