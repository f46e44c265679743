package org.kblake.cli.progress;

import java.util.function.Consumer;

/** The progress for {@code --quiet}, and while there is no work: only messages are printed. */
final class SilentProgress implements Progress {

  private final Consumer<String> lines;

  SilentProgress(Consumer<String> lines) {
    this.lines = lines;
  }

  @Override
  public void advance(long bytes, long events) {}

  @Override
  public void printLine(String line) {
    lines.accept(line);
  }

  @Override
  public void close() {}
}
