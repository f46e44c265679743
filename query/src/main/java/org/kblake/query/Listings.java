package org.kblake.query;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.kblake.core.log.DirectoryState;
import org.kblake.core.log.DirectoryStates;
import org.kblake.core.model.Group;

/**
 * What the names in groups' directories say, kept as long as these names stay. Safe for many
 * threads.
 *
 * @param <T> what is made of the names, not changed any more
 */
final class Listings<T> {

  private final DirectoryStates states;
  private final Map<Group, Listed<T>> known = new ConcurrentHashMap<>();

  Listings(DirectoryStates states) {
    this.states = states;
  }

  private record Listed<T>(DirectoryState state, T content) {}

  /** Lists a directory. */
  @FunctionalInterface
  interface Lister<T> {
    T list() throws IOException;
  }

  /** What the names in a group's directory say now. */
  T of(Group group, Path directory, Lister<T> lister) throws IOException {
    // Looked at before the names are: what changes in between shows the next time.
    DirectoryState state = states.of(directory);
    Listed<T> before = known.get(group);
    if (before != null && before.state.equals(state)) {
      return before.content;
    }
    T content = lister.list();
    if (state == null) {
      known.remove(group);
    } else {
      known.put(group, new Listed<>(state, content));
    }
    return content;
  }
}
