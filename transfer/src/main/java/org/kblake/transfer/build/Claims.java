package org.kblake.transfer.build;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;

/** The groups that each link has, so that no two write the same files. Thread safe. */
final class Claims {

  private final Map<Group, CollectorLink> holders = new ConcurrentHashMap<>();
  private final GroupList list;

  Claims(Path root) {
    list = new GroupList(root);
  }

  GroupList list() {
    return list;
  }

  /** Returns who else has a group; null if the link has it now. */
  @Nullable CollectorLink claim(Group group, CollectorLink link) {
    CollectorLink holder = holders.putIfAbsent(group, link);
    return holder == link ? null : holder;
  }

  void release(Group group, CollectorLink link) {
    holders.remove(group, link);
  }
}
