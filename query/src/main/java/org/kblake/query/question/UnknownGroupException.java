package org.kblake.query.question;

import java.io.IOException;
import java.util.List;
import org.kblake.core.model.Group;

/** Neither the archive nor the store has a group of the question. */
public final class UnknownGroupException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Group group;
  private final transient List<String> nearest;

  /**
   * @param group the group of the question
   * @param nearest the nearest existing names
   */
  public UnknownGroupException(Group group, List<String> nearest) {
    super(
        "no such group: "
            + group
            + (nearest.isEmpty() ? "" : " (nearest: " + String.join(", ", nearest) + ")"));
    this.group = group;
    this.nearest = nearest;
  }

  /** Returns the group that does not exist. */
  public Group group() {
    return group;
  }

  /** Returns the nearest existing names. */
  public List<String> nearest() {
    return nearest;
  }
}
