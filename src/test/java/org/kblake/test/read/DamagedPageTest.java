package org.kblake.test.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.live.FollowServiceFixture;

/** A block of which the first pages are whole and a later one is damaged, and the block behind. */
final class DamagedPageTest {

  private static final int MANY = 300_000;
  private static final int FEW = 100;
  private static final long BEHIND_SECONDS = 1_800;

  @TempDir private Path directory;

  private FollowServiceFixture fixture;
  private long behindNanos;

  @BeforeEach
  void writeBlocks() throws Exception {
    fixture = new FollowServiceFixture(directory);
    behindNanos = TimeUnit.SECONDS.toNanos(fixture.begin.getEpochSecond() + BEHIND_SECONDS);
    for (long seconds : new long[] {0, BEHIND_SECONDS}) {
      try (LogWriter writer = fixture.pair(FollowServiceFixture.GROUP, seconds)) {
        fixture.segment(writer, seconds, seconds == 0 ? MANY : FEW);
      }
      TestStores.closePairs(fixture.root);
      TestStores.backfill(fixture.archive, fixture.storePath);
    }
    List<Block> blocks = fixture.blocks(FollowServiceFixture.GROUP);
    assertThat(blocks).hasSize(2);
    Path file = blocks.get(0).directory().resolve("double.parquet");
    int size = (int) Files.size(file);
    for (int at = size / 2; at < size * 9 / 10; at += size / 50) {
      CommandFixture.flip(file, at);
    }
  }

  /** Rows of the first block, and of the one behind it. */
  private record Rows(long first, long behind, List<CoverageSpan> missing) {}

  private Rows read(Source source) throws Exception {
    try (ArchiveReader reader =
            ArchiveReader.builder()
                .archive(fixture.root)
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
      long behind = 0;
      while (events.next()) {
        for (int row = events.from(); row < events.to(); row++) {
          if (events.columns().timeNanos[row] < behindNanos) {
            first++;
          } else {
            behind++;
          }
        }
      }
      return new Rows(first, behind, events.coverage().missing());
    }
  }

  /** They were skipped in its place: as many as had been given of the damaged block. */
  @Test
  void theBlockBehindIsGivenAsAWhole() throws Exception {
    Rows rows = read(Source.STORE);
    assertThat(rows.first()).as("the first pages").isBetween(1L, MANY - 1L);
    assertThat(rows.behind()).isEqualTo(FEW);
    assertThat(rows.missing()).isNotEmpty();
  }

  @Test
  void theLogGoesOnWhereTheBlockEnds() throws Exception {
    Rows rows = read(Source.AUTO);
    assertThat(rows.first()).isEqualTo(MANY);
    assertThat(rows.behind()).isEqualTo(FEW);
    assertThat(rows.missing()).isEmpty();
  }
}
