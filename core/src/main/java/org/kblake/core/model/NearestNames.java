package org.kblake.core.model;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * Finds the names that are closest to a mistyped one. Names with fewer insertions, deletions and
 * replacements come first. Names that contain the mistyped one follow. Case is ignored. The search
 * ends where it is if the thread is interrupted.
 */
public final class NearestNames {

  private static final int MAX_NAMES = 3;
  private static final int MIN_WITHIN_LENGTH = 3;

  private NearestNames() {}

  private record Candidate(String name, int distance) {}

  /** Returns {@code ; did you mean A, B or C?}, or an empty text if no name is close. */
  public static String hint(String name, Iterable<String> known) {
    List<String> near = of(name, known);
    if (near.isEmpty()) {
      return "";
    }
    int last = near.size() - 1;
    String all =
        last == 0
            ? near.get(0)
            : String.join(", ", near.subList(0, last)) + " or " + near.get(last);
    return "; did you mean " + all + "?";
  }

  /** Returns at most three names, the closest first. Names that differ much are left out. */
  public static List<String> of(String name, Iterable<String> known) {
    return of(name, known, Math.max(2, name.length() / 3));
  }

  /** Returns the same as {@link #of}, or the names that differ least if that is empty. */
  public static List<String> orLeastDifferent(String name, Iterable<String> known) {
    List<String> near = of(name, known);
    return near.isEmpty() ? of(name, known, Integer.MAX_VALUE - 1) : near;
  }

  private static List<String> of(String name, Iterable<String> known, int limit) {
    Comparator<Candidate> order =
        Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name);
    PriorityQueue<Candidate> worstFirst = new PriorityQueue<>(order.reversed());
    for (String candidate : known) {
      if (Thread.currentThread().isInterrupted()) {
        break;
      }
      int distance = distance(name, candidate, limit);
      if (distance <= limit || isWithin(name, candidate)) {
        worstFirst.add(new Candidate(candidate, distance));
        if (worstFirst.size() > MAX_NAMES) {
          worstFirst.remove();
        }
      }
    }
    return worstFirst.stream().sorted(order).map(Candidate::name).toList();
  }

  private static boolean isWithin(String name, String candidate) {
    return name.length() >= MIN_WITHIN_LENGTH
        && candidate.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
  }

  /** Returns the Levenshtein distance without regard to case, or a number above the limit. */
  private static int distance(String first, String second, int limit) {
    if (Math.abs(first.length() - second.length()) > limit) {
      return limit + 1;
    }
    String a = first.toLowerCase(Locale.ROOT);
    String b = second.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      int least = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
        least = Math.min(least, row[j]);
      }
      if (least > limit) {
        return limit + 1;
      }
    }
    return row[b.length()];
  }
}
