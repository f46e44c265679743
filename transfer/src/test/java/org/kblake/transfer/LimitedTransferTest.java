package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.collect.BuilderMap;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.collect.CollectorSettings.Endpoint;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.GrowingLogs;
import org.kblake.transfer.fixture.Trees;
import org.kblake.transfer.message.Frame;
import org.kblake.transfer.shape.BitRate;
import org.kblake.transfer.shape.SendingLimits;

/** A collector with a limit of its own. */
final class LimitedTransferTest {

  private static final BitRate RATE = BitRate.parse("1mbit");

  @TempDir Path directory;

  /** Two builders get all, and not sooner than the rate of both together permits. */
  @Test
  void allBuildersTogetherGetTheRateOfTheCollector() throws Exception {
    requireSlow(new SendingLimits(RATE, null), 2);
  }

  /** Each gets its rate, though both together have none. */
  @Test
  void eachBuilderGetsItsRate() throws Exception {
    requireSlow(new SendingLimits(null, RATE), 1);
  }

  /**
   * Sends logs to two builders, and requires that this takes its time.
   *
   * @param times how often the bytes of the logs pass the same limit
   */
  private void requireSlow(SendingLimits limits, int times) throws Exception {
    Path source = Files.createDirectory(directory.resolve("source"));
    Path one = Files.createDirectory(directory.resolve("one"));
    Path two = Files.createDirectory(directory.resolve("two"));
    long bytes = 0;
    try (GrowingLogs logs = new GrowingLogs(source, 1)) {
      while (bytes < 300_000) {
        logs.grow();
        bytes = Trees.sizes(source).values().stream().mapToLong(Long::longValue).sum();
      }
    }
    Endpoint endpoint =
        new Endpoint(Ends.local(0), Ends.local(0), null, (name, token) -> null, limits);
    Ends ends = new Ends();
    long begin = System.nanoTime();
    try (Collector collector =
            ends.collector(source, endpoint, new BuilderMap(List.of(), Duration.ZERO));
        Gatherer first = ends.builder(one, "first", collector.address());
        Gatherer second = ends.builder(two, "second", collector.address())) {
      ends.await("both have all", () -> Trees.areSame(source, one) && Trees.areSame(source, two));
      long least = (times * bytes - Frame.MAX_BYTES) * 1_000_000_000 / RATE.bytesPerSecond();
      assertThat(System.nanoTime() - begin)
          .isGreaterThan(least - TimeUnit.MILLISECONDS.toNanos(100));
      assertThat(first.writtenBytes() + second.writtenBytes()).isEqualTo(2 * bytes);
    }
  }
}
