package org.kblake.query;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Channels were asked for by names that no record table of the period has. */
public final class UnknownChannelException extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient Map<String, List<String>> nearest;

  private final boolean certain;

  UnknownChannelException(Map<String, List<String>> nearest, boolean certain) {
    super(message(nearest, certain));
    this.nearest = nearest;
    this.certain = certain;
  }

  private static String message(Map<String, List<String>> nearest, boolean certain) {
    StringBuilder text = new StringBuilder("no such channel: ");
    int left = 3;
    for (Map.Entry<String, List<String>> entry : nearest.entrySet()) {
      if (left-- == 0) {
        text.append(", ... (").append(nearest.size()).append(" in all)");
        break;
      }
      text.append(left == 2 ? "" : ", ").append(entry.getKey());
      if (!entry.getValue().isEmpty()) {
        text.append(" (nearest: ").append(String.join(", ", entry.getValue())).append(')');
      }
    }
    if (!certain) {
      text.append("; a record table of the period could not be read");
    }
    return text.toString();
  }

  /** Whether every record table of the period could be read. */
  public boolean isCertain() {
    return certain;
  }

  /** The names or patterns that mean no channel, each with the nearest names there are. */
  public Map<String, List<String>> nearest() {
    return nearest;
  }
}
