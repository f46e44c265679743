package org.kblake.lake;

import org.kblake.cli.frame.Session;
import org.kblake.cli.process.LibraryLog;
import org.slf4j.event.Level;

/** Hadoop and Iceberg warn of what no user of kblake can change. Errors are exceptions, too. */
final class LibraryNoise {

  private LibraryNoise() {}

  /** Removes warnings, unless the user wants more messages. */
  static void remove(Session session) {
    boolean wanted = session.isVerbose();
    LibraryLog.setDestination(
        (level, logger, message) -> {
          if (wanted || level == Level.ERROR) {
            session.report(level + ": " + message);
          }
        });
  }
}
