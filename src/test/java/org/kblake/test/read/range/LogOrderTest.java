package org.kblake.test.read.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.LogSegment;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.RandomArchive;

/**
 * The place of an event in the log is the same from raw logs and from columns, and with any other
 * channels in the question. The places of an answer ascend.
 */
final class LogOrderTest {

  private static final int ARCHIVES = 12;

  /** Before all random archives, and after them. */
  private static final TimeRange EVERYTHING = new TimeRange(0, 1_700_000_000_000_000_000L);

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  private static final Comparator<Place> IN_LOG_ORDER =
      Comparator.comparing((Place place) -> place.segment().stamp())
          .thenComparingLong(place -> place.segment().offset())
          .thenComparingLong(Place::latestNanos)
          .thenComparingInt(Place::tie);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();

  /** The place of an event. */
  private record Place(Channel channel, LogSegment segment, long latestNanos, int tie) {}

  @Test
  void placesAreThoseOfTheLog() throws Exception {
    Seeds.each("log order", ARCHIVES, this::check);
    compared.print("log order");
    compared.require("events", 1000);
    compared.require("late events", 10);
  }

  private void check(long seed) throws Exception {
    Path root = directory.resolve("archive" + seed);
    Path store = directory.resolve("store" + seed);
    RandomArchive.Written written = RandomArchive.write(root, seed);
    TestStores.closePairs(root);
    TestStores.backfill(Archive.open(root, SETTINGS), store, EVERYTHING);
    try (ArchiveReader archive =
        ArchiveReader.builder().archive(root).store(store).settings(SETTINGS).open()) {
      for (Group group : written.groups()) {
        if (written.events(group).isEmpty()) {
          continue;
        }
        List<Place> raw = places(archive, ChannelSelection.all(group), Source.RAW);
        assertThat(raw).as("seed %d, %s", seed, group).isSortedAccordingTo(IN_LOG_ORDER);
        assertThat(places(archive, ChannelSelection.all(group), Source.STORE)).isEqualTo(raw);
        List<Channel> channels = raw.stream().map(Place::channel).distinct().toList();
        for (Channel channel : channels.subList(0, Math.min(2, channels.size()))) {
          ChannelSelection alone =
              new ChannelSelection(List.of(group), List.of(ChannelPattern.name(channel.name())));
          for (Source source : List.of(Source.RAW, Source.STORE)) {
            assertThat(places(archive, alone, source))
                .isEqualTo(raw.stream().filter(it -> it.channel().equals(channel)).toList());
          }
        }
        compared.add("events", raw.size());
      }
    }
  }

  private List<Place> places(ArchiveReader archive, ChannelSelection channels, Source source)
      throws Exception {
    List<Place> places = new ArrayList<>();
    EventQuery query =
        EventQuery.of(channels)
            .between(EVERYTHING)
            .from(source)
            .withStrays()
            .withLogOrder()
            .allowIncomplete();
    try (EventCursor events = archive.cursor(query)) {
      while (events.next()) {
        EventColumns columns = events.columns();
        for (int row = events.from(); row < events.to(); row++) {
          compared.add("late events", columns.latenessNanos[row] > 0 ? 1 : 0);
          places.add(
              new Place(
                  events.channels().get(events.channel()),
                  events.segment(row),
                  columns.timeNanos[row] + columns.latenessNanos[row],
                  columns.tie[row]));
        }
      }
    }
    return places;
  }
}
