package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.AnswerLines;

/**
 * A question about a name in all groups has the answers of the questions about the name in each
 * group. The groups without the name are not planned, and the others are, in each source, whatever
 * part of the archive is in blocks or away.
 */
final class NamesInAllGroupsTest {

  private static final int ARCHIVES = Seeds.cases(4, 8);
  private static final int QUESTIONS = 20;

  @TempDir private Path directory;

  private final OccurrenceCount seen = new OccurrenceCount();

  @Test
  void answerIsThatOfEachGroup() throws Exception {
    Seeds.each("names in all groups", ARCHIVES, this::check);
    seen.print("names in all groups");
    seen.require("answers", 5L * ARCHIVES);
    seen.require("unknown names", ARCHIVES);
  }

  private void check(long seed) throws Exception {
    Random random = new Random(~seed);
    Path root = directory.resolve("archive" + seed);
    Path store = directory.resolve("store" + seed);
    List<RandomArchive.WrittenPair> pairs = RandomArchive.write(root, seed).pairs();
    TestStores.closePairs(root);
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    List<Long> times = new ArrayList<>();
    Set<String> names = new TreeSet<>(Set.of("NO:SUCH"));
    for (RandomArchive.WrittenPair pair : pairs) {
      pair.milestones().forEach(milestone -> times.add(milestone.timeNanos()));
      pair.records().entries().stream().map(RecordEntry::name).limit(3).forEach(names::add);
    }
    for (int i = random.nextInt(4); i >= 0; i--) {
      TestStores.backfill(archive, store, range(times, random));
    }
    if (random.nextInt(3) == 0) {
      removeAPair(archive, archive.groups(), random);
    }
    try (ArchiveReader reader = ArchiveReader.builder().archive(root).store(store).open()) {
      List<String> all = List.copyOf(names);
      for (int i = 0; i < QUESTIONS; i++) {
        String name = all.get(random.nextInt(all.size()));
        TimeRange range = range(times, random);
        for (Source source : Source.values()) {
          // A group whose only pair is away may be in the store alone.
          compare(reader, reader.groups(), name, range, source);
        }
      }
    }
  }

  private static TimeRange range(List<Long> times, Random random) {
    long one = times.get(random.nextInt(times.size()));
    long other = times.get(random.nextInt(times.size()));
    return new TimeRange(Math.min(one, other), Math.max(one, other) + 1);
  }

  private static void removeAPair(Archive archive, List<Group> groups, Random random)
      throws IOException {
    List<Pair> pairs = archive.pairs(groups.get(random.nextInt(groups.size())));
    if (!pairs.isEmpty()) {
      Pair away = pairs.get(random.nextInt(pairs.size()));
      Files.delete(away.indexPath());
      Files.delete(away.logPath());
    }
  }

  private void compare(
      ArchiveReader reader, List<Group> groups, String name, TimeRange range, Source source)
      throws IOException {
    List<String> expected = new ArrayList<>();
    boolean known = false;
    for (Group group : groups) {
      try {
        expected.addAll(lines(reader, ChannelSelection.names(name).in(group), range, source));
        known = true;
      } catch (UnknownChannelException e) {
        // Another group may have the channel.
      }
    }
    List<String> answer;
    try {
      answer = lines(reader, ChannelSelection.names(name), range, source);
    } catch (UnknownChannelException e) {
      assertThat(known).as("%s, %s, %s", name, range, source).isFalse();
      seen.add("unknown names");
      return;
    }
    assertThat(known).as("%s, %s, %s", name, range, source).isTrue();
    assertThat(answer.stream().sorted())
        .as("%s, %s, %s", name, range, source)
        .isEqualTo(expected.stream().sorted().toList());
    seen.add("answers");
  }

  private static List<String> lines(
      ArchiveReader reader, ChannelSelection channels, TimeRange range, Source source)
      throws IOException {
    EventQuery query = EventQuery.of(channels).between(range).from(source).allowIncomplete();
    return AnswerLines.read(reader, query).events();
  }
}
