package org.kblake.server.internal.appliance.request;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.kblake.query.question.Aggregate;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * An operator of a request.
 *
 * @param kind what it computes
 * @param fills whether a bin without samples has the value of the bin before
 * @param number the seconds of a bin, or the number of points
 */
public record RequestedOperator(Kind kind, boolean fills, int number) {

  /** What an operator computes. */
  @SuppressWarnings("ImmutableEnumChecker") // List.of and List.copyOf are immutable
  public enum Kind {
    /** The samples. */
    RAW(Origin.SAMPLES, 0, List.of()),
    FIRST(Origin.ROWS, 0, List.of()),
    LAST(Origin.ROWS, 0, List.of()),
    MEAN(Origin.FIGURES, 1, List.of("mean"), Aggregate.MEAN),
    MIN(Origin.FIGURES, 1, List.of("min"), Aggregate.MIN),
    MAX(Origin.FIGURES, 1, List.of("max"), Aggregate.MAX),
    COUNT(Origin.FIGURES, 1, List.of("count"), Aggregate.COUNT),
    MEDIAN(Origin.FIGURES, 1, List.of("median")),
    STD(Origin.FIGURES, 1, List.of("std"), Aggregate.STD),
    VARIANCE(Origin.FIGURES, 1, List.of("variance"), Aggregate.STD),
    POPULATION_VARIANCE(Origin.FIGURES, 1, List.of("popvariance"), Aggregate.STD),
    JITTER(Origin.FIGURES, 1, List.of("jitter"), Aggregate.MEAN, Aggregate.STD),
    KURTOSIS(Origin.FIGURES, 1, List.of("kurtosis")),
    SKEWNESS(Origin.FIGURES, 1, List.of("skewness")),
    /** Mean, standard deviation, minimum, maximum, number. */
    STATISTICS(
        Origin.FIGURES,
        5,
        List.of("statistics", "stats"),
        Aggregate.MEAN,
        Aggregate.STD,
        Aggregate.MIN,
        Aggregate.MAX),
    /** The number of samples in the range. */
    NCOUNT(Origin.NUMBER, 1, List.of()),
    /** Every n-th sample. */
    NTH(Origin.NTH, 0, List.of()),
    /** The samples if they are few, otherwise {@link #STATISTICS}. */
    OPTIMIZED(
        Origin.POINTS,
        5,
        List.of("optimized"),
        Aggregate.MEAN,
        Aggregate.STD,
        Aggregate.MIN,
        Aggregate.MAX),
    /** {@link #OPTIMIZED} with the last value as a sixth element. */
    OPTIMIZED_WITH_LAST(
        Origin.POINTS,
        6,
        List.of("optimLastSample"),
        Aggregate.MEAN,
        Aggregate.STD,
        Aggregate.MIN,
        Aggregate.MAX,
        Aggregate.LAST),
    /** The samples if they are few, otherwise the last one of each bin. No request names it. */
    FEW(Origin.POINTS, 0, List.of());

    private final Origin origin;
    private final int numbers;
    private final List<String> names;
    private final List<Aggregate> aggregates;

    Kind(Origin origin, int numbers, List<String> names, Aggregate... aggregates) {
      this.origin = origin;
      this.numbers = numbers;
      this.names = List.copyOf(names);
      this.aggregates = List.of(aggregates);
    }

    /** Returns where the samples of an answer come from. */
    public Origin origin() {
      return origin;
    }

    /** Returns how many numbers the value of a bin has; 0 if it is that of a sample. */
    public int numbers() {
      return numbers;
    }

    /** Returns the aggregates of a trend that give the value; none if only events do. */
    public List<Aggregate> aggregates() {
      return aggregates;
    }

    /** Returns whether a channel must have numbers in the whole range. */
    public boolean needsNumbers() {
      return origin == Origin.FIGURES && this != COUNT;
    }
  }

  /** Where the samples of an answer come from. */
  public enum Origin {
    /** All samples of the range. */
    SAMPLES,
    /** Some samples of the range. */
    NTH,
    /** The number of samples. */
    NUMBER,
    /** A sample of each bin. */
    ROWS,
    /** Figures of each bin. */
    FIGURES,
    /** The samples if they are few, otherwise bins. */
    POINTS
  }

  /** No operator. */
  public static final RequestedOperator NONE = new RequestedOperator(Kind.RAW, false, 1);

  private static final int DEFAULT_SECONDS = 900;
  private static final int DEFAULT_POINTS = 1000;
  private static final int MAX_POINTS = 100_000;

  private static final Set<String> REFUSED =
      Set.of("ignoreflyers", "flyers", "linear", "loess", "errorbar", "caplotbinning", "deadBand");

  private static final String SAMPLE = "Sample";

  private static final Map<String, RequestedOperator> OPERATORS = operators();

  private static Map<String, RequestedOperator> operators() {
    Map<String, RequestedOperator> all = new TreeMap<>();
    for (Kind kind : Kind.values()) {
      int number = kind.origin() == Origin.POINTS ? DEFAULT_POINTS : DEFAULT_SECONDS;
      for (String name : kind.names) {
        all.put(name, new RequestedOperator(kind, true, number));
        all.put(name + SAMPLE, new RequestedOperator(kind, false, number));
      }
    }
    all.put("firstFill", new RequestedOperator(Kind.FIRST, true, DEFAULT_SECONDS));
    all.put("firstSample", new RequestedOperator(Kind.FIRST, false, DEFAULT_SECONDS));
    all.put("lastFill", new RequestedOperator(Kind.LAST, true, DEFAULT_SECONDS));
    all.put("lastSample", new RequestedOperator(Kind.LAST, false, DEFAULT_SECONDS));
    all.put("ncount", new RequestedOperator(Kind.NCOUNT, false, DEFAULT_SECONDS));
    all.put("nth", new RequestedOperator(Kind.NTH, false, DEFAULT_SECONDS));
    return all;
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
   * @throws HttpStatusException if the operator is not supported, or N is wrong
   */
  public static RequestedOperator parse(String text) {
    int underscore = text.indexOf('_');
    String name = underscore < 0 ? text : text.substring(0, underscore);
    if (REFUSED.contains(name)) {
      throw HttpStatusException.wrong(
          "pv", "the operator " + name + " is not supported; docs/server.md lists the others");
    }
    RequestedOperator operator = OPERATORS.get(name);
    if (operator == null) {
      return NONE;
    }
    return underscore < 0 ? operator : operator.with(name, text.substring(underscore + 1));
  }

  private RequestedOperator with(String name, String text) {
    int most = kind.origin() == Origin.POINTS ? MAX_POINTS : Integer.MAX_VALUE;
    try {
      int parsed = Integer.parseInt(text);
      if (parsed >= 1 && parsed <= most) {
        return new RequestedOperator(kind, fills, parsed);
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw HttpStatusException.wrong(
        "pv",
        "the number of the operator "
            + name
            + " is not a whole number from 1 to "
            + most
            + ": "
            + RequestTime.shortened(text));
  }
}
