package org.kblake.cli.run.status;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.access.Access;

/**
 * Histograms of the sizes and durations of reads, for columns and for logs. They are filled from
 * the access records of readers. Confined to one thread.
 */
public final class ReadSizes {

  /** The bounds of sizes: powers of four from 4 KiB to 16 GiB. */
  private static final double[] BYTES =
      DoubleStream.iterate(4096, bound -> bound * 4).limit(12).toArray();

  /** The bounds of durations, about half a decade apart, from a millisecond to five minutes. */
  private static final Duration[] DURATIONS =
      LongStream.of(1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final Side columns;
  private final Side logs;

  private static final class Side {
    final DistributionSummary bytes;
    final Timer durations;
    private @Nullable Access last;

    Side(MeterRegistry registry, String source) {
      bytes =
          DistributionSummary.builder(RunMetrics.PREFIX + "read.size")
              .baseUnit("bytes")
              .description("Size of log in a stretch that an answer read")
              .tag("source", source)
              .serviceLevelObjectives(BYTES)
              .register(registry);
      durations =
          Timer.builder(RunMetrics.PREFIX + "read.duration")
              .description("Time of an answer, by source")
              .tag("source", source)
              .serviceLevelObjectives(DURATIONS)
              .register(registry);
    }

    /**
     * Adds an access record. An answer has a record for each span, and all have the same duration,
     * which is counted once.
     */
    void add(Access access) {
      bytes.record((double) access.logBytes());
      Access before = last;
      last = access;
      boolean same =
          before != null
              && before.atMillis() == access.atMillis()
              && before.nanos() == access.nanos();
      if (!same) {
        durations.record(Duration.ofNanos(Math.max(0, access.nanos())));
      }
    }
  }

  ReadSizes(MeterRegistry registry) {
    columns = new Side(registry, "columns");
    logs = new Side(registry, "logs");
  }

  void add(Access access) {
    (access.fromColumns() ? columns : logs).add(access);
  }
}
