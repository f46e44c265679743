package org.kblake.record.command;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.kblake.core.model.Group;
import org.kblake.record.group.Count;
import org.kblake.record.group.GroupCounts;
import org.kblake.record.group.RecordingState;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.ConversionCounts;
import org.kblake.record.source.SourceCounts;

/** The state of the recorder as metrics. Any thread may ask. */
final class RecordMetrics {

  private static final String PREFIX = "kblake.record.";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Supplier<RecordStatus> status;

  RecordMetrics(ChannelSource source, Supplier<RecordStatus> status) {
    this.status = status;
    gauge("events.per.second", "Events written per second", () -> status.get().eventsPerSecond());
    gauge(
        "active", "1 if it writes logs, 0 if it stands by", () -> status.get().isActive() ? 1 : 0);
    gauge("ring.bytes", "Events in the ring", () -> source.counts().ring().usedBytes());
    gauge("searching", "Channels without a server", () -> source.counts().searches().searching());
    gauge(
        "ledger.recording",
        "1 if the ledger of losses can be written",
        () -> status.get().isLedgerWritten() ? 1 : 0);
    ofSource(source, "ring.lost", "Events that found no room in the ring", c -> c.ring().lost());
    ofSource(source, "dropped", "Values that contradict their channel", SourceCounts::dropped);
    ofSource(source, "circuits.lost", "Connections that ended", SourceCounts::circuitsLost);
    ofSource(source, "searches", "Search packets sent", c -> c.searches().packets());
    ofConversions(
        source,
        "inexact.integers",
        "Integers that no double holds",
        ConversionCounts::inexactIntegers);
    ofConversions(source, "cut.strings", "Strings without their end", ConversionCounts::cutStrings);
    new JvmMemoryMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  /** Adds a group. */
  void add(Group group, GroupCounts counts) {
    for (Count count : Count.values()) {
      String name = count.name().toLowerCase(Locale.ROOT).replace('_', '.');
      FunctionCounter.builder(PREFIX + name, counts, from -> from.get(count))
          .tag("group", group.toString())
          .description("Events counted for a group")
          .register(registry);
    }
    ofGroup(group, "channels", "Channels of the list", RecordingState::channels);
    ofGroup(group, "connected", "Channels that are connected", RecordingState::connected);
    ofGroup(
        group, "waiting", "Events that wait for a pair or a disk", RecordingState::waitingEvents);
    ofGroup(group, "pairs", "Pairs begun", RecordingState::pairs);
    ofGroup(group, "milestones", "Milestones written", RecordingState::milestones);
    ofGroup(group, "log.bytes", "Bytes of logs written", RecordingState::logBytes);
    ofGroup(
        group,
        "recording",
        "1 if the group has a log that can be written",
        state -> state.isWritten() ? 1 : 0);
  }

  /** Removes a group. */
  void remove(Group group) {
    for (Meter meter : registry.getMeters()) {
      if (group.toString().equals(meter.getId().getTag("group"))) {
        registry.remove(meter);
      }
    }
  }

  private void gauge(String name, String meaning, Supplier<Number> number) {
    Gauge.builder(PREFIX + name, number).description(meaning).register(registry);
  }

  private void ofSource(
      ChannelSource source, String name, String meaning, ToDoubleFunction<SourceCounts> number) {
    FunctionCounter.builder(PREFIX + name, source, from -> number.applyAsDouble(from.counts()))
        .description(meaning)
        .register(registry);
  }

  private void ofConversions(
      ChannelSource source,
      String name,
      String meaning,
      ToDoubleFunction<ConversionCounts> number) {
    FunctionCounter.builder(PREFIX + name, source, from -> number.applyAsDouble(from.conversions()))
        .description(meaning)
        .register(registry);
  }

  private void ofGroup(
      Group group, String name, String meaning, ToDoubleFunction<RecordingState> number) {
    Gauge.builder(
            PREFIX + name,
            () -> {
              RecordingState state = status.get().of(group);
              return state == null ? Double.NaN : number.applyAsDouble(state);
            })
        .tag("group", group.toString())
        .description(meaning)
        .register(registry);
  }

  /** Returns all metrics in Prometheus's text format. */
  String scrape() {
    return registry.scrape();
  }
}
