package org.kblake.cli.progress;

import java.io.PrintStream;

/** For users who want quiet: only what they must see is written. */
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
