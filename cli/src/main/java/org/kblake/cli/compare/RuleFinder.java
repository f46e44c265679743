package org.kblake.cli.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the rule for a difference, from the form of both lines and from the request. */
final class RuleFinder {

  private final String format;
  private final boolean grid;
  private final String start;

  /**
   * @param words the request, as a command line
   */
  RuleFinder(List<String> words) {
    format = valueOf(words, "-f", "free");
    String times = valueOf(words, "-t", valueOf(words, "-d", ""));
    grid = times.indexOf('d') >= 0;
    start = times.isEmpty() ? "" : times.split("[-d]", 2)[0];
  }

  private static String valueOf(List<String> words, String option, String preset) {
    String value = preset;
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).equals(option) && i + 1 < words.size()) {
        value = words.get(i + 1);
      } else if (words.get(i).startsWith(option) && words.get(i).length() > option.length()) {
        value = words.get(i).substring(option.length());
      }
    }
    return value;
  }

  Rule rule(long line, @Nullable String theirs, @Nullable String ours) {
    if (format.equals("sad")) {
      return Rule.SAD;
    }
    if (theirs == null || ours == null) {
      return oneEnded(line, theirs == null ? ours : theirs);
    }
    String[] their = theirs.split("\t", -1);
    String[] our = ours.split("\t", -1);
    if (format.equals("kaleida")) {
      return line == 1 ? Rule.COLUMNS : table(their, our);
    }
    return events(line, their, our);
  }

  private Rule oneEnded(long line, @Nullable String extra) {
    if (format.equals("kaleida")) {
      return grid ? Rule.ROWS_STOP : Rule.HELD;
    }
    if (grid) {
      return Rule.GRID;
    }
    return line == 1 || extra == null || !beforeStart(extra) ? Rule.RANGE_END : Rule.RANGE_START;
  }

  private Rule table(String[] their, String[] our) {
    if (!their[0].equals(our[0])) {
      return Rule.GRID;
    }
    if (their.length != our.length) {
      return Rule.COLUMNS;
    }
    for (int i = 1; i < their.length; i++) {
      if (!their[i].equals(our[i])) {
        return cell(their[i], our[i]);
      }
    }
    return Rule.COLUMNS;
  }

  private Rule events(long line, String[] their, String[] our) {
    if (their.length < 3 || our.length < 3) {
      return Rule.EVENTS;
    }
    boolean sameSecond = their[0].regionMatches(0, our[0], 0, 19);
    if (!their[0].equals(our[0])) {
      if (line == 1 && beforeStart(their[0])) {
        return Rule.RANGE_START;
      }
      return sameSecond && their[1].equals(our[1]) ? Rule.TIME : grid ? Rule.GRID : Rule.ORDER;
    }
    if (!their[1].equals(our[1])) {
      return Rule.ORDER;
    }
    if (their.length != our.length) {
      return Rule.WAVEFORM;
    }
    String theirValue = String.join("\t", Arrays.asList(their).subList(2, their.length));
    String ourValue = String.join("\t", Arrays.asList(our).subList(2, our.length));
    for (String value : List.of(theirValue, ourValue)) {
      if (value.equals("Connected") || value.equals("Disconnected")) {
        return Rule.CONNECTION;
      }
    }
    return their.length > 3 ? Rule.WAVEFORM : cell(theirValue, ourValue);
  }

  /**
   * Returns whether a line's time is before START. Both are compared in the form yyyymmddhhmmss.
   */
  private boolean beforeStart(String line) {
    if (line.length() < 19 || start.length() < 8) {
      return false;
    }
    String stamp =
        line.substring(6, 10)
            + line.substring(0, 2)
            + line.substring(3, 5)
            + line.substring(11, 13)
            + line.substring(14, 16)
            + line.substring(17, 19);
    return stamp.compareTo(start + "00000000000000".substring(start.length())) < 0;
  }

  private Rule cell(String their, String our) {
    Double theirNumber = number(their);
    Double ourNumber = number(our);
    if (theirNumber == null && ourNumber == null) {
      return format.equals("kaleida") ? Rule.STRING_CELL : Rule.STRING;
    }
    if (theirNumber == null || ourNumber == null) {
      return Rule.NO_VALUE;
    }
    if (theirNumber.isNaN() != ourNumber.isNaN()) {
      return format.equals("kaleida") ? Rule.NO_VALUE : Rule.NOT_FINITE;
    }
    if (theirNumber.isNaN() || theirNumber.isInfinite() && ourNumber.isInfinite()) {
      return Rule.NOT_FINITE;
    }
    double size = Math.max(Math.abs(theirNumber), Math.abs(ourNumber));
    boolean sameNumber = Math.abs(theirNumber - ourNumber) <= 2e-6 * size;
    return sameNumber ? Rule.NUMBER : grid || format.equals("kaleida") ? Rule.HELD : Rule.EVENTS;
  }

  private static @Nullable Double number(String cell) {
    String word = cell.toLowerCase(Locale.ROOT);
    if (word.equals("nan") || word.equals("-nan")) {
      return Double.NaN;
    }
    if (word.equals("inf") || word.equals("-inf") || word.equals("infinity")) {
      return word.charAt(0) == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    try {
      return Double.valueOf(cell);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
