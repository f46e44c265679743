package org.kblake.cli.argument;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds the names that a user may have meant. */
public final class NearestNames {

  private static final int AT_MOST = 5;

  private record Candidate(String name, int distance) {}

  private NearestNames() {}

  /**
   * The names nearest to one that does not exist: few edits away, whatever the case, or with it
   * inside.
   *
   * @return at most five, the nearest first; empty if none is near
   */
  public static List<String> of(String wanted, Collection<String> names) {
    String lower = wanted.toLowerCase(Locale.ROOT);
    int bound = Math.max(1, Math.min(5, wanted.length() / 4));
    LevenshteinDistance distance = new LevenshteinDistance(bound);
    List<Candidate> candidates = new ArrayList<>();
    for (String name : names) {
      String other = name.toLowerCase(Locale.ROOT);
      int edits = distance.apply(lower, other);
      if (edits >= 0) {
        candidates.add(new Candidate(name, edits));
      } else if (lower.length() >= 3 && other.contains(lower)) {
        candidates.add(new Candidate(name, bound + other.length() - lower.length()));
      }
    }
    return candidates.stream()
        .sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
        .limit(AT_MOST)
        .map(Candidate::name)
        .toList();
  }

  /** {@code ; did you mean A, B or C?}, or nothing if no name is near. */
  public static String hint(String wanted, Collection<String> names) {
    List<String> near = of(wanted, names);
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
}
