package org.kblake.ship.work;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves the calling thread to the core on which others had the least work since its last move,
 * every ten seconds. Java has no call for that: Linux shows the times in {@code /proc}, and {@code
 * taskset} moves the thread. Two threads are not moved to one core while there are others. The
 * JVM's own threads stay where the system puts them.
 */
public final class CorePlacement {

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A thread stays where it is unless another core is less busy by this share. */
  private static final double WORTH_IT = 0.05;

  /** Fields of a line of /proc/stat: name, user, nice, system, idle, iowait. */
  private static final int IDLE = 4;

  /** The user's ticks of /proc/PID/task/TID/stat, counted from the field behind the name. */
  private static final int USER = 11;

  private final Path proc;
  private final long periodNanos;
  private final Mover mover;
  private final Consumer<String> notes;
  private final Map<Thread, Placed> threads = new HashMap<>();
  private final Map<Integer, Ticks> begin;
  private boolean unable;

  /** Moves a thread to a core. */
  interface Mover {
    boolean move(String thread, int core) throws IOException, InterruptedException;
  }

  private record Ticks(long busy, long all) {}

  /** A thread at its last move: its core, its own ticks, and those of all cores. */
  private record Placed(int core, long own, Map<Integer, Ticks> cores, long nanos) {}

  /**
   * @param notes gets a line if threads cannot be moved
   */
  public CorePlacement(Consumer<String> notes) {
    this(Path.of("/proc"), PERIOD_NANOS, CorePlacement::taskset, notes);
  }

  CorePlacement(Path proc, long periodNanos, Mover mover, Consumer<String> notes) {
    this.proc = proc;
    this.periodNanos = periodNanos;
    this.mover = mover;
    this.notes = notes;
    Map<Integer, Ticks> now = Map.of();
    try {
      now = ticks();
    } catch (IOException | RuntimeException e) {
      turnOff(e);
    }
    begin = now;
  }

  private void turnOff(Exception e) {
    unable = true;
    notes.accept("threads cannot be moved to cores, the system places them: " + e.getMessage());
  }

  /** Moves the calling thread if it is due. */
  public synchronized void place() throws InterruptedException {
    Placed last = threads.get(Thread.currentThread());
    long now = System.nanoTime();
    if (unable || last != null && now - last.nanos < periodNanos) {
      return;
    }
    try {
      // A link to PID/task/TID of the thread that reads it.
      Path task = Files.readSymbolicLink(proc.resolve("thread-self"));
      String id = String.valueOf(task.getFileName());
      long own = ownTicks(proc.resolve(task));
      Map<Integer, Ticks> cores = ticks();
      int core = leastBusy(last, own, cores);
      if ((last == null || last.core != core) && !mover.move(id, core)) {
        throw new IOException("taskset failed");
      }
      threads.put(Thread.currentThread(), new Placed(core, own, cores, now));
    } catch (IOException | RuntimeException e) {
      turnOff(e);
    }
  }

  /** Returns the core with the least work of others, and, if possible, without another thread. */
  private int leastBusy(@Nullable Placed last, long own, Map<Integer, Ticks> cores)
      throws IOException {
    Set<Integer> taken = new HashSet<>();
    threads.forEach(
        (thread, placed) -> {
          if (!thread.equals(Thread.currentThread()) && thread.isAlive()) {
            taken.add(placed.core);
          }
        });
    int best = -1;
    double least = Double.MAX_VALUE;
    for (Map.Entry<Integer, Ticks> each : cores.entrySet()) {
      int core = each.getKey();
      Map<Integer, Ticks> sinceAll = last == null ? begin : last.cores;
      Ticks since = sinceAll.getOrDefault(core, new Ticks(0, 0));
      boolean isOwn = last != null && last.core == core;
      double ownWork = last != null && last.core == core ? own - last.own : 0;
      double busy = each.getValue().busy - since.busy - ownWork;
      double share =
          Math.max(0, busy) / Math.max(busy, (double) Math.max(1, each.getValue().all - since.all));
      double cost = share + (taken.contains(core) ? 1 : 0) - (isOwn ? WORTH_IT : 0);
      if (cost < least) {
        least = cost;
        best = core;
      }
    }
    if (best < 0) {
      throw new IOException("no core in " + proc.resolve("stat"));
    }
    return best;
  }

  private static long ownTicks(Path task) throws IOException {
    String text = Files.readString(task.resolve("stat"), StandardCharsets.ISO_8859_1);
    String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[USER]) + Long.parseLong(fields[USER + 1]);
  }

  /** Returns the ticks of each core that this process may use. */
  private Map<Integer, Ticks> ticks() throws IOException {
    Set<Integer> allowed = allowed();
    Map<Integer, Ticks> times = new HashMap<>();
    List<String> lines = Files.readAllLines(proc.resolve("stat"), StandardCharsets.US_ASCII);
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
      int core = Integer.parseInt(fields[0].substring(3));
      if (allowed.contains(core)) {
        times.put(core, new Ticks(all - idle, all));
      }
    }
    return times;
  }

  /** Returns the cores of the first thread, which is not moved: such as those of a container. */
  private Set<Integer> allowed() throws IOException {
    Set<Integer> cores = new TreeSet<>();
    for (String line : Files.readAllLines(proc.resolve("self/status"))) {
      if (line.startsWith("Cpus_allowed_list:")) {
        for (String range : line.substring(line.indexOf(':') + 1).strip().split(",")) {
          String[] ends = range.split("-");
          int to = Integer.parseInt(ends[ends.length - 1]);
          for (int core = Integer.parseInt(ends[0]); core <= to; core++) {
            cores.add(core);
          }
        }
      }
    }
    return cores;
  }

  private static boolean taskset(String thread, int core) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("taskset", "-cp", Integer.toString(core), thread)
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
