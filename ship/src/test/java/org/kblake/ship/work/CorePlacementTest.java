package org.kblake.ship.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thread goes to the core with the least work of others since its last move. */
final class CorePlacementTest {

  @TempDir Path proc;

  private final List<String> moves = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private int calls;

  @BeforeEach
  void make() throws Exception {
    Files.createDirectories(proc.resolve("self"));
    Files.createDirectories(proc.resolve("1/task/7"));
    Files.createSymbolicLink(proc.resolve("thread-self"), Path.of("1/task/7"));
    Files.writeString(proc.resolve("self/status"), "Name:\tjava\nCpus_allowed_list:\t0,2-3\n");
    own(0);
    cores(0, 0, 0, 0);
  }

  private void own(long ticks) throws Exception {
    Files.writeString(
        proc.resolve("1/task/7/stat"), "7 (a ) b) R 1 1 1 0 -1 0 0 0 0 0 " + ticks + " 0 0 0 20\n");
  }

  /** Sets the busy ticks of cores, of 1,000 ticks a call. */
  private void cores(long... busy) throws Exception {
    calls++;
    StringBuilder text = new StringBuilder("cpu  9 9 9 9 9\n");
    for (int core = 0; core < busy.length; core++) {
      long idle = 1_000L * calls - busy[core];
      text.append("cpu" + core + " " + busy[core] + " 0 0 " + idle + " 0 0 0\n");
    }
    Files.writeString(proc.resolve("stat"), text + "intr 1\n");
  }

  private CorePlacement placement() {
    return new CorePlacement(
        proc, 0, (thread, core) -> moves.add(thread + " to " + core), notes::add);
  }

  @Test
  void whatCountsIsTheWorkOfOthersSinceTheLastMove() throws Exception {
    CorePlacement placement = placement();
    cores(900, 0, 300, 500);
    placement.place();
    assertThat(moves).as("core 1 is not allowed").containsExactly("7 to 2");
    cores(1_900, 0, 1_200, 1_300);
    own(850);
    placement.place();
    assertThat(moves).as("most of the work of core 2 is its own").hasSize(1);
    cores(1_950, 0, 2_000, 2_000);
    own(860);
    placement.place();
    assertThat(moves).as("core 0 was the busiest, and is no more").endsWith("7 to 0");
    assertThat(notes).isEmpty();
  }

  @Test
  void twoThreadsAreOnTwoCores() throws Exception {
    CorePlacement placement = placement();
    cores(0, 0, 500, 900);
    AtomicReference<Exception> failure = new AtomicReference<>();
    Thread other =
        new Thread(
            () -> {
              try {
                placement.place();
                synchronized (moves) {
                  moves.notifyAll();
                }
                Thread.sleep(60_000);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (Exception e) {
                failure.set(e);
              }
            });
    synchronized (moves) {
      other.start();
      moves.wait(60_000);
    }
    placement.place();
    assertThat(moves).containsExactly("7 to 0", "7 to 2");
    other.interrupt();
    other.join();
    assertThat(failure.get()).isNull();
  }

  @Test
  void whereThreadsCannotBeMovedTheSystemPlacesThem() throws Exception {
    CorePlacement placement = new CorePlacement(proc, 0, (thread, core) -> false, notes::add);
    placement.place();
    placement.place();
    assertThat(notes)
        .containsExactly(
            "threads cannot be moved to cores, the system places them: " + "taskset failed");
    Files.delete(proc.resolve("stat"));
    new CorePlacement(proc, 0, (thread, core) -> true, notes::add).place();
    assertThat(notes).hasSize(2);
  }

  /** On this machine. */
  @Test
  void tasksetMovesTheThreadThatCalls() throws Exception {
    Assumptions.assumeTrue(Files.exists(Path.of("/proc/thread-self")), "not Linux");
    AtomicReference<String> allowed = new AtomicReference<>("");
    Thread moved =
        new Thread(
            () -> {
              try {
                new CorePlacement(notes::add).place();
                for (String line : Files.readAllLines(Path.of("/proc/thread-self/status"))) {
                  allowed.updateAndGet(text -> line.startsWith("Cpus_allowed_list:") ? line : text);
                }
              } catch (Exception e) {
                allowed.set(e.toString());
              }
            });
    moved.start();
    moved.join();
    assertThat(notes).isEmpty();
    assertThat(allowed.get()).matches("Cpus_allowed_list:\\s*\\d+");
  }
}
