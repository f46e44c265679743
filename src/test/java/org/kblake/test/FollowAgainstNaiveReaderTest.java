package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.TailRule;
import org.kblake.core.model.TimeRange;
import org.kblake.core.simulate.RandomArchive;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ChannelPattern;
import org.kblake.query.ChannelSelection;
import org.kblake.query.EventFollower;
import org.kblake.query.FollowQuery;
import org.kblake.query.UnknownChannelException;

/**
 * Random archives are written again piece by piece, log and index one ahead of the other, pair
 * after pair, while they are followed, with columns for a random part of what there is when that
 * begins. At every moment what was given are the events that are there as a whole, in log order, as
 * {@link NaiveReader} has them. A failure names its seed.
 */
final class FollowAgainstNaiveReaderTest {

  private static final int ARCHIVES = Integer.getInteger("kblake.fuzz", 30);

  @TempDir Path directory;

  private Random random = new Random(0);
  private Path whole = Path.of("");
  private Path root = Path.of("");
  private Path store = Path.of("");
  private ArchiveSettings settings = ArchiveSettings.defaults();
  private List<Growing> pairs = List.of();
  private List<NaiveReader.Event> events = List.of();
  private long fromNanos;
  private List<String> names = List.of();

  /** A pair as it is being written. */
  private static final class Growing {
    private final Path indexPath;
    private final Path logPath;
    private final String stamp;
    private final byte[] index;
    private final byte[] log;
    private final int headBytes;
    private int indexBytes;
    private int logBytes;

    Growing(Path whole, Path root, RandomArchive.WrittenPair pair) throws IOException {
      index = Files.readAllBytes(whole.resolve(pair.indexPath()));
      log = Files.readAllBytes(whole.resolve(pair.logPath()));
      headBytes = ByteBuffer.wrap(index).order(pair.order()).getInt(12);
      indexPath = root.resolve(pair.indexPath());
      logPath = root.resolve(pair.logPath());
      stamp = pair.stamp();
    }

    boolean isReadable() {
      return indexBytes >= headBytes;
    }

    boolean isWhole() {
      return indexBytes == index.length && logBytes == log.length;
    }

    /** Appends to both files; what is there stays untouched. */
    void grow(int toIndexBytes, int toLogBytes) throws IOException {
      append(indexPath, index, indexBytes, toIndexBytes);
      append(logPath, log, logBytes, toLogBytes);
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

  @Test
  void whatIsWrittenIsGivenOnceInLogOrder() throws Exception {
    long first = Long.getLong("seed", 0);
    for (long seed = first; seed < first + ARCHIVES; seed++) {
      random = new Random(seed);
      prepare(seed);
      try {
        follow();
      } catch (AssertionError | RuntimeException | IOException e) {
        throw new AssertionError("seed " + seed, e);
      }
      delete(whole);
      delete(root);
      delete(store);
    }
  }

  private void prepare(long seed) throws IOException {
    whole = directory.resolve("whole" + seed);
    root = directory.resolve("root" + seed);
    store = directory.resolve("store" + seed);
    settings = ArchiveSettings.defaults().withTail(TailRule.FINAL);
    List<Growing> growing = new ArrayList<>();
    for (RandomArchive.WrittenPair pair : RandomArchive.writeSmall(whole, seed).pairs()) {
      growing.add(new Growing(whole, root, pair));
    }
    pairs = growing;
    Files.createDirectories(pairs.get(0).logPath.getParent());
    events =
        NaiveReader.read(
            whole,
            RandomArchive.SMALL_GROUP.toString(),
            true,
            RandomArchive.ZONE,
            settings.disorderBoundNanos());
    names = events.stream().map(NaiveReader.Event::record).distinct().toList();
    fromNanos = Long.MIN_VALUE;
    if (random.nextBoolean() && !events.isEmpty()) {
      fromNanos = events.get(random.nextInt(events.size())).nanos();
    }
  }

  /** What is there when following begins, then what is written piece by piece. */
  private void follow() throws Exception {
    int present = random.nextInt(pairs.size());
    for (int i = 0; i < present; i++) {
      Growing pair = pairs.get(i);
      pair.grow(pair.index.length, pair.log.length);
      if (random.nextBoolean()) {
        age(pair);
      }
    }
    Growing newest = pairs.get(present);
    newest.grow(newest.headBytes + random.nextInt(entryBytes(newest) + 1), logBytes(newest));
    boolean columns = random.nextBoolean();
    if (columns) {
      backfill();
    }
    FollowQuery query =
        FollowQuery.of(channels(), Instant.EPOCH).from(fromNanos).polling(FollowQuery.LEAST_POLL);
    try (ArchiveReader archive = open(columns);
        EventFollower follower = archive.follow(query)) {
      FollowedLines given = new FollowedLines(follower);
      check(given, query.channels());
      for (int i = present; i < pairs.size(); i++) {
        write(pairs.get(i), given, query.channels());
      }
      assertThat(given.notes()).isEmpty();
    } catch (UnknownChannelException e) {
      // the pairs that are there do not know them yet
    }
  }

  private void write(Growing pair, FollowedLines given, ChannelSelection channels)
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
      pair.grow(indexBytes, logBytes);
      check(given, channels);
    }
    if (random.nextInt(3) == 0) {
      age(pair);
    }
  }

  private int grown(int bytes, int to, int steps) {
    return Math.min(to, bytes + random.nextInt(2 * (to / steps + 1)));
  }

  private void check(FollowedLines given, ChannelSelection channels)
      throws IOException, InterruptedException {
    List<String> lines = given.read();
    int at = 0;
    for (NaiveReader.Event event : events) {
      if (!isThere(event) || event.nanos() < fromNanos || !isAsked(channels, event.record())) {
        continue;
      }
      String line = FollowedLines.line(event);
      if (at < lines.size() && lines.get(at).equals(line)) {
        at++;
      } else {
        // only of a stray was nobody to know whether it would be one
        assertThat(event.stray())
            .as("row=%d of %d, expected %s, notes=%s", at, lines.size(), event, given.notes())
            .isTrue();
      }
    }
    assertThat(lines.subList(at, lines.size())).as("too much").isEmpty();
  }

  private boolean isThere(NaiveReader.Event event) {
    for (Growing pair : pairs) {
      if (pair.stamp.equals(event.stamp())) {
        ByteBuffer log = ByteBuffer.wrap(pair.log);
        log.order(
            ByteBuffer.wrap(pair.index).getInt(0) == 0x4B424C31
                ? java.nio.ByteOrder.BIG_ENDIAN
                : java.nio.ByteOrder.LITTLE_ENDIAN);
        return pair.isReadable()
            && event.offset() + log.getInt((int) event.offset()) <= pair.logBytes;
      }
    }
    throw new AssertionError("no pair of " + event);
  }

  private static boolean isAsked(ChannelSelection channels, String name) {
    return channels.patterns().stream()
        .anyMatch(
            pattern -> pattern.kind() == ChannelPattern.Kind.GLOB || pattern.text().equals(name));
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

  /** Nothing was written to the pair for long. */
  private static void age(Growing pair) throws IOException {
    FileTime old = FileTime.from(Instant.now().minusSeconds(120));
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
