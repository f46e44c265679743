package org.kblake.test;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * A kblog that is seen over NFS, as a process of its own: what it has written lies in one archive,
 * what is seen of it in another one. Every channel counts: its n-th value is n, from 1 on, in every
 * pair and type, so that a reader can tell what is missing, doubled or no data at all. It rotates,
 * pauses, sets its clock back, changes records and types from pair to pair, and crashes in the
 * midst of an event.
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

  static Group group(int number) {
    return new Group("SOAK", "G" + number);
  }

  /**
   * @param args the archive that is written, the one that is shown, seed, seconds, events per
   *     second
   */
  public static void main(String[] args) throws Exception {
    Path truth = Path.of(args[0]);
    Path shown = Path.of(args[1]);
    long seed = Long.parseLong(args[2]);
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[3]));
    double eventsPerTick = Integer.parseInt(args[4]) * TICK_MILLIS / 1000.0 / GROUPS;
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < GROUPS; i++) {
      writers.add(new Writer(group(i), truth, shown, new SplittableRandom(seed * 31 + i)));
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
    private final Path truth;
    private final Path shown;
    private final SplittableRandom random;
    private final Map<String, Integer> counts = new HashMap<>();
    private final List<Fading> fading = new ArrayList<>();
    private @Nullable LogWriter writer;
    private @Nullable NfsView index;
    private @Nullable NfsView log;
    private List<RecordEntry> records = List.of();
    private double due;
    private long ticks;
    private long pausedTicks;
    private Duration clockOffset = Duration.ZERO;
    private String lastStamp = "";

    /** A pair that has ended and is not wholly seen yet. */
    private record Fading(NfsView index, NfsView log, long untilTick) {}

    Writer(Group group, Path truth, Path shown, SplittableRandom random) {
      this.group = group;
      this.truth = truth;
      this.shown = shown;
      this.random = random;
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
        RecordEntry record = records.get(ordinal);
        int count = counts.merge(record.name(), 1, Integer::sum);
        put(open, ordinal, record.type(), count);
      }
      open.flush();
    }

    private void put(LogWriter open, int ordinal, ValueType type, int count) throws IOException {
      long nanos = nanos();
      switch (type) {
        case DOUBLE -> open.number(ordinal, nanos, 0, 0, Double.doubleToRawLongBits(count));
        case FLOAT -> open.number(ordinal, nanos, 0, 0, Float.floatToRawIntBits(count));
        case LONG -> open.number(ordinal, nanos, 0, 0, count);
        case STRING ->
            open.text(
                ordinal, nanos, 0, 0, Integer.toString(count).getBytes(StandardCharsets.UTF_8));
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
      index = view(stamp, "log1");
      log = view(stamp, "log2");
      return true;
    }

    private NfsView view(String stamp, String kind) throws IOException {
      Path file = Path.of(group.system(), group.name() + "_" + stamp + "." + kind);
      return new NfsView(truth.resolve(file), shown.resolve(file), random.split());
    }

    /** The next pair may be seen before all of this one is. */
    private void rotate() throws IOException {
      requireNonNull(writer).close();
      writer = null;
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
    }

    private long nanos() {
      Instant now = Instant.now().plus(clockOffset);
      return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
  }
}
