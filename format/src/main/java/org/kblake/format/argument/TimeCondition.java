package org.kblake.format.argument;

import java.time.Duration;
import org.kblake.query.question.ValueCondition;

/**
 * A condition of times: {@code [not] CHANNEL OPERATOR NUMBER [for DURATION]}.
 *
 * @param negated whether the times are those at which the value is known and does not meet it
 * @param channel the name of the channel
 * @param leastLength the time for which its value must meet the condition, at least 0
 */
public record TimeCondition(
    boolean negated, String channel, ValueCondition value, Duration leastLength) {

  private static final String NOT = "not ";

  /**
   * Parses a condition.
   *
   * @throws IllegalArgumentException if the text has another form; its message begins with the text
   */
  public static TimeCondition parse(String text) {
    String stripped = text.strip();
    boolean negated = stripped.startsWith(NOT);
    ConditionArgument condition =
        ConditionArgument.parse(
            negated ? stripped.substring(NOT.length()) : stripped,
            "'CHANNEL > 500 for 10s' or 'not CHANNEL > 500'");
    String channel = condition.channel();
    if (channel == null) {
      throw new IllegalArgumentException(
          "'" + text + "' names no channel; write 'CHANNEL > 500 for 10s'");
    }
    Duration least = condition.leastLength();
    return new TimeCondition(
        negated, channel, condition.value(), least == null ? Duration.ZERO : least);
  }
}
