package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.log.PairName;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.ReaderThreads;
import org.kblake.query.internal.source.ReadAheadLimits;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.DamagedLogs;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.fixture.volume.FailingReads;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.oracle.AnswerLines;

/**
 * Several threads that read raw logs ahead give the answers of one thread: the same events, in the
 * same order, bit for bit, and the same coverage. Pieces are as small as a segment, so that a piece
 * begins at every milestone. The memory is so small that often only a part of a piece is kept.
 */
final class ReadAheadTest {

  private static final int ARCHIVES = 40;

  /** So many that one of these archives has several groups with nearly any seed. */
  private static final int ARCHIVES_OF_GROUPS = 9;

  /** Behind all random archives, and before now, which the coverage of a later end depends on. */
  private static final long LONG_AFTER = 1_700_000_000_000_000_000L;

  private static final int QUESTIONS = 8;

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();

  @Test
  void answersAreThoseOfOneThread() throws Exception {
    Seeds.each("read ahead", ARCHIVES, this::check);
    compared.print("read ahead");
    compared.require("events", 1000);
    compared.require("damaged answers", 20);
    compared.require("answers with read errors", 5);
    compared.require("stored in part", 10);
  }

  @Test
  void mergedGroupsAreThoseOfOneThread() throws Exception {
    Seeds.each("read groups ahead", ARCHIVES_OF_GROUPS, this::checkGroups);
    compared.print("read groups ahead");
    compared.require("several groups", 1);
  }

  /** Each read of its archive has a time limit, which several reads at once may exceed. */
  @Test
  void archiveWithAMirrorIsNotReadAhead() throws Exception {
    Path root = directory.resolve("archive");
    RandomArchive.writeSmall(root, 1);
    TestStores.closePairs(root);
    Path store = directory.resolve("store");
    TestStores.backfill(Archive.open(root, SETTINGS), store, new TimeRange(0, 1));
    ArchiveReader.Builder builder =
        ReaderThreads.set(
            ArchiveReader.builder().archive(root).store(store).settings(SETTINGS),
            new ReadAheadLimits(2, 0, 1, 8 << 20));
    // The mirror begins while a reader is open.
    ArchiveReader early = builder.open();
    assertThat(threadsOfAnAnswer(builder.open())).isPositive();
    Mirror.make(store, directory.resolve("mirror"));
    assertThat(threadsOfAnAnswer(early)).isZero();
    assertThat(threadsOfAnAnswer(builder.open())).isZero();
  }

  /** Returns the most threads that read an answer ahead, and closes the reader. */
  private static int threadsOfAnAnswer(ArchiveReader opened)
      throws IOException, InterruptedException {
    EventQuery query =
        EventQuery.of(ChannelSelection.all())
            .between(new TimeRange(0, LONG_AFTER))
            .allowIncomplete();
    int most = 0;
    try (ArchiveReader reader = opened;
        EventCursor events = reader.cursor(query)) {
      assertThat(events.next()).isTrue();
      // Idle threads end after a second, so they are counted while the answer is read.
      do {
        most = Math.max(most, readers().size());
      } while (events.next());
      return most;
    } finally {
      // A thread is alive for a moment after its reader was closed.
      for (Thread each : readers()) {
        each.join(10_000);
      }
    }
  }

  private static List<Thread> readers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("kblake-read-"))
        .toList();
  }

  private void checkGroups(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Path root = directory.resolve("groups" + seed);
    RandomArchive.Written written = RandomArchive.write(root, seed);
    TestStores.closePairs(root);
    EventQuery query =
        EventQuery.of(ChannelSelection.all())
            .between(new TimeRange(0, LONG_AFTER))
            .withStrays()
            .allowIncomplete();
    ReadAheadLimits limits =
        new ReadAheadLimits(3, 0, 1 + random.nextInt(50_000), random.nextLong(16L << 20));
    assertThat(answer(root, null, query, limits))
        .as("%s, %s", query, limits)
        .isEqualTo(answer(root, null, query, new ReadAheadLimits(1, 0, 1, 0)));
    compared.add("several groups", written.groups().size() > 1 ? 1 : 0);
  }

  private void check(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Path root = directory.resolve("archive" + seed);
    RandomArchive.writeSmall(root, seed);
    List<Path> logs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Pair pair : Archive.open(root, SETTINGS).pairs(RandomArchive.SMALL_GROUP)) {
      pair.open().records().entries().forEach(entry -> names.add(entry.name()));
      logs.add(pair.logPath());
    }
    boolean damaged = random.nextBoolean();
    for (Path log : damaged ? logs : List.<Path>of()) {
      DamagedLogs.damage(log, random.split());
    }
    TestStores.closePairs(root);
    Path store = directory.resolve("store" + seed);
    boolean stored = random.nextInt(3) == 0;
    TimeRange all = times(logs);
    if (stored) {
      long from = random.nextLong(all.fromNanos(), all.toNanos());
      TestStores.backfill(
          Archive.open(root, SETTINGS),
          store,
          new TimeRange(from, from + (all.toNanos() - from) / 3 + 1));
    }
    FailingReads volume = new FailingReads(root);
    GuardedProvider files = new GuardedProvider(root, volume);
    boolean failing = random.nextInt(3) == 0 && !logs.isEmpty();
    if (failing) {
      Path log = logs.get(random.nextInt(logs.size()));
      long at = random.nextLong(Math.max(1, Files.size(log)));
      volume.failAt(log, at, at + 1 + random.nextInt(100));
    }
    Path read = random.nextBoolean() || failing ? files.path(root) : root;
    for (int i = 0; i < QUESTIONS; i++) {
      EventQuery query = query(random, names, all);
      String one =
          answer(
              failing ? read : root, stored ? store : null, query, new ReadAheadLimits(1, 0, 1, 0));
      ReadAheadLimits limits =
          new ReadAheadLimits(
              2 + random.nextInt(3),
              0,
              1 + random.nextInt(random.nextBoolean() ? 1 : 4000),
              random.nextLong(8L << 20));
      assertThat(answer(read, stored ? store : null, query, limits))
          .as("%s, %s", query, limits)
          .isEqualTo(one);
      compared.add("events", one.lines().count());
      compared.add("damaged answers", damaged ? 1 : 0);
      compared.add("stored in part", stored ? 1 : 0);
      compared.add("answers with read errors", failing && one.contains("UNAVAILABLE") ? 1 : 0);
    }
  }

  private static TimeRange times(List<Path> logs) throws IOException {
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (Path log : logs) {
      String name = log.getFileName().toString();
      long nanos =
          new PairName(
                  RandomArchive.SMALL_GROUP.name(),
                  name.substring(name.lastIndexOf('_') + 1, name.length() - 5))
              .beginNanos(RandomArchive.ZONE);
      from = Math.min(from, nanos);
      to = Math.max(to, nanos + 86_400_000_000_000L);
    }
    return from < to ? new TimeRange(from, to) : new TimeRange(0, 1);
  }

  private static EventQuery query(SplittableRandom random, List<String> names, TimeRange all) {
    ChannelSelection channels = ChannelSelection.all(RandomArchive.SMALL_GROUP);
    if (random.nextBoolean() && !names.isEmpty()) {
      channels = ChannelSelection.of(List.of()).in(RandomArchive.SMALL_GROUP);
      for (int i = random.nextInt(3); i >= 0; i--) {
        channels = channels.and(ChannelPattern.name(names.get(random.nextInt(names.size()))));
      }
    }
    TimeRange range = all;
    if (random.nextInt(3) == 0) {
      long from = random.nextLong(all.fromNanos(), all.toNanos());
      range = new TimeRange(from, random.nextLong(from, all.toNanos()) + 1);
    } else if (random.nextBoolean()) {
      range = new TimeRange(0, all.toNanos());
    }
    EventQuery query = EventQuery.of(channels).between(range).allowIncomplete();
    query = random.nextInt(3) == 0 ? query.withStrays() : query;
    query = random.nextInt(5) == 0 ? query.last(1 + random.nextInt(20)) : query;
    return query.batches(1 + random.nextInt(200), 1 + random.nextInt(2000));
  }

  /** Returns the events of an answer, its coverage, or the error of the question. */
  private static String answer(
      Path root, @Nullable Path store, EventQuery query, ReadAheadLimits limits)
      throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(SETTINGS);
    if (store != null) {
      builder.store(store);
    }
    try (ArchiveReader reader = ReaderThreads.set(builder, limits).open()) {
      AnswerLines.Lines lines = AnswerLines.read(reader, query);
      return String.join("\n", lines.events())
          + "\n"
          + String.join("\n", AnswerLines.lines(lines.coverage()));
    } catch (UnknownChannelException | UnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
