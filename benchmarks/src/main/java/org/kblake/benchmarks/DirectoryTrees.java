package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories with all that is in them. */
final class DirectoryTrees {

  private DirectoryTrees() {}

  static void delete(Path tree) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(tree)) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
