package org.kblake.server.internal.appliance.request;

import java.util.function.Predicate;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * The parameter {@code pv}: a channel's name, or an operator with a name: {@code mean_60(NAME)}.
 *
 * @param name the name as the client writes it
 * @param operator the operator
 */
public record RequestedChannel(String name, RequestedOperator operator) {

  private static final String VALUE_FIELD = ".VAL";

  /**
   * @param isRecorded whether a text is the name of a channel, and so has no operator
   * @throws HttpStatusException if there is no name, or parentheses do not match
   */
  public static RequestedChannel parse(String text, Predicate<String> isRecorded) {
    int open = text.indexOf('(');
    if (open < 0 || isRecorded.test(text)) {
      return of(text, RequestedOperator.NONE);
    }
    String inner = text.substring(open + 1, Math.max(open + 1, text.length() - 1));
    if (!text.endsWith(")") || inner.indexOf(')') >= 0 && !isRecorded.test(inner)) {
      throw HttpStatusException.wrong(
          "pv",
          "unbalanced parentheses: "
              + RequestTime.shortened(text)
              + "; write it as operator_N(NAME)");
    }
    if (inner.indexOf('(') >= 0 && !isRecorded.test(inner)) {
      throw HttpStatusException.wrong(
          "pv", "an operator in an operator: " + RequestTime.shortened(text));
    }
    return of(inner, RequestedOperator.parse(text.substring(0, open)));
  }

  private static RequestedChannel of(String name, RequestedOperator operator) {
    RequestedChannel channel = new RequestedChannel(name, operator);
    var unused = channel.names();
    return channel;
  }

  /** Returns {@link #names(String)} of the name. */
  public String[] names() {
    return names(name);
  }

  /**
   * Returns the names that a text may mean, the likeliest first: a record of this name may be
   * archived, and {@code .VAL} is the field that every name without a field means.
   *
   * @throws HttpStatusException if the name is empty
   */
  public static String[] names(String text) {
    boolean hasField = text.endsWith(VALUE_FIELD);
    if (text.length() == (hasField ? VALUE_FIELD.length() : 0)) {
      throw HttpStatusException.wrong("pv", "the name is empty");
    }
    return hasField
        ? new String[] {text, text.substring(0, text.length() - VALUE_FIELD.length())}
        : new String[] {text};
  }
}
