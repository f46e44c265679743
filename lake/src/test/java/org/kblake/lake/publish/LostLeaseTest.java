package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.lake.table.LakeTable;

/**
 * A publisher that was suspended for so long that another one took its lease. It must not remove
 * the data files of the other one, which no snapshot needs yet.
 */
final class LostLeaseTest {

  /** Leases that are never renewed. */
  private static final LeaseLock.Times DEAD = new LeaseLock.Times(3_600_000, 200, 10);

  private static final String LOST = "the lock of the location was lost";

  @TempDir private Path directory;

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private LakeFixture fixture;
  private LakeCatalog catalog;
  private LeaseLock first;

  @BeforeEach
  void lease() throws Exception {
    long seed = Seeds.one("LostLeaseTest");
    do {
      fixture = LakeFixture.small(directory.resolve("seed" + seed), seed);
      // Files are linked, and are there when they are read.
      fixture.backfill("--profile lake");
      seed++;
    } while (fixture.blocks().stream().noneMatch(block -> block.summary().events() > 0));
    catalog = fixture.catalog();
    first = LeaseLock.take(catalog, "first", null, DEAD);
  }

  @AfterEach
  void close() throws IOException {
    thread.shutdownNow();
    assertThatThrownBy(first::close).hasMessageContaining(LOST);
    catalog.close();
  }

  /** Publishes everything, with an action when the first data file is made. Returns problems. */
  private List<String> publish(PublishLock lock, Callable<?> action) throws Exception {
    return WatchedPublication.run(
            fixture.store(),
            catalog,
            lock,
            read -> {
              if (read == 1) {
                action.call();
              }
            })
        .problems;
  }

  private void assertPublished() throws IOException {
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows(group)).isEqualTo(fixture.events(group));
    }
    fixture.succeed("lake verify -q tables");
  }

  @Test
  void aPublisherThatFailsRemovesNothingOfTheNextOne() throws Exception {
    CountDownLatch suspended = new CountDownLatch(1);
    CountDownLatch resumed = new CountDownLatch(1);
    Future<List<String>> late =
        thread.submit(
            () ->
                publish(
                    first,
                    () -> {
                      suspended.countDown();
                      resumed.await();
                      return null;
                    }));
    assertThat(suspended.await(60, TimeUnit.SECONDS)).as("first %s", late).isTrue();
    try (LeaseLock second = LeaseLock.take(catalog, "second", null, DEAD)) {
      Callable<?> resume =
          () -> {
            resumed.countDown();
            return late.get();
          };
      assertThat(publish(second, resume)).isEmpty();
    }
    assertThat(late.get()).singleElement().asString().contains(LOST);
    assertPublished();
  }

  @Test
  void aPublishAndADropThatComeLateRemoveNothing() throws Exception {
    try (LeaseLock second = LeaseLock.take(catalog, "second", null, DEAD)) {
      Callable<?> late =
          () -> {
            assertThat(publish(first, () -> null)).singleElement().asString().contains(LOST);
            for (LakeTable table : catalog.tables(fixture.groups().get(0))) {
              assertThatThrownBy(() -> TableDrop.run(table, first, Long.MAX_VALUE))
                  .hasMessageContaining(LOST);
            }
            return null;
          };
      assertThat(publish(second, late)).isEmpty();
    }
    assertPublished();
  }
}
