package org.kblake.ship.work;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves the calling thread to the core that was least busy, every ten seconds. Java has no call for
 * that: Linux shows the thread's name in {@code /proc/self/task}, and {@code taskset} moves it. Two
 * threads are not moved to one core while there are others. The JVM's own threads stay where the
 * system puts them.
 */
public final class CorePlacement {

  private static final Path PROC = Path.of("/proc");
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Fields of a line of /proc/stat: name, user, nice, system, idle, iowait. */
  private static final int IDLE = 4;

  private final Consumer<String> notes;
  private final Map<String, Long> moved = new HashMap<>();
  private final Map<String, Integer> coreOf = new HashMap<>();
  private Map<Integer, long[]> before = new HashMap<>();
  private boolean unable;

  /**
   * @param notes gets a line if threads cannot be moved
   */
  public CorePlacement(Consumer<String> notes) throws IOException {
    this.notes = notes;
    if (Files.isReadable(PROC.resolve("stat"))) {
      before = times();
    }
  }

  /** Moves the calling thread if it is due. */
  public synchronized void place() throws InterruptedException {
    String thread = Thread.currentThread().getName();
    Long last = moved.get(thread);
    long now = System.nanoTime();
    if (unable || last != null && now - last < PERIOD_NANOS) {
      return;
    }
    moved.put(thread, now);
    try {
      Path task = task(thread);
      Integer core = leastBusy(thread);
      if (task == null || core == null || !move(task, core)) {
        throw new IOException("no taskset, or no core");
      }
      coreOf.put(thread, core);
    } catch (IOException e) {
      unable = true;
      notes.accept("threads cannot be moved to cores, the system places them: " + e.getMessage());
    }
  }

  private static @Nullable Path task(String thread) throws IOException {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(PROC.resolve("self/task"))) {
      for (Path task : tasks) {
        if (Files.readString(task.resolve("comm")).strip().equals(thread)) {
          return task.getFileName();
        }
      }
    }
    return null;
  }

  /**
   * Returns the core with the least work since the last call, and, if possible, without another
   * thread.
   */
  private @Nullable Integer leastBusy(String thread) throws IOException {
    Map<Integer, long[]> now = times();
    coreOf.remove(thread);
    Set<Integer> taken = new HashSet<>(coreOf.values());
    Integer best = null;
    double least = Double.MAX_VALUE;
    for (Map.Entry<Integer, long[]> each : now.entrySet()) {
      long[] old = before.getOrDefault(each.getKey(), new long[2]);
      double whole = Math.max(1, each.getValue()[1] - old[1]);
      double busy = (each.getValue()[0] - old[0]) / whole + (taken.contains(each.getKey()) ? 1 : 0);
      if (busy < least) {
        least = busy;
        best = each.getKey();
      }
    }
    if (coreOf.isEmpty()) {
      before = now;
    }
    return best;
  }

  /** Returns busy and all ticks of each core. */
  private static Map<Integer, long[]> times() throws IOException {
    Map<Integer, long[]> times = new HashMap<>();
    List<String> lines = Files.readAllLines(PROC.resolve("stat"), StandardCharsets.US_ASCII);
    for (String line : lines) {
      if (!line.matches("cpu\\d+ .*")) {
        continue;
      }
      String[] fields = line.split(" ");
      long all = 0;
      for (int i = 1; i < fields.length; i++) {
        all += Long.parseLong(fields[i]);
      }
      long idle = Long.parseLong(fields[IDLE]) + Long.parseLong(fields[IDLE + 1]);
      times.put(Integer.parseInt(fields[0].substring(3)), new long[] {all - idle, all});
    }
    return times;
  }

  private static boolean move(Path task, int core) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("taskset", "-cp", Integer.toString(core), task.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
    } finally {
      process.destroy();
    }
  }
}
