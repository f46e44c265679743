package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a JVM by its use, from the report of its native memory tracking at its end.
 *
 * @param programBytes the heap, and memory outside of it that the program allocated
 * @param jvmBytes the rest: the JVM's compiler at its peak, compiled code, classes
 */
record NativeMemory(long programBytes, long jvmBytes) {

  /** The options with which a JVM prints the report. */
  static final List<String> OPTIONS =
      List.of(
          "-XX:NativeMemoryTracking=summary",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:+PrintNMTStatistics");

  private static final Pattern USE =
      Pattern.compile("-\\s+(.+) \\(reserved=.* committed=(\\d+)(KB)?\\)");
  private static final Pattern PEAK = Pattern.compile("peak=(\\d+)(KB)?");

  /**
   * Reads a report.
   *
   * @throws IOException if the output has none
   */
  static NativeMemory of(String output) throws IOException {
    long program = 0;
    long jvm = 0;
    boolean compiler = false;
    boolean compilerPeak = false;
    for (String line : output.lines().toList()) {
      Matcher use = USE.matcher(line.strip());
      if (use.matches()) {
        long bytes = bytes(use.group(2), use.group(3));
        compiler = use.group(1).equals("Compiler");
        switch (use.group(1)) {
          case "Java Heap", "Other" -> program += bytes;
          // Its memory is mapped from the class archive, or belongs to the tracking.
          case "Shared class space", "Native Memory Tracking" -> {}
          default -> jvm += compiler ? 0 : bytes;
        }
      }
      Matcher peak = PEAK.matcher(line);
      if (compiler && peak.find()) {
        jvm += bytes(peak.group(1), peak.group(2));
        compilerPeak = true;
      }
    }
    if (program == 0 || !compilerPeak) {
      throw new IOException("no report of native memory: " + output);
    }
    return new NativeMemory(program, jvm);
  }

  private static long bytes(String number, @Nullable String unit) {
    return Long.parseLong(number) << (unit == null ? 0 : 10);
  }
}
