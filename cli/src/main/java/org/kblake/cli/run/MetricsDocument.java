package org.kblake.cli.run;

import io.micrometer.core.instrument.Meter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** {@code docs/metrics.md}, from the metrics themselves. */
final class MetricsDocument {

  private static final String HEAD =
      """
      # Metrics of kblake run

      With `listen = "HOST:PORT"` in the table `[run]` of kblake.toml they are at `/metrics` in Prometheus's text format. In
      any case they are attributes of the JMX bean `org.kblake:type=Run`, under their names with dots. They are as old as the
      setting `status-interval` at most. A number that nobody counts is NaN.

      | name | type | per | meaning |
      |---|---|---|---|
      """;

  private static final String TAIL =
      """

      Besides there are Micrometer's usual metrics of the JVM and its process: `jvm_memory_*`, `jvm_gc_*`, `jvm_threads_*`,
      `jvm_classes_*`, `process_cpu_*`, `process_files_*`, `process_uptime_*`, `system_cpu_*`, `system_load_*`.

      This page is made from the program: `MetricsDocumentTest` says how, and fails when it is out of date.
      """;

  private MetricsDocument() {}

  static String text() {
    RunStatus example =
        new RunStatus(
            RunStatus.VERSION,
            "",
            RunStatus.State.running,
            "",
            0,
            "",
            "",
            1,
            false,
            List.of(new RunStatus.GroupNumbers("SYSTEM/GROUP", "follow", 0, 0, 0, 0, 0, 0)),
            List.of(),
            new RunStatus.Counters(0, 0, 0, 0, 0, 0, 0, 0, 0),
            new RunStatus.Rates(0, 0),
            new RunStatus.Disk(0, 0, false),
            null,
            List.of());
    Map<String, String> rows = new TreeMap<>();
    try (RunMetrics metrics = new RunMetrics(example)) {
      for (Meter meter : metrics.meters()) {
        if (meter.getId().getName().startsWith(RunMetrics.PREFIX)) {
          boolean counts = meter.getId().getType() == Meter.Type.COUNTER;
          String name = meter.getId().getName().replace('.', '_') + (counts ? "_total" : "");
          rows.put(
              name,
              "| `%s` | %s | %s | %s |%n"
                  .formatted(
                      name,
                      counts ? "counter" : "gauge",
                      meter.getId().getTag("group") == null ? "" : "group",
                      Objects.toString(meter.getId().getDescription(), "")));
        }
      }
    }
    return HEAD + String.join("", rows.values()) + TAIL;
  }
}
