package org.kblake.cli.command.service;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.kblake.transfer.collect.BuilderStatus;
import org.kblake.transfer.collect.Collector;

/** What the builders of a collector have, as metrics. */
final class GatherMetrics {

  private final Collector collector;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<MultiGauge, ToDoubleFunction<BuilderStatus>> gauges = new LinkedHashMap<>();

  GatherMetrics(Collector collector) {
    this.collector = collector;
    registry.gauge("kblake.gather.builders", collector, each -> each.status().size());
    add("sent.bytes", "Log and index sent since the builder connected", BuilderStatus::sentBytes);
    add(
        "unwritten.bytes",
        "Those of them that the builder has not written yet, as it said last",
        builder -> builder.sentBytes() - builder.writtenBytes());
    add(
        "missing.pairs",
        "Pairs of the builder's groups of which it lacks bytes",
        BuilderStatus::missingPairs);
    add("failed.groups", "Groups that are not sent", builder -> builder.failures().size());
  }

  private void add(String name, String meaning, ToDoubleFunction<BuilderStatus> number) {
    gauges.put(
        MultiGauge.builder("kblake.gather." + name).description(meaning).register(registry),
        number);
  }

  /** Returns all metrics in Prometheus's text format. */
  synchronized String scrape() {
    List<BuilderStatus> builders = collector.status();
    gauges.forEach(
        (gauge, number) ->
            gauge.register(
                builders.stream()
                    .map(
                        builder ->
                            MultiGauge.Row.of(
                                Tags.of("builder", builder.name()), number.applyAsDouble(builder)))
                    .toList(),
                true));
    return registry.scrape();
  }
}
