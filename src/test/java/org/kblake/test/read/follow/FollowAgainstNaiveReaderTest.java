package org.kblake.test.read.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventFollower;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.FollowedLines;
import org.kblake.test.oracle.NaiveReader;

/**
 * Random archives are written again piece by piece while they are followed: log and index one ahead
 * of the other, pair after pair. Columns have a random part of the events that exist at the
 * beginning. At every moment the given events are those of {@link NaiveReader} that are completely
 * written, in log order. A failure names its seed.
 */
final class FollowAgainstNaiveReaderTest {

  /** The number of archives of each kind. */
  private static final int ARCHIVES = Seeds.cases(5, 12);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();
  private Random random = new Random(0);
  private Path whole = Path.of("");
  private Path root = Path.of("");
  private Path store = Path.of("");
  private ArchiveSettings settings = ArchiveSettings.defaults();
  private List<Growing> pairs = List.of();
  private List<NaiveReader.Event> events = List.of();
  private long fromNanos;
  private Kind kind = Kind.SOUND;
  private List<String> names = List.of();

  /** A pair that is being written. */
  private static final class Growing {
    private final Path indexPath;
    private final Path logPath;
    private final String stamp;
    private final byte[] index;
    private final byte[] log;
    private final int headBytes;
    private int indexBytes;
    private int logBytes;
    private final ByteOrder order;
    private boolean aged;

    Growing(Path whole, Path root, RandomArchive.WrittenPair pair) throws IOException {
      index = Files.readAllBytes(whole.resolve(pair.indexPath()));
      log = Files.readAllBytes(whole.resolve(pair.logPath()));
      order = pair.order();
      headBytes = ByteBuffer.wrap(index).order(order).getInt(12);
      indexPath = root.resolve(pair.indexPath());
      logPath = root.resolve(pair.logPath());
      stamp = pair.stamp();
    }

    /**
     * Returns whether the pair is readable. A record table that ends in zeros may be incomplete as
     * long as nothing follows.
     */
    boolean isReadable(Kind kind) {
      return written(index, indexBytes, kind) >= headBytes;
    }

    boolean isWhole() {
      return indexBytes == index.length && logBytes == log.length;
    }

    int length(NaiveReader.Event event) {
      return ByteBuffer.wrap(log).order(order).getInt((int) event.offset());
    }

    /**
     * Returns the bytes that a reader accepts. It accepts zeros at the end when the pair is old.
     */
    int acceptedBytes(Kind kind) {
      return written(log, logBytes, kind);
    }

    private int written(byte[] bytes, int size, Kind kind) {
      int end = size;
      while (kind == Kind.ZEROS && !aged && end > 0 && bytes[end - 1] == 0) {
        end--;
      }
      return end;
    }

    /** Appends to both files without changing their existing bytes. */
    void grow(int toIndexBytes, int toLogBytes, int zeros) throws IOException {
      append(indexPath, index, indexBytes, toIndexBytes);
      append(logPath, log, logBytes, toLogBytes);
      int ahead = Math.min(log.length, toLogBytes + zeros);
      if (ahead > Files.size(logPath)) {
        int size = (int) Files.size(logPath);
        append(logPath, new byte[ahead], size, ahead);
      }
      indexBytes = toIndexBytes;
      logBytes = toLogBytes;
    }

    private static void append(Path file, byte[] bytes, int from, int to) throws IOException {
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(bytes, from, to - from), from);
      }
    }
  }

  /** The way in which the files are written. */
  private enum Kind {
    SOUND,
    /** As over a network: the size is ahead of the bytes, which are zeros until they arrive. */
    ZEROS,
    DAMAGED
  }

  @Test
  void writtenEventsAreGivenOnceInLogOrder() throws Exception {
    all(Kind.SOUND);
  }

  @Test
  void unwrittenZerosAreNeverGiven() throws Exception {
    all(Kind.ZEROS);
  }

  @Test
  void noUndamagedEventIsLost() throws Exception {
    all(Kind.DAMAGED);
  }

  private void all(Kind of) throws Exception {
    kind = of;
    String test = "following " + of;
    Seeds.each(
        test,
        ARCHIVES,
        seed -> {
          random = new Random(seed);
          prepare(seed);
          follow();
          delete(whole);
          delete(root);
          delete(store);
        });
    compared.print(test);
    compared.require("archives", ARCHIVES / 2);
    compared.require("events", 10L * ARCHIVES);
  }

  private void prepare(long seed) throws IOException {
    whole = directory.resolve("whole" + seed);
    root = directory.resolve("root" + seed);
    store = directory.resolve("store" + seed);
    settings =
        ArchiveSettings.defaults()
            .withTail(kind == Kind.ZEROS ? TailRule.PROVISIONAL : TailRule.FINAL)
            .withSettleNanos(TimeUnit.SECONDS.toNanos(60));
    List<Growing> growing = new ArrayList<>();
    List<RandomArchive.WrittenPair> written = RandomArchive.writeSmall(whole, seed).pairs();
    if (kind == Kind.DAMAGED) {
      damage(whole.resolve(written.get(random.nextInt(written.size())).logPath()));
    }
    for (RandomArchive.WrittenPair pair : written) {
      growing.add(new Growing(whole, root, pair));
    }
    pairs = growing;
    Files.createDirectories(pairs.get(0).logPath.getParent());
    events =
        NaiveReader.read(
            whole,
            RandomArchive.SMALL_GROUP.toString(),
            kind != Kind.DAMAGED,
            RandomArchive.ZONE,
            settings.disorderBoundNanos());
    names = events.stream().map(NaiveReader.Event::record).distinct().toList();
    fromNanos = Long.MIN_VALUE;
    if (random.nextBoolean() && !events.isEmpty()) {
      fromNanos = events.get(random.nextInt(events.size())).nanos();
    }
  }

  private void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    Files.write(file, bytes);
  }

  /** Follows the pairs that exist at the beginning, then writes the rest piece by piece. */
  private void follow() throws Exception {
    int present = random.nextInt(pairs.size());
    for (int i = 0; i < present; i++) {
      Growing pair = pairs.get(i);
      pair.grow(pair.index.length, pair.log.length, 0);
      if (kind == Kind.ZEROS || random.nextBoolean()) {
        age(pair);
      }
    }
    Growing newest = pairs.get(present);
    newest.grow(
        newest.headBytes + random.nextInt(entryBytes(newest) + 1), logBytes(newest), zeros());
    // A backfill waits until the files that it reads have settled.
    boolean columns = kind != Kind.ZEROS && random.nextBoolean();
    if (columns) {
      backfill();
    }
    FollowQuery query =
        FollowQuery.of(channels(), Instant.EPOCH).from(fromNanos).polling(FollowQuery.MIN_POLL);
    long most = random.nextInt(4) == 0 ? 1000 : random.nextInt(5);
    try (ArchiveReader archive = open(columns);
        EventFollower follower = archive.follow(query);
        EventFollower lastFollower = archive.follow(query.last(most))) {
      FollowedLines given = new FollowedLines(follower);
      FollowedLines last = new FollowedLines(lastFollower);
      Set<String> recorded = new HashSet<>();
      lastFollower.channels().forEach(channel -> recorded.add(channel.name()));
      check(given, last, query.channels());
      List<String> existing = List.copyOf(given.read());
      for (int i = present; i < pairs.size(); i++) {
        write(pairs.get(i), given, last, query.channels());
      }
      if (kind == Kind.DAMAGED) {
        for (Growing pair : pairs) {
          age(pair);
        }
        checkNothingIsLost(given.read(), query.channels());
      } else {
        assertThat(given.notes()).isEmpty();
      }
      checkLast(existing, given.read(), last.read(), most, recorded);
      compared.add("archives");
      compared.add("events", given.read().size());
    } catch (UnknownChannelException e) {
      // The pairs written so far do not have these channels.
    }
  }

  private void write(
      Growing pair, FollowedLines given, FollowedLines last, ChannelSelection channels)
      throws IOException, InterruptedException {
    int steps = 1 + random.nextInt(20);
    while (!pair.isWhole()) {
      int logBytes = pair.logBytes;
      int indexBytes = pair.indexBytes;
      if (random.nextInt(3) > 0) {
        logBytes = grown(logBytes, pair.log.length, steps);
      }
      if (random.nextInt(3) > 0) {
        indexBytes = grown(indexBytes, pair.index.length, steps);
      }
      pair.grow(indexBytes, logBytes, zeros());
      check(given, last, channels);
    }
    if (kind == Kind.ZEROS || random.nextInt(3) == 0) {
      age(pair);
      check(given, last, channels);
    }
  }

  private int grown(int bytes, int to, int steps) {
    return Math.min(to, bytes + random.nextInt(2 * (to / steps + 1)));
  }

  private void check(FollowedLines given, FollowedLines last, ChannelSelection channels)
      throws IOException, InterruptedException {
    List<String> lines = given.read();
    last.read();
    if (kind == Kind.DAMAGED) {
      return;
    }
    int at = 0;
    for (NaiveReader.Event event : events) {
      if (!isWritten(event) || event.nanos() < fromNanos || !isAsked(channels, event.record())) {
        continue;
      }
      String line = FollowedLines.line(event);
      if (at < lines.size() && lines.get(at).equals(line)) {
        at++;
      } else {
        // Whether an event is a stray may be unknown when it is read.
        assertThat(event.stray())
            .as("row=%d of %d, expected %s, notes=%s", at, lines.size(), event, given.notes())
            .isTrue();
      }
    }
    assertThat(lines.subList(at, lines.size())).as("too much").isEmpty();
  }

  /**
   * Asserts that the follower of last events gave all events but the first ones of each channel,
   * and counted them when it began.
   *
   * @param recorded the channels that were recorded when it began
   */
  private void checkLast(
      List<String> existing,
      List<String> all,
      List<String> given,
      long most,
      Set<String> recorded) {
    Map<String, Integer> counts = new HashMap<>();
    existing.forEach(line -> counts.merge(nameOf(line), 1, Integer::sum));
    Map<String, Integer> skips = new HashMap<>();
    counts.forEach((name, count) -> skips.put(name, (int) Math.max(0, count - most)));
    List<String> expected = new ArrayList<>();
    for (String line : all) {
      if (recorded.contains(nameOf(line)) && skips.merge(nameOf(line), -1, Integer::sum) < 0) {
        expected.add(line);
      }
    }
    List<String> lines = new ArrayList<>(given);
    lines.removeIf(line -> !recorded.contains(nameOf(line)));
    assertThat(lines).as("last %d of %s", most, counts).isEqualTo(expected);
    compared.add("last events", lines.size());
  }

  private static String nameOf(String line) {
    return line.substring(0, line.indexOf('\t'));
  }

  /** Asserts that a reader of the closed pairs gets the events that were given, except strays. */
  private void checkNothingIsLost(List<String> lines, ChannelSelection channels) {
    Map<String, Integer> left = new HashMap<>();
    lines.forEach(line -> left.merge(line, 1, Integer::sum));
    for (NaiveReader.Event event : events) {
      if (event.nanos() >= fromNanos && isAsked(channels, event.record()) && !event.stray()) {
        assertThat(left.merge(FollowedLines.line(event), -1, Integer::sum))
            .as("%s", event)
            .isNotNegative();
      }
    }
  }

  private boolean isWritten(NaiveReader.Event event) {
    for (Growing pair : pairs) {
      if (pair.stamp.equals(event.stamp())) {
        int end = (int) event.offset() + pair.length(event);
        return pair.isReadable(kind) && end <= pair.acceptedBytes(kind);
      }
    }
    throw new AssertionError("no pair of " + event);
  }

  private static boolean isAsked(ChannelSelection channels, String name) {
    return channels.patterns().stream()
        .anyMatch(
            pattern -> pattern.kind() == ChannelPattern.Kind.GLOB || pattern.text().equals(name));
  }

  private int zeros() {
    return kind == Kind.ZEROS ? random.nextInt(300) : 0;
  }

  private int entryBytes(Growing pair) {
    return pair.index.length - pair.headBytes;
  }

  private int logBytes(Growing pair) {
    return random.nextInt(pair.log.length + 1);
  }

  private ChannelSelection channels() {
    if (names.isEmpty() || random.nextInt(3) > 0) {
      return ChannelSelection.all(RandomArchive.SMALL_GROUP);
    }
    ChannelSelection some = ChannelSelection.of(List.of()).in(RandomArchive.SMALL_GROUP);
    for (int i = random.nextInt(3); i >= 0; i--) {
      some = some.and(ChannelPattern.name(names.get(random.nextInt(names.size()))));
    }
    return some;
  }

  private void backfill() throws IOException, InterruptedException {
    long first = events.stream().mapToLong(NaiveReader.Event::nanos).min().orElse(0);
    long last = events.stream().mapToLong(NaiveReader.Event::nanos).max().orElse(1);
    long from = first + random.nextLong(last - first + 1);
    TimeRange range =
        random.nextBoolean() ? TimeRange.ALL : new TimeRange(Math.min(from, last), last + 1);
    TestStores.backfill(Archive.open(root, settings), store, range);
  }

  private ArchiveReader open(boolean columns) throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(settings);
    return (columns ? builder.store(store) : builder).open();
  }

  /** Makes the pair look unmodified for long. */
  private static void age(Growing pair) throws IOException {
    pair.aged = true;
    FileTime old = FileTime.from(Instant.now().minusSeconds(7200));
    for (Path file : Arrays.asList(pair.indexPath, pair.logPath)) {
      Files.setLastModifiedTime(file, old);
    }
  }

  private static void delete(Path tree) throws IOException {
    if (Files.exists(tree)) {
      try (Stream<Path> files = Files.walk(tree)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
