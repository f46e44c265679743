package org.kblake.cli.extension;

import java.io.IOException;
import java.nio.file.Path;
import org.kblake.cli.frame.Session;

/** The live form of {@code kblake demo}, which needs a recorder. */
public interface LiveDemo {

  /**
   * Records and serves live channels, until the thread is interrupted.
   *
   * @param directory takes settings, archive and columns
   * @throws org.kblake.cli.error.RequestException if a part of it has ended
   * @throws IOException if a file cannot be written
   * @throws InterruptedException when the thread is interrupted, after all has ended
   */
  void run(Session session, Path directory) throws IOException, InterruptedException;
}
