package org.kblake.server.internal.api;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.ConditionArgument;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.Source;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * A question about events as {@code kblake get} asks it, with patterns, and times in nanoseconds:
 * its answer is that of the command on this host.
 */
final class ExactQuestion {

  private static final String SELECT = "select";
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,19}");
  private static final Pattern RANGE = Pattern.compile("(-?\\d{1,19})\\.\\.(-?\\d{1,19})");

  private ExactQuestion() {}

  /** Returns whether a request has such a question. */
  static boolean isAsked(Parameters parameters) {
    return !parameters.texts(SELECT).isEmpty();
  }

  /** Returns the question about intervals of one channel. */
  static IntervalQuery intervals(Parameters parameters) throws IOException {
    String condition = parameters.text("is");
    try {
      return IntervalQuery.of(
              selection(parameters),
              range(parameters),
              ConditionArgument.parse(condition == null ? "" : condition, "'> 500'").value())
          .atLeast(Duration.ofNanos(number("least", parameters, 0)))
          .lookBack(Duration.ofNanos(number("held", parameters, 0)))
          .from(source(parameters))
          .allowIncomplete();
    } catch (IllegalArgumentException e) {
      throw HttpStatusException.wrong("is", String.valueOf(e.getMessage()));
    }
  }

  private static ChannelSelection selection(Parameters parameters) throws IOException {
    List<ChannelPattern> patterns = new ArrayList<>();
    for (String text : parameters.texts(SELECT)) {
      patterns.add(parameters.few(SELECT, pattern(text)));
    }
    if (patterns.isEmpty()) {
      throw HttpStatusException.wrong(SELECT, "it is missing; write name:NAME");
    }
    return new ChannelSelection(parameters.groups(), patterns);
  }

  static EventQuery of(Parameters parameters) throws IOException {
    EventQuery query =
        EventQuery.of(selection(parameters))
            .between(range(parameters))
            .from(source(parameters))
            .allowIncomplete()
            .withGroup();
    if (parameters.text("rows") != null) {
      int rows = parameters.number("rows", 1, EventQuery.DEFAULT_BATCH_ROWS, 1);
      query = query.batches(rows, EventQuery.DEFAULT_BATCH_BYTES);
    }
    if (parameters.text("last") != null) {
      query = query.last(number("last", parameters, 1));
    }
    if (parameters.text("held") != null) {
      if (query.lastEvents() > 0) {
        throw HttpStatusException.wrong("held", "it excludes last");
      }
      query = query.withHeld(Duration.ofNanos(number("held", parameters, 0)));
    }
    return "true".equals(parameters.oneOf("strays", List.of("false", "true")))
        ? query.withStrays()
        : query;
  }

  private static ChannelPattern pattern(String text) {
    int colon = text.indexOf(':');
    String name = text.substring(colon + 1);
    try {
      return switch (text.substring(0, Math.max(0, colon))) {
        case "name" -> ChannelPattern.name(name);
        case "known_name" -> ChannelPattern.knownName(name);
        case "glob" -> ChannelPattern.glob(name);
        case "list" -> ChannelPattern.ofText(name);
        default ->
            throw HttpStatusException.wrong(
                SELECT, "it is not name:NAME, glob:GLOB or list:NAMES-AND-GLOBS");
      };
    } catch (IllegalArgumentException e) {
      throw HttpStatusException.wrong(SELECT, String.valueOf(e.getMessage()));
    }
  }

  private static TimeRange range(Parameters parameters) {
    String text = parameters.text("range");
    Matcher range = RANGE.matcher(text == null ? "" : text);
    if (range.matches()) {
      try {
        return new TimeRange(Long.parseLong(range.group(1)), Long.parseLong(range.group(2)));
      } catch (IllegalArgumentException e) {
        throw HttpStatusException.wrong("range", String.valueOf(e.getMessage()));
      }
    }
    throw HttpStatusException.wrong("range", "it is not FROM..TO in nanoseconds since 1970 UTC");
  }

  private static Source source(Parameters parameters) {
    return Source.valueOf(
        parameters.oneOf("source", List.of("auto", "raw", "store")).toUpperCase(Locale.ROOT));
  }

  private static long number(String name, Parameters parameters, long least) {
    String text = parameters.text(name);
    if (text != null && NUMBER.matcher(text).matches()) {
      try {
        long number = Long.parseLong(text);
        if (number >= least) {
          return number;
        }
      } catch (NumberFormatException e) {
        // The error below names the number.
      }
    }
    throw HttpStatusException.wrong(
        name, "'" + text + "' is not a whole number of at least " + least);
  }
}
