package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.record.fixture.CaServer;
import org.kblake.record.fixture.ServedRecord;
import org.kblake.record.fixture.Wire;

/**
 * Recorders in processes of their own, one of which is active. It is killed, or stopped and woken,
 * at random moments. The server's records count up.
 */
class StandbyKillTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final int RECORDS = 20;
  private static final int TURN_MILLIS = 10;

  @TempDir Path root;
  private final List<Recording> processes = new ArrayList<>();
  private final double[] posted = new double[RECORDS];
  private final List<String> doubled = new ArrayList<>();
  private volatile boolean isEnding;

  /** A process, and the lines that it said. */
  private static final class Recording {
    final Process process;
    final List<String> lines = new CopyOnWriteArrayList<>();
    final Thread reader;

    Recording(Path root, int port, String latch) throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xshare:auto",
                  "-cp",
                  System.getProperty("java.class.path"),
                  StandbyMain.class.getName(),
                  root.toString(),
                  String.valueOf(port),
                  latch)
              .redirectErrorStream(true)
              .start();
      reader = new Thread(this::read, "lines of a recorder");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader text =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        text.lines().forEach(lines::add);
      } catch (IOException e) {
        lines.add(e.toString());
      }
    }

    boolean isConnected() {
      return lines.contains("connected " + RECORDS);
    }

    /** Returns whether it is the active one, by its last line about this. */
    boolean isActive() {
      for (int i = lines.size() - 1; i >= 0; i--) {
        String line = lines.get(i);
        if (line.equals("another recorder is active")) {
          return false;
        }
        if (line.equals("takes over") || line.equals("is the active recorder")) {
          return true;
        }
      }
      return false;
    }

    void signal(String name) throws IOException, InterruptedException {
      String pid = String.valueOf(process.pid());
      assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
    }
  }

  @AfterEach
  void end() {
    isEnding = true;
    processes.forEach(each -> each.process.destroyForcibly());
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!condition.getAsBoolean()) {
      List<List<String>> said = processes.stream().map(each -> each.lines).toList();
      assertThat(System.nanoTime()).as("lines of the recorders: %s", said).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static String name(int record) {
    return "R" + record;
  }

  /** Each third record has a time stamp that several values share. */
  private byte[] value(int record) {
    long now = System.currentTimeMillis();
    double number = posted[record];
    int nanos = record % 3 == 0 ? 0 : (int) (now % 1000) * 1_000_000 + (int) number % 1000;
    return Wire.stampedDoubles(0, 0, now / 1000 - 631_152_000, nanos, number);
  }

  private CaServer serve() throws IOException {
    Files.createDirectories(root.resolve("SYS/LCF"));
    List<String> names = new ArrayList<>();
    CaServer server = CaServer.start();
    for (int record = 0; record < RECORDS; record++) {
      names.add(name(record));
      server.add(new ServedRecord(name(record), ServedRecord.DOUBLE, 1, 1, value(record)));
    }
    Files.write(root.resolve("SYS/LCF/CCG.lcf"), names);
    return server;
  }

  private Thread post(CaServer server, Random random) {
    Thread thread =
        new Thread(
            () -> {
              while (!isEnding) {
                // The last one never changes.
                int record = random.nextInt(RECORDS - 1);
                posted[record]++;
                server.post(name(record), 1, value(record));
                if (random.nextInt(10) == 0) {
                  LockSupport.parkNanos(TURN_MILLIS * 1_000_000L);
                }
              }
            },
            "posts");
    thread.start();
    return thread;
  }

  private Recording active() throws InterruptedException {
    await(() -> processes.stream().anyMatch(each -> each.isActive() && each.process.isAlive()));
    return processes.stream()
        .filter(each -> each.isActive() && each.process.isAlive())
        .findFirst()
        .orElseThrow();
  }

  private void start(CaServer server, String latch) throws Exception {
    Recording next = new Recording(root, server.port(), latch);
    processes.add(next);
    await(next::isConnected);
  }

  /** Ends all, and compares the log with what was posted. Returns the number of doubles. */
  private long compare(Thread posting, Recording last) throws Exception {
    isEnding = true;
    posting.join();
    Map<Integer, Map<Integer, Integer>> found = new TreeMap<>();
    double[] ends = posted.clone();
    await(
        () -> {
          found.clear();
          try {
            read(found);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          for (int record = 0; record < RECORDS; record++) {
            if (!found.getOrDefault(record, Map.of()).containsKey((int) ends[record])) {
              return false;
            }
          }
          return true;
        });
    assertThat(last.isActive()).isTrue();
    long doubles = 0;
    for (Map.Entry<Integer, Map<Integer, Integer>> each : found.entrySet()) {
      int first = each.getValue().keySet().stream().min(Integer::compare).orElseThrow();
      List<Integer> missing = new ArrayList<>();
      for (int number = first; number <= ends[each.getKey()]; number++) {
        if (!each.getValue().containsKey(number)) {
          missing.add(number);
        }
      }
      assertThat(missing).as("lost of record %s: %s", each.getKey(), said()).isEmpty();
      doubles += each.getValue().values().stream().mapToInt(n -> n - 1).sum();
      each.getValue().forEach((number, n) -> note(each.getKey(), number, n));
    }
    return doubles;
  }

  private static boolean isShared(String doubled) {
    return Integer.parseInt(doubled.substring(1, doubled.indexOf('='))) % 3 == 0;
  }

  private void note(int record, int number, int times) {
    if (times > 1) {
      doubled.add("R" + record + "=" + number + " x" + times);
    }
  }

  private List<String> said() {
    List<String> all = new ArrayList<>();
    processes.forEach(
        each -> {
          all.add(each.process.pid() + ":");
          all.addAll(each.lines.stream().filter(line -> !line.startsWith("connected")).toList());
        });
    return all;
  }

  /** Counts each number of each record. */
  private void read(Map<Integer, Map<Integer, Integer>> found) throws IOException {
    for (String line : LoggedEvents.byKblake(root, GROUP)) {
      String[] words = line.split(" ", -1);
      if (words[5].length() == 16) {
        int record = Integer.parseInt(words[0].substring(1));
        double number = Double.longBitsToDouble(Long.parseUnsignedLong(words[5], 16));
        found.computeIfAbsent(record, key -> new TreeMap<>()).merge((int) number, 1, Integer::sum);
      }
    }
  }

  @Test
  void killedAtAnyMomentNothingIsLostOrDoubled() throws Exception {
    Random random = new Random(Seeds.one("StandbyKillTest"));
    int kills = Seeds.cases(10, 100);
    try (CaServer server = serve()) {
      Thread posting = post(server, random);
      start(server, "lock");
      start(server, "lock");
      start(server, "lock");
      for (int i = 0; i < kills; i++) {
        Recording killed = active();
        TimeUnit.MILLISECONDS.sleep(300 + random.nextInt(500));
        killed.process.destroyForcibly();
        killed.process.waitFor();
        // Another one is connected already, and takes over while this one begins.
        start(server, "lock");
      }
      compare(posting, active());
      // A standby that connected within a shared stamp does not know the number within it.
      assertThat(doubled.stream().filter(line -> !isShared(line)).toList()).isEmpty();
    }
  }

  @Test
  void stoppedForLongAndWokenItsDoublesAreCounted() throws Exception {
    Random random = new Random(Seeds.one("StandbyKillTest"));
    int stops = Seeds.cases(2, 4);
    try (TestingServer servers = new TestingServer();
        CaServer server = serve()) {
      Thread posting = post(server, random);
      start(server, servers.getConnectString());
      start(server, servers.getConnectString());
      for (int i = 0; i < stops; i++) {
        Recording stopped = active();
        TimeUnit.MILLISECONDS.sleep(3000 + random.nextInt(500));
        stopped.signal("STOP");
        Recording other = processes.get(1 - processes.indexOf(stopped));
        await(other::isActive);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
        stopped.signal("CONT");
        await(() -> !stopped.isActive());
      }
      TimeUnit.SECONDS.sleep(2);
      long counted =
          said().stream()
              .filter(line -> line.contains("doubles="))
              .mapToLong(line -> Long.parseLong(line.replaceAll(".*doubles=", "")))
              .sum();
      assertThat(compare(posting, active())).as("doubled %s", said()).isEqualTo(counted);
      assertThat(Arrays.stream(posted).sum()).isPositive();
    }
  }
}
