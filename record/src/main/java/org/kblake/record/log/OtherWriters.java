package org.kblake.record.log;

import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairName;

/**
 * A watch for pairs that another program begins, or lets grow. A program without a lock, such as
 * kblog, is found when it writes.
 */
final class OtherWriters {

  /** A recorder that was stopped while it wrote goes on for moments. */
  private static final int MOST_OF_REPLACED = 10;

  private final PairNames names;
  private final String group;
  private final Set<PairName> own = new HashSet<>();
  private @Nullable PairName newest;

  /** The largest size seen of each file of the newest pair, -1 while it is not known. */
  private final Map<String, Long> sizes = new TreeMap<>();

  private boolean replaces;

  /** Whether the newest pair has stamps, or had them. */
  private boolean hasStamps;

  private boolean hasBegun;
  private int growths;

  OtherWriters(PairNames names, String group) {
    this.names = names;
    this.group = group;
  }

  /** Expects that the other program is a recorder which this one replaces. */
  void replace() {
    replaces = true;
    growths = 0;
    hasBegun = false;
    newest = null;
    hasStamps = false;
    sizes.clear();
  }

  /** Adds a pair that this process is about to create. */
  void addOwn(PairName name) {
    own.add(name);
  }

  /** Removes a pair that another program created at this moment. */
  void removeOwn(PairName name) {
    own.remove(name);
  }

  /**
   * Lists the pairs, and checks that no other program began one since the last call.
   *
   * @return all pairs
   */
  NavigableSet<PairName> list() throws IOException {
    NavigableSet<PairName> all = names.existing();
    PairName before = newest;
    PairName last =
        all.descendingSet().stream().filter(name -> !own.contains(name)).findFirst().orElse(null);
    boolean isNewer = last != null && (before == null || last.compareTo(before) > 0);
    if (last != null && isNewer) {
      newest = last;
      hasStamps = false;
      sizes.clear();
      sizes.put(last.indexFile(), names.bytes(last.indexFile()));
      sizes.put(last.logFile(), names.bytes(last.logFile()));
    }
    // Its writer removes the stamps when it begins another pair, and so does this one.
    hasStamps |= last != null && last.equals(newest) && names.hasStamps(last);
    if (last != null && isNewer && hasBegun) {
      growths = MOST_OF_REPLACED;
      throw new OtherWriterException(group, "which began the pair " + last.stamp(), hasStamps);
    }
    hasBegun = true;
    return all;
  }

  /**
   * Checks that the newest pair of other programs does not grow. Its volume may come and go, and a
   * file system may tell an older size once.
   */
  void check() throws OtherWriterException {
    String growth = "";
    for (Map.Entry<String, Long> file : sizes.entrySet()) {
      long before = file.getValue();
      long now = names.bytes(file.getKey());
      if (before >= 0 && now > before) {
        growth =
            "whose file " + file.getKey() + " had " + before + " bytes, and has " + now + " now";
      }
      file.setValue(Math.max(before, now));
    }
    if (!growth.isEmpty() && ++growths > (replaces && hasStamps ? MOST_OF_REPLACED : 1)) {
      throw new OtherWriterException(group, growth, hasStamps);
    }
  }

  /** Checks that a locked group is that of a recorder which this one replaces. */
  void requireReplaced() throws OtherWriterException {
    if (!replaces || newest != null && !hasStamps) {
      throw new OtherWriterException(group, "which has locked it", hasStamps);
    }
  }
}
