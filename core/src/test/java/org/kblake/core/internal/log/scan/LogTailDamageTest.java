package org.kblake.core.internal.log.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.log.pair.Damage;

/**
 * Damaged bytes stop a tail until the next milestone is known. Then they are skipped and reported.
 */
final class LogTailDamageTest extends GrowingTail {

  @Test
  void anObstacleStopsUntilTheNextMilestoneIsKnown() throws IOException {
    int offset = (int) whole.eventOffset(1, 1);
    whole.putLogInt(offset, 61);
    load();
    grow(log.length, entries(2));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0);
    assertThat(tail().obstacle())
        .contains("offset=" + offset + ", found length=61 of BM_DCCT:LCUR");
    assertThat(damage).isEmpty();
    grow(log.length, entries(3));
    refresh();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 2.0, 2.5, 3.0);
    assertThat(tail().obstacle()).isNull();
    assertThat(damage).hasSize(1);
    assertThat(damage.get(0).kind()).isEqualTo(Damage.Kind.SPAN);
    assertThat(damage.get(0).offset()).isEqualTo(offset);
    assertThat(damage.get(0).bytes()).isEqualTo(28 + 36);
  }

  /** The lengths lead to the milestone, so the bytes beside the damaged event are correct. */
  @Test
  void noUndamagedEventIsLostBehindAnObstacle() throws IOException {
    whole.putLogInt(whole.eventOffset(1, 0) + 4, 77);
    load();
    grow(log.length, entries(2));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0);
    grow(log.length, entries(3));
    refresh();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.5, 2.0, 2.0, 2.5, 3.0);
    assertThat(damage).extracting(Damage::kind).containsExactly(Damage.Kind.EVENT);
  }

  @Test
  void anObstacleIsSkippedIfTheIndexWasAheadOfTheLog() throws IOException {
    whole.putLogInt(whole.eventOffset(1, 1), 61);
    load();
    grow((int) (long) whole.milestones.get(2), entries(3));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0);
    grow(log.length, entries(3));
    refresh();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 2.0, 2.5, 3.0);
  }

  @Test
  void anImpossibleStateIsSkipped() throws IOException {
    long offset = whole.eventOffset(1, 1);
    whole.putLog(offset + 16, (byte) 3);
    load();
    grow((int) whole.eventOffset(1, 2), entries(2));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0);
    grow(log.length, entries(2));
    refresh();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 2.0, 2.0, 2.5, 3.0);
    assertThat(damage).hasSize(1);
    assertThat(damage.get(0).offset()).isEqualTo(offset);
    assertThat(damage.get(0).kind()).isEqualTo(Damage.Kind.EVENT);
  }

  @Test
  void anImpossibleTimeIsSkipped() throws IOException {
    whole.putLogInt(whole.eventOffset(2, 1) + 12, 1_000_000_000);
    load();
    grow(log.length, entries(2));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0, 3.0);
    assertThat(damage).extracting(Damage::kind).containsExactly(Damage.Kind.EVENT);
  }

  /** A waveform of two elements whose count is three ends inside the next milestone. */
  @Test
  void anEventThatRunsIntoAKnownMilestoneIsAnObstacle() throws IOException {
    whole.putLogInt(whole.eventOffset(1, 2), 44);
    load();
    grow(log.length, entries(2));
    open();
    grow(log.length, entries(3));
    refresh();
    assertThat(values).startsWith(0.0, 0.5, 1.0, 1.0, 1.5).endsWith(2.0, 2.5, 3.0);
    assertThat(damage).isNotEmpty();
  }

  @Test
  void aDamagedMilestoneWithAnIndexEntryIsAnObstacle() throws IOException {
    whole.putLogInt(whole.milestones.get(1) + 16, 99);
    load();
    grow(log.length, entries(1));
    open();
    assertThat(values).containsExactly(0.0, 0.5, 1.0);
    assertThat(tail().obstacle()).contains("entry of BM_DCCT:HCUR");
    grow(log.length, entries(2));
    refresh();
    assertThat(values).isEqualTo(ALL);
    assertThat(damage).extracting(Damage::kind).containsExactly(Damage.Kind.MILESTONE);
  }

  @Test
  void anIndexEntryOfAnEventIsNoMilestone() throws IOException {
    whole.putIndexInt(whole.entryOffset(1) + 8, (int) whole.eventOffset(0, 1));
    load();
    grow((int) whole.eventOffset(0, 0), entries(1));
    open();
    grow((int) (long) whole.milestones.get(2), entries(2));
    refresh();
    grow(log.length, entries(2));
    refresh();
    assertThat(values).isEqualTo(ALL);
  }
}
