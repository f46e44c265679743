package org.kblake.cli.filter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.UsageException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;

/**
 * A condition of rows: {@code [value|CHANNEL] OPERATOR NUMBER}.
 *
 * @param channel the name of the channel whose rows must meet it; null for all rows
 */
record Condition(@Nullable String channel, Operator operator, double number) {

  private static final String VALUE = "value";

  private static final Pattern FORM =
      Pattern.compile(
          "(\\S*?)\\s*(<=|>=|==|!=|<|>|=)\\s*"
              + "([+-]?(?:(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?|Infinity))"
              + "(\\s+for\\s.*)?");

  /** The relation of a value to a number, as of floating-point numbers: NaN is unequal to all. */
  enum Operator {
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    EQUAL,
    NOT_EQUAL;

    static Operator of(String text) {
      return switch (text) {
        case "<" -> LESS;
        case "<=" -> LESS_OR_EQUAL;
        case ">" -> GREATER;
        case ">=" -> GREATER_OR_EQUAL;
        case "!=" -> NOT_EQUAL;
        default -> EQUAL;
      };
    }

    boolean holds(double value, double number) {
      return switch (this) {
        case LESS -> value < number;
        case LESS_OR_EQUAL -> value <= number;
        case GREATER -> value > number;
        case GREATER_OR_EQUAL -> value >= number;
        case EQUAL -> value == number;
        case NOT_EQUAL -> value != number;
      };
    }
  }

  /**
   * Parses a condition.
   *
   * @throws UsageException if the text has another form
   */
  static Condition parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new UsageException(
          "--where '"
              + text
              + "' is not a condition; write 'value > 1e-6' or 'CHANNEL <= 5'"
              + " with one of < <= > >= = == != and a number");
    }
    if (form.group(4) != null) {
      throw new UsageException(
          "--where '" + text + "': a duration (for ...) is not supported; write 'value > 1e-6'");
    }
    String left = form.group(1);
    boolean any = left.isEmpty() || left.equals(VALUE);
    return new Condition(
        any ? null : left, Operator.of(form.group(2)), Double.parseDouble(form.group(3)));
  }

  /** Returns whether a row meets it. Rows of other channels do. Rows without a number do not. */
  boolean matches(String name, EventColumns events, int row) {
    if (channel != null && !channel.equals(name)) {
      return true;
    }
    if (events.state[row] != EventState.VALUE_CODE || events.waveform()) {
      return false;
    }
    return switch (events.type()) {
      case DOUBLE -> operator.holds(Double.longBitsToDouble(events.values[row]), number);
      case FLOAT -> holds(Float.intBitsToFloat((int) events.values[row]));
      case SHORT, ENUM, CHAR, LONG -> operator.holds((double) events.values[row], number);
      case STRING -> false;
    };
  }

  /**
   * Compares with the number as a float, so that 0.1 is the number that is written as 0.1. A number
   * that is too large or too small for a float stays a double.
   */
  private boolean holds(float value) {
    float narrowed = (float) number;
    boolean fits = Float.isFinite(narrowed) && (narrowed != 0 || number == 0);
    return operator.holds(value, fits ? narrowed : number);
  }
}
