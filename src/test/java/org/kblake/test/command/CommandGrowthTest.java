package org.kblake.test.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.CountedReads;
import org.kblake.test.fixture.volume.GuardedProvider;

/**
 * Counts the reads of commands while an archive and its store grow: operations on files
 * (attributes, names, directories, opens and reads) and bytes. A count may grow linearly with the
 * amount that the command requests. A question about the end of the archive does not read more if
 * the archive before it is larger.
 */
final class CommandGrowthTest {

  private static final Group GROUP = Group.parse("VA/CCG");
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final Instant START = Instant.parse("2016-05-16T00:00:00Z");
  private static final long BEGIN_NANOS = START.getEpochSecond() * SECOND_NANOS;
  private static final LogLayout LAYOUT = LogLayout.installed().get(0);
  private static final long SEGMENT_SECONDS = 3_600;

  /**
   * The limit from one size to the next, which is twice as large. The margin covers pages and
   * windows.
   */
  private static final double LINEAR = 2.1;

  /**
   * The limit for questions about the end. A block lists its pairs and segments, and such a
   * question reads a part of the list.
   */
  private static final double LISTED = 1.4;

  /** Enough channels that a chunk directory is read as a whole and chunks share pages. */
  private static final Size MANY_CHANNELS = new Size(70, 4, 4, 2, 4);

  @TempDir private Path directory;

  /** The dimension that grows. */
  enum Grown {
    CHANNELS,
    PAIRS,
    SEGMENTS,
    EVENTS,
    BLOCKS
  }

  /**
   * An archive of one group.
   *
   * @param segments segments of a pair
   * @param events events of a channel in a segment
   * @param blocks blocks that hold its first half
   */
  private record Size(int channels, int pairs, int segments, int events, int blocks) {

    Size times(int factor, Grown grown) {
      return new Size(
          grown == Grown.CHANNELS ? channels * factor : channels,
          grown == Grown.PAIRS ? pairs * factor : pairs,
          grown == Grown.SEGMENTS ? segments * factor : segments,
          grown == Grown.EVENTS ? events * factor : events,
          grown == Grown.BLOCKS ? blocks * factor : blocks);
    }

    long pairNanos() {
      return segments * SEGMENT_SECONDS * SECOND_NANOS;
    }

    Instant end() {
      return START.plusNanos(pairs * pairNanos());
    }
  }

  /** The reads of a command. */
  private record Count(long operations, long bytes) {}

  /**
   * A command. Blanks separate its words. END stands for the end of the archive, HOUR for an hour
   * before.
   *
   * @param ofEnd whether the command reads the last hour, or the last few events
   */
  private record Command(String words, int status, boolean ofEnd) {

    static Command of(String words) {
      return new Command(words, 0, false);
    }

    static Command ofEnd(String words) {
      return new Command(words, 0, true);
    }
  }

  private static List<Command> commands() {
    List<Command> commands = new ArrayList<>();
    for (String source : List.of("raw", "auto")) {
      if (source.equals("auto")) {
        commands.add(Command.of("backfill -q"));
        commands.add(Command.of("backfill -q --from 2016"));
      }
      String get = "get -q --source " + source + " ";
      commands.add(Command.ofEnd(get + "--last 5 VA_CCG:1 --to END"));
      commands.add(Command.ofEnd(get + "VA_CCG:1 --from HOUR --to END"));
      commands.add(Command.ofEnd(get + "VA_CCG:1 --wide --every 60s --from HOUR --to END"));
      commands.add(Command.ofEnd(get + "VA_CCG:1 --at END"));
      commands.add(Command.of(get + "VA_CCG:* --from HOUR --to END"));
      commands.add(Command.of(get + "VA_CCG:1 --from 2016 --to END"));
      commands.add(Command.of(get + "VA_CCG:1 --wide --every 10m --from 2016 --to END"));
    }
    commands.add(Command.ofEnd("kblogrd -r VA_CCG:1 -t KHOUR-KEND VA/CCG"));
    commands.add(Command.ofEnd("kblogrd -r VA_CCG:1 -t KHOUR-KENDd60 -f kaleida VA/CCG"));
    commands.add(Command.of("channels -l *"));
    commands.add(Command.of("status"));
    commands.add(new Command("check", 2, false));
    commands.add(Command.of("verify -q"));
    commands.add(Command.of("restore -q -g VA/CCG --into restored"));
    commands.add(Command.of("compact -q"));
    commands.add(Command.of("compact -q --group VA/CCG"));
    commands.add(Command.of("status --group VA/CCG"));
    commands.add(Command.of("get -q --source store VA_CCG:1 --from 2016 --to END"));
    commands.add(Command.of("get -q --source store VA_CCG:* --from HOUR --to END"));
    return commands;
  }

  /**
   * Each size is measured in an archive and a store of its own. The second and third size have
   * twice and four times as much of the dimension that grows.
   */
  @Test
  void noCountGrowsFasterThanTheRequestedAmount() throws Exception {
    Size few = new Size(10, 8, 4, 10, 4);
    Map<String, Count> ofFew = measured(few);
    List<String> wrong = new ArrayList<>();
    for (Grown grown : Grown.values()) {
      Size smallest = grown == Grown.CHANNELS ? MANY_CHANNELS : few;
      Map<String, Count> one = smallest.equals(few) ? ofFew : measured(smallest);
      Map<String, Count> two = measured(smallest.times(2, grown));
      Map<String, Count> four = measured(smallest.times(4, grown));
      for (Command command : commands()) {
        String words = command.words();
        List<Count> counts =
            Stream.of(one, two, four)
                .map(count -> Objects.requireNonNull(count.get(words)))
                .toList();
        boolean grows = !command.ofEnd() || grown != Grown.PAIRS && grown != Grown.SEGMENTS;
        if (growsFaster(counts, Count::operations, grows)
            || growsFaster(counts, Count::bytes, grows)) {
          wrong.add(grown + ", " + words + ": " + counts);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /**
   * Returns whether a count grows faster than allowed.
   *
   * @param grows whether the count may grow with the requested amount
   */
  private static boolean growsFaster(
      List<Count> counts, ToLongFunction<Count> kind, boolean grows) {
    long two = kind.applyAsLong(counts.get(1));
    long four = kind.applyAsLong(counts.get(2));
    return kind.applyAsLong(counts.get(0)) == 0 || four > two * (grows ? LINEAR : LISTED);
  }

  /** Runs the commands one after the other and returns their counts by their words. */
  private Map<String, Count> measured(Size size) throws Exception {
    Path place = Files.createTempDirectory(directory, "size");
    Path root = place.resolve("archive");
    write(root, size);
    backfillHalf(root, place.resolve("store"), size);
    Map<String, Count> counts = new LinkedHashMap<>();
    for (Command command : commands()) {
      CountedReads reads = new CountedReads();
      Path seen = new GuardedProvider(root, reads).path(place);
      KblakeRun run = run(seen, command.words(), size.end());
      assertThat(run.status()).as("%s: %s", command.words(), run).isEqualTo(command.status());
      counts.put(command.words(), new Count(reads.operations(), reads.bytes()));
    }
    return counts;
  }

  private static KblakeRun run(Path place, String words, Instant end) {
    Instant hourBefore = end.minusSeconds(SEGMENT_SECONDS);
    String[] args =
        words
            .replace("KHOUR", stamp(hourBefore))
            .replace("KEND", stamp(end))
            .replace("HOUR", hourBefore.toString())
            .replace("END", end.toString())
            .replaceFirst("^kblogrd ", "")
            .split(" ");
    KblakeRun.Builder runner =
        KblakeRun.in(place)
            .at(end.plusSeconds(60))
            .with("KBLAKE_ARCHIVE", "archive")
            .with("KBLAKE_STORE", "store")
            .with("KBLAKE_ZONE", "Asia/Tokyo");
    return words.startsWith("kblogrd ") ? runner.kblogrd(args) : runner.run(args);
  }

  private static String stamp(Instant instant) {
    long nanos = instant.getEpochSecond() * SECOND_NANOS;
    return PairName.at(GROUP.name(), nanos, ArchiveSettings.defaults().zone()).stamp();
  }

  private static void backfillHalf(Path root, Path store, Size size) throws Exception {
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    long step = size.pairs() * size.pairNanos() / 2 / size.blocks();
    for (int block = 0; block < size.blocks(); block++) {
      long from = BEGIN_NANOS + block * step;
      TestStores.backfill(archive, store, new TimeRange(from, from + step));
    }
  }

  private static void write(Path root, Size size) throws IOException {
    Files.createDirectories(root.resolve("SYS"));
    Files.writeString(root.resolve("SYS/KEKBLog.list"), "VA CCG\n");
    List<RecordEntry> entries = new ArrayList<>();
    for (int i = 0; i < size.channels(); i++) {
      entries.add(new RecordEntry(i, "VA_CCG:" + i, ValueType.DOUBLE, 1));
    }
    RecordTable records = new RecordTable(entries);
    LogWriter before = null;
    for (int pair = 0; pair < size.pairs(); pair++) {
      Instant begin = START.plusNanos(pair * size.pairNanos());
      try (LogWriter writer =
          LogWriter.create(root, GROUP, stamp(begin), LAYOUT, ByteOrder.LITTLE_ENDIAN, records)) {
        if (before != null) {
          writer.continueFrom(before);
        }
        for (int segment = 0; segment < size.segments(); segment++) {
          write(writer, begin.plusSeconds(segment * SEGMENT_SECONDS), size);
        }
        before = writer;
      }
    }
    TestStores.closePairs(root);
  }

  private static void write(LogWriter writer, Instant milestone, Size size) throws IOException {
    long nanos = milestone.getEpochSecond() * SECOND_NANOS;
    writer.milestone(nanos);
    for (int event = 0; event < size.events(); event++) {
      long at = nanos + (event + 1) * SEGMENT_SECONDS * SECOND_NANOS / (size.events() + 2);
      for (int channel = 0; channel < size.channels(); channel++) {
        long bits = Double.doubleToRawLongBits(1.5 * event * channel);
        writer.number(channel, at + channel, 0, 0, bits);
      }
    }
  }
}
