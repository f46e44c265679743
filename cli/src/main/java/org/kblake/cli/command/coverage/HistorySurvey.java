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
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/** Finds the states of groups. First all groups are listed, then the range is known. */
final class HistorySurvey {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  private static final int MOST_NOTED = 3;
  private static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);

  private final Archive archive;
  private final KnownGroups known;
  private final @Nullable Store store;
  private final long nowNanos;
  private final Map<Group, Listed> listed = new LinkedHashMap<>();

  private record Listed(GroupPairs pairs, @Nullable NewestLog newest) {}

  /**
   * @param store null if there is none
   */
  HistorySurvey(Archive archive, KnownGroups known, @Nullable Store store, long nowNanos) {
    this.archive = archive;
    this.known = known;
    this.store = store;
    this.nowNanos = nowNanos;
  }

  /** Lists the pairs and blocks of a group, and opens its newest log. */
  void list(Group group) {
    GroupPairs pairs = GroupPairs.list(archive, known, store, group);
    listed.put(group, new Listed(pairs, pairs.newestLog()));
  }

  /**
   * Returns the range of all that archive and store have of the listed groups; the last day if they
   * have nothing.
   */
  TimeRange everything() {
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (Listed group : listed.values()) {
      from = Math.min(from, group.pairs.firstNanos());
      to = Math.max(to, group.pairs.endNanos(group.newest, nowNanos));
    }
    return from < to ? new TimeRange(from, to) : new TimeRange(nowNanos - DAY_NANOS, nowNanos);
  }

  /** Returns the states of a listed group. */
  GroupHistory history(Group group, TimeRange range) throws IOException {
    Listed of = Objects.requireNonNull(listed.get(group));
    return new HistoryBuilder(of.pairs, of.newest, range, nowNanos).build();
  }

  /** Returns a line on a range in which nothing was recorded: when the groups were recorded. */
  String emptyNote(Histories empty) {
    StringBuilder line = new StringBuilder("nothing was recorded");
    append(empty.range().fromNanos(), empty.range().toNanos(), empty.zone(), line);
    for (GroupHistory history : empty.groups().subList(0, Math.min(MOST_NOTED, listed.size()))) {
      Listed group = Objects.requireNonNull(listed.get(history.group()));
      line.append("; ").append(history.group());
      long from = group.pairs.firstNanos();
      long to = group.pairs.endNanos(group.newest, nowNanos);
      if (from < to) {
        line.append(" was recorded");
        append(from, to, empty.zone(), line);
      } else {
        line.append(" has no pair in the archive and no block in the store");
      }
    }
    if (listed.size() > MOST_NOTED) {
      int more = listed.size() - MOST_NOTED;
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
