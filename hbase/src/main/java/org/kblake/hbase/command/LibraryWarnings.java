package org.kblake.hbase.command;

import org.kblake.cli.process.LibraryLog;
import org.slf4j.event.Level;

/**
 * Leaves out the warnings of HBase's libraries, which are for their developers. With {@code
 * --verbose} and {@code --debug} everything is written.
 */
final class LibraryWarnings {

  private static final String LEVEL = "kblake.log.level";

  private LibraryWarnings() {}

  /** Begins to leave them out. */
  static void leaveOut() {
    if (System.getProperty(LEVEL, Level.WARN.name()).equals(Level.WARN.name())) {
      LibraryLog.setDestination((level, logger, message) -> {});
    }
  }
}
