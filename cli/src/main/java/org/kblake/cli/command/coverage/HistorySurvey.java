package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * Finds the states of groups. First all groups are listed, then the range is known. The pairs of a
 * group are listed again when its states are found: those of all groups need much memory.
 */
final class HistorySurvey {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  private static final int MAX_NOTED = 3;
  private static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);

  private final Archive archive;
  private final KnownGroups known;
  private final @Nullable Store store;
  private final @Nullable Mirror mirror;
  private final long nowNanos;
  private final Map<Group, Recorded> listed = new LinkedHashMap<>();

  /** When a group was recorded; not at all if the end is not behind the begin. */
  private record Recorded(long fromNanos, long toNanos) {}

  /**
   * @param store null if there is none
   */
  HistorySurvey(Archive archive, KnownGroups known, @Nullable Store store, long nowNanos) {
    this.archive = archive;
    this.known = known;
    this.store = store;
    mirror = store == null ? null : Mirror.of(store.directory());
    this.nowNanos = nowNanos;
  }

  /** Lists the pairs and blocks of a group, and opens its newest log. */
  void list(Group group) {
    ShownPairs pairs = ShownPairs.list(archive, known, store, group);
    listed.put(
        group, new Recorded(pairs.firstNanos(), pairs.endNanos(pairs.newestLog(), nowNanos)));
  }

  /**
   * Returns the range of all that archive and store have of the listed groups; the last day if they
   * have nothing.
   */
  TimeRange everything() {
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (Recorded group : listed.values()) {
      from = Math.min(from, group.fromNanos);
      to = Math.max(to, group.toNanos);
    }
    return from < to ? new TimeRange(from, to) : new TimeRange(nowNanos - DAY_NANOS, nowNanos);
  }

  /** Returns the states of a group. */
  GroupHistory history(Group group, TimeRange range) throws IOException {
    ShownPairs pairs = ShownPairs.list(archive, known, store, group);
    return new HistoryBuilder(pairs, mirror, pairs.newestLog(), range, nowNanos).build();
  }

  /** Returns a line on a range in which nothing was recorded: when the groups were recorded. */
  String emptyNote(Histories empty) {
    StringBuilder line = new StringBuilder("nothing was recorded");
    append(empty.range().fromNanos(), empty.range().toNanos(), empty.zone(), line);
    for (Group noted : empty.groups().subList(0, Math.min(MAX_NOTED, listed.size()))) {
      Recorded group = Objects.requireNonNull(listed.get(noted));
      line.append("; ").append(noted);
      if (group.fromNanos < group.toNanos) {
        line.append(" was recorded");
        append(group.fromNanos, group.toNanos, empty.zone(), line);
      } else {
        line.append(" has no pair in the archive and no block in the store");
      }
    }
    if (listed.size() > MAX_NOTED) {
      int more = listed.size() - MAX_NOTED;
      line.append("; and ").append(more).append(more == 1 ? " more group" : " more groups");
    }
    return line.toString();
  }

  private static void append(long from, long to, ZoneId zone, StringBuilder line) {
    line.append(" from ").append(time(from, zone)).append(" to ").append(time(to, zone));
  }

  private static String time(long nanos, ZoneId zone) {
    return TIME.format(Instant.ofEpochSecond(0, nanos).atZone(zone));
  }
}
