package org.kblake.lake;

import java.io.IOException;
import java.io.Writer;
import org.kblake.cli.command.shared.NamedValues;
import org.kblake.cli.frame.Session;
import org.kblake.cli.progress.Progress;
import org.kblake.lake.publish.PublishListener;

/** The progress of publishing, and what was done. Not thread safe. */
final class PublishReport implements PublishListener {

  private final Session session;
  private final Progress progress;
  private int snapshots;
  private int added;
  private int replaced;
  private long bytes;
  private int problems;

  /**
   * @param progress gets messages and progress; closed by the caller
   */
  PublishReport(Session session, Progress progress) {
    this.session = session;
    this.progress = progress;
  }

  @Override
  public void read(long read) {
    progress.advance(read, 0);
  }

  @Override
  public void committed(String table, int addedFiles, int removedFiles, long addedBytes) {
    snapshots++;
    added += addedFiles;
    replaced += removedFiles;
    bytes += addedBytes;
  }

  @Override
  public void problem(String message) {
    problems++;
    progress.printLine(session.incompleteLine(message));
  }

  boolean hasProblems() {
    return problems > 0;
  }

  int snapshots() {
    return snapshots;
  }

  /** Returns how far the work got, for a message. */
  String extent() {
    return added + " data files in " + snapshots + " snapshots";
  }

  void write(Session session) throws IOException {
    try (Writer out = session.text()) {
      new NamedValues()
          .add("snapshots", snapshots)
          .add("data files", added)
          .add("replaced", replaced)
          .addBytes("bytes", bytes)
          .write(out);
    }
  }
}
