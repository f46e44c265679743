package org.kblake.cli.command.answer;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.Session;
import org.kblake.cli.progress.Progress;
import org.kblake.query.question.ReadListener;

/** Shows how far an answer is read. */
public final class ShownReading implements ReadListener, AutoCloseable {

  private final Session session;
  private final String task;
  private volatile @Nullable Progress progress;

  /**
   * @param task the name of the command
   */
  public ShownReading(Session session, String task) {
    this.session = session;
    this.task = task;
  }

  /** An answer that is read again begins again. */
  @Override
  public void planned(long bytes) {
    close();
    progress = session.progress(task, bytes);
  }

  @Override
  public void read(long bytes, long events) {
    Progress shown = progress;
    if (shown != null) {
      shown.advance(bytes, events);
    }
  }

  @Override
  public void close() {
    Progress shown = progress;
    if (shown != null) {
      shown.close();
    }
  }
}
