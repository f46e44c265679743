package org.kblake.record.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.kblake.core.log.PairName;

/**
 * The names of the pairs in directories, for all their groups. A directory is read once for all
 * that wait for it, and not again while it has not changed. Any thread may use it.
 */
public final class PairDirectories {

  /** A file system may give changes within this time the same time stamp. */
  private static final long SAME_STAMP_MILLIS = 3000;

  private final LogFiles files;
  private final Map<Path, Listing> listings = new HashMap<>();

  /** What is in a directory. */
  private final class Listing {
    private final Path directory;
    private Map<String, NavigableSet<PairName>> pairs = new HashMap<>();
    private boolean isKnown;
    private long readNanos;
    private long changedMillis;

    Listing(Path directory) {
      this.directory = directory;
    }

    /**
     * Returns the pairs of a group as they were at some time or later: the same set while the
     * directory has not changed, which never does.
     *
     * @param askedNanos by {@link System#nanoTime}
     */
    synchronized NavigableSet<PairName> pairs(String group, long askedNanos) throws IOException {
      boolean wasReadSince = isKnown && readNanos - askedNanos > 0;
      if (!wasReadSince) {
        long changed = files.changedMillis(directory);
        if (!isKnown || changed != changedMillis) {
          read(changed);
        }
      }
      return pairs.getOrDefault(group, Collections.emptyNavigableSet());
    }

    private void read(long changed) throws IOException {
      isKnown = false;
      readNanos = System.nanoTime();
      boolean isOld = System.currentTimeMillis() - changed > SAME_STAMP_MILLIS;
      Map<String, NavigableSet<PairName>> found = new HashMap<>();
      for (String file : files.names(directory)) {
        PairName name = PairName.ofFile(file);
        if (name != null && name.hasTime()) {
          found.computeIfAbsent(name.group(), key -> new TreeSet<>()).add(name);
        }
      }
      found.replaceAll((group, names) -> Collections.unmodifiableNavigableSet(names));
      pairs = found;
      changedMillis = isOld ? changed : Long.MIN_VALUE;
      isKnown = true;
    }
  }

  public PairDirectories(LogFiles files) {
    this.files = files;
  }

  LogFiles files() {
    return files;
  }

  /**
   * Returns the pairs of a group that have at least one file, without those whose stamp is no time:
   * the same set while the directory has not changed.
   */
  public NavigableSet<PairName> pairs(Path directory, String group) throws IOException {
    long asked = System.nanoTime();
    Listing listing;
    synchronized (this) {
      listing = listings.computeIfAbsent(directory, Listing::new);
    }
    return listing.pairs(group, asked);
  }
}
