package org.kblake.format.argument;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.question.ValueCondition;

/**
 * A condition of values: {@code [value|CHANNEL] OPERATOR NUMBER [for DURATION]}.
 *
 * @param channel the name of the channel whose values must meet it; null for all channels
 * @param leastLength the time for which values must meet it; null if it is not given
 */
public record ConditionArgument(
    @Nullable String channel, ValueCondition value, @Nullable Duration leastLength) {

  private static final String VALUE = "value";

  private static final Pattern FORM =
      Pattern.compile(
          "(\\S*?)\\s*(<=|>=|==|!=|<|>|=)\\s*"
              + "([+-]?(?:(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?|Infinity))"
              + "(?:\\s+for\\s+(.*))?");

  /**
   * Parses a condition.
   *
   * @param example a condition that is right
   * @throws IllegalArgumentException if the text has another form; its message begins with the text
   */
  public static ConditionArgument parse(String text, String example) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a condition; write "
              + example
              + " with one of < <= > >= = == != and a number");
    }
    String left = form.group(1);
    boolean any = left.isEmpty() || left.equals(VALUE);
    String length = form.group(4);
    try {
      return new ConditionArgument(
          any ? null : left,
          ValueCondition.of(form.group(2), Double.parseDouble(form.group(3))),
          length == null ? null : DurationArgument.parse(length.strip()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "': " + e.getMessage(), e);
    }
  }

  /**
   * Parses a condition of rows.
   *
   * @throws IllegalArgumentException if the text has another form, or a duration
   */
  public static ConditionArgument ofRows(String text) {
    ConditionArgument condition = parse(text, "'value > 1e-6' or 'CHANNEL <= 5'");
    if (condition.leastLength() != null) {
      throw new IllegalArgumentException(
          "'" + text + "' selects rows, and a row has no duration; use --when");
    }
    return condition;
  }

  /** Returns whether a row meets it. Rows of other channels do. Rows without a number do not. */
  public boolean matches(String name, EventColumns events, int row) {
    return channel != null && !channel.equals(name) || value.isMet(events, row);
  }
}
