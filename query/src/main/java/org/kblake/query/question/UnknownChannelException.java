package org.kblake.query.question;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Names or patterns of a question match no channel in any record table of the period. */
public final class UnknownChannelException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int MOST_LISTED = 3;

  private final transient Map<String, List<String>> nearest;

  private final boolean certain;

  /**
   * @param nearest the nearest existing names, by name or pattern
   * @param patterns those names or patterns that may match more than one channel
   * @param unread why record tables of the period could not be read, the likeliest first; empty if
   *     all could
   */
  public UnknownChannelException(
      Map<String, List<String>> nearest, Set<String> patterns, List<String> unread) {
    super(message(nearest, patterns, unread));
    this.nearest = nearest;
    this.certain = unread.isEmpty();
  }

  private static String message(
      Map<String, List<String>> nearest, Set<String> patterns, List<String> unread) {
    Map<String, List<String>> matching = new LinkedHashMap<>(nearest);
    matching.keySet().retainAll(patterns);
    Map<String, List<String>> named = new LinkedHashMap<>(nearest);
    named.keySet().removeAll(patterns);
    StringBuilder text = new StringBuilder();
    add(text, "no such channel: ", named);
    add(text, "no channel matches: ", matching);
    String separator = "; a record table of the period could not be read: ";
    for (String why : unread.subList(0, Math.min(MOST_LISTED, unread.size()))) {
      text.append(separator).append(why);
      separator = "; ";
    }
    if (unread.size() > MOST_LISTED) {
      text.append("; ... (").append(unread.size()).append(" in all)");
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String what, Map<String, List<String>> unknown) {
    int listed = 0;
    for (Map.Entry<String, List<String>> entry : unknown.entrySet()) {
      if (listed == MOST_LISTED) {
        text.append(", ... (").append(unknown.size()).append(" in all)");
        break;
      }
      if (listed == 0) {
        text.append(text.isEmpty() ? "" : "; ").append(what);
      } else {
        text.append(", ");
      }
      text.append(entry.getKey());
      if (!entry.getValue().isEmpty()) {
        text.append(" (nearest: ").append(String.join(", ", entry.getValue())).append(')');
      }
      listed++;
    }
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
