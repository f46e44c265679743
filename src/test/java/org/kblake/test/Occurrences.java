package org.kblake.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;

/** How often something occurred in a random test, so that one that compared nothing fails. */
final class Occurrences {

  private final Map<String, Long> counts = new TreeMap<>();

  void add(String what, long times) {
    counts.merge(what, times, Long::sum);
  }

  void add(String what) {
    add(what, 1);
  }

  void print(String test) {
    System.out.println(test + ": " + counts);
  }

  /** Fails if something occurred less often, unless the run repeats one seed. */
  void require(String what, long least) {
    if (!Seeds.isOneAskedFor()) {
      assertThat(counts.getOrDefault(what, 0L))
          .as("%s, of %s", what, counts)
          .isGreaterThanOrEqualTo(least);
    }
  }
}
