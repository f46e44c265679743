package org.kblake.test.read.held;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.Differences;
import org.kblake.query.answer.Difference;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Scope;
import org.kblake.test.fixture.OccurrenceCount;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.archive.IndexCheck;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.NaiveReader;
import org.kblake.test.oracle.TrendBins;

/**
 * What differs between two instants of random archives, compared with the events of the naive
 * reader, from raw logs and from columns. A failure names its seed.
 */
final class DifferencesAgainstNaiveReaderTest {

  private static final int ARCHIVES = Seeds.cases(4, 8);
  private static final int QUESTIONS = 8;
  private static final long LOOK_BACK = Duration.ofDays(30).toNanos();
  private static final Set<String> NUMBERS = Set.of("short", "long", "float", "double");

  private static final ArchiveSettings SETTINGS =
      ArchiveSettings.defaults().withTail(TailRule.FINAL);

  @TempDir Path directory;

  private final OccurrenceCount compared = new OccurrenceCount();

  /** The state of a channel at an instant. Both are null if no event is known. */
  private record State(NaiveReader.@Nullable Event value, NaiveReader.@Nullable Event last) {

    String connection() {
      return last == null ? "unknown" : last.state() == 0 ? "disconnected" : "connected";
    }
  }

  @Test
  void differencesAgree() throws Exception {
    Seeds.each("differences", ARCHIVES, this::check);
    compared.print("differences");
    for (Difference.Kind kind : Difference.Kind.values()) {
      compared.require(kind.text(), 1);
    }
    compared.require("equal channels", ARCHIVES);
  }

  private void check(long seed) throws Exception {
    Path root = directory.resolve("seed" + seed);
    Path store = directory.resolve("store" + seed);
    Random random = new Random(~seed);
    RandomArchive.Written written = RandomArchive.write(root, seed);
    TestStores.closePairs(root);
    Archive archive = Archive.open(root, SETTINGS);
    for (Group group : written.groups()) {
      if (!IndexCheck.leadsEverywhere(archive, group)) {
        continue;
      }
      List<NaiveReader.Event> events =
          NaiveReader.read(
              root,
              group.toString(),
              false,
              RandomArchive.ZONE,
              RandomArchive.DISORDER_BOUND_NANOS);
      List<Long> times =
          events.stream().filter(each -> !each.stray()).map(NaiveReader.Event::nanos).toList();
      for (int i = 0; i < QUESTIONS && !times.isEmpty(); i++) {
        long at = times.get(random.nextInt(times.size())) + random.nextInt(3) - 1;
        long other = times.get(random.nextInt(times.size()));
        compare(root, null, group, at, other, events);
        TestStores.backfill(archive, store, new TimeRange(at, at + Duration.ofHours(12).toNanos()));
        compare(root, store, group, at, other, events);
      }
    }
  }

  private void compare(
      Path root,
      @Nullable Path store,
      Group group,
      long at,
      long other,
      List<NaiveReader.Event> events)
      throws Exception {
    ArchiveReader.Builder builder = ArchiveReader.builder().archive(root).settings(SETTINGS);
    HeldQuery query =
        new HeldQuery(
            Scope.of(ChannelSelection.all(group))
                .at(at)
                .lookBackNanos(LOOK_BACK)
                .allowIncomplete());
    try (ArchiveReader reader = (store == null ? builder : builder.store(store)).open()) {
      Map<String, State> before = states(reader, query, at, Math.min(at, other), events);
      Map<String, State> after = states(reader, query, other, Math.min(at, other), events);
      Set<String> names = new HashSet<>(before.keySet());
      names.addAll(after.keySet());
      if (names.isEmpty()) {
        return;
      }
      Map<String, String> expected = new TreeMap<>();
      State unknown = new State(null, null);
      for (String name : names) {
        String difference =
            difference(before.getOrDefault(name, unknown), after.getOrDefault(name, unknown));
        if (difference.isEmpty()) {
          compared.add("equal channels");
        } else {
          expected.put(name, difference);
          compared.add(difference.split(" ")[0]);
        }
      }
      List<Difference> all = Differences.of(reader, query, other).all();
      Map<String, String> found = new TreeMap<>();
      all.forEach(each -> found.put(each.channel().name(), each.kind().text() + " " + each.size()));
      assertThat(found).as("%s, other=%s", query, other).isEqualTo(expected);
      assertThat(all).hasSameSizeAs(found.keySet());
      assertThat(all).extracting(Difference::kind).isSorted();
    }
  }

  /** Returns the states of the channels that are recorded at an instant. */
  private static Map<String, State> states(
      ArchiveReader reader, HeldQuery query, long at, long earlier, List<NaiveReader.Event> events)
      throws Exception {
    Map<String, State> states = new HashMap<>();
    reader
        .find(EventQuery.of(query.channels()).between(new TimeRange(at, at + 1)))
        .channels()
        .forEach(info -> states.put(info.channel().name(), new State(null, null)));
    for (NaiveReader.Event event : events) {
      State state = states.get(event.record());
      if (state != null
          && !event.stray()
          && event.nanos() <= at
          && event.nanos() >= earlier - LOOK_BACK) {
        states.put(event.record(), new State(event.state() == 2 ? event : state.value(), event));
      }
    }
    return states;
  }

  /** Returns the kind and the size; nothing if a channel is the same. */
  private static String difference(State before, State after) {
    NaiveReader.Event one = before.value();
    NaiveReader.Event other = after.value();
    if (!before.connection().equals(after.connection())) {
      return "connection NaN";
    }
    if (one == null || other == null) {
      return one == null && other == null ? "" : "state NaN";
    }
    if (one.severity() != other.severity()) {
      return "severity " + (double) Math.abs(one.severity() - other.severity());
    }
    boolean lists = one.elementCount() > 1 || other.elementCount() > 1;
    if (lists || !NUMBERS.contains(one.type()) || !NUMBERS.contains(other.type())) {
      boolean same =
          elements(one).equals(elements(other))
              && one.elementCount() > 1 == other.elementCount() > 1;
      return same ? "" : lists ? "list NaN" : "state NaN";
    }
    double a = TrendBins.number(one);
    double b = TrendBins.number(other);
    return a == b || Double.isNaN(a) && Double.isNaN(b)
        ? ""
        : "number " + Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
  }

  /** Returns the elements. All NaN are equal, and 0.0 and -0.0 differ. */
  private static List<Object> elements(NaiveReader.Event event) {
    List<Object> elements = new ArrayList<>();
    for (Object each : event.value()) {
      elements.add(
          switch (event.type()) {
            case "double" -> Double.longBitsToDouble((Long) each);
            case "float" -> Float.intBitsToFloat(((Long) each).intValue());
            default -> each;
          });
    }
    return elements;
  }
}
