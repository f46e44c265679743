package org.kblake.transfer.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.transfer.TransferNames;
import org.kblake.transfer.message.Control;

/**
 * The newest pairs of groups. A directory is listed once for all its groups, while its time does
 * not change. For one thread.
 */
final class NewestPairs {

  /** The time of a directory is exact to a tick of the kernel. */
  private static final Duration TICK = Duration.ofMillis(50);

  /** How long a listing is valid for other groups, although the directory changes. */
  private static final long VALID_NANOS = 5_000_000_000L;

  private final Map<Path, Listing> listings = new HashMap<>();

  /**
   * @param time that of the directory before
   * @param asked the groups that were asked for since
   */
  private record Listing(
      FileTime time,
      boolean isSettled,
      long nanos,
      Map<String, NavigableSet<Long>> stamps,
      Set<String> asked) {

    /** A group that was not taken is not written, whatever others do in its directory. */
    boolean isOf(String group, FileTime now) {
      return isSettled && time.equals(now)
          || !asked.contains(group) && System.nanoTime() - nanos < VALID_NANOS;
    }
  }

  /**
   * Returns the stamps of a group's newest pairs, at most {@value Control.Has#MAX_PAIRS}.
   *
   * @throws IOException if the directory cannot be read
   */
  SortedSet<Long> of(Group group, Path directory) throws IOException {
    FileTime time = Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS);
    Listing listing = listings.get(directory);
    if (listing == null || !listing.isOf(group.name(), time)) {
      boolean isSettled =
          Duration.between(time.toInstant(), Instant.now()).abs().compareTo(TICK) > 0;
      long nanos = System.nanoTime();
      listing = new Listing(time, isSettled, nanos, list(directory), new HashSet<>());
      listings.put(directory, listing);
    }
    listing.asked().add(group.name());
    return Collections.unmodifiableSortedSet(
        listing.stamps().getOrDefault(group.name(), new TreeSet<>()));
  }

  private static Map<String, NavigableSet<Long>> list(Path directory) throws IOException {
    Map<String, NavigableSet<Long>> stamps = new HashMap<>();
    TransferNames.list(
        directory,
        file -> {
          PairName name = PairName.ofFile(file);
          if (name != null) {
            add(stamps.computeIfAbsent(name.group(), group -> new TreeSet<>()), name);
          }
        });
    return stamps;
  }

  private static void add(NavigableSet<Long> stamps, PairName name) {
    long stamp = Long.parseLong(name.stamp());
    boolean isFull = stamps.size() == Control.Has.MAX_PAIRS;
    if ((!isFull || stamp > stamps.first()) && name.hasTime() && stamps.add(stamp) && isFull) {
      stamps.pollFirst();
    }
  }
}
