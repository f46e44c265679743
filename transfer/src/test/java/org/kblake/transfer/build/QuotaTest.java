package org.kblake.transfer.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.Group;
import org.kblake.transfer.build.GathererSettings.Limits;
import org.kblake.transfer.build.GathererSettings.Source;
import org.kblake.transfer.fixture.Ends;

class QuotaTest {

  private static final int ENTRIES = 3 * 4096;

  @TempDir Path root;

  private final AtomicLong nanos = new AtomicLong(5);

  @Test
  void bytesFilesAndDirectoriesCount() throws IOException {
    write("VA/CCG_20260101000000.log1", 30);
    write("VA/CCG_20260101000000.log2", 70);
    write("VA/other.txt", 1_000);
    write("SYS/KEKBLog.list", 1_000);
    Quota quota = new Quota(root, ENTRIES + 150, nanos::get, Runnable::run);
    quota.take(50);
    assertThatThrownBy(() -> quota.take(1))
        .hasMessage("the quota is used up: gather-quota=12438; raise it");
    quota.giveBack(20);
    quota.take(20);
  }

  @Test
  void deletedFilesGiveRoomAfterAMinute() throws IOException {
    write("VA/CCG_20260101000000.log1", 30);
    write("VA/CCG_20260101000000.log2", 70);
    Quota quota = new Quota(root, ENTRIES + 100, nanos::get, Runnable::run);
    Files.delete(root.resolve("VA/CCG_20260101000000.log2"));
    nanos.addAndGet(59_000_000_000L);
    assertThatThrownBy(() -> quota.take(1)).hasMessageContaining("the quota is used up");
    nanos.addAndGet(1_000_000_000L);
    quota.take(4096 + 70);
    assertThatThrownBy(() -> quota.take(1)).hasMessageContaining("the quota is used up");
  }

  @Test
  void nothingIsCountedWithoutAQuotaOrWhileOthersWait() throws IOException {
    Path nothing = root.resolve("nothing");
    new Quota(nothing, Long.MAX_VALUE, nanos::get, Runnable::run).take(1L << 60);
    List<Runnable> later = new ArrayList<>();
    write("VA/CCG_20260101000000.log2", 100);
    Quota quota = new Quota(root, 2 * 4096 + 100, nanos::get, later::add);
    nanos.addAndGet(60_000_000_000L);
    Files.delete(root.resolve("VA/CCG_20260101000000.log2"));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> quota.take(1)).hasMessageContaining("the quota is used up");
    }
    assertThat(later).hasSize(1);
    later.get(0).run();
    quota.take(4096 + 100);
  }

  @Test
  void oneGroupTriesAgainWhileNothingCanBeWritten() throws IOException {
    Quota quota = new Quota(root, 10, nanos::get, Runnable::run);
    quota.requireRoom();
    quota.requireRoom();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> quota.take(11)).hasMessageContaining("the quota is used up");
      quota.requireRoom();
      assertThatThrownBy(quota::requireRoom).hasMessageContaining("the quota is used up");
      nanos.addAndGet(25_000_000_000L);
    }
    quota.works();
    quota.requireRoom();
    quota.requireRoom();
  }

  @Test
  void aLinkTakesABoundedNumberOfGroups() throws IOException {
    Ends log = new Ends();
    GathererSettings settings =
        new GathererSettings(root, List.of(), Limits.none(), Duration.ofSeconds(1), log);
    CollectorLink link =
        new CollectorLink(
            new Source(Ends.local(1), "b", () -> "", null),
            1,
            settings,
            new Quota(root, Long.MAX_VALUE, nanos::get, Runnable::run),
            new Claims(root));
    for (int i = 0; i < 1 << 14; i++) {
      Group group = new Group("VA", "G" + i);
      assertThat(link.claim(group)).isNull();
      link.release(group);
    }
    assertThat(link.claim(new Group("VA", "G0"))).isNull();
    assertThat(link.claim(new Group("VA", "G0"))).as("the same link again").isNull();
    assertThat(link.claim(new Group("VA", "another"))).contains("gives too many groups");
  }

  private void write(String name, int bytes) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[bytes]);
  }
}
