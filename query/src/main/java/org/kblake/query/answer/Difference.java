package org.kblake.query.answer;

import org.kblake.core.model.Channel;

/**
 * What differs of a channel between two instants.
 *
 * @param channel the channel
 * @param kind the first kind, in the order of {@link Kind}, that differs
 * @param size the difference of two numbers divided by the larger one, or the difference of two
 *     severities; NaN if there is none
 * @param before the value, connection or severity at the first instant; empty if it is unknown
 * @param after the same at the other instant
 */
public record Difference(Channel channel, Kind kind, double size, String before, String after) {

  /** What differs. The order is that of the answer. */
  public enum Kind {
    /** Whether the channel is connected, or known at all. */
    CONNECTION("connection"),
    /** The severity of its alarm. */
    SEVERITY("severity"),
    /** The text, the choice of an enum, a char, the type, or whether a value is known. */
    STATE("state"),
    /** The number. */
    NUMBER("number"),
    /** The list. */
    LIST("list");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Returns the text that commands print. */
    public String text() {
      return text;
    }
  }
}
