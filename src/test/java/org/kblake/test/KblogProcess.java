package org.kblake.test;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * A kblog as a process of its own: what it has written lies in one archive, what others see of it
 * in two more, one as over NFS, one as on a local disk. The n-th event of a group has the value n,
 * whatever channel it is of, so that a reader can tell what is missing, doubled, out of order or no
 * data at all. It rotates, pauses, sets its clock back, changes records and types from pair to
 * pair, and crashes in the midst of an event.
 */
final class KblogProcess {

  static final int GROUPS = 8;
  static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");

  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");
  private static final int CHANNELS = 12;
  private static final long TICK_MILLIS = 20;
  private static final long FADING_TICKS = 50;
  private static final ValueType[] TYPES = {
    ValueType.DOUBLE, ValueType.LONG, ValueType.FLOAT, ValueType.STRING
  };

  private KblogProcess() {}

  /** How others see files. */
  enum View {
    /** As over NFS: of any byte it may show that it was not written yet. */
    NETWORK,
    /** As on a local disk, by a writer that makes room first. */
    LOCAL;

    /** The archive that shows its groups. */
    Path archive(Path directory) {
      return directory.resolve(name().toLowerCase(Locale.ROOT));
    }

    List<Group> groups() {
      return IntStream.range(0, GROUPS)
          .filter(number -> view(number) == this)
          .mapToObj(KblogProcess::group)
          .toList();
    }
  }

  private static View view(int number) {
    return View.values()[number % View.values().length];
  }

  private static Group group(int number) {
    return new Group("SOAK", "G" + number);
  }

  /** The archive that is written. */
  static Path truth(Path directory) {
    return directory.resolve("truth");
  }

  /**
   * The times of the events from one number to another, nanoseconds since 1970 UTC.
   *
   * @param from the first event's value
   * @param to the last one's
   */
  static long[] times(Path directory, Group group, long from, long to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(to - from + 1) * Long.BYTES);
    try (FileChannel channel = FileChannel.open(timesFile(directory, group))) {
      while (bytes.hasRemaining()
          && channel.read(bytes, (from - 1) * Long.BYTES + bytes.position()) >= 0) {
        // all of them
      }
    }
    long[] times = new long[bytes.flip().remaining() / Long.BYTES];
    bytes.asLongBuffer().get(times);
    return times;
  }

  private static Path timesFile(Path directory, Group group) {
    return directory.resolve("times-" + group.name());
  }

  /**
   * @param args a directory for the archives, seed, seconds, events per second
   */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    long seed = Long.parseLong(args[1]);
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
    double eventsPerTick = Integer.parseInt(args[3]) * TICK_MILLIS / 1000.0 / GROUPS;
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < GROUPS; i++) {
      writers.add(new Writer(group(i), view(i), directory, new SplittableRandom(seed * 31 + i)));
    }
    while (System.nanoTime() < endNanos) {
      for (Writer writer : writers) {
        writer.tick(eventsPerTick);
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
    for (Writer writer : writers) {
      writer.end();
    }
  }

  /** One group's kblog. */
  private static final class Writer {
    private final Group group;
    private final View view;
    private final Path truth;
    private final Path shown;
    private final FileChannel times;
    private final SplittableRandom random;
    private final List<Fading> fading = new ArrayList<>();
    private @Nullable LogWriter writer;
    private @Nullable GrowingView index;
    private @Nullable GrowingView log;
    private List<RecordEntry> records = List.of();
    private long events;
    private double due;
    private long ticks;
    private long pausedTicks;
    private Duration clockOffset = Duration.ZERO;
    private String lastStamp = "";

    /** A pair that has ended and is not wholly seen yet. */
    private record Fading(GrowingView index, GrowingView log, long untilTick) {}

    Writer(Group group, View view, Path directory, SplittableRandom random) throws IOException {
      this.group = group;
      this.view = view;
      this.random = random;
      truth = truth(directory);
      shown = view.archive(directory);
      times =
          FileChannel.open(
              timesFile(directory, group), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    void tick(double events) throws IOException {
      ticks++;
      due += events;
      if (pausedTicks > 0) {
        pausedTicks--;
      } else if (writer != null || begin()) {
        write();
        misbehave();
      }
      show();
    }

    private void write() throws IOException {
      LogWriter open = requireNonNull(writer);
      // A milestone every second, by the writer's clock.
      if (ticks % (1000 / TICK_MILLIS) == 0) {
        open.milestone(nanos());
      }
      while (due >= 1) {
        due--;
        int ordinal = random.nextInt(records.size());
        long nanos = nanos();
        events++;
        put(open, ordinal, nanos, records.get(ordinal).type());
        writeFully(ByteBuffer.allocate(Long.BYTES).putLong(nanos).flip());
      }
      open.flush();
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        times.write(bytes);
      }
    }

    private void put(LogWriter open, int ordinal, long nanos, ValueType type) throws IOException {
      switch (type) {
        case DOUBLE ->
            open.number(ordinal, nanos, 0, 0, Double.doubleToRawLongBits((double) events));
        case FLOAT -> open.number(ordinal, nanos, 0, 0, Float.floatToRawIntBits((float) events));
        case LONG -> open.number(ordinal, nanos, 0, 0, events);
        case STRING ->
            open.text(ordinal, nanos, 0, 0, Long.toString(events).getBytes(StandardCharsets.UTF_8));
        case SHORT, ENUM, CHAR -> throw new IllegalStateException("does not count far: " + type);
      }
    }

    private void misbehave() throws IOException {
      switch (random.nextInt(600)) {
        case 0 -> rotate();
        case 1 -> pausedTicks = random.nextInt(100);
        case 2 -> clockOffset = clockOffset.minusMillis(random.nextInt(2_000));
        case 3 -> crash();
        default -> {
          // An ordinary tick.
        }
      }
    }

    private void show() throws IOException {
      if (log != null && index != null) {
        log.step();
        index.step();
      }
      for (Fading each : List.copyOf(fading)) {
        each.log.step();
        each.index.step();
        if (ticks >= each.untilTick) {
          fading.remove(each);
          each.log.close();
          each.index.close();
        }
      }
    }

    /** Two pairs of one second would have one name. */
    private boolean begin() throws IOException {
      String stamp = STAMP.format(Instant.now().atZone(ZONE));
      if (stamp.compareTo(lastStamp) <= 0) {
        return false;
      }
      lastStamp = stamp;
      List<RecordEntry> table = new ArrayList<>();
      for (int i = 0; i < CHANNELS; i++) {
        if (random.nextInt(6) != 0 || table.isEmpty() && i == CHANNELS - 1) {
          String name = group.name() + ":C" + i;
          table.add(new RecordEntry(7 * i + 1, name, TYPES[random.nextInt(TYPES.length)], 1));
        }
      }
      records = table;
      ByteOrder order = random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
      LogWriter open = LogWriter.create(truth, group, stamp, order, new RecordTable(table));
      open.milestone(nanos());
      open.flush();
      writer = open;
      index = view(stamp, "log1", null);
      log = view(stamp, "log2", order);
      return true;
    }

    private GrowingView view(String stamp, String kind, @Nullable ByteOrder logOrder)
        throws IOException {
      Path file = Path.of(group.system(), group.name() + "_" + stamp + "." + kind);
      Path source = truth.resolve(file);
      return switch (view) {
        case NETWORK -> new NfsView(source, shown.resolve(file), random.split());
        case LOCAL -> new LocalView(source, shown.resolve(file), random.split(), logOrder);
      };
    }

    /** The next pair may be seen before all of this one is, on a local disk only now and then. */
    private void rotate() throws IOException {
      requireNonNull(writer).close();
      writer = null;
      if (view == View.LOCAL && random.nextInt(4) != 0) {
        requireNonNull(log).complete();
        requireNonNull(index).complete();
      }
      fading.add(new Fading(requireNonNull(index), requireNonNull(log), ticks + FADING_TICKS));
      index = null;
      log = null;
    }

    /** The last event is cut, and the next pair begins. */
    private void crash() throws IOException {
      LogWriter open = requireNonNull(writer);
      open.rawBytes(new byte[] {0, 0, 0, 28, 0, 0});
      rotate();
    }

    void end() throws IOException {
      if (writer != null) {
        rotate();
      }
      for (Fading each : fading) {
        each.log.close();
        each.index.close();
      }
      times.close();
    }

    private long nanos() {
      Instant now = Instant.now().plus(clockOffset);
      return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
  }
}
