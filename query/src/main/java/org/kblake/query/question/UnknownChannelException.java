package org.kblake.query.question;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Names or patterns of a question match no channel in any record table of the period. */
public final class UnknownChannelException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int MAX_LISTED = 3;

  private final transient Map<String, List<String>> nearest;

  private final boolean certain;

  /**
   * @param nearest the nearest existing names, by name or pattern
   * @param unread why record tables of the period could not be read, the likeliest first; empty if
   *     all could
   */
  public UnknownChannelException(Map<String, List<String>> nearest, List<String> unread) {
    super(message(nearest, unread));
    this.nearest = nearest;
    this.certain = unread.isEmpty();
  }

  /**
   * @param message what a server says
   */
  public UnknownChannelException(String message) {
    super(message);
    nearest = Map.of();
    certain = true;
  }

  private static String message(Map<String, List<String>> nearest, List<String> unread) {
    StringBuilder text = new StringBuilder("no such channel: ");
    int listed = 0;
    for (Map.Entry<String, List<String>> entry : nearest.entrySet()) {
      if (listed == MAX_LISTED) {
        text.append(", ... (").append(nearest.size()).append(" in all)");
        break;
      }
      text.append(listed == 0 ? "" : ", ").append(entry.getKey());
      String problem = ChannelPattern.problemOf(entry.getKey());
      if (problem != null) {
        text.append(" (").append(problem).append(')');
      }
      if (!entry.getValue().isEmpty()) {
        text.append(" (nearest: ").append(String.join(", ", entry.getValue())).append(')');
      }
      listed++;
    }
    String separator = "; a record table of the period could not be read: ";
    for (String why : unread.subList(0, Math.min(MAX_LISTED, unread.size()))) {
      text.append(separator).append(why);
      separator = "; ";
    }
    if (unread.size() > MAX_LISTED) {
      text.append("; ... (").append(unread.size()).append(" in all)");
    }
    return text.toString();
  }

  /** Returns whether every record table of the period could be read. */
  public boolean isCertain() {
    return certain;
  }

  /** Returns the names or patterns without a channel, each with the nearest existing names. */
  public Map<String, List<String>> nearest() {
    return nearest;
  }
}
