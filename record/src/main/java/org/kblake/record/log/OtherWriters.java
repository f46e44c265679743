package org.kblake.record.log;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.PairName;

/**
 * A watch for pairs that another program begins, or lets grow. A program without a lock, such as
 * kblog, is found when it writes.
 */
final class OtherWriters {

  private final PairNames names;
  private final String group;
  private final Set<PairName> own = new HashSet<>();
  private @Nullable PairName newest;
  private String sizes = "";
  private boolean hasBegun;

  OtherWriters(PairNames names, String group) {
    this.names = names;
    this.group = group;
  }

  /** Adds a pair that this process is about to create. */
  void addOwn(PairName name) {
    own.add(name);
  }

  /**
   * Lists the pairs, and checks that no other program begun one since the first call.
   *
   * @return all pairs
   */
  SortedSet<PairName> list() throws IOException {
    SortedSet<PairName> all = names.existing();
    PairName last =
        all.stream().filter(name -> !own.contains(name)).reduce((a, b) -> b).orElse(null);
    if (!hasBegun) {
      newest = last;
      sizes = names.sizes(last);
      hasBegun = true;
    } else if (last != null && (newest == null || last.compareTo(newest) > 0)) {
      throw new OtherWriterException(group, "which began the pair " + last.stamp());
    }
    return all;
  }

  /** Checks that the newest pair of other programs does not grow. */
  void check() throws IOException {
    String now = names.sizes(newest);
    if (newest != null && !now.equals(sizes)) {
      throw new OtherWriterException(
          group,
          "whose pair " + newest.stamp() + " had " + sizes + " bytes, and has " + now + " now");
    }
  }
}
