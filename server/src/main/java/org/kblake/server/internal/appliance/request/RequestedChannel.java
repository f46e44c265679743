package org.kblake.server.internal.appliance.request;

import org.kblake.server.internal.http.RequestException;

/**
 * The parameter {@code pv}: a channel's name, or an operator with a name: {@code mean_60(NAME)}.
 *
 * @param name the name without {@code .VAL}
 * @param operator the operator
 */
public record RequestedChannel(String name, RequestedOperator operator) {

  private static final String VALUE_FIELD = ".VAL";

  /**
   * @throws RequestException if there is no name, or parentheses do not match
   */
  public static RequestedChannel parse(String text) {
    int open = text.indexOf('(');
    if (open < 0) {
      return new RequestedChannel(name(text), RequestedOperator.NONE);
    }
    if (!text.endsWith(")") || text.indexOf(')') != text.length() - 1) {
      throw RequestException.wrong(
          "pv",
          "unbalanced parentheses: "
              + RequestTime.shortened(text)
              + "; write it as operator_N(NAME)");
    }
    if (text.indexOf('(', open + 1) >= 0) {
      throw RequestException.wrong(
          "pv", "an operator in an operator: " + RequestTime.shortened(text));
    }
    return new RequestedChannel(
        name(text.substring(open + 1, text.length() - 1)),
        RequestedOperator.parse(text.substring(0, open)));
  }

  /**
   * Returns a name without the field {@code .VAL}.
   *
   * @throws RequestException if the name is empty
   */
  public static String name(String text) {
    String name =
        text.endsWith(VALUE_FIELD) ? text.substring(0, text.length() - VALUE_FIELD.length()) : text;
    if (name.isEmpty()) {
      throw RequestException.wrong("pv", "the name is empty");
    }
    return name;
  }
}
