package org.kblake.cli.run;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.RunStatus.GroupNumbers;

/** A process's status as metrics. */
final class RunMetrics implements AutoCloseable {

  static final String PREFIX = "kblake.";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<MultiGauge, ToDoubleFunction<GroupNumbers>> ofGroups = new LinkedHashMap<>();
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private volatile RunStatus status;

  RunMetrics(RunStatus first) {
    status = first;
    ofGroup(
        "lag.seconds",
        "seconds",
        "From the newest event in columns to about the newest one of" + " the log",
        GroupNumbers::lagSeconds);
    ofGroup("lag.bytes", "bytes", "Log that is not in columns", GroupNumbers::pendingBytes);
    ofGroup("blocks", null, "Blocks in force", GroupNumbers::blocks);
    ofGroup("covered.bytes", "bytes", "Log that is in columns", GroupNumbers::coveredBytes);
    ofGroup("stored.bytes", "bytes", "Columns", GroupNumbers::storedBytes);
    ofGroup(
        "stored.bytes.per.day",
        null,
        "Columns of a day of the last week, in bytes",
        GroupNumbers::storedBytesPerDay);
    total("sealed.blocks", null, "Blocks made", s -> s.counters().blocks());
    total("sealed.events", null, "Events put into columns", s -> s.counters().events());
    total("sealed.raw.bytes", "bytes", "Log put into columns", s -> s.counters().rawBytes());
    total("sealed.stored.bytes", "bytes", "Columns made", s -> s.counters().storedBytes());
    total(
        "discarded.blocks",
        null,
        "Blocks that did not say what their logs say, and were made" + " again",
        s -> s.counters().discarded());
    total(
        "evicted.blocks",
        null,
        "Blocks that went for the sake of the budget",
        s -> s.counters().evicted());
    total("errors", null, "Problems that began", s -> s.counters().problems());
    total(
        "read.columns.bytes",
        "bytes",
        "Log that readers had from columns",
        s -> s.counters().columnsReadBytes());
    total(
        "read.logs.bytes",
        "bytes",
        "Log that readers had from the log itself",
        s -> s.counters().logsReadBytes());
    gauge("problems", null, "Problems at present", s -> s.problems().size());
    gauge(
        "sealing.events.per.second",
        null,
        "Events put into columns per second, over a minute",
        s -> s.rates().events());
    gauge(
        "sealing.raw.bytes.per.second",
        null,
        "Log put into columns per second, in bytes, over a" + " minute",
        s -> s.rates().rawBytes());
    gauge("disk.free.bytes", "bytes", "Room on the store's disk", s -> s.disk().freeBytes());
    gauge("disk.bytes", "bytes", "Size of the store's disk", s -> s.disk().bytes());
    gauge(
        "disk.full.days",
        "days",
        "Until the store's disk is full, at the pace of the last week",
        s -> orNaN(s.daysUntilFull()));
    gauge(
        "hit.ratio",
        null,
        "Share of what was read that came from columns",
        s -> orNaN(s.hitRatio()));
    gauge(
        "scrub.age.seconds",
        "seconds",
        "Since the block that waits longest was proved, or made",
        s -> orNaN(s.scrubAgeSeconds()));
    gauge("ready", null, "1 when every group was looked at", s -> s.ready() ? 1 : 0);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    collections.bindTo(registry);
    show(first);
  }

  private static double orNaN(@Nullable Number number) {
    return number == null ? Double.NaN : number.doubleValue();
  }

  private void ofGroup(
      String name, @Nullable String unit, String meaning, ToDoubleFunction<GroupNumbers> number) {
    ofGroups.put(
        MultiGauge.builder(PREFIX + name).baseUnit(unit).description(meaning).register(registry),
        number);
  }

  private void gauge(
      String name, @Nullable String unit, String meaning, ToDoubleFunction<RunStatus> number) {
    Gauge.builder(PREFIX + name, this, metrics -> number.applyAsDouble(metrics.status))
        .baseUnit(unit)
        .description(meaning)
        .register(registry);
  }

  private void total(
      String name, @Nullable String unit, String meaning, ToDoubleFunction<RunStatus> number) {
    FunctionCounter.builder(PREFIX + name, this, metrics -> number.applyAsDouble(metrics.status))
        .baseUnit(unit)
        .description(meaning)
        .register(registry);
  }

  /** Shows another status from now on. */
  void show(RunStatus now) {
    status = now;
    ofGroups.forEach(
        (gauge, number) ->
            gauge.register(
                now.groups().stream()
                    .map(
                        group ->
                            MultiGauge.Row.of(
                                Tags.of("group", group.group()), number.applyAsDouble(group)))
                    .toList(),
                true));
  }

  /** All of them in Prometheus's text format. */
  String scrape() {
    return registry.scrape();
  }

  List<Meter> meters() {
    return registry.getMeters();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
