package org.kblake.server.internal.guard;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The metrics of the doors. Thread safe. */
public final class DoorMetrics implements AutoCloseable {

  private static final List<String> DOORS =
      List.of("api", "appliance", "archive", "live", "page", "operation");
  private static final List<String> FILES = List.of("token-file", "tls-cert");
  private static final Duration[] BOUNDS =
      LongStream.of(
              1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000,
              300_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);
  private static final int HUNDRED = 100;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<String, AtomicInteger> active = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> outdated = new ConcurrentHashMap<>();
  private volatile double certificateEnd = Double.NaN;

  /**
   * @param memory the bytes of Arrow memory in use
   */
  public DoorMetrics(LongSupplier memory) {
    for (String door : DOORS) {
      AtomicInteger count = new AtomicInteger();
      active.put(door, count);
      Gauge.builder("kblake.serve.active", count, AtomicInteger::get)
          .description("Requests in work or waiting")
          .tag("door", door)
          .register(registry);
    }
    for (String file : FILES) {
      outdated(file);
    }
    Gauge.builder("kblake.serve.certificate.end.seconds", () -> certificateEnd)
        .description("Time since 1970 at which the certificate ends")
        .register(registry);
    Gauge.builder("kblake.serve.arrow.bytes", memory, LongSupplier::getAsLong)
        .description("Arrow memory in use")
        .strongReference(true)
        .register(registry);
  }

  void begin(String door) {
    active(door).incrementAndGet();
  }

  private AtomicInteger active(String door) {
    return active.computeIfAbsent(door, name -> new AtomicInteger());
  }

  /**
   * Ends a request.
   *
   * @param token the name of its token; empty if it has none
   */
  void end(String door, String token, int status, Duration time, long bytes) {
    if (!token.isEmpty()) {
      registry.counter("kblake.serve.token.requests", "token", token).increment();
    }
    active(door).decrementAndGet();
    Timer.builder("kblake.serve.requests")
        .description("Requests, and their time from the header to the last byte")
        .tag("door", door)
        .tag("status", status / HUNDRED + "xx")
        .serviceLevelObjectives(BOUNDS)
        .register(registry)
        .record(time);
    registry
        .counter("kblake.serve.answers", "door", door, "status", String.valueOf(status))
        .increment();
    registry.counter("kblake.serve.sent.bytes", "door", door).increment((double) bytes);
  }

  /**
   * Counts a request that no door got.
   *
   * @param reason of a fixed set
   */
  void refused(String door, String reason) {
    registry.counter("kblake.serve.refused", "door", door, "reason", reason).increment();
  }

  /** Shows when the certificate ends; null if there is none. */
  public void showCertificateEnd(@Nullable Instant end) {
    certificateEnd = end == null ? Double.NaN : end.getEpochSecond();
  }

  /**
   * Shows whether a file has changed and cannot be used.
   *
   * @param setting the setting that names the file
   */
  public void showOutdated(String setting, boolean isOutdated) {
    outdated(setting).set(isOutdated ? 1 : 0);
  }

  private AtomicInteger outdated(String setting) {
    return outdated.computeIfAbsent(
        setting,
        name -> {
          AtomicInteger state = new AtomicInteger();
          Gauge.builder("kblake.serve.outdated", state, AtomicInteger::get)
              .description("1 if the file has changed and cannot be used, so that the old one is")
              .tag("file", name)
              .register(registry);
          return state;
        });
  }

  /** Returns all metrics in Prometheus's text format. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }
}
