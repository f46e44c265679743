package org.kblake.benchmarks.wear;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.kblake.benchmarks.measure.Commands;

/**
 * Bytes that were written until a moment.
 *
 * @param process bytes of the pages that a process made dirty ({@code write_bytes} of /proc/PID/io;
 *     those of tmpfs do not count)
 * @param device bytes that the block device of a directory has written for all processes and for
 *     the file system's own blocks; -1 if it has no such device
 */
public record WrittenBytes(long process, long device) {

  private static final int SECTORS_WRITTEN = 6;
  private static final int SECTOR_BYTES = 512;

  /**
   * Reads the present counts. Modified pages are written to the device first.
   *
   * @param process a process id, or {@code self}
   */
  public static WrittenBytes now(String process, Path directory)
      throws IOException, InterruptedException {
    Commands.run(List.of("sync", "-f", directory.toString()));
    return new WrittenBytes(ofProcess(process), ofDevice(directory));
  }

  public WrittenBytes since(WrittenBytes before) {
    return new WrittenBytes(process - before.process, device < 0 ? -1 : device - before.device);
  }

  private static long ofProcess(String process) throws IOException {
    Path counts = Path.of("/proc", process, "io");
    return Files.readAllLines(counts).stream()
        .filter(line -> line.startsWith("write_bytes:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow(() -> new IOException("no write_bytes in " + counts));
  }

  private static long ofDevice(Path directory) throws IOException {
    long number = (Long) Files.getAttribute(directory, "unix:dev");
    long major = number >> 8 & 0xfff;
    long minor = number & 0xff | number >> 12 & 0xfff00;
    Path counts = Path.of("/sys/dev/block/" + major + ":" + minor + "/stat");
    if (Files.notExists(counts)) {
      return -1;
    }
    String[] fields = Files.readString(counts).strip().split("\\s+");
    return Long.parseLong(fields[SECTORS_WRITTEN]) * SECTOR_BYTES;
  }
}
