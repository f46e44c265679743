package org.kblake.test.read.range;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.archive.RandomArchive;
import org.kblake.test.oracle.GridLines;
import org.kblake.test.oracle.NaiveReader;

/** Random renamed channels of an archive, and the events of each. */
final class RandomRenaming {

  private static final String NEW_NAME = "NEW:NAME";

  private final List<NaiveReader.Event> events;
  private final List<String> names;
  private final List<Pair> pairs;
  private final Random random;

  /** The former names of each renamed channel, each with its limit. */
  private final Map<String, Map<String, Long>> former = new TreeMap<>();

  private boolean limited;

  /**
   * @param names the names of all records
   */
  RandomRenaming(
      List<NaiveReader.Event> events, List<String> names, List<Pair> pairs, Random random) {
    this.events = events;
    this.names = names;
    this.pairs = pairs;
    this.random = random;
    if (!names.isEmpty()) {
      rename();
    }
  }

  /** Returns the former names of each renamed channel. */
  Map<String, Map<String, Long>> former() {
    return former;
  }

  /** Returns whether any former name has a limit. */
  boolean isLimited() {
    return limited;
  }

  private void rename() {
    Set<String> claimed = new HashSet<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String present = random.nextInt(4) == 0 ? NEW_NAME : randomName();
      Map<String, Long> records = former.computeIfAbsent(present, any -> new TreeMap<>());
      for (int k = 1 + random.nextInt(3); k > 0; k--) {
        String record = random.nextInt(8) == 0 ? "NEVER:RECORDED" : randomName();
        long limit = random.nextInt(3) == 0 ? limit(record) : Long.MAX_VALUE;
        if (!record.equals(present)
            && !records.containsKey(record)
            && claimed.add(record + limit)) {
          records.put(record, limit);
          limited |= limit < Long.MAX_VALUE;
        }
      }
    }
  }

  /** Writes the metadata file of the channels. */
  void write(Path channels, Group group) throws IOException {
    StringBuilder text = new StringBuilder("name,unit,former\n");
    former.forEach(
        (present, records) -> {
          List<String> written = new ArrayList<>();
          records.forEach(
              (record, limit) ->
                  written.add(
                      limit == Long.MAX_VALUE
                          ? record
                          : record + " until " + Instant.ofEpochSecond(0, limit)));
          text.append(present).append(",mm,").append(String.join("|", written)).append('\n');
        });
    Path file = channels.resolve(group.toString()).resolve("channels.csv");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String randomName() {
    return names.get(random.nextInt(names.size()));
  }

  /** Returns the times of the events that are no strays, sorted. */
  private long[] times() {
    return events.stream()
        .filter(event -> !event.stray())
        .mapToLong(NaiveReader.Event::nanos)
        .sorted()
        .toArray();
  }

  /** Returns a limit after which no pair that has ended before it has events of a record. */
  private long limit(String record) {
    long[] times = times();
    long first = times[0];
    long limit = first + random.nextLong(times[times.length - 1] - first + 1);
    for (NaiveReader.Event event : events) {
      for (Pair pair : pairs) {
        boolean isOfPair = pair.stamp().equals(event.stamp());
        if (isOfPair
            && event.record().equals(record)
            && event.nanos() >= limit
            && endNanos(pair) <= limit) {
          return Long.MAX_VALUE;
        }
      }
    }
    return limit;
  }

  private long endNanos(Pair pair) {
    int next = pairs.indexOf(pair) + 1;
    return next == pairs.size() ? Long.MAX_VALUE : pairs.get(next).beginNanos();
  }

  /** Returns the channel that a record is at a time, among some channels. */
  private String channelOf(NaiveReader.Event event, Set<String> asked) {
    String owner = event.record();
    long least = Long.MAX_VALUE;
    boolean found = false;
    for (Map.Entry<String, Map<String, Long>> renamed : former.entrySet()) {
      Long limit = renamed.getValue().get(event.record());
      if (limit != null
          && (event.nanos() < limit || limit == Long.MAX_VALUE)
          && (!found || limit < least)) {
        owner = renamed.getKey();
        least = limit;
        found = true;
      }
    }
    // The former name is a channel of its own if none of its present names is asked for.
    boolean isOwn = asked.contains(event.record());
    for (Map.Entry<String, Map<String, Long>> renamed : former.entrySet()) {
      Long limit = renamed.getValue().get(event.record());
      if (limit != null) {
        boolean hasFormerNames = !former.getOrDefault(event.record(), Map.of()).isEmpty();
        boolean swapped = hasFormerNames && event.nanos() < limit;
        isOwn &= !asked.contains(renamed.getKey()) && (limit == Long.MAX_VALUE || !swapped);
      }
    }
    return isOwn ? event.record() : owner;
  }

  /** Returns the events of some channels, with the names of the channels. */
  List<NaiveReader.Event> renamed(Set<String> asked) {
    List<NaiveReader.Event> renamed = new ArrayList<>();
    for (NaiveReader.Event event : events) {
      String channel = channelOf(event, asked);
      if (asked.contains(channel)) {
        renamed.add(
            new NaiveReader.Event(
                event.stamp(),
                event.offset(),
                channel,
                event.type(),
                event.elementCount(),
                event.nanos(),
                event.state(),
                event.severity(),
                event.status(),
                event.stray(),
                event.segment(),
                event.value()));
      }
    }
    return renamed;
  }

  /**
   * Returns whether it is defined which channel has each event. It is not if a former name is asked
   * for together with some, but not all, of its present names.
   */
  boolean divides(Set<String> asked, String name) {
    Set<String> both = new HashSet<>(asked);
    both.add(name);
    for (String each : both) {
      List<String> present =
          former.keySet().stream()
              .filter(other -> former.getOrDefault(other, Map.of()).containsKey(each))
              .toList();
      if (present.stream().anyMatch(both::contains) && !both.containsAll(present)) {
        return false;
      }
    }
    return true;
  }

  /** Returns an event as {@link org.kblake.test.oracle.AnswerLines} writes it. */
  static String line(NaiveReader.Event event, boolean withStray) {
    return event.nanos()
        + "\t"
        + RandomArchive.SMALL_GROUP
        + "\t"
        + event.record()
        + "\t"
        + event.state()
        + "\t"
        + event.severity()
        + "\t"
        + event.status()
        + "\t"
        + (withStray && event.stray() ? 1 : 0)
        + "\t"
        + (event.state() == EventState.VALUE_CODE ? GridLines.textAsDouble(event) : "");
  }
}
