package org.kblake.core.model;

import org.jspecify.annotations.Nullable;

/**
 * The channels that one kblog process records, such as {@code VA/CCG}.
 *
 * @param system the directory below the archive's root
 * @param name the group's own name, the part of a file name before the time stamp
 */
public record Group(String system, String name) implements Comparable<Group> {

  public Group {
    if (!isPathElement(system) || !isPathElement(name)) {
      throw new IllegalArgumentException("group is not SYSTEM/NAME: " + system + "/" + name);
    }
  }

  /**
   * @param text {@code SYSTEM/NAME}
   * @throws IllegalArgumentException if the text has another form
   */
  public static Group parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("group is not SYSTEM/NAME: " + text);
    }
    return new Group(text.substring(0, slash), text.substring(slash + 1));
  }

  private static boolean isPathElement(String text) {
    return !text.isEmpty()
        && text.indexOf('/') < 0
        && text.indexOf('\0') < 0
        && !text.equals(".")
        && !text.equals("..");
  }

  @Override
  public int compareTo(Group other) {
    int bySystem = system.compareTo(other.system);
    return bySystem != 0 ? bySystem : name.compareTo(other.name);
  }

  // Written out, because generating the methods of a record takes milliseconds in a new process.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Group group && system.equals(group.system) && name.equals(group.name);
  }

  @Override
  public int hashCode() {
    return 31 * system.hashCode() + name.hashCode();
  }

  /** Returns {@code SYSTEM/NAME}. */
  @Override
  public String toString() {
    return system + "/" + name;
  }
}
