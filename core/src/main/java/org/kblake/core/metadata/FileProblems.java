package org.kblake.core.metadata;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The problems of a file, with a limit. */
final class FileProblems {

  static final int MOST = 1000;

  private final Path file;
  private final List<String> lines = new ArrayList<>();

  FileProblems(Path file) {
    this.file = file;
  }

  void add(int line, String what) {
    if (lines.size() < MOST) {
      lines.add(file + ": line " + line + ": " + what);
    } else if (lines.size() == MOST) {
      lines.add(file + ": line " + line + ": more problems follow, which are not listed");
    }
  }

  /** Returns whether the limit is reached, so that reading should end. */
  boolean areTooMany() {
    return lines.size() > MOST;
  }

  List<String> lines() {
    return List.copyOf(lines);
  }
}
