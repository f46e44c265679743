package org.kblake.query.internal.catalog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.DirectoryState;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.SettledDirectories;
import org.kblake.core.model.Group;

/**
 * A cache of listings of groups' directories. A listing is kept while the directory does not
 * change. Safe for many threads.
 *
 * @param <T> the contents made from a listing; not changed any more
 */
final class Listings<T> {

  private final SettledDirectories states;
  private final FileAccess access;
  private final Map<Group, Listed<T>> known = new ConcurrentHashMap<>();

  /**
   * @param access the access to the directories
   */
  Listings(SettledDirectories states, FileAccess access) {
    this.states = states;
    this.access = access;
  }

  /** A listing. It is not used again if it has no state. */
  private record Listed<T>(@Nullable DirectoryState state, T content) {}

  /** Lists a directory. */
  @FunctionalInterface
  interface Lister<T> {
    T list() throws IOException;
  }

  private @Nullable DirectoryState state(Path directory) {
    if (access.isBlocking()) {
      return states.of(directory);
    }
    try {
      return access.call(directory, () -> Optional.ofNullable(states.of(directory))).orElse(null);
    } catch (IOException e) {
      // The lister reports the error.
      return null;
    }
  }

  /** Returns the contents of a group's directory. */
  T of(Group group, Path directory, Lister<T> lister) throws IOException {
    // The state comes before the listing, so that a change in between is found the next time.
    DirectoryState state = state(directory);
    Listed<T> before = known.get(group);
    if (before != null && state != null && state.equals(before.state)) {
      return before.content;
    }
    Listed<T> listed = new Listed<>(state, lister.list());
    known.put(group, listed);
    return listed.content;
  }
}
