package org.kblake.cli.run.status;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.kblake.ingest.internal.live.state.Counters;

/** {@code docs/metrics.md}, from the metrics themselves. */
final class MetricsDocument {

  private static final String HEAD =
      """
      # Metrics of kblake run

      With `listen = "HOST:PORT"` in the table `[run]` of kblake.toml they are at `/metrics` in Prometheus's text format. In
      any case they are attributes of the JMX bean `org.kblake:type=Run`, under their names with dots. They are as old as the
      setting `status-interval` at most. A number that nobody counts is NaN.

      Counters and histograms begin with the process and never become less. `kblake status --reset` and the operation
      `resetCounters` of the bean set back what the bean shows of them (also of `.count` and `.total` of a histogram), the counters in
      `kblake-run.json`, and the share of hits; for `/metrics`, `increase()` and `rate()` of Prometheus tell of any time.

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
            List.of(new RunStatus.GroupNumbers("SYSTEM/GROUP", "follow", 0, 0, 0, 0, 0, 0, false)),
            List.of(),
            new RunStatus.Counters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
            "",
            new RunStatus.Rates(0, 0),
            new RunStatus.Disk(0, 0, false),
            null,
            List.of(),
            0);
    Map<String, String> rows = new TreeMap<>();
    try (RunMetrics metrics = new RunMetrics(example, new Counters())) {
      for (Meter meter : metrics.meters()) {
        if (meter.getId().getName().startsWith(RunMetrics.PREFIX)) {
          String name = names(meter);
          rows.put(
              name,
              "| %s | %s | %s | %s |%n"
                  .formatted(
                      name,
                      type(meter),
                      meter.getId().getTags().stream()
                          .map(Tag::getKey)
                          .collect(Collectors.joining(", ")),
                      Objects.toString(meter.getId().getDescription(), "")));
        }
      }
    }
    return HEAD + String.join("", rows.values()) + TAIL;
  }

  /** As Prometheus's own client names them. */
  private static String names(Meter meter) {
    String name = meter.getId().getName().replace('.', '_');
    return switch (meter.getId().getType()) {
      case COUNTER -> "`" + name + "_total`";
      case TIMER -> ofHistogram(name + "_seconds");
      case DISTRIBUTION_SUMMARY -> ofHistogram(name + "_bytes");
      case GAUGE, LONG_TASK_TIMER, OTHER -> "`" + name + "`";
    };
  }

  private static String ofHistogram(String name) {
    return Stream.of("_bucket", "_sum", "_count", "_max")
        .map(end -> "`" + name + end + "`")
        .collect(Collectors.joining(", "));
  }

  private static String type(Meter meter) {
    return switch (meter.getId().getType()) {
      case COUNTER -> "counter";
      case TIMER, DISTRIBUTION_SUMMARY -> "histogram";
      case GAUGE, LONG_TASK_TIMER, OTHER -> "gauge";
    };
  }
}
