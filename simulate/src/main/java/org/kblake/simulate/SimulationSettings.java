package org.kblake.simulate;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;

/**
 * The settings of a simulation. Equal settings give equal bytes, apart from the root.
 *
 * @param preset the machine
 * @param seed the seed of the random numbers
 * @param start the first instant, truncated to a whole second; between 1990 and 2100
 * @param zone the time zone of the archive, for names of files and the time of day
 * @param length the simulated time, truncated to whole seconds
 * @param scale the factor for the number of channels of each kind, and so for the rate of events
 * @param root the root of the archive: a directory that is empty or does not exist
 * @param groups the groups to write, or empty for all; the bytes of a group do not depend on the
 *     others
 * @param abort the whole second at which both rings abort, or null for random aborts alone; see
 *     {@link AbortCause}
 */
public record SimulationSettings(
    Preset preset,
    long seed,
    Instant start,
    ZoneId zone,
    Duration length,
    double scale,
    Path root,
    Set<Group> groups,
    @Nullable Instant abort) {

  private static final ZoneId KEK = ZoneId.of("Asia/Tokyo");
  private static final Instant EARLIEST = Instant.parse("1990-01-02T00:00:00Z");
  private static final Instant LATEST = Instant.parse("2100-01-01T00:00:00Z");
  private static final double SECONDS_PER_DAY = 86_400;

  /**
   * @throws IllegalArgumentException if a setting is out of its range; the message names it
   */
  public SimulationSettings {
    start = Instant.ofEpochSecond(start.getEpochSecond());
    length = Duration.ofSeconds(length.toSeconds());
    groups = Set.copyOf(groups);
    abort = abort == null ? null : Instant.ofEpochSecond(abort.getEpochSecond());
    if (length.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("length must be at least a second: " + length);
    }
    if (!(scale > 0 && scale <= 1000)) {
      throw new IllegalArgumentException("scale must be between 0 and 1000: " + scale);
    }
    if (start.isBefore(EARLIEST) || start.plus(length).isAfter(LATEST)) {
      throw new IllegalArgumentException(
          "time must be between 1990 and 2100: from " + start + " to " + start.plus(length));
    }
    if (abort != null && (abort.isBefore(start) || abort.isAfter(start.plus(length)))) {
      throw new IllegalArgumentException("the abort is outside of the simulated time: " + abort);
    }
    if (!groups.isEmpty()) {
      requireGroups(preset, scale, groups);
    }
  }

  private static void requireGroups(Preset preset, double scale, Set<Group> groups) {
    Set<Group> unknown = new TreeSet<>(groups);
    preset.groups(scale).forEach(plan -> unknown.remove(plan.group()));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "preset " + preset.text() + " has no such group: " + unknown);
    }
  }

  /**
   * Returns settings with the preset's default start and length in KEK's zone, scale 1 and seed 1.
   */
  public static SimulationSettings of(Preset preset, Path root) {
    return new SimulationSettings(
        preset,
        1,
        preset.defaultStart().atZone(KEK).toInstant(),
        KEK,
        Duration.ofDays(preset.defaultDays()),
        1,
        root,
        Set.of(),
        null);
  }

  public SimulationSettings seed(long seed) {
    return new SimulationSettings(preset, seed, start, zone, length, scale, root, groups, abort);
  }

  public SimulationSettings start(Instant start) {
    return new SimulationSettings(preset, seed, start, zone, length, scale, root, groups, abort);
  }

  /** Returns these settings with another zone, and a start in that zone. */
  public SimulationSettings start(LocalDateTime local, ZoneId zone) {
    Instant start = local.atZone(zone).toInstant();
    return new SimulationSettings(preset, seed, start, zone, length, scale, root, groups, abort);
  }

  public SimulationSettings length(Duration length) {
    return new SimulationSettings(preset, seed, start, zone, length, scale, root, groups, abort);
  }

  /**
   * @param days the length in days, which may have a fraction
   */
  public SimulationSettings days(double days) {
    return length(Duration.ofSeconds((long) (days * SECONDS_PER_DAY + 0.5)));
  }

  public SimulationSettings scale(double scale) {
    return new SimulationSettings(preset, seed, start, zone, length, scale, root, groups, abort);
  }

  public SimulationSettings groups(Set<Group> groups) {
    return new SimulationSettings(preset, seed, start, zone, length, scale, root, groups, abort);
  }

  /**
   * Returns these settings with an abort of both rings.
   *
   * @param second the time of the abort, truncated to a whole second; the beams are stored for the
   *     three hours before it
   */
  public SimulationSettings abort(Instant second) {
    return new SimulationSettings(preset, seed, start, zone, length, scale, root, groups, second);
  }
}
