package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.CommandFixture.fact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.RewrittenBlock;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.CommandFixture;

/**
 * Blocks whose list of segments does not fit their rows, although every checksum is right. Earlier
 * versions made such blocks if a log could not be read in the middle of a segment.
 */
final class WrongSegmentsTest {

  private static final Group GROUP = new Group("RF", "AnalogData");
  private static final Instant NEXT_MONTH = Instant.parse("2016-06-01T00:00:00Z");

  @TempDir private Path directory;

  private CommandFixture kblake = new CommandFixture(Path.of(""));

  /** Returns the block of the first segments of the first pair. */
  private Block block() throws IOException {
    try (Store store = Store.open(kblake.store(), null)) {
      return store.blocks(GROUP, problem -> {}).get(0);
    }
  }

  @BeforeEach
  void writeArchive() throws IOException {
    kblake = CommandFixture.mixed(directory);
    // A small bound, so that the times of adjoining segments of a minute do not overlap.
    Files.writeString(directory.resolve("kblake.toml"), "disorder-bound = \"1s\"\n");
  }

  private void backfillTo(String time) {
    KblakeRun run = kblake.run("backfill", "--to=2016-05-16T" + time);
    assertThat(run.status()).as(run.err()).isZero();
  }

  private PairLog log() throws IOException {
    Archive archive = Archive.open(kblake.archive(), ArchiveSettings.defaults());
    return archive.pairs(GROUP).get(0).open();
  }

  /**
   * Without this check, a row outside of all segments would be answered from the block and also
   * from the log.
   */
  @Test
  void rowsOfNoSegmentAreFound() throws Exception {
    backfillTo("00:01:30");
    RewrittenBlock.dropLastSegment(block());
    assertDamaged("events in ", " those of its segments");
  }

  /** A read does not use the log for spans that a block covers. */
  @Test
  void aSpanBehindTheLastSegmentIsFound() throws Exception {
    backfillTo("00:00:30");
    RewrittenBlock.endAt(block(), log().milestones().offset(2));
    String hole =
        "segments that do not adjoin at offset "
            + log().milestones().offset(1)
            + " of the log of pair 20160516000000";
    KblakeRun run = get("auto");
    assertThat(run.out().lines().count()).isGreaterThan(10);
    assertThat(run.out()).isEqualTo(get("raw").out());
    assertThat(run.err()).contains(hole, "; the raw log is read instead");
    assertThat(run.status()).isZero();
    KblakeRun alone = get("store");
    assertThat(alone.err()).contains(hole);
    assertThat(alone.status()).isEqualTo(3);
    assertDamaged(hole);
  }

  /** Reads the end of the next segment. According to its list, the block has no event there. */
  private KblakeRun get(String source) {
    return kblake.run(
        "get",
        "--from=2016-05-16T00:01:10",
        "--to=2016-05-16T00:01:50",
        "--source=" + source,
        "RF_AnalogData:*");
  }

  private void assertDamaged(String... why) throws Exception {
    Path damaged = block().directory();
    backfillTo("00:05");
    backfillTo("00:20");
    KblakeRun compact = kblake.runner().at(NEXT_MONTH).run("compact");
    assertThat(compact.status()).isEqualTo(3);
    assertThat(compact.err().lines())
        .singleElement()
        .asString()
        .contains("block is damaged: file=" + damaged, "; it is not merged");
    KblakeRun verify = kblake.run("verify");
    assertThat(verify.status()).isEqualTo(1);
    assertThat(verify.err().lines()).singleElement().asString().contains(why);
    assertThat(fact(kblake.run("verify", "--discard"), "discarded")).isEqualTo(1);
    assertThat(kblake.run("backfill").status()).isZero();
    assertThat(kblake.run("verify").status()).isZero();
    assertThat(kblake.runner().at(NEXT_MONTH).run("compact").status()).isZero();
    assertThat(fact(kblake.run("verify"), "blocks")).isEqualTo(2);
  }
}
