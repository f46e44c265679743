package org.kblake.cli.run.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;

final class MeterBeanTest {

  private final Counters counters = new Counters();

  @Test
  void metricsAreAttributesUntilTheBeanIsClosed() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(MeterBean.NAME);
    counters.add(Count.SEALED_EVENTS, 1000);
    try (RunMetrics metrics = new RunMetrics(SampleStatuses.running(), counters);
        MeterBean bean = MeterBean.register(metrics, () -> {})) {
      assertThat(bean.getMBeanInfo().getAttributes()).isNotEmpty();
      assertThat(server.getAttribute(name, "kblake.lag.seconds{group=RF/AnalogData}"))
          .isEqualTo(1500.0);
      assertThat(server.getAttribute(name, "kblake.sealed.events")).isEqualTo(1000.0);
    }
    assertThat(server.isRegistered(name)).isFalse();
  }

  /** Prometheus takes a counter that decreases for a restart of the process. */
  @Test
  void resetAffectsTheBeanAndNotPrometheus() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(MeterBean.NAME);
    String reads = "kblake.read.size.count{source=columns}";
    try (RunMetrics metrics = new RunMetrics(SampleStatuses.running(), counters);
        MeterBean bean =
            MeterBean.register(
                metrics,
                () -> {
                  counters.reset();
                  metrics.mark();
                })) {
      counters.add(Count.HITS, 5);
      metrics.reads().add(read(1, 100_000, 2_000_000));
      assertThat(server.getAttribute(name, reads)).isEqualTo(1.0);
      assertThat(bean.getMBeanInfo().getOperations()).hasSize(1);
      server.invoke(name, "resetCounters", new Object[0], new String[0]);
      assertThat(server.getAttribute(name, "kblake.hits")).isEqualTo(0.0);
      assertThat(server.getAttribute(name, reads)).isEqualTo(0.0);
      assertThat(server.getAttribute(name, "kblake.lag.seconds{group=RF/AnalogData}"))
          .isEqualTo(1500.0);
      counters.add(Count.HITS, 2);
      assertThat(server.getAttribute(name, "kblake.hits")).isEqualTo(2.0);
      assertThat(counters.get(Count.HITS)).isEqualTo(2);
      assertThat(metrics.scrape())
          .contains("kblake_hits_total 7.0\n")
          .contains("kblake_read_size_bytes_count{source=\"columns\"} 1\n");
    }
  }

  /** Each stretch of an answer counts, and its duration counts once. */
  @Test
  void readsAreInTheBucketsOfTheirSizeAndTime() {
    try (RunMetrics metrics = new RunMetrics(SampleStatuses.running(), counters)) {
      metrics.reads().add(read(1, 100_000, 2_000_000));
      metrics.reads().add(read(1, 5_000, 2_000_000));
      metrics.reads().add(read(2, 5_000, 2_000_000_000L));
      assertThat(metrics.scrape())
          .contains("kblake_read_size_bytes_bucket{source=\"columns\",le=\"4096.0\"} 0\n")
          .contains("kblake_read_size_bytes_bucket{source=\"columns\",le=\"16384.0\"} 2\n")
          .contains("kblake_read_size_bytes_bucket{source=\"columns\",le=\"262144.0\"} 3\n")
          .contains("kblake_read_duration_seconds_bucket{source=\"columns\",le=\"0.003\"} 1\n")
          .contains("kblake_read_duration_seconds_bucket{source=\"columns\",le=\"3.0\"} 2\n")
          .contains("kblake_read_duration_seconds_count{source=\"logs\"} 0\n");
    }
  }

  private static Access read(long atMillis, long bytes, long nanos) {
    LogPosition begin = new LogPosition("20160516000000", 0);
    return new Access(atMillis, new Group("VA", "CCG"), begin, begin, true, bytes, nanos);
  }
}
