package org.kblake.hbase.command;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.kblake.cli.process.LibraryLog;
import org.slf4j.event.Level;

/**
 * Leaves out the warnings of HBase's libraries, which are for their developers, and the stack
 * traces that its client writes to standard error, until it is closed. With {@code --verbose} and
 * {@code --debug} everything is written.
 */
final class LibraryWarnings implements AutoCloseable {

  private static final String LEVEL = "kblake.log.level";

  private final PrintStream errors;

  private LibraryWarnings(PrintStream errors) {
    this.errors = errors;
  }

  /** Begins to leave them out. */
  static LibraryWarnings leaveOut() {
    LibraryWarnings warnings = new LibraryWarnings(System.err);
    if (System.getProperty(LEVEL, Level.WARN.name()).equals(Level.WARN.name())) {
      LibraryLog.setDestination((level, logger, message) -> {});
      // The command writes to the stream that the process began with.
      System.setErr(
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }
    return warnings;
  }

  @Override
  public void close() {
    System.setErr(errors);
  }
}
