package org.kblake.cli.command.coverage;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.Losses;

/** Random states of groups. */
final class RandomHistories {

  private static final int SECONDS_OF_YEARS = 1_500_000_000;

  private RandomHistories() {}

  static TimeRange range(Random random) {
    long from = random.nextInt(SECONDS_OF_YEARS) * 1_000_000_000L;
    // Lengths of nanoseconds to years
    long length = 1 + (long) Math.pow(10, random.nextDouble() * 17);
    return new TimeRange(from, from + length);
  }

  static List<StateSpan> spans(TimeRange range, Random random) {
    StateMap map = new StateMap(range);
    double length = (double) range.toNanos() - range.fromNanos();
    for (int i = random.nextInt(30); i > 0; i--) {
      long from = range.fromNanos() + (long) (random.nextDouble() * length);
      long to = from + 1 + (long) (Math.pow(random.nextDouble(), 8) * length);
      map.cover(LogState.values()[random.nextInt(LogState.values().length)], from, to);
    }
    return map.spans();
  }

  static Histories histories(Random random) {
    TimeRange range = range(random);
    List<GroupHistory> groups = new ArrayList<>();
    for (int i = random.nextInt(40); i >= 0; i--) {
      Group group = new Group("S" + i, "G".repeat(1 + random.nextInt(30)));
      groups.add(new GroupHistory(group, spans(range, random), List.of()));
    }
    return histories(range, groups);
  }

  static Histories histories(TimeRange range, List<GroupHistory> groups) {
    Map<Group, GroupHistory> byGroup = new LinkedHashMap<>();
    groups.forEach(history -> byGroup.put(history.group(), history));
    return new Histories(
        range,
        ZoneOffset.ofHours(9),
        List.copyOf(byGroup.keySet()),
        Losses.NONE,
        group -> Objects.requireNonNull(byGroup.get(group)));
  }
}
