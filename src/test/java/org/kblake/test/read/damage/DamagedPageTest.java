package org.kblake.test.read.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.volume.GuardedProvider;

/**
 * The first pages of a block are correct, and a later one is damaged. Rows of the block have been
 * given when the damage is detected. The block has two segments of many events, a quarter of an
 * hour apart. A block of another pair is behind it.
 */
final class DamagedPageTest {

  private static final int MANY = 300_000;
  private static final int FEW = 100;
  private static final long LATE_SECONDS = 900;
  private static final long BEHIND_SECONDS = 1_800;

  @TempDir private Path directory;

  private FollowServiceFixture fixture;
  private GuardedProvider volume;
  private long lateNanos;
  private long behindNanos;

  @BeforeEach
  void writeBlocks() throws Exception {
    fixture = new FollowServiceFixture(directory);
    volume = new GuardedProvider(fixture.root);
    lateNanos = TimeUnit.SECONDS.toNanos(fixture.begin.getEpochSecond() + LATE_SECONDS);
    behindNanos = TimeUnit.SECONDS.toNanos(fixture.begin.getEpochSecond() + BEHIND_SECONDS);
    try (LogWriter writer = fixture.pair(FollowServiceFixture.GROUP, 0)) {
      fixture.segment(writer, 0, MANY);
      fixture.segment(writer, LATE_SECONDS, MANY);
    }
    backfill(TimeRange.ALL);
    try (LogWriter writer = fixture.pair(FollowServiceFixture.GROUP, BEHIND_SECONDS)) {
      fixture.segment(writer, BEHIND_SECONDS, FEW);
    }
    backfill(TimeRange.ALL);
    List<Block> blocks = fixture.blocks(FollowServiceFixture.GROUP);
    assertThat(blocks).hasSize(2);
    Path file = blocks.get(0).directory().resolve("double.parquet");
    int size = (int) Files.size(file);
    for (int at = size / 4; at < size * 9 / 10; at += size / 50) {
      CommandFixture.flip(file, at);
    }
  }

  private void backfill(TimeRange range) throws Exception {
    TestStores.closePairs(fixture.root);
    TestStores.backfill(fixture.archive, fixture.storePath, range);
  }

  /**
   * The rows that were given.
   *
   * @param first rows of the first segment
   * @param late rows of the second one
   * @param behind rows of the block behind
   */
  private record Rows(long first, long late, long behind, List<CoverageSpan> missing) {

    boolean isMissing(long nanos) {
      return missing.stream().anyMatch(span -> span.range().contains(nanos));
    }
  }

  /** An action that runs after rows of the first pages were given. */
  private interface Meanwhile {
    void run() throws Exception;
  }

  private Rows read(Source source, Meanwhile meanwhile) throws Exception {
    try (ArchiveReader reader =
            ArchiveReader.builder()
                .archive(volume.path(fixture.root))
                .store(fixture.storePath)
                .settings(fixture.archive.settings())
                .open();
        EventCursor events =
            reader.cursor(
                EventQuery.of(ChannelSelection.names("VALCCG:PRES"))
                    .between(TimeRange.ALL)
                    .from(source)
                    .allowIncomplete())) {
      long first = 0;
      long late = 0;
      long behind = 0;
      while (events.next()) {
        if (first == 0) {
          meanwhile.run();
        }
        for (int row = events.from(); row < events.to(); row++) {
          long nanos = events.columns().timeNanos[row];
          first += nanos < lateNanos ? 1 : 0;
          late += nanos >= lateNanos && nanos < behindNanos ? 1 : 0;
          behind += nanos >= behindNanos ? 1 : 0;
        }
      }
      return new Rows(first, late, behind, events.coverage().missing());
    }
  }

  /**
   * An earlier version skipped rows of the block behind: as many as had been given of the damaged
   * one.
   */
  @Test
  void blockBehindIsGivenCompletely() throws Exception {
    Rows rows = read(Source.STORE, () -> {});
    assertThat(rows.first()).as("the first pages").isBetween(1L, MANY - 1L);
    assertThat(rows.behind()).isEqualTo(FEW);
    assertThat(rows.isMissing(ofLateAloneNanos())).as("%s", rows.missing()).isTrue();
  }

  @Test
  void logContinuesAtTheEndOfTheBlock() throws Exception {
    Rows rows = read(Source.AUTO, () -> {});
    assertThat(rows.first()).isEqualTo(MANY);
    assertThat(rows.late()).isEqualTo(MANY);
    assertThat(rows.behind()).isEqualTo(FEW);
    assertThat(rows.missing()).isEmpty();
  }

  /**
   * The number of given rows of the first segment is unknown, and so is the number of rows to skip.
   */
  @Test
  void blockOfTheLateSegmentAloneIsOmittedIfTheLogIsMissing() throws Exception {
    Rows rows =
        read(
            Source.AUTO,
            () -> {
              keepLateSegmentAlone();
              Files.delete(log());
            });
    assertLateIsMissing(rows);
  }

  @Test
  void blockOfTheLateSegmentAloneIsOmittedIfTheLogIsUnreadable() throws Exception {
    Rows rows =
        read(
            Source.AUTO,
            () -> {
              keepLateSegmentAlone();
              volume.breakFile(log());
            });
    assertLateIsMissing(rows);
  }

  private void assertLateIsMissing(Rows rows) {
    assertThat(rows.first()).as("the first pages").isBetween(1L, MANY - 1L);
    assertThat(rows.late()).isZero();
    assertThat(rows.isMissing(ofLateAloneNanos())).as("%s", rows.missing()).isTrue();
    assertThat(rows.behind()).isEqualTo(FEW);
  }

  /**
   * Returns a time that only the late segment has. An event of the first segment may be ten minutes
   * later than the second milestone.
   */
  private long ofLateAloneNanos() {
    return lateNanos + TimeUnit.MINUTES.toNanos(11);
  }

  private Path log() throws IOException {
    return fixture.archive.pairs(FollowServiceFixture.GROUP).get(0).logPath();
  }

  private void keepLateSegmentAlone() throws Exception {
    try (Store store =
        Store.openForWriting(
            fixture.storePath, TestStores.identity(fixture.archive), new UnforcedFiles())) {
      store.discard(fixture.blocks(FollowServiceFixture.GROUP).get(0));
    }
    backfill(new TimeRange(ofLateAloneNanos(), ofLateAloneNanos() + 1));
    List<Block> blocks = fixture.blocks(FollowServiceFixture.GROUP);
    assertThat(blocks).hasSize(2);
    assertThat(blocks.get(0).spans().get(0).fromOffset()).isPositive();
  }
}
