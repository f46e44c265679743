package org.kblake.benchmarks.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Evicts files from the page cache by {@code dd} with {@code POSIX_FADV_DONTNEED}, and checks the
 * result by {@code fincore}.
 */
public final class ColdFiles {

  private static final int TRIES = 5;

  private static final int MAX_ARGUMENTS = 500;

  private static final String DROP =
      "for file; do dd if=\"$file\" iflag=nocache count=0 status=none || exit; done";

  private ColdFiles() {}

  /**
   * Evicts files. Their modified pages are written to the disk first.
   *
   * @return a text with the number of files, and of their bytes that are resident afterwards
   * @throws IOException if pages stay in the page cache
   */
  public static String evict(List<Path> files) throws IOException, InterruptedException {
    drop(files);
    long resident = residentBytes(files);
    for (int i = 0; resident != 0 && i < TRIES; i++) {
      // Pages that this process has mapped stay until the garbage collector has released the
      // mapping.
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
    for (int from = 0; from < files.size(); from += MAX_ARGUMENTS) {
      output(command(List.of("sync"), files, from));
      output(command(List.of("sh", "-c", DROP, "sh"), files, from));
    }
  }

  /** Returns the number of bytes of files that are in the page cache. */
  public static long residentBytes(List<Path> files) throws IOException, InterruptedException {
    List<String> fincore = List.of("fincore", "--bytes", "--noheadings", "--output", "RES");
    long resident = 0;
    for (int from = 0; from < files.size(); from += MAX_ARGUMENTS) {
      for (String line : output(command(fincore, files, from)).split("\n")) {
        resident += line.isBlank() ? 0 : Long.parseLong(line.strip());
      }
    }
    return resident;
  }

  /** Returns a command with the next files as arguments. */
  private static List<String> command(List<String> words, List<Path> files, int from) {
    List<String> command = new ArrayList<>(words);
    files
        .subList(from, Math.min(files.size(), from + MAX_ARGUMENTS))
        .forEach(file -> command.add(file.toString()));
    return command;
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("failed: " + command.get(0));
    }
    return output;
  }
}
