package org.kblake.cli.progress;

import java.io.PrintStream;

/** The progress for {@code --quiet}: only messages are printed. */
final class SilentProgress implements Progress {

  private final PrintStream err;

  SilentProgress(PrintStream err) {
    this.err = err;
  }

  @Override
  public void advance(long bytes, long events) {}

  @Override
  public void printLine(String line) {
    err.println(line);
  }

  @Override
  public void close() {}
}
