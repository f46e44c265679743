package org.kblake.cli.draw;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An axis of time. Its ticks lie on round times of the clock and of the calendar in its zone. A
 * short axis has multiples of milliseconds, microseconds or nanoseconds after a round time.
 *
 * @param fromNanos the begin, nanoseconds since 1970 UTC
 * @param toNanos the end, later than the begin
 * @param zone the zone of the texts
 */
public record TimeAxis(long fromNanos, long toNanos, ZoneId zone) {

  private static final long SECOND = 1_000_000_000L;
  private static final long DAY_SECONDS = 86_400;

  /** The day number of a Monday, at which steps of weeks begin. */
  private static final long MONDAY = 4;

  /** The characters between two labels. */
  private static final int GAP = 2;

  private static final DateTimeFormatter DATE = form("uuuu-MM-dd");
  private static final DateTimeFormatter DAY = form("MM-dd");
  private static final DateTimeFormatter MONTH = form("uuuu-MM");
  private static final DateTimeFormatter YEAR = form("uuuu");
  private static final DateTimeFormatter MINUTE = form("HH:mm");
  private static final DateTimeFormatter CLOCK = form("HH:mm:ss");

  private static final List<Step> STEPS = steps();

  /** A time of the axis and its text. */
  public record Tick(long nanos, String label) {}

  /**
   * The ticks of an axis.
   *
   * @param ticks in ascending order
   * @param caption the dates and the zone of the axis, or the unit of the labels and the time from
   *     which they count
   */
  public record Ticks(List<Tick> ticks, String caption) {

    /** Returns the number of characters of the longest label. */
    private int longest() {
      int longest = 0;
      for (Tick tick : ticks) {
        longest = Math.max(longest, tick.label.length());
      }
      return longest;
    }
  }

  /** The distance of ticks. */
  private record Step(ChronoUnit unit, int count) {

    double nanos() {
      return count * (double) unit.getDuration().toSeconds() * SECOND;
    }
  }

  private static List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    add(steps, ChronoUnit.SECONDS, 1, 2, 5, 10, 15, 30);
    add(steps, ChronoUnit.MINUTES, 1, 2, 5, 10, 15, 30);
    add(steps, ChronoUnit.HOURS, 1, 2, 3, 6, 12);
    add(steps, ChronoUnit.DAYS, 1, 2, 7, 14);
    add(steps, ChronoUnit.MONTHS, 1, 2, 3, 6);
    add(steps, ChronoUnit.YEARS, 1, 2, 5, 10, 20, 50, 100, 200);
    return steps;
  }

  private static void add(List<Step> steps, ChronoUnit unit, int... counts) {
    for (int count : counts) {
      steps.add(new Step(unit, count));
    }
  }

  private static DateTimeFormatter form(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
  }

  /** Returns the position of a time: 0 at the begin, 1 at the end. */
  public double share(long nanos) {
    return sinceBegin(nanos) / sinceBegin(toNanos);
  }

  /** Returns the time since the begin. It may be longer than a long can have. */
  private double sinceBegin(long nanos) {
    long since = nanos - fromNanos;
    return since < 0 ? (double) nanos - fromNanos : since;
  }

  /**
   * Returns as many ticks as have room for their labels.
   *
   * @param characters the length of the axis in characters
   */
  public Ticks ticks(int characters) {
    double span = sinceBegin(toNanos);
    for (long decade = 1; decade < SECOND; decade *= 10) {
      for (int factor : new int[] {1, 2, 5}) {
        // Labels have one digit at least
        if (span / (factor * decade) * (1 + GAP) <= characters) {
          Ticks ticks = fractions(factor * decade);
          if (fits(ticks, characters)) {
            return ticks;
          }
        }
      }
    }
    for (Step step : STEPS) {
      if (span / step.nanos() * (2 * GAP) <= characters) {
        Ticks ticks = calendar(step);
        if (fits(ticks, characters)) {
          return ticks;
        }
      }
    }
    return new Ticks(List.of(), caption());
  }

  private static boolean fits(Ticks ticks, int characters) {
    return ticks.ticks.size() * (ticks.longest() + GAP) <= characters;
  }

  private Ticks fractions(long step) {
    long unit = step < 1_000 ? 1 : step < 1_000_000 ? 1_000 : 1_000_000;
    long base = Math.floorDiv(fromNanos, unit * 1_000) * (unit * 1_000);
    List<Tick> ticks = new ArrayList<>();
    for (long at = -Math.floorDiv(-fromNanos, step) * step; at < toNanos; at += step) {
      ticks.add(new Tick(at, String.valueOf((at - base) / unit)));
    }
    LocalDateTime time = local(base);
    String fraction = String.format(Locale.ROOT, ".%09d", Math.floorMod(base, SECOND));
    String caption =
        (unit == 1 ? "ns" : unit == 1_000 ? "µs" : "ms")
            + " after "
            + DATE.format(time)
            + " "
            + CLOCK.format(time)
            + (unit == 1_000_000 ? "" : fraction.substring(0, unit == 1 ? 7 : 4))
            + ", "
            + zone.getId();
    return new Ticks(ticks, caption);
  }

  private Ticks calendar(Step step) {
    List<Tick> ticks = new ArrayList<>();
    LocalDateTime at = floor(local(fromNanos), step);
    long before = Long.MIN_VALUE;
    // The first time is before the axis, and a clock that is set back repeats an hour
    for (long nanos = nanos(at); nanos < toNanos; nanos = nanos(at)) {
      if (nanos >= fromNanos && nanos > before) {
        // A clock that is set forward skips an hour, then this is not the time of the step
        ticks.add(new Tick(nanos, label(local(nanos), step.unit)));
        before = nanos;
      }
      at = at.plus(step.count, step.unit);
    }
    return new Ticks(ticks, caption());
  }

  private LocalDateTime local(long nanos) {
    return LocalDateTime.ofInstant(Instant.ofEpochSecond(0, nanos), zone);
  }

  private long nanos(LocalDateTime time) {
    long seconds = time.atZone(zone).toEpochSecond();
    if (Math.abs(seconds) >= Long.MAX_VALUE / SECOND) {
      return seconds < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return seconds * SECOND;
  }

  private static LocalDateTime floor(LocalDateTime time, Step step) {
    LocalDate date = time.toLocalDate();
    return switch (step.unit) {
      case YEARS -> LocalDate.of(floor(date.getYear(), step.count), 1, 1).atStartOfDay();
      case MONTHS ->
          date.withDayOfMonth(1)
              .withMonth(floor(date.getMonthValue() - 1, step.count) + 1)
              .atStartOfDay();
      case DAYS ->
          LocalDate.ofEpochDay(
                  Math.floorDiv(date.toEpochDay() - MONDAY, step.count) * step.count + MONDAY)
              .atStartOfDay();
      default -> {
        long seconds = step.unit.getDuration().toSeconds() * step.count;
        long ofDay = time.toLocalTime().toSecondOfDay() % DAY_SECONDS;
        yield date.atStartOfDay().plusSeconds(ofDay / seconds * seconds);
      }
    };
  }

  private static int floor(int number, int step) {
    return Math.floorDiv(number, step) * step;
  }

  private String label(LocalDateTime time, ChronoUnit unit) {
    return switch (unit) {
      case YEARS -> YEAR.format(time);
      case MONTHS -> MONTH.format(time);
      case DAYS -> DAY.format(time);
      case SECONDS -> CLOCK.format(time);
      default -> {
        boolean midnight = time.toLocalTime().toSecondOfDay() == 0;
        yield (midnight && severalDays() ? DAY : MINUTE).format(time);
      }
    };
  }

  private boolean severalDays() {
    return !local(fromNanos).toLocalDate().equals(local(toNanos - 1).toLocalDate());
  }

  private String caption() {
    String dates = DATE.format(local(fromNanos));
    if (severalDays()) {
      dates += " to " + DATE.format(local(toNanos - 1));
    }
    return dates + ", " + zone.getId();
  }
}
