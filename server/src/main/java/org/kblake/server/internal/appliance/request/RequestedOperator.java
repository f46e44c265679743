package org.kblake.server.internal.appliance.request;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.kblake.server.internal.http.RequestException;

/**
 * An operator of a request.
 *
 * @param kind what it computes
 * @param fills whether a bin without samples has the value of the bin before
 * @param number the seconds of a bin, or the number of points
 */
public record RequestedOperator(Kind kind, boolean fills, int number) {

  /** What an operator computes. */
  public enum Kind {
    /** The samples. */
    RAW,
    FIRST,
    LAST,
    MEAN,
    MIN,
    MAX,
    COUNT,
    MEDIAN,
    STD,
    VARIANCE,
    POPULATION_VARIANCE,
    JITTER,
    KURTOSIS,
    SKEWNESS,
    /** Mean, standard deviation, minimum, maximum, number. */
    STATISTICS,
    /** The number of samples in the range. */
    NCOUNT,
    /** Every n-th sample. */
    NTH,
    /** The samples if they are few, otherwise {@link #STATISTICS}. */
    OPTIMIZED,
    /** {@link #OPTIMIZED} with the last value as a sixth element. */
    OPTIMIZED_WITH_LAST,
    /** The samples if they are few, otherwise the last one of each bin. No request names it. */
    FEW
  }

  /** No operator. */
  public static final RequestedOperator NONE = new RequestedOperator(Kind.RAW, false, 1);

  private static final int DEFAULT_SECONDS = 900;
  private static final int DEFAULT_POINTS = 1000;
  private static final int MOST_POINTS = 100_000;

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry("mean", Kind.MEAN),
          Map.entry("min", Kind.MIN),
          Map.entry("max", Kind.MAX),
          Map.entry("count", Kind.COUNT),
          Map.entry("median", Kind.MEDIAN),
          Map.entry("std", Kind.STD),
          Map.entry("variance", Kind.VARIANCE),
          Map.entry("popvariance", Kind.POPULATION_VARIANCE),
          Map.entry("jitter", Kind.JITTER),
          Map.entry("kurtosis", Kind.KURTOSIS),
          Map.entry("skewness", Kind.SKEWNESS),
          Map.entry("statistics", Kind.STATISTICS),
          Map.entry("stats", Kind.STATISTICS),
          Map.entry("optimized", Kind.OPTIMIZED),
          Map.entry("optimLastSample", Kind.OPTIMIZED_WITH_LAST));

  private static final Set<String> REFUSED =
      Set.of("ignoreflyers", "flyers", "linear", "loess", "errorbar", "caplotbinning", "deadBand");

  private static final String SAMPLE = "Sample";

  private static final Map<String, RequestedOperator> OPERATORS = operators();

  private static Map<String, RequestedOperator> operators() {
    Map<String, RequestedOperator> all = new TreeMap<>();
    KINDS.forEach(
        (name, kind) -> {
          int number = isOfPoints(kind) ? DEFAULT_POINTS : DEFAULT_SECONDS;
          all.put(name, new RequestedOperator(kind, true, number));
          all.put(name + SAMPLE, new RequestedOperator(kind, false, number));
        });
    all.put("firstFill", new RequestedOperator(Kind.FIRST, true, DEFAULT_SECONDS));
    all.put("firstSample", new RequestedOperator(Kind.FIRST, false, DEFAULT_SECONDS));
    all.put("lastFill", new RequestedOperator(Kind.LAST, true, DEFAULT_SECONDS));
    all.put("lastSample", new RequestedOperator(Kind.LAST, false, DEFAULT_SECONDS));
    all.put("ncount", new RequestedOperator(Kind.NCOUNT, false, DEFAULT_SECONDS));
    all.put("nth", new RequestedOperator(Kind.NTH, false, DEFAULT_SECONDS));
    return all;
  }

  private static boolean isOfPoints(Kind kind) {
    return kind == Kind.OPTIMIZED || kind == Kind.OPTIMIZED_WITH_LAST;
  }

  /** Returns the names of all operators, those that are refused included. */
  public static Set<String> names() {
    Set<String> names = new TreeSet<>(OPERATORS.keySet());
    names.addAll(REFUSED);
    return names;
  }

  /**
   * Parses {@code NAME} or {@code NAME_N}. An unknown operator is none.
   *
   * @throws RequestException if the operator is not supported, or N is wrong
   */
  public static RequestedOperator parse(String text) {
    int underscore = text.indexOf('_');
    String name = underscore < 0 ? text : text.substring(0, underscore);
    if (REFUSED.contains(name)) {
      throw RequestException.wrong(
          "pv", "the operator " + name + " is not supported; docs/server.md lists the others");
    }
    RequestedOperator operator = OPERATORS.get(name);
    if (operator == null) {
      return NONE;
    }
    return underscore < 0 ? operator : operator.with(name, text.substring(underscore + 1));
  }

  private RequestedOperator with(String name, String text) {
    int most = isOfPoints(kind) ? MOST_POINTS : Integer.MAX_VALUE;
    try {
      int parsed = Integer.parseInt(text);
      if (parsed >= 1 && parsed <= most) {
        return new RequestedOperator(kind, fills, parsed);
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw RequestException.wrong(
        "pv",
        "the number of the operator "
            + name
            + " is not a whole number from 1 to "
            + most
            + ": "
            + RequestTime.shortened(text));
  }
}
