package org.kblake.cli.run.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.process.LibraryLog;
import org.slf4j.event.Level;

/**
 * The log of {@code kblake run}, one line per event: {@code time=... level=INFO message="block
 * sealed" group=VA/CCG}, or the same as a JSON object. Thread safe.
 */
public final class RunLog {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final PrintStream out;
  private final Clock clock;
  private final boolean quiet;
  private volatile LogFormat format;

  /**
   * @param quiet whether only problems are printed
   */
  public RunLog(PrintStream out, Clock clock, LogFormat format, boolean quiet) {
    this.out = out;
    this.clock = clock;
    this.format = format;
    this.quiet = quiet;
  }

  public void format(LogFormat wanted) {
    format = wanted;
  }

  /**
   * Logs normal work.
   *
   * @param keysAndValues a key, its value, and so on
   */
  public void info(String message, Object... keysAndValues) {
    if (!quiet) {
      write("INFO", message, keysAndValues);
    }
  }

  /** Logs a problem. */
  public void warn(String message, Object... keysAndValues) {
    write("WARN", message, keysAndValues);
  }

  /**
   * Logs a problem when it begins, changes, and ends.
   *
   * @param present the present problem; null if there is none
   * @param before the last result for the same work
   * @return the present problem
   */
  public @Nullable String problem(@Nullable String present, @Nullable String before) {
    if (present != null && !present.equals(before)) {
      warn("problem", "problem", present);
    } else if (present == null && before != null) {
      info("problem is over", "problem", before);
    }
    return present;
  }

  private void write(String level, String message, Object... keysAndValues) {
    Map<String, String> line = new LinkedHashMap<>();
    line.put("time", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
    line.put("level", level);
    line.put("message", message);
    for (int i = 0; i + 1 < keysAndValues.length; i += 2) {
      line.put(String.valueOf(keysAndValues[i]), String.valueOf(keysAndValues[i + 1]));
    }
    out.println(
        switch (format) {
          case TEXT -> text(line);
          case JSON -> json(line);
        });
  }

  private static String text(Map<String, String> line) {
    StringBuilder text = new StringBuilder();
    line.forEach(
        (key, value) ->
            text.append(text.isEmpty() ? "" : " ").append(key).append('=').append(quoted(value)));
    return text.toString();
  }

  private static String quoted(String value) {
    if (value.matches("[^\\s\"=]+")) {
      return value;
    }
    return '"'
        + value.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\s*\\R\\s*", " ")
        + '"';
  }

  private static String json(Map<String, String> line) {
    try {
      return JSON.writeValueAsString(line);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts are always JSON: " + line, e);
    }
  }

  /** Redirects the logs of libraries to this log. */
  public void takeOverLibraries() {
    LibraryLog.setDestination(
        (level, logger, message) ->
            write(level.compareTo(Level.WARN) <= 0 ? "WARN" : "INFO", message, "logger", logger));
  }
}
