package org.kblake.cli.filter;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.core.columns.EventColumns;
import org.kblake.format.argument.DurationArgument;
import org.kblake.query.question.ValueCondition;

/**
 * A condition of values: {@code [value|CHANNEL] OPERATOR NUMBER [for DURATION]}.
 *
 * @param channel the name of the channel whose values must meet it; null for all channels
 * @param leastLength the time for which values must meet it; null if it is not given
 */
record Condition(@Nullable String channel, ValueCondition value, @Nullable Duration leastLength) {

  private static final String VALUE = "value";

  private static final Pattern FORM =
      Pattern.compile(
          "(\\S*?)\\s*(<=|>=|==|!=|<|>|=)\\s*"
              + "([+-]?(?:(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?|Infinity))"
              + "(?:\\s+for\\s+(.*))?");

  /**
   * Parses a condition.
   *
   * @param option the option or argument that has the text
   * @param example a condition that is right
   * @throws UsageException if the text has another form
   */
  static Condition parse(String option, String text, String example) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new UsageException(
          option
              + " '"
              + text
              + "' is not a condition; write "
              + example
              + " with one of < <= > >= = == != and a number");
    }
    String left = form.group(1);
    boolean any = left.isEmpty() || left.equals(VALUE);
    String length = form.group(4);
    try {
      return new Condition(
          any ? null : left,
          ValueCondition.of(form.group(2), Double.parseDouble(form.group(3))),
          length == null ? null : DurationArgument.parse(length.strip()));
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + " '" + text + "': " + e.getMessage(), e);
    }
  }

  /**
   * Parses a condition of rows.
   *
   * @throws UsageException if the text has another form, or a duration
   */
  static Condition ofRows(String text) {
    Condition condition = parse("--where", text, "'value > 1e-6' or 'CHANNEL <= 5'");
    if (condition.leastLength() != null) {
      throw new UsageException(
          "--where '" + text + "' selects rows, and a row has no duration; use --when");
    }
    return condition;
  }

  /** Returns whether a row meets it. Rows of other channels do. Rows without a number do not. */
  boolean matches(String name, EventColumns events, int row) {
    return channel != null && !channel.equals(name) || value.isMet(events, row);
  }
}
