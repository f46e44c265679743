package org.kblake.core.metadata;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The former names of a group's channels. */
public final class Aliases {

  /** No channel was renamed. */
  public static final Aliases NONE = new Aliases(Map.of());

  /** A record, and the channel that it was. */
  private record Claim(String channel, RecordName record) {}

  private final Map<String, List<RecordName>> former = new HashMap<>();
  private final Map<String, List<String>> present = new HashMap<>();

  /**
   * @param former the former names of each renamed channel. If a record was several channels, one
   *     after the other, its events are divided by the times until which it was each of them
   */
  public Aliases(Map<String, List<RecordName>> former) {
    Map<String, List<Claim>> byRecord = new HashMap<>();
    former.forEach(
        (channel, records) ->
            records.forEach(
                record ->
                    byRecord
                        .computeIfAbsent(record.name(), any -> new ArrayList<>())
                        .add(new Claim(channel, record))));
    former.forEach(
        (channel, records) ->
            this.former.put(
                channel,
                records.stream()
                    .map(record -> divided(record, byRecord.getOrDefault(record.name(), List.of())))
                    .toList()));
    byRecord.forEach(
        (record, claims) ->
            present.put(
                record,
                claims.stream()
                    .sorted(Comparator.comparing(Claim::channel))
                    .map(Claim::channel)
                    .toList()));
  }

  /** Returns a record without the times in which it was another channel. */
  private static RecordName divided(RecordName record, List<Claim> claims) {
    long from = Long.MIN_VALUE;
    for (Claim claim : claims) {
      long until = claim.record().untilNanos();
      from = until < record.untilNanos() ? Math.max(from, until) : from;
    }
    return new RecordName(record.name(), from, record.untilNanos());
  }

  /** Returns whether no channel was renamed. */
  public boolean isEmpty() {
    return former.isEmpty();
  }

  /** Returns the records that a channel was before it was renamed. */
  public List<RecordName> formerOf(String channel) {
    return former.getOrDefault(channel, List.of());
  }

  /** Returns the channels that a record is a former name of. */
  public List<String> presentOf(String record) {
    return present.getOrDefault(record, List.of());
  }

  /**
   * Returns the time until which a record was one of some channels; {@link Long#MIN_VALUE} if it
   * was none of them.
   */
  public long untilNanos(String record, Set<String> channels) {
    long until = Long.MIN_VALUE;
    for (String channel : presentOf(record)) {
      if (channels.contains(channel)) {
        for (RecordName former : formerOf(channel)) {
          until = former.name().equals(record) ? Math.max(until, former.untilNanos()) : until;
        }
      }
    }
    return until;
  }

  /** Returns names, and the former names of their channels. */
  public Set<String> withFormer(Set<String> names) {
    if (isEmpty()) {
      return names;
    }
    Set<String> all = new LinkedHashSet<>();
    for (String name : names) {
      all.add(name);
      formerOf(name).forEach(record -> all.add(record.name()));
    }
    return all;
  }
}
