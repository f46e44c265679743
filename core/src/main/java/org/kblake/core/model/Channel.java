package org.kblake.core.model;

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

  @Override
  public String toString() {
    return group + " " + name;
  }
}
