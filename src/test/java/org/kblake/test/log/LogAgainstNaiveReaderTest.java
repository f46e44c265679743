package org.kblake.test.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.NaiveIndex;
import org.kblake.test.oracle.NaiveReader;

/**
 * Compares the program's reader with {@link NaiveReader} on random archives, whole and damaged,
 * event for event. A failure names its seed.
 */
class LogAgainstNaiveReaderTest {

  private static final int WHOLE = Seeds.cases(20, 50);

  private static final int DAMAGED = Seeds.cases(150, 500);

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();

  @Test
  void wholeArchivesGiveTheSameEvents() throws Exception {
    Seeds.each("whole logs", WHOLE, seed -> check(seed, false));
    compared.print("whole logs");
    compared.require("logs", WHOLE);
    compared.require("events", 20L * WHOLE);
    compared.require("strays", WHOLE / 2);
  }

  @Test
  void damagedArchivesGiveTheSameEvents() throws Exception {
    Seeds.each("damaged logs", DAMAGED, seed -> check(seed, true));
    compared.print("damaged logs");
    compared.require("logs", DAMAGED);
    compared.require("events", 20L * DAMAGED);
    compared.require("strays", DAMAGED / 2);
    compared.require("unreadable pairs", DAMAGED / 50);
  }

  private void check(long seed, boolean damage) throws IOException {
    Path root = directory.resolve("seed" + seed);
    List<Path> indexes =
        RandomArchive.writeSmall(root, seed).pairs().stream()
            .map(pair -> root.resolve(pair.indexPath()))
            .toList();
    Random random = new Random(~seed);
    boolean growing = random.nextBoolean();
    if (damage) {
      for (int i = 0; i <= random.nextInt(3); i++) {
        Path index = indexes.get(random.nextInt(indexes.size()));
        damage(random.nextInt(4) == 0 ? index : logOf(index), random);
      }
    }
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
    FileTime now = FileTime.from(Instant.now());
    for (Path index : indexes) {
      boolean grows = growing && index.equals(indexes.get(indexes.size() - 1));
      Files.setLastModifiedTime(index, grows ? now : old);
      Files.setLastModifiedTime(logOf(index), grows ? now : old);
    }
    compare(root, growing, random);
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static Path logOf(Path index) {
    return Path.of(index.toString().replaceFirst("1$", "2"));
  }

  private static void damage(Path file, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    if (bytes.length == 0) {
      return;
    }
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 3 -> bytes[at] = (byte) random.nextInt();
      case 4 -> bytes = Arrays.copyOf(bytes, at);
      case 5 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + random.nextInt(200)), (byte) 0);
      case 6 -> Arrays.fill(bytes, at, bytes.length, (byte) 0);
      case 7 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(100));
      default -> throw new AssertionError();
    }
    Files.write(file, bytes);
  }

  private void compare(Path root, boolean growing, Random random) throws IOException {
    Archive archive = Archive.open(root, SETTINGS);
    List<Pair> pairs = archive.pairs(RandomArchive.SMALL_GROUP);
    for (Pair pair : pairs) {
      boolean grows = growing && pair.nextStamp() == null;
      NaiveReader expected = null;
      try {
        expected =
            NaiveReader.of(
                pair.logPath(),
                grows,
                pair.nextStamp() == null,
                RandomArchive.ZONE,
                SETTINGS.disorderBoundNanos());
      } catch (NaiveIndex.UnreadableIndex e) {
        // The program's reader must not be able to read the index, either.
      }
      PairLog log = open(pair);
      assertThat(log == null).as("%s cannot be read", pair).isEqualTo(expected == null);
      if (log != null && expected != null) {
        assertThat(log.closed()).isEqualTo(!grows);
        comparePair(log, expected, random);
      } else {
        compared.add("unreadable pairs");
      }
    }
  }

  private static @Nullable PairLog open(Pair pair) throws IOException {
    try {
      return pair.open();
    } catch (CorruptLogException | PendingPairException | TooNewException e) {
      return null;
    }
  }

  private void comparePair(PairLog log, NaiveReader naive, Random random) throws IOException {
    compareSegments(log, naive);
    List<NaiveReader.Event> expected = naive.events();
    List<NaiveReader.Event> all = new ArrayList<>();
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null, true)) {
      scan(scanner, all, true);
    }
    assertThat(all).containsExactlyElementsOf(expected);
    compared.add("logs");
    compared.add("events", all.size());
    compared.add("strays", all.stream().filter(NaiveReader.Event::stray).count());

    BitSet wanted = new BitSet();
    for (int ordinal = 0; ordinal < log.records().size(); ordinal++) {
      wanted.set(ordinal, random.nextInt(3) == 0);
    }
    List<NaiveReader.Event> some = new ArrayList<>();
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), wanted)) {
      scan(scanner, some, false);
    }
    assertThat(some)
        .containsExactlyElementsOf(
            expected.stream()
                .filter(event -> wanted.get(log.records().ordinalOfName(event.record())))
                .toList());
  }

  /**
   * Compares the segments. Only damage of the log counts, because ignored entries of the index lose
   * no events.
   */
  private void compareSegments(PairLog log, NaiveReader naive) throws IOException {
    List<NaiveReader.Segment> segments = new ArrayList<>();
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
      while (scanner.nextSegment()) {
        Segment segment = scanner.segment();
        segments.add(
            new NaiveReader.Segment(
                (int) segment.startOffset(),
                (int) segment.endOffset(),
                segment.milestoneNanos(),
                segment.spanFromNanos(),
                segment.spanToNanos(),
                segment.endOffset() < log.logBytes()
                    || !log.growing() && log.behindEnd().milestones().count() > 0,
                segment.firstNanos(),
                segment.lastNanos(),
                segment.strays(),
                (int) bytes(segment, EnumSet.of(Damage.Kind.EVENT, Damage.Kind.SPAN)),
                bytes(segment, EnumSet.of(Damage.Kind.MILESTONE)) > 0,
                segment.end() == Segment.End.UNWRITTEN && segment.endOffset() < log.logBytes()));
      }
    }
    assertThat(segments).containsExactlyElementsOf(naive.segments());
    compared.add("segments", segments.size());
    compared.add(
        "damaged segments", segments.stream().filter(each -> each.damagedBytes() > 0).count());
    compared.add(
        "damaged milestones",
        segments.stream().filter(NaiveReader.Segment::milestoneDamaged).count());
  }

  private static long bytes(Segment segment, Set<Damage.Kind> kinds) {
    return segment.damage().stream()
        .filter(damage -> kinds.contains(damage.kind()))
        .mapToLong(Damage::bytes)
        .sum();
  }

  private static void scan(LogScanner scanner, List<NaiveReader.Event> events, boolean order)
      throws IOException {
    int segments = 0;
    long end = 0;
    while (scanner.nextSegment()) {
      Segment segment = scanner.segment();
      assertThat(segment.startOffset()).as("segments adjoin").isEqualTo(end);
      end = segment.endOffset();
      long latest = Long.MIN_VALUE;
      int tie = 0;
      int count = 0;
      int strays = 0;
      long first = Long.MAX_VALUE;
      long last = Long.MIN_VALUE;
      while (scanner.next()) {
        NaiveReader.Event event = event(scanner, segments);
        events.add(event);
        count++;
        strays += event.stray() ? 1 : 0;
        if (!event.stray()) {
          first = Math.min(first, event.nanos());
          last = Math.max(last, event.nanos());
        }
        if (order) {
          tie = event.nanos() > latest ? 0 : tie + 1;
          latest = Math.max(latest, event.nanos());
          assertThat(scanner.latenessNanos()).isEqualTo(latest - event.nanos());
          assertThat(scanner.tie()).isEqualTo(tie);
        }
      }
      if (order) {
        assertThat(segment.events()).isEqualTo(count);
        assertThat(segment.strays()).isEqualTo(strays);
        assertThat(segment.firstNanos()).isEqualTo(first);
        assertThat(segment.lastNanos()).isEqualTo(last);
      }
      segments++;
    }
  }

  private static NaiveReader.Event event(LogScanner scanner, int segment) {
    RecordEntry entry = scanner.log().records().entry(scanner.record());
    List<Object> value = new ArrayList<>();
    byte[] text = new byte[LogScanner.MAX_TEXT_BYTES];
    for (int i = 0; i < scanner.elements(); i++) {
      value.add(
          entry.type() == ValueType.STRING
              ? new String(text, 0, scanner.text(i, text, 0), StandardCharsets.UTF_8)
              : (Object) scanner.valueBits(i));
    }
    return new NaiveReader.Event(
        scanner.log().pair().stamp(),
        scanner.eventOffset(),
        entry.name(),
        entry.type().text(),
        entry.elementCount(),
        scanner.timeNanos(),
        scanner.state(),
        scanner.severity(),
        scanner.status(),
        scanner.stray(),
        segment,
        value);
  }

  /** For any range, its events lie in the segments of the plan. */
  @Test
  void plansMissNoEvent() throws Exception {
    Seeds.each("plans", WHOLE, this::checkPlans);
    compared.print("plans");
    compared.require("planned events", 10L * WHOLE);
  }

  private void checkPlans(long seed) throws IOException {
    Path root = directory.resolve("plan" + seed);
    RandomArchive.writeSmall(root, seed);
    Random random = new Random(seed);
    for (Pair pair : Archive.open(root, SETTINGS).pairs(RandomArchive.SMALL_GROUP)) {
      PairLog log = pair.open();
      List<NaiveReader.Event> all = new ArrayList<>();
      try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
        scan(scanner, all, false);
      }
      for (int i = 0; i < 20 && !all.isEmpty(); i++) {
        NaiveReader.Event event = all.get(random.nextInt(all.size()));
        if (!event.stray()) {
          TimeRange range = new TimeRange(event.nanos(), event.nanos() + 1);
          assertThat(log.segmentsMeeting(range))
              .as("event %s", event)
              .anyMatch(segment -> isIn(segment, event.offset()));
          compared.add("planned events");
        }
      }
    }
  }

  private static boolean isIn(IndexSegment segment, long offset) {
    return segment.fromOffset() <= offset && offset < segment.toOffset();
  }
}
