package org.kblake.cli.run.status;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Statistic;
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
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.Thresholds;
import org.kblake.cli.run.status.RunStatus.GroupNumbers;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.transfer.build.Gatherer;

/** The status of a process as metrics. */
public final class RunMetrics implements AutoCloseable {

  static final String PREFIX = "kblake.";

  private static final Set<Meter.Type> SEVERAL =
      Set.of(Meter.Type.TIMER, Meter.Type.DISTRIBUTION_SUMMARY);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<MultiGauge, ToDoubleFunction<GroupNumbers>> ofGroups = new LinkedHashMap<>();
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final ReadSizes reads;
  private final Map<String, Double> marks = new ConcurrentHashMap<>();
  private volatile RunStatus status;
  private volatile Map<String, GroupNumbers> groups = Map.of();
  private volatile @Nullable StaleThresholds stale;
  private volatile boolean isTokenFileOutdated;
  private volatile @Nullable Gatherer gatherer;

  /**
   * @param counters the counters, whose totals are shown
   */
  public RunMetrics(RunStatus first, Counters counters) {
    status = first;
    ofGroup(
        "lag.seconds",
        "seconds",
        "Time from the newest event in columns to the newest event in the log, approximately",
        GroupNumbers::lagSeconds);
    ofGroup(
        "lag.bytes",
        "bytes",
        "Log that is not in columns, without evicted log",
        GroupNumbers::pendingBytes);
    ofGroup(
        "newest.event.age.seconds",
        "seconds",
        "Time since the newest event of the log, approximately",
        this::ageSeconds);
    ofGroup(
        "stale.warning.seconds",
        "seconds",
        "Age of the newest event at which kblake check stale warns; infinite for never",
        group -> staleThreshold(group, Thresholds::warning));
    ofGroup(
        "stale.critical.seconds",
        "seconds",
        "Age of the newest event at which kblake check stale is critical; infinite for never",
        group -> staleThreshold(group, Thresholds::critical));
    ofGroup(
        "followed",
        null,
        "1 if the group has the mode follow, so that all its log becomes columns",
        group -> group.followed() ? 1 : 0);
    ofGroup("blocks", null, "Blocks in use", GroupNumbers::blocks);
    ofGroup("covered.bytes", "bytes", "Log in columns", GroupNumbers::coveredBytes);
    ofGroup("stored.bytes", "bytes", "Columns", GroupNumbers::storedBytes);
    ofGroup(
        "stored.bytes.per.day",
        null,
        "Growth of columns per day in the last week, in bytes",
        GroupNumbers::storedBytesPerDay);
    for (CountMetric metric : CountMetric.values()) {
      metric.register(registry, counters);
    }
    reads = new ReadSizes(registry);
    gauge("requests", null, "Unfinished requests", s -> s.requests().size());
    gauge("problems", null, "Present problems", s -> s.problems().size());
    gauge(
        "sealing.events.per.second",
        null,
        "Events put into columns per second, over a minute",
        s -> s.rates().events());
    gauge(
        "sealing.raw.bytes.per.second",
        null,
        "Log put into columns per second, in bytes, over a minute",
        s -> s.rates().rawBytes());
    gauge("disk.free.bytes", "bytes", "Free space on the store's disk", s -> s.disk().freeBytes());
    gauge("disk.bytes", "bytes", "Size of the store's disk", s -> s.disk().bytes());
    gauge(
        "disk.full.days",
        "days",
        "Days until the store's disk is full, at the growth of the followed groups in the last"
            + " week",
        s -> orNaN(s.figures().daysUntilFull()));
    gauge(
        "hit.ratio",
        null,
        "Share of the bytes of log that readers read from columns, since the last reset of the counters",
        s -> orNaN(s.hitRatio()));
    gauge(
        "scrub.age.seconds",
        "seconds",
        "Longest time since a block was verified or made",
        s -> orNaN(s.scrubAgeSeconds()));
    gauge("mirror.bytes", "bytes", "Copies of growing logs in the mirror", RunStatus::mirrorBytes);
    gauge(
        "ready",
        null,
        "1 if each group was listed or has a problem, and each system directory responds",
        s -> s.ready() ? 1 : 0);
    gauge(
        "token.file.outdated",
        null,
        "1 if the token file has changed and cannot be used, so that the old tokens are",
        s -> isTokenFileOutdated ? 1 : 0);
    gathered("gather.collectors", "Collectors of this builder", Gatherer::collectors);
    gathered("gather.connected", "Collectors that are connected", Gatherer::connected);
    FunctionCounter.builder(
            PREFIX + "gather.written.bytes",
            this,
            metrics -> metrics.ofGatherer(Gatherer::writtenBytes))
        .baseUnit("bytes")
        .description("Log and index written that collectors sent")
        .register(registry);
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

  private double ageSeconds(GroupNumbers group) {
    return group.newestEvent() == null
        ? Double.NaN
        : orNaN(group.ageSeconds(Instant.parse(status.written())));
  }

  private double staleThreshold(GroupNumbers group, ToDoubleFunction<Thresholds> threshold) {
    StaleThresholds now = stale;
    return now == null
        ? Double.NaN
        : threshold.applyAsDouble(now.orDefault(Group.parse(group.group())));
  }

  private void ofGroup(
      String name, @Nullable String unit, String meaning, ToDoubleFunction<GroupNumbers> number) {
    ofGroups.put(
        MultiGauge.builder(PREFIX + name).baseUnit(unit).description(meaning).register(registry),
        number);
  }

  /** Shows whether the token file has changed and cannot be used. */
  public void showTokenFileOutdated(boolean isOutdated) {
    isTokenFileOutdated = isOutdated;
  }

  private void gauge(
      String name, @Nullable String unit, String meaning, ToDoubleFunction<RunStatus> number) {
    Gauge.builder(PREFIX + name, this, metrics -> number.applyAsDouble(metrics.status))
        .baseUnit(unit)
        .description(meaning)
        .register(registry);
  }

  private void gathered(String name, String meaning, ToDoubleFunction<Gatherer> number) {
    gauge(name, null, meaning, shown -> ofGatherer(number));
  }

  private double ofGatherer(ToDoubleFunction<Gatherer> number) {
    Gatherer now = gatherer;
    return now == null ? 0 : number.applyAsDouble(now);
  }

  /** Shows what a builder takes from collectors. */
  public void show(Gatherer taking) {
    gatherer = taking;
  }

  /** Shows the thresholds of other settings from the next status on. */
  public void show(StaleThresholds thresholds) {
    stale = thresholds;
  }

  /** Shows a new status from now on. */
  public synchronized void show(RunStatus now) {
    status = now;
    Set<String> before = groups.keySet();
    groups = now.groups().stream().collect(Collectors.toMap(GroupNumbers::group, each -> each));
    if (groups.keySet().equals(before)) {
      return;
    }
    ofGroups.forEach(
        (gauge, number) ->
            gauge.register(
                groups.keySet().stream()
                    .map(
                        group ->
                            MultiGauge.Row.of(
                                Tags.of("group", group), this, shown -> shown.of(group, number)))
                    .toList(),
                true));
  }

  private double of(String group, ToDoubleFunction<GroupNumbers> number) {
    GroupNumbers now = groups.get(group);
    return now == null ? Double.NaN : number.applyAsDouble(now);
  }

  /** Returns all metrics in Prometheus's text format. */
  public String scrape() {
    return registry.scrape();
  }

  List<Meter> meters() {
    return registry.getMeters();
  }

  /** Returns the histograms of reads. */
  public ReadSizes reads() {
    return reads;
  }

  /**
   * Returns the numbers of this program by name. Tags are in braces. If a meter has several
   * numbers, their statistics follow after a dot. Counters count since the last {@link #mark}.
   */
  Map<String, Double> values() {
    Map<String, Double> values = totals();
    values.replaceAll((name, value) -> value - marks.getOrDefault(name, 0.0));
    return values;
  }

  /** Makes {@link #values} count from now on. */
  public void mark() {
    for (Meter meter : registry.getMeters()) {
      if (meter.getId().getType() != Meter.Type.GAUGE) {
        forEach(meter, marks::put);
      }
    }
  }

  private Map<String, Double> totals() {
    Map<String, Double> totals = new TreeMap<>();
    registry.getMeters().forEach(meter -> forEach(meter, totals::put));
    return totals;
  }

  private static void forEach(Meter meter, BiConsumer<String, Double> numbers) {
    String name = meter.getId().getName();
    if (!name.startsWith(PREFIX)) {
      return;
    }
    String tags =
        meter.getId().getTags().stream()
            .map(tag -> tag.getKey() + "=" + tag.getValue())
            .collect(Collectors.joining(","));
    String tagged = tags.isEmpty() ? "" : "{" + tags + "}";
    boolean several = SEVERAL.contains(meter.getId().getType());
    for (Measurement measured : meter.measure()) {
      // The maximum of the last minutes is not a count
      if (measured.getStatistic() != Statistic.MAX) {
        String of = several ? "." + measured.getStatistic().name().toLowerCase(Locale.ROOT) : "";
        numbers.accept(name + of + tagged, measured.getValue());
      }
    }
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
