package org.kblake.core.internal.names;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * Names like a mistyped one: fewest insertions, deletions and replacements first, upper and lower
 * case alike; then those of which it is a part.
 */
public final class NearestNames {

  private static final int MOST = 3;
  private static final int SHORTEST_PART = 3;

  private NearestNames() {}

  private record Candidate(String name, int distance) {}

  /** {@code ; did you mean A, B or C?}, or nothing if no name is near. */
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

  /** At most three names, the nearest first; none that shares little with the name. */
  public static List<String> of(String name, Iterable<String> known) {
    return of(name, known, Math.max(2, name.length() / 3));
  }

  /** The same, but where none shares much with the name, those that differ least. */
  public static List<String> orLeastDifferent(String name, Iterable<String> known) {
    List<String> near = of(name, known);
    return near.isEmpty() ? of(name, known, Integer.MAX_VALUE - 1) : near;
  }

  private static List<String> of(String name, Iterable<String> known, int limit) {
    Comparator<Candidate> order =
        Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name);
    PriorityQueue<Candidate> worstFirst = new PriorityQueue<>(order.reversed());
    for (String candidate : known) {
      int distance = distance(name, candidate, limit);
      if (distance <= limit || isPart(name, candidate)) {
        worstFirst.add(new Candidate(candidate, distance));
        if (worstFirst.size() > MOST) {
          worstFirst.remove();
        }
      }
    }
    return worstFirst.stream().sorted(order).map(Candidate::name).toList();
  }

  private static boolean isPart(String name, String candidate) {
    return name.length() >= SHORTEST_PART
        && candidate.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
  }

  /** Levenshtein's distance, upper and lower case alike, or something beyond the limit. */
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
