package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.archive.ArchiveGroups;
import org.kblake.core.internal.log.file.FileAccess.AccessTimeoutException;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;
import org.kblake.ingest.internal.live.group.FollowContext;
import org.kblake.ingest.internal.live.state.Problems;

/**
 * Finds the groups that are to be followed: those of the settings, else those of the archive and
 * the store. It reports directories that cannot be listed. For many threads.
 */
final class GroupDiscovery {

  private static final String LISTING = "groups";
  private static final String SYSTEM = "system of the archive ";
  private static final String SYSTEM_IN_STORE = "system of the store ";

  private final FollowContext context;
  private final Archive archive;
  private final ExecutorService threads;
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile Set<String> unresponsiveSystems = Set.of();

  /**
   * @param archive with an access that has a time limit for directories
   * @param threads runs the listing, which may wait for a volume
   */
  GroupDiscovery(FollowContext context, Archive archive, ExecutorService threads) {
    this.context = context;
    this.archive = archive;
    this.threads = threads;
  }

  /**
   * Begins to find the groups, unless an earlier call is still doing so.
   *
   * @param found receives all groups, in another thread
   */
  void begin(Consumer<List<Group>> found) {
    if (running.compareAndSet(false, true)) {
      threads.execute(
          () -> {
            try {
              found.accept(groups());
            } catch (IOException | RuntimeException e) {
              if (!threads.isShutdown()) {
                String reason =
                    e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
                context.problems().beginOfArchive(Problems.ARCHIVE, LISTING, reason);
              }
            } finally {
              running.set(false);
            }
          });
    }
  }

  private List<Group> groups() throws IOException {
    if (!context.settings().groups().isEmpty()) {
      return context.settings().groups();
    }
    List<Group> known = knownGroups();
    context.problems().end(Problems.ARCHIVE, LISTING);
    return known;
  }

  /**
   * Returns the groups of the archive, and those of the store that the archive does not show,
   * unless the store replaces the logs.
   */
  private List<Group> knownGroups() throws IOException {
    ArchiveGroups shown = archive.shownGroups();
    Set<Group> known = new LinkedHashSet<>(shown.groups());
    StoreGroups stored = context.store().listedGroups();
    context.problems().setOfStore(Problems.ARCHIVE, SYSTEM_IN_STORE, stored.unlisted());
    for (Group group : stored.groups()) {
      if (!context.settings().cache().retain() || shown.unlisted().containsKey(group.system())) {
        known.add(group);
      }
    }
    reportUnlisted(shown, known);
    return List.copyOf(known);
  }

  /**
   * Reports directories that cannot be listed and that have no known group. The work on a known
   * group reports the error.
   */
  private void reportUnlisted(ArchiveGroups shown, Set<Group> known) {
    if (threads.isShutdown()) {
      // The end of the process interrupted the listing.
      return;
    }
    Map<String, UnavailableException> unlisted = new TreeMap<>(shown.unlisted());
    known.forEach(group -> unlisted.remove(group.system()));
    unresponsiveSystems =
        unlisted.entrySet().stream()
            .filter(each -> each.getValue().getCause() instanceof AccessTimeoutException)
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    Map<String, String> messages = new TreeMap<>();
    unlisted.forEach((system, why) -> messages.put(system, String.valueOf(why.getMessage())));
    context.problems().setOfArchive(Problems.ARCHIVE, SYSTEM, messages);
  }

  /** Returns the directories without a known group whose last listing had no answer in time. */
  Set<String> unresponsiveSystems() {
    return unresponsiveSystems;
  }

  /** Returns the directory of the archive in which a group is, or would be. */
  Path directoryOf(Group group) {
    return archive.root().resolve(group.system());
  }
}
