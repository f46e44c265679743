package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.Pair;
import org.kblake.core.log.TailRule;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.simulate.RandomArchive;
import org.kblake.query.ArchiveReader;
import org.kblake.query.ChannelPattern;
import org.kblake.query.ChannelSelection;
import org.kblake.query.HeldQuery;
import org.kblake.query.Source;

/** The value held at an instant, from the raw log, from columns, and as the definition has it. */
final class HeldValuesTest {

  /** More on request: {@code -Dkblake.fuzz=100000}. */
  private static final int ARCHIVES = Integer.getInteger("kblake.fuzz", 5);

  private static final int QUESTIONS = 12;

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private Path root = Path.of("unset");
  private Path store = Path.of("unset");

  @Test
  void valuesAreThoseOfTheDefinition() throws Exception {
    for (long seed = Long.getLong("seed", 0); seed < ARCHIVES; seed++) {
      root = directory.resolve("seed" + seed);
      store = directory.resolve("store" + seed);
      RandomArchive.Written written = RandomArchive.write(root, seed);
      TestStores.closePairs(root);
      try {
        checkDefinition(written, new Random(~seed));
      } catch (AssertionError | RuntimeException | IOException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private void checkDefinition(RandomArchive.Written written, Random random) throws Exception {
    List<HeldQuery> queries = new ArrayList<>();
    List<List<String>> expected = new ArrayList<>();
    try (ArchiveReader reader = open(false)) {
      for (Group group : written.groups()) {
        if (!indexLeadsEverywhere(group)) {
          continue;
        }
        List<NaiveReader.Event> events =
            NaiveReader.read(
                root,
                group.toString(),
                false,
                RandomArchive.ZONE,
                RandomArchive.DISORDER_BOUND_NANOS);
        for (HeldQuery query : randomQueries(group, events, random)) {
          List<String> raw = HeldLines.read(reader, query.from(Source.RAW));
          if (raw != null) {
            assertThat(raw)
                .as("raw, %s", query)
                .isEqualTo(HeldLines.naively(query, channels(reader, query), events));
          }
          queries.add(query);
          expected.add(raw);
        }
      }
    }
    Archive archive = Archive.open(root, SETTINGS);
    for (int step = 0; step < 2; step++) {
      long from = queries.isEmpty() ? 0 : queries.get(random.nextInt(queries.size())).atNanos();
      TestStores.backfill(
          archive,
          store,
          step == 1 ? TimeRange.ALL : new TimeRange(from, from + Duration.ofHours(12).toNanos()));
      try (ArchiveReader reader = open(true)) {
        for (int i = 0; i < queries.size(); i++) {
          assertThat(HeldLines.read(reader, queries.get(i)))
              .as("step %s, %s", step, queries.get(i))
              .isEqualTo(expected.get(i));
        }
      }
    }
  }

  private boolean indexLeadsEverywhere(Group group) throws IOException {
    for (Pair pair : Archive.open(root, SETTINGS).pairs(group)) {
      if (!ReadAgainstNaiveReaderTest.leadsEverywhere(pair.open())) {
        return false;
      }
    }
    return true;
  }

  private static List<Channel> channels(ArchiveReader reader, HeldQuery query) throws IOException {
    TimeRange instant = new TimeRange(query.atNanos(), query.atNanos() + 1);
    return reader.channels(query.channels(), instant).stream().map(info -> info.channel()).toList();
  }

  private static List<HeldQuery> randomQueries(
      Group group, List<NaiveReader.Event> events, Random random) {
    Set<String> all = new LinkedHashSet<>();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (NaiveReader.Event event : events) {
      all.add(event.record());
      if (!event.stray()) {
        first = Math.min(first, event.nanos());
        last = Math.max(last, event.nanos());
      }
    }
    List<String> names = List.copyOf(all);
    List<HeldQuery> queries = new ArrayList<>();
    for (int i = 0; i < QUESTIONS && first <= last; i++) {
      long span = last - first + 1;
      long at =
          random.nextInt(3) == 0
              ? events.get(random.nextInt(events.size())).nanos()
              : first - span / 10 + random.nextLong(span + span / 5 + 1);
      ChannelSelection channels = ChannelSelection.all(group);
      if (random.nextInt(3) > 0) {
        channels = ChannelSelection.of(List.of()).in(group);
        for (int k = random.nextInt(4); k >= 0; k--) {
          channels = channels.and(ChannelPattern.name(names.get(random.nextInt(names.size()))));
        }
      }
      queries.add(new HeldQuery(channels, at, Duration.ofDays(365).toNanos(), Source.AUTO, true));
    }
    return queries;
  }

  private ArchiveReader open(boolean withStore) throws IOException {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(SETTINGS);
    return (withStore ? builder.store(store) : builder).open();
  }
}
