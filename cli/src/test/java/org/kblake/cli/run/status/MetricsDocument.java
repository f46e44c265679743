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

/** Generates {@code docs/metrics.md} from the metrics. */
final class MetricsDocument {

  private static final String HEAD =
      """
      # Metrics of kblake run

      With `listen = "HOST:PORT"` in the table `[run]` of kblake.toml, `kblake run` serves the metrics at `/metrics` in
      Prometheus's text format. The JMX bean `org.kblake:type=Run` always has them as attributes, with dots in their
      names. They are updated at the interval `status-interval`. A value that is unknown is NaN.

      Counters and histograms start at zero with the process and never decrease in `/metrics`. `kblake status --reset`
      and the operation `resetCounters` of the bean reset the counters of the bean (also `.count` and `.total` of a
      histogram), the counters in `kblake-run.json`, and `kblake_hit_ratio`.

      Names that end in `_total` are counters, those with `_bucket` histograms, all others gauges.

      | name | per | meaning |
      |---|---|---|
      """;

  private static final String TAIL =
      """

      `/metrics` also has Micrometer's metrics of the JVM and its process: `jvm_*`, `process_*`, `system_*`.

      `MetricsDocumentTest` generates this page.
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
            List.of(
                new RunStatus.GroupNumbers(
                    "SYSTEM/GROUP", "follow", 0, 0, 0, 0, 0, 0, false, null)),
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
              "| %s | %s | %s |%n"
                  .formatted(
                      name,
                      meter.getId().getTags().stream()
                          .map(Tag::getKey)
                          .collect(Collectors.joining(", ")),
                      Objects.toString(meter.getId().getDescription(), "")));
        }
      }
    }
    return HEAD + String.join("", rows.values()) + TAIL;
  }

  /** Returns the names that Prometheus's client gives to a meter. */
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
}
