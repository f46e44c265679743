package org.kblake.core.metadata;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EpochNanos;

/** The values of the cells of one row. A wrong cell is reported, and unknown. */
final class CellValues {

  static final int MAX_LABELS = 256;
  static final int MAX_FORMER_NAMES = 64;
  private static final int MAX_DIGITS = 30;

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d{1,400}\\.?\\d{0,400}|\\.\\d{1,400})([eE][+-]?\\d{1,9})?");
  private static final Pattern DIGITS = Pattern.compile("\\d{1,9}");
  private static final Pattern BAR = Pattern.compile("\\|");
  private static final String UNTIL = " until ";

  private final int line;
  private final List<String> cells;
  private final int[] places;
  private final FileProblems problems;

  /**
   * @param places the place of each column's cell, by the ordinal of the column; -1 for none
   */
  CellValues(int line, List<String> cells, int[] places, FileProblems problems) {
    this.line = line;
    this.cells = cells;
    this.places = places;
    this.problems = problems;
  }

  /** Returns a cell without blanks around it; null if it is empty. */
  @Nullable String text(ChannelColumn column) {
    int place = places[column.ordinal()];
    String text = place < 0 || place >= cells.size() ? "" : cells.get(place).strip();
    return text.isEmpty() ? null : text;
  }

  OptionalDouble number(ChannelColumn column) {
    String text = text(column);
    if (text == null) {
      return OptionalDouble.empty();
    }
    double value = NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      wrong(column, "a number such as -1.5e3", text);
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(value);
  }

  OptionalInt digits(ChannelColumn column) {
    String text = text(column);
    if (text == null) {
      return OptionalInt.empty();
    }
    int value = DIGITS.matcher(text).matches() ? Integer.parseInt(text) : Integer.MAX_VALUE;
    if (value > MAX_DIGITS) {
      wrong(column, "a number of digits from 0 to " + MAX_DIGITS, text);
      return OptionalInt.empty();
    }
    return OptionalInt.of(value);
  }

  /** Returns the texts of an enum's states. An empty label is kept: it has a place. */
  List<String> labels() {
    String text = text(ChannelColumn.LABELS);
    List<String> labels = text == null ? List.of() : items(text);
    if (labels.size() > MAX_LABELS) {
      wrong(ChannelColumn.LABELS, "at most " + MAX_LABELS + " labels", labels.size() + " labels");
      return List.of();
    }
    return labels;
  }

  /**
   * Returns the former names of a channel.
   *
   * @param zone the zone of dates without offset
   */
  List<RecordName> former(String name, ZoneId zone) {
    String text = text(ChannelColumn.FORMER);
    List<RecordName> names = new ArrayList<>();
    if (text == null) {
      return names;
    }
    List<String> items = items(text);
    if (items.size() > MAX_FORMER_NAMES) {
      wrong(
          ChannelColumn.FORMER, "at most " + MAX_FORMER_NAMES + " names", items.size() + " names");
      return names;
    }
    for (String item : items) {
      RecordName former = parsed(item, zone);
      if (former == null) {
        wrong(ChannelColumn.FORMER, "NAME or NAME until 2019-04-01, separated by |", item);
      } else if (former.name().equals(name)) {
        wrong(ChannelColumn.FORMER, "names that differ from the present one", item);
      } else if (names.stream().anyMatch(known -> known.name().equals(former.name()))) {
        wrong(ChannelColumn.FORMER, "each name once", item);
      } else {
        names.add(former);
      }
    }
    return names;
  }

  private static @Nullable RecordName parsed(String item, ZoneId zone) {
    int until = item.indexOf(UNTIL);
    String name = until < 0 ? item : item.substring(0, until).strip();
    if (name.isEmpty() || name.chars().anyMatch(Character::isWhitespace)) {
      return null;
    }
    if (until < 0) {
      return new RecordName(name);
    }
    try {
      String written = item.substring(until + UNTIL.length()).strip();
      return new RecordName(name, Long.MIN_VALUE, nanos(written, zone));
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static long nanos(String text, ZoneId zone) {
    if (text.indexOf('T') < 0) {
      return EpochNanos.of(LocalDate.parse(text).atStartOfDay(zone).toInstant());
    }
    boolean offset = text.endsWith("Z") || text.lastIndexOf('+') > 0 || text.lastIndexOf('-') > 7;
    return EpochNanos.of(
        offset
            ? OffsetDateTime.parse(text).toInstant()
            : LocalDateTime.parse(text).atZone(zone).toInstant());
  }

  private static List<String> items(String text) {
    List<String> items = new ArrayList<>();
    for (String item : BAR.split(text, -1)) {
      items.add(item.strip());
    }
    return items;
  }

  void wrong(ChannelColumn column, String expected, String found) {
    String shown = found.length() > 80 ? found.substring(0, 80) + "..." : found;
    problems.add(line, column.header() + " must be " + expected + ", found " + shown);
  }
}
