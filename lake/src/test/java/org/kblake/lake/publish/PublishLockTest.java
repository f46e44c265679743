package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.InputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.table.CatalogSettings;
import org.kblake.lake.table.LakeCatalog;

/** Of two publishers the second waits, or tells who has the lock. */
final class PublishLockTest {

  private static final LeaseLock.Times SHORT = new LeaseLock.Times(20, 2_000, 10);

  /** A holder that never renews its lease: as if it had been killed. */
  private static final LeaseLock.Times DEAD = new LeaseLock.Times(3_600_000, 200, 10);

  @TempDir private Path directory;

  private LakeCatalog catalog() {
    return LakeCatalog.open(
        new CatalogSettings("hadoop", directory.resolve("tables").toString(), Map.of(), Map.of()),
        null,
        place -> {});
  }

  @Test
  void theSecondPublisherTellsTheHolder() throws Exception {
    LakeFixture fixture =
        LakeFixture.small(directory, Seeds.one("theSecondPublisherTellsTheHolder"));
    fixture.backfill("");
    try (LakeCatalog catalog = fixture.catalog();
        PublishLock lock = PublishLock.take(catalog, null)) {
      lock.confirm();
      for (String command : new String[] {"publish", "drop --before 2024"}) {
        KblakeRun run = fixture.run(("lake " + command + " tables").split(" "));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
            .contains("another process publishes to this location: location=" + fixture.tables())
            .contains("holder=this process; wait for it with --wait, or stop it")
            .hasLineCount(1);
      }
    }
    assertThat(Files.readString(fixture.tables().resolve("kblake-publisher")))
        .matches("host=\\S+ pid=" + ProcessHandle.current().pid() + " since=\\S+");
    fixture.succeed("lake publish tables");
  }

  @Test
  void aPublisherMayWait() throws Exception {
    LakeFixture fixture = LakeFixture.small(directory, Seeds.one("aPublisherMayWait"));
    fixture.backfill("");
    ExecutorService other = Executors.newSingleThreadExecutor();
    CountDownLatch told = new CountDownLatch(1);
    try (LakeCatalog catalog = fixture.catalog()) {
      Future<?> second;
      try (PublishLock lock = PublishLock.take(catalog, null)) {
        lock.confirm();
        second =
            other.submit(
                () -> {
                  try (PublishLock own = PublishLock.take(catalog, line -> told.countDown())) {
                    own.confirm();
                  }
                  return null;
                });
        told.await();
        assertThat(second.isDone()).isFalse();
      }
      second.get();
    } finally {
      other.shutdownNow();
    }
    fixture.succeed("lake publish --wait tables");
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows(group)).isEqualTo(fixture.events(group));
    }
  }

  @Test
  void aLeaseIsHeldWhileItIsRenewed() throws Exception {
    Files.createDirectories(directory.resolve("tables"));
    try (LakeCatalog catalog = catalog()) {
      LeaseLock lock = LeaseLock.take(catalog, "first", null, SHORT);
      assertThatThrownBy(() -> LeaseLock.take(catalog, "second", null, SHORT))
          .isInstanceOf(PublishLock.Held.class)
          .hasMessageContaining("holder=first lease=");
      lock.close();
      LeaseLock.take(catalog, "second", null, SHORT).close();
    }
  }

  /**
   * Files of which a read in the thread of the renewal lasts until an interrupt, which it loses.
   */
  public static final class InterruptLosingFiles extends HadoopFileIO {

    private static final long serialVersionUID = 1L;

    private static final CountDownLatch READING = new CountDownLatch(1);

    @Override
    public InputFile newInputFile(String path) {
      if (Thread.currentThread().getName().equals("kblake-lease")) {
        READING.countDown();
        try {
          TimeUnit.MINUTES.sleep(10);
        } catch (InterruptedException e) {
          // As a library may do.
        }
      }
      return super.newInputFile(path);
    }
  }

  @Test
  void aLeaseEndsAlthoughItsRenewalLosesTheInterrupt() throws Exception {
    Files.createDirectories(directory.resolve("tables"));
    Map<String, String> files =
        Map.of(CatalogProperties.FILE_IO_IMPL, InterruptLosingFiles.class.getName());
    CatalogSettings settings =
        new CatalogSettings("hadoop", directory.resolve("tables").toString(), files, Map.of());
    try (LakeCatalog catalog = LakeCatalog.open(settings, null, place -> {})) {
      LeaseLock lock = LeaseLock.take(catalog, "first", null, SHORT);
      InterruptLosingFiles.READING.await();
      assertTimeoutPreemptively(Duration.ofSeconds(20), lock::close);
    }
  }

  @Test
  void theLeaseOfADeadHolderIsTaken() throws Exception {
    Files.createDirectories(directory.resolve("tables"));
    try (LakeCatalog catalog = catalog()) {
      LeaseLock dead = LeaseLock.take(catalog, "first", null, DEAD);
      LeaseLock taken = LeaseLock.take(catalog, "second", null, DEAD);
      taken.confirm();
      // It comes back, and must not commit.
      assertThatThrownBy(dead::confirm)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the lock of the location was lost");
      assertThatThrownBy(dead::close).isInstanceOf(IOException.class);
      taken.confirm();
      taken.close();
    }
  }
}
