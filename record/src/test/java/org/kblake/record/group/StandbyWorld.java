package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.kblake.core.model.Group;
import org.kblake.record.fixture.CaServer;
import org.kblake.record.fixture.ServedRecord;
import org.kblake.record.fixture.Wire;
import org.kblake.record.log.RecordClock;
import org.kblake.record.log.StampsFile;

/**
 * A server whose records count up, recorders of it in processes of their own, one of which is
 * active, and their archive.
 */
final class StandbyWorld implements AutoCloseable {

  static final Group GROUP = new Group("VA", "CCG");

  /** So many records count up. */
  static final int RECORDS = 20;

  /** Records that do not count: one whose type changes, and one that comes to the list and goes. */
  private static final String TYPE = "TYPE";

  private static final String EXTRA = "EXTRA";
  private static final int TURN_MILLIS = 10;

  /** How the recorders are started, after the root and the port. */
  private final List<String> arguments;

  private final Path root;
  private final CaServer server = CaServer.start();
  private final List<StandbyProcess> processes = new ArrayList<>();
  private final double[] posted = new double[RECORDS];
  private final Thread posting;
  private int typeCode = ServedRecord.DOUBLE;
  private boolean hasExtra;

  /** When the last recorder was connected. */
  private long startedNanos;

  private volatile boolean isEnding;

  /** What the log has: of records that count the numbers, and how often each one. */
  private final Map<Integer, Map<Integer, Integer>> found = new TreeMap<>();

  StandbyWorld(Path root, Random random, String... arguments) throws IOException {
    this.root = root;
    this.arguments = List.of(arguments);
    Files.createDirectories(root.resolve("SYS/LCF"));
    for (int record = 0; record < RECORDS; record++) {
      server.add(new ServedRecord(name(record), ServedRecord.DOUBLE, 1, 1, value(record)));
    }
    server.add(ServedRecord.number(EXTRA, 1));
    server.add(ServedRecord.number(TYPE, 1));
    writeList();
    posting = new Thread(() -> post(random), "posts");
    posting.start();
  }

  private static String name(int record) {
    return "R" + record;
  }

  /** Each third record has a time stamp that several values share. */
  private static boolean isShared(int record) {
    return record % 3 == 0;
  }

  private byte[] value(int record) {
    long now = System.currentTimeMillis();
    double number = posted[record];
    int nanos = isShared(record) ? 0 : (int) (now % 1000) * 1_000_000 + (int) number % 1000;
    return Wire.stampedDoubles(0, 0, now / 1000 - 631_152_000, nanos, number);
  }

  private void post(Random random) {
    while (!isEnding) {
      // The last one never changes.
      int record = random.nextInt(RECORDS - 1);
      posted[record]++;
      server.post(name(record), 1, value(record));
      if (random.nextInt(10) == 0) {
        LockSupport.parkNanos(TURN_MILLIS * 1_000_000L);
      }
    }
  }

  private void writeList() throws IOException {
    List<String> names = new ArrayList<>();
    for (int record = 0; record < RECORDS; record++) {
      names.add(name(record));
    }
    names.add(TYPE);
    if (hasExtra) {
      names.add(EXTRA);
    }
    Path list = root.resolve("SYS/LCF/CCG.lcf");
    Path next = Files.write(root.resolve("SYS/next"), names);
    Files.move(next, list, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Lets a record come to the list, or go. */
  void changeList() throws IOException {
    hasExtra = !hasExtra;
    writeList();
  }

  /** Gives a record another type. It is found again some seconds later. */
  void changeType() {
    typeCode = typeCode == ServedRecord.DOUBLE ? ServedRecord.LONG : ServedRecord.DOUBLE;
    byte[] value = typeCode == ServedRecord.LONG ? Wire.longs(1) : Wire.doubles(1);
    server.remove(TYPE);
    server.add(new ServedRecord(TYPE, typeCode, 1, 1, value));
  }

  /** Lets the disk of the group be full, or have room. */
  void fill(boolean isFull) throws IOException {
    Path file = root.resolve(StandbyMain.FULL);
    if (isFull) {
      Files.createFile(file);
    } else {
      Files.delete(file);
    }
  }

  /** Starts a recorder, and waits until it is connected. */
  StandbyProcess start() throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(root.toString(), String.valueOf(server.port())));
    all.addAll(arguments);
    StandbyProcess next = new StandbyProcess(all);
    processes.add(next);
    await(next::isConnected);
    startedNanos = RecordClock.SYSTEM.wallNanos();
    return next;
  }

  /**
   * Waits until a recorder is active, and has written since the last one was started, and returns
   * it.
   */
  StandbyProcess active() throws InterruptedException {
    await(() -> processes.stream().anyMatch(StandbyWorld::isActive));
    await(() -> writtenNanos() > startedNanos);
    return processes.stream().filter(StandbyWorld::isActive).findFirst().orElseThrow();
  }

  private long writtenNanos() {
    long last = 0;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(root.resolve(GROUP.system()), "*.stamps")) {
      for (Path file : files) {
        last = Math.max(last, StampsFile.writtenNanos(file));
      }
    } catch (IOException e) {
      return 0; // it is being removed
    }
    return last;
  }

  private static boolean isActive(StandbyProcess each) {
    return each.isActive() && each.process.isAlive();
  }

  List<StandbyProcess> processes() {
    return processes;
  }

  void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("lines of the recorders: %s", said()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** Posts no more, and waits until the log has the last number of each record. */
  void end() throws InterruptedException {
    isEnding = true;
    posting.join();
    await(
        () -> {
          try {
            read();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          for (int record = 0; record < RECORDS; record++) {
            if (!found.getOrDefault(record, Map.of()).containsKey((int) posted[record])) {
              return false;
            }
          }
          return true;
        });
    assertThat(processes.stream().filter(StandbyWorld::isActive)).hasSize(1);
  }

  private void read() throws IOException {
    found.clear();
    for (String line : LoggedEvents.byKblake(root, GROUP)) {
      String[] words = line.split(" ", -1);
      if (words[5].length() == 16 && words[0].startsWith("R")) {
        int record = Integer.parseInt(words[0].substring(1));
        double number = Double.longBitsToDouble(Long.parseUnsignedLong(words[5], 16));
        found.computeIfAbsent(record, key -> new TreeMap<>()).merge((int) number, 1, Integer::sum);
      }
    }
  }

  /** Returns the numbers that the log lacks, after {@link #end}. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    found.forEach(
        (record, numbers) -> {
          int first = numbers.keySet().stream().min(Integer::compare).orElseThrow();
          for (int number = first; number <= posted[record]; number++) {
            if (!numbers.containsKey(number)) {
              missing.add(name(record) + "=" + number);
            }
          }
        });
    return missing;
  }

  /** Returns how many numbers are in the log once more. */
  long allDoubles() {
    return found.values().stream()
        .flatMap(numbers -> numbers.values().stream())
        .mapToLong(times -> times - 1)
        .sum();
  }

  /** Returns numbers that are in the log once more, though a time stamp tells that they are. */
  List<String> doubles() {
    List<String> doubles = new ArrayList<>();
    found.forEach(
        (record, numbers) ->
            numbers.forEach(
                (number, times) -> {
                  if (times > 1 && !isShared(record)) {
                    doubles.add(name(record) + "=" + number);
                  }
                }));
    return doubles;
  }

  /** Returns the number of doubles that the recorders have counted. */
  long counted() {
    return processes.stream().mapToLong(StandbyProcess::doubles).sum();
  }

  /** Returns the number of events that the recorders have stated as lost. */
  long lost() {
    return processes.stream().mapToLong(StandbyProcess::lost).sum();
  }

  /** Returns what the recorders said. */
  List<String> said() {
    List<String> all = new ArrayList<>();
    processes.forEach(
        each -> {
          all.add(each.process.pid() + ":");
          all.addAll(each.lines.stream().filter(line -> !line.startsWith("connected")).toList());
        });
    return all;
  }

  @Override
  public void close() {
    isEnding = true;
    processes.forEach(each -> each.process.destroyForcibly());
    server.close();
  }
}
