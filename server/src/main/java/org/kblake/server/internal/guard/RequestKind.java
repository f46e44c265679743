package org.kblake.server.internal.guard;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The kinds of requests. Each has its own limit, so that exports do not slow trends. */
enum RequestKind {
  /** Requests about the server itself. They have no limit, so that they are always answered. */
  FREE,
  /** Files of the page. */
  PAGES,
  /** Trends, names, and values at a time. */
  TRENDS,
  /** Events, and what is found by reading all events of a range. */
  EXPORTS,
  /** Live values. */
  STREAMS;

  private static final Pattern APPLIANCE =
      Pattern.compile("/(retrieval|archappl_retrieve|mgmt|archive)(/.*)?");
  private static final Pattern SAMPLES =
      Pattern.compile("/(retrieval|archappl_retrieve)/data/getData(ForPVs)?\\..*");
  private static final Pattern ARCHIVE_SAMPLES =
      Pattern.compile("/archive(/archive)?/.*/samples/.*");
  private static final Pattern EVENTS =
      Pattern.compile("/api/v1/(data|table|events|when|moved|diff)([./].*)?");
  private static final Pattern OPERATOR =
      Pattern.compile("(^|.*&)pv=[A-Za-z]+(_\\d+)?(\\(|%28).*", Pattern.CASE_INSENSITIVE);
  private static final Pattern COUNT = Pattern.compile("(^|.*&)count=.*");

  /**
   * Returns the kind of a request.
   *
   * @param query as it was sent; null if there is none
   */
  static RequestKind of(String path, @Nullable String query) {
    String parameters = query == null ? "" : query;
    if (path.startsWith("/api/v1/live")) {
      return STREAMS;
    }
    if (EVENTS.matcher(path).matches()
        || (SAMPLES.matcher(path).matches()
            && !OPERATOR.matcher(parameters).matches()
            && !isInstant(parameters, "from", "to"))
        || (ARCHIVE_SAMPLES.matcher(path).matches()
            && !COUNT.matcher(parameters).matches()
            && !isInstant(parameters, "start", "end"))) {
      return EXPORTS;
    }
    if (path.startsWith("/api/") || isAppliance(path)) {
      return TRENDS;
    }
    return door(path).equals("page") ? PAGES : FREE;
  }

  /** Returns whether samples are asked at one time only, as Phoebus does first for each trace. */
  private static boolean isInstant(String parameters, String from, String to) {
    String begin = parameter(parameters, from);
    return begin != null && begin.equals(parameter(parameters, to));
  }

  private static @Nullable String parameter(String parameters, String name) {
    for (String each : parameters.split("&")) {
      if (each.startsWith(name + "=")) {
        return each.substring(name.length() + 1);
      }
    }
    return null;
  }

  /** Returns whether a path is one of the Archiver Appliance or of the JSON archive protocol. */
  static boolean isAppliance(String path) {
    return APPLIANCE.matcher(path).matches();
  }

  /** Returns the door of a path, as it is named in metrics. */
  static String door(String path) {
    if (path.startsWith("/api/v1/live")) {
      return "live";
    }
    if (path.startsWith("/api/")) {
      return "api";
    }
    if (path.equals("/archive") || path.startsWith("/archive/")) {
      return "archive";
    }
    if (isAppliance(path)) {
      return "appliance";
    }
    return switch (path) {
      case "/metrics", "/health", "/ready" -> "operation";
      default -> "page";
    };
  }
}
