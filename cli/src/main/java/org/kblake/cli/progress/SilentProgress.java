package org.kblake.cli.progress;

import java.io.PrintStream;

/** For {@code --quiet}: only necessary lines are written. */
final class SilentProgress implements Progress {

  private final PrintStream err;

  SilentProgress(PrintStream err) {
    this.err = err;
  }

  @Override
  public void advance(long bytes, long events) {}

  @Override
  public void say(String line) {
    err.println(line);
  }

  @Override
  public void close() {}
}
