package org.kblake.core.model;

import org.jspecify.annotations.Nullable;

/**
 * One EPICS record of a group.
 *
 * @param group the group that records it
 * @param name the record name, such as {@code BMLDCCT:CURRENT}
 */
public record Channel(Group group, String name) implements Comparable<Channel> {

  @Override
  public int compareTo(Channel other) {
    int byGroup = group.compareTo(other.group);
    return byGroup != 0 ? byGroup : name.compareTo(other.name);
  }

  // Written out, because generating the methods of a record takes milliseconds in a new process.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Channel channel
        && name.equals(channel.name)
        && group.equals(channel.group);
  }

  @Override
  public int hashCode() {
    return 31 * group.hashCode() + name.hashCode();
  }

  @Override
  public String toString() {
    return group + " " + name;
  }
}
