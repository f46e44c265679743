package org.kblake.core.internal.log.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.kblake.core.internal.log.pair.PairFixture.MINUTE_NANOS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.PairFixture.Scanned;
import org.kblake.core.internal.log.scan.LogScanner;

/** The snapshot of a pair: whether it is closed, its milestones, and files that change after it. */
class PairLogTest {

  @TempDir Path root;
  private PairFixture pair;

  @BeforeEach
  void begin() throws IOException {
    pair = new PairFixture(root).write();
  }

  @Test
  void theNewestPairIsClosedAfterAQuietHour() throws IOException {
    assertThat(pair.age(3500).open().closed()).isFalse();
    assertThat(pair.open().growing()).isTrue();
    assertThat(pair.age(3700).open().closed()).isTrue();
    assertThat(pair.open().growing()).isFalse();
  }

  @Test
  void anOlderPairIsClosedAfterAQuietMinute() throws IOException {
    Files.createFile(root.resolve("BM/DCCT_20220316000000.log1"));
    assertThat(pair.age(50).open().closed()).isFalse();
    assertThat(pair.open().growing()).isFalse();
    assertThat(pair.age(70).open().closed()).isTrue();
  }

  @Test
  void aPairIsOpenAsLongAsOneOfItsFilesChanges() throws IOException {
    pair.close();
    pair.putIndexInt(6, 0);
    assertThat(pair.open().closed()).isFalse();
  }

  @Test
  void aLastEntryThatIsCutOrZeroIsNotWrittenYet() throws IOException {
    long size = Files.size(pair.index());
    assertThat(pair.truncateIndex(size + 16).open().milestones().count()).isEqualTo(3);
    assertThat(pair.truncateIndex(size - 1).open().milestones().count()).isEqualTo(2);
    assertThat(pair.open().indexDamage()).isEmpty();
  }

  @Test
  void aLogMayLagBehindItsIndex() throws IOException {
    pair.truncateLog(pair.milestones.get(2) + 3);
    PairLog log = pair.open();
    assertThat(log.milestones().count()).isEqualTo(2);
    assertThat(log.indexDamage()).isEmpty();
    assertThat(Scanned.of(log).values()).hasSize(6);
    assertThat(pair.close().open().indexDamage()).hasSize(1);
  }

  @Test
  void intervalsAreTheMedianOfTheIndex() throws IOException {
    assertThat(pair.open().milestoneIntervalNanos()).isEqualTo(MINUTE_NANOS);
    pair.truncateIndex(pair.entryOffset(1));
    assertThat(pair.open().milestoneIntervalNanos()).isEqualTo(60 * MINUTE_NANOS);
  }

  @Test
  void aLogThatWasReplacedIsUnavailableToItsSnapshot() throws IOException {
    PairLog log = pair.close().open();
    Path copy = Files.copy(pair.log(), root.resolve("copy"));
    Files.move(copy, pair.log(), StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> LogScanner.open(log, 0, log.logBytes(), null))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("replaced by another file");
  }

  @Test
  void aLogThatShrankIsUnavailableToItsSnapshot() throws IOException {
    for (boolean closed : new boolean[] {true, false}) {
      PairLog log = closed ? pair.close().open() : pair.age(0).open();
      pair.truncateLog(log.logBytes() - 40);
      assertThatThrownBy(() -> Scanned.of(log))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("has become shorter");
    }
  }

  @Test
  void aSnapshotDoesNotIncludeAppendedBytes() throws IOException {
    PairLog log = pair.open();
    pair.truncateLog(log.logBytes() + 1000);
    assertThat(Scanned.of(log).values()).hasSize(9);
    assertThat(Scanned.of(log).segments().get(2).endOffset()).isEqualTo(log.logBytes());
  }
}
