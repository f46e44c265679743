package org.kblake.transfer;

import org.kblake.core.model.Group;

/**
 * Some groups: {@code SYSTEM/GROUP}, {@code SYSTEM/*} or {@code *}.
 *
 * @param text the pattern
 */
public record GroupPattern(String text) {

  private static final String ALL = "*";
  private static final String ALL_OF_SYSTEM = "/*";

  /**
   * @throws IllegalArgumentException if the text has another form
   */
  public GroupPattern {
    String sample =
        text.endsWith(ALL_OF_SYSTEM) ? text.substring(0, text.length() - 1) + "x" : text;
    if (!text.equals(ALL) && TransferNames.group(sample) == null) {
      throw new IllegalArgumentException("'" + text + "' is not SYSTEM/GROUP, SYSTEM/* or *");
    }
  }

  public boolean matches(Group group) {
    return text.equals(ALL)
        || text.equals(group.system() + ALL_OF_SYSTEM)
        || text.equals(group.toString());
  }

  /** Returns whether a group may match both. */
  public boolean meets(GroupPattern other) {
    return covers(other) || other.covers(this);
  }

  private boolean covers(GroupPattern other) {
    return text.equals(ALL)
        || text.equals(other.text)
        || text.endsWith(ALL_OF_SYSTEM)
            && other.text.startsWith(text.substring(0, text.length() - 1));
  }
}
