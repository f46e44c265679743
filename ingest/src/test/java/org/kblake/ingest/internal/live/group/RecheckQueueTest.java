package org.kblake.ingest.internal.live.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairFixture;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockName;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.Backfill;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.FollowSettings;

/** A block is compared with its log once, five to fifteen minutes after it was made. */
final class RecheckQueueTest {

  private static final Duration RECHECK = Duration.ofMinutes(5);
  private static final Instant MADE = Instant.parse("2024-05-01T00:00:00Z");
  private static final WriteProfile PROFILE = new WriteProfile(Codec.LZ4, false);

  @TempDir private Path directory;

  private Instant now = MADE;
  private PairFixture pair = new PairFixture(Path.of("unset"));
  private List<Block> blocks = List.of();
  private Store store;
  private RecheckQueue queue;

  @BeforeEach
  void makeBlock() throws Exception {
    Path root = directory.resolve("archive");
    pair = new PairFixture(root).write().close();
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    StoreIdentity identity =
        StoreIdentity.of(root, "Asia/Tokyo", 600_000_000_000L, "kekblog", "standard");
    store = Store.openForWriting(directory.resolve("store"), identity);
    BackfillSettings all =
        new BackfillSettings(
            List.of(), TimeRange.ALL, 1, BackfillSettings.MIN_MEMORY_BYTES, 0, PROFILE);
    new Backfill(archive, store, all, new Quiet()).run();
    blocks = store.blocks(PairFixture.GROUP, problem -> {});
    assertThat(blocks).hasSize(1);
    Files.setLastModifiedTime(blocks.get(0).directory(), FileTime.from(MADE));
    queue = queue(archive);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private RecheckQueue queue(Archive archive) {
    FollowSettings settings =
        new FollowSettings(
            List.of(),
            Duration.ofSeconds(1),
            Duration.ZERO,
            1,
            0,
            RECHECK,
            1,
            BackfillSettings.MIN_MEMORY_BYTES,
            0,
            Duration.ZERO,
            PROFILE,
            null,
            CacheSettings.EVERYTHING,
            null);
    InstantSource clock = () -> now;
    return new RecheckQueue(archive, settings, clock.withZone(ZoneOffset.UTC));
  }

  private void after(Duration time) {
    now = MADE.plus(time);
  }

  @Test
  void blockIsComparedAfterAWhileAndThenVerified() throws Exception {
    after(RECHECK.minusMillis(1));
    assertThat(queue.different(blocks)).isEmpty();
    assertThat(queue.isProved(blocks.get(0))).isFalse();
    after(RECHECK);
    assertThat(queue.isProved(blocks.get(0))).isFalse();
    assertThat(queue.different(blocks)).isEmpty();
    assertThat(queue.isProved(blocks.get(0))).isTrue();
  }

  /** A network file system returned other bytes of the log when the block was made. */
  @Test
  void blockThatDiffersFromItsLogIsReported() throws Exception {
    pair.putLogInt(pair.eventOffset(1, 0) + 24, 77).close();
    after(RECHECK.minusMillis(1));
    assertThat(queue.different(blocks)).isEmpty();
    after(RECHECK);
    assertThat(queue.different(blocks))
        .singleElement()
        .satisfies(different -> assertThat(different.block()).isSameAs(blocks.get(0)));
    assertThat(queue.isProved(blocks.get(0))).isFalse();
  }

  /** The block was compared before. Verification finds later changes of the log. */
  @Test
  void blockIsComparedOnce() throws Exception {
    after(RECHECK);
    assertThat(queue.different(blocks)).isEmpty();
    pair.putLogInt(pair.eventOffset(1, 0) + 24, 77).close();
    assertThat(queue.different(blocks)).isEmpty();
  }

  /** An earlier process has compared the block. */
  @Test
  void oldBlockIsVerifiedWithoutAComparison() throws Exception {
    pair.putLogInt(pair.eventOffset(1, 0) + 24, 77).close();
    after(RECHECK.multipliedBy(3));
    assertThat(queue.isProved(blocks.get(0))).isTrue();
    assertThat(queue.different(blocks)).isEmpty();
  }

  /** A merge compares hashes, so the merged block has the same bytes of the log. */
  @Test
  void blockOfComparedBlocksIsNotCompared() throws Exception {
    after(RECHECK);
    assertThat(queue.different(blocks)).isEmpty();
    Block merged = copy(blocks.get(0));
    queue.merged(blocks, merged);
    assertThat(queue.isProved(merged)).isTrue();
  }

  /** Its bytes of the log may be wrong. */
  @Test
  void blockOfABlockThatWasNotComparedIsCompared() throws Exception {
    Block merged = copy(blocks.get(0));
    queue.merged(blocks, merged);
    assertThat(queue.isProved(merged)).isFalse();
    after(RECHECK);
    assertThat(queue.different(List.of(merged))).isEmpty();
    assertThat(queue.isProved(merged)).isTrue();
  }

  private Block copy(Block block) throws IOException {
    String name = String.valueOf(block.directory().getFileName());
    Path target = Files.createDirectory(directory.resolve(name));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(block.directory())) {
      for (Path file : files) {
        Files.copy(file, target.resolve(String.valueOf(file.getFileName())));
      }
    }
    Files.setLastModifiedTime(target, FileTime.from(MADE));
    return Block.open(target, BlockName.parse(name).orElseThrow(), block.group(), null);
  }

  /** The archive is unavailable. The block is compared when the archive returns. */
  @Test
  void blockWhoseLogCannotBeReadIsComparedLater() throws Exception {
    Path away = directory.resolve("away");
    Files.move(pair.log(), away);
    after(RECHECK);
    assertThat(queue.different(blocks)).isEmpty();
    assertThat(queue.isProved(blocks.get(0))).isFalse();
    Files.move(away, pair.log());
    assertThat(queue.different(blocks)).isEmpty();
    assertThat(queue.isProved(blocks.get(0))).isTrue();
  }

  /** A listener that ignores all events. */
  private static final class Quiet implements BackfillListener {
    @Override
    public void planned(long rawBytes) {}

    @Override
    public void scanned(Group group, long rawBytes, long events) {}

    @Override
    public void committed(Block block, long storedBytes) {}

    @Override
    public void problem(Group group, String message) {}
  }
}
