package org.kblake.record.measure;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.record.group.Count;
import org.kblake.record.group.GroupCounts;
import org.kblake.record.group.GroupListener;
import org.kblake.record.group.LogGap;
import org.kblake.record.group.Recorder;
import org.kblake.record.group.RecorderSettings;
import org.kblake.record.group.TimeRule;
import org.kblake.record.log.LogFiles;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.RecordClock;
import org.kblake.record.log.SyncPolicy;
import org.kblake.record.log.WrittenFile;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;
import org.kblake.record.source.SourceCounts;

/**
 * Measures what a disk with slow syncs loses, and the time from the queue to the file. Arguments:
 * an empty directory, groups, channels of each, the policy, the time of a sync in ms, the groups
 * whose syncs are slow, the flush interval in ms, events per second, seconds.
 */
public final class MeasureDisk implements ChannelSource, GroupListener, LogFiles {

  private static final int VALUE_BYTES = 24;

  private final EventQueue queue = new EventQueue(new EventRing(1 << 26));
  private final ChannelEvent event = new ChannelEvent();
  private final ByteBuffer bytes = ByteBuffer.allocate(VALUE_BYTES);
  private final List<GroupCounts> counts = new ArrayList<>();
  private final List<Long> delays = new ArrayList<>();
  private final long syncMillis;
  private final int slowGroups;
  private volatile boolean isSlow;
  private int opened;
  private long put;

  private MeasureDisk(long syncMillis, int slowGroups) {
    this.syncMillis = syncMillis;
    this.slowGroups = slowGroups;
  }

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    int[] numbers = Arrays.stream(arguments).skip(4).mapToInt(Integer::parseInt).toArray();
    MeasureDisk measure = new MeasureDisk(numbers[0], numbers[1]);
    LogTiming timing = LogTiming.DEFAULT;
    LogTiming flush =
        new LogTiming(
            timing.milestoneNanos(),
            numbers[2] * 1_000_000L,
            timing.syncNanos(),
            timing.rotateNanos(),
            timing.newPairNanos(),
            timing.learnNanos());
    LogSettings log =
        new LogSettings(
            root,
            ArchiveSettings.defaults(),
            flush,
            SyncPolicy.valueOf(arguments[3]),
            Integer.MAX_VALUE);
    RecorderSettings settings =
        new RecorderSettings(log, TimeRule.RECEPTION, 256 << 20, measure, RecordClock.SYSTEM);
    try (Recorder recorder = new Recorder(measure, settings, measure)) {
      measure.begin(root, recorder, Integer.parseInt(arguments[1]), arguments[2]);
      measure.measure(recorder, numbers[3], numbers[4]);
    }
    System.out.println("written at the end " + measure.written() + " of " + measure.given());
  }

  private void begin(Path root, Recorder recorder, int groups, String channels) throws IOException {
    Files.createDirectories(root.resolve("SYS/LCF"));
    for (int g = 0; g < groups; g++) {
      StringBuilder names = new StringBuilder();
      for (int i = 0; i < Integer.parseInt(channels); i++) {
        names.append("R").append(g).append('_').append(i).append('\n');
      }
      Files.writeString(root.resolve("SYS/LCF/G" + g + ".lcf"), names);
      counts.add(recorder.add(new Group("S" + g % 10, "G" + g)));
    }
    for (int i = 0; i < opened; i++) {
      queue.put(event.begin(i, EventKind.CONNECTED, now()).typed(ValueType.DOUBLE, 1));
    }
    while (written() < opened) {
      recorder.turn();
    }
  }

  private long written() {
    return counts.stream().mapToLong(each -> each.get(Count.WRITTEN)).sum();
  }

  private long given() {
    return opened + put;
  }

  private void measure(Recorder recorder, int rate, int seconds) throws InterruptedException {
    isSlow = true;
    Thread feeder = new Thread(() -> feed(rate, seconds));
    double cpu = CountingRun.cpuSeconds();
    feeder.start();
    long longest = 0;
    while (feeder.isAlive()) {
      long begin = System.nanoTime();
      recorder.turn();
      longest = Math.max(longest, System.nanoTime() - begin);
    }
    feeder.join();
    isSlow = false;
    System.out.printf(
        "given %d, lost in the ring %d, lost in groups %d, longest turn %d ms, cpu %.2f us/event%n",
        put,
        queue.lost(),
        counts.stream().mapToLong(each -> each.get(Count.LOST)).sum(),
        longest / 1_000_000,
        (CountingRun.cpuSeconds() - cpu) / put * 1e6);
    synchronized (delays) {
      delays.sort(null);
      if (!delays.isEmpty()) {
        System.out.printf(
            "from the queue to the file: median %.1f ms, p99 %.1f ms, longest %.1f ms%n",
            delays.get(delays.size() / 2) / 1e6,
            delays.get(delays.size() * 99 / 100) / 1e6,
            delays.get(delays.size() - 1) / 1e6);
      }
    }
  }

  /** Spreads events evenly, as long as the machine lets it. */
  private void feed(int rate, int seconds) {
    long begin = System.nanoTime();
    while (put < (long) rate * seconds) {
      long due = (long) ((System.nanoTime() - begin) * 1e-9 * rate);
      if (put >= due) {
        LockSupport.parkNanos(500_000);
        continue;
      }
      for (; put < due; put++) {
        bytes.putInt(4, 1).putDouble(16, (double) put);
        event.begin((int) (put * 7919 % opened), EventKind.VALUE, now());
        queue.put(event.typed(ValueType.DOUBLE, 1).with(bytes, 0, VALUE_BYTES));
      }
      queue.signal();
    }
  }

  private static long now() {
    return RecordClock.SYSTEM.wallNanos();
  }

  @Override
  public WrittenFile create(Path file) throws IOException {
    WrittenFile real = DISK.create(file);
    String name = String.valueOf(file.getFileName());
    boolean isSlowFile = Integer.parseInt(name.replaceAll("G(\\d+)_.*", "$1")) < slowGroups;
    boolean isLog = name.endsWith("log2");
    return new WrittenFile() {
      @Override
      public void write(ByteBuffer source, long offset) throws IOException {
        ByteBuffer written = source.duplicate();
        real.write(source, offset);
        // The first event is the one that waited longest.
        if (isLog && isSlow && written.getInt(written.position() + 4) != -1) {
          long seconds = written.getInt(written.position() + 8) & 0xFFFF_FFFFL;
          long nanos = written.getInt(written.position() + 12);
          long delay = now() - (seconds + 631_152_000L) * 1_000_000_000L - nanos;
          synchronized (delays) {
            delays.add(delay);
          }
        }
      }

      @Override
      public void force() throws IOException {
        long end = System.nanoTime() + syncMillis * 1_000_000;
        while (isSlow && isSlowFile && System.nanoTime() < end) {
          LockSupport.parkNanos(Math.min(end - System.nanoTime(), 100_000_000));
        }
      }

      @Override
      public void close() throws IOException {
        real.close();
      }
    };
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    DISK.createDirectory(directory);
  }

  @Override
  public void discard(Path file) {
    DISK.discard(file);
  }

  @Override
  public List<String> names(Path directory) throws IOException {
    return DISK.names(directory);
  }

  @Override
  public long changedMillis(Path directory) throws IOException {
    return DISK.changedMillis(directory);
  }

  @Override
  public long bytes(Path file) throws IOException {
    return DISK.bytes(file);
  }

  @Override
  public void force(Path directory) throws IOException {
    DISK.force(directory);
  }

  @Override
  public @Nullable Closeable lock(Path file) throws IOException {
    return DISK.lock(file);
  }

  @Override
  public int open(String name) {
    return opened++;
  }

  @Override
  public int poll(EventHandler handler, int limit) {
    return queue.poll(handler, limit);
  }

  @Override
  public void await(long nanos) {
    queue.await(nanos);
  }

  @Override
  public void close(int channel) {
    // There is no server.
  }

  @Override
  public String name(int channel) {
    return "R" + channel;
  }

  @Override
  public SourceCounts counts() {
    return SourceCounts.NONE;
  }

  @Override
  public List<CircuitCounts> circuits() {
    return List.of();
  }

  @Override
  public void close() {
    // There is no thread.
  }

  @Override
  public void gap(Group group, LogGap gap) {
    System.out.println(group + " " + gap);
  }

  @Override
  public void notice(Group group, String line) {
    System.out.println(group + " " + line);
  }
}
