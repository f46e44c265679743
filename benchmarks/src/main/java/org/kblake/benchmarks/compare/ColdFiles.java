package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Takes files out of the page cache, {@code POSIX_FADV_DONTNEED} by way of {@code dd}, and looks
 * with {@code fincore} whether they are.
 */
final class ColdFiles {

  private static final int TRIES = 5;

  private ColdFiles() {}

  /**
   * Evicts files; what is not on the disk yet is written first.
   *
   * @return how many bytes of them are resident afterwards, in words
   * @throws IOException if pages stay: what is measured then would not be cold
   */
  static String evict(List<Path> files) throws IOException, InterruptedException {
    drop(files);
    long resident = residentBytes(files);
    for (int i = 0; resident != 0 && i < TRIES; i++) {
      // Pages that this process has mapped stay until the collector has found the mapping unused.
      System.gc();
      TimeUnit.MILLISECONDS.sleep(100);
      drop(files);
      resident = residentBytes(files);
    }
    if (resident != 0) {
      throw new IOException("not cold: files=" + files.size() + ", residentBytes=" + resident);
    }
    return "evicted " + files.size() + " files, resident bytes afterwards: " + resident;
  }

  private static void drop(List<Path> files) throws IOException, InterruptedException {
    for (Path file : files) {
      said(List.of("sync", file.toString()));
      said(List.of("dd", "if=" + file, "iflag=nocache", "count=0", "status=none"));
    }
  }

  /** How many bytes of files the page cache holds. */
  static long residentBytes(List<Path> files) throws IOException, InterruptedException {
    long resident = 0;
    for (int from = 0; from < files.size(); from += 500) {
      List<String> command =
          new ArrayList<>(List.of("fincore", "--bytes", "--noheadings", "--output", "RES"));
      files
          .subList(from, Math.min(files.size(), from + 500))
          .forEach(it -> command.add(it.toString()));
      for (String line : said(command).split("\n")) {
        resident += line.isBlank() ? 0 : Long.parseLong(line.strip());
      }
    }
    return resident;
  }

  private static String said(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("failed: " + command.get(0));
    }
    return said;
  }
}
