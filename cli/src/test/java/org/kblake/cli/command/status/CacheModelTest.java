package org.kblake.cli.command.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.cli.command.status.ModelBlocks.Log;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;

/** A store with a budget in the model that computes hit ratios. */
class CacheModelTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final String STAMP = "20160516000000";
  private static final long BLOCK = 4 << 20;
  private static final int BLOCKS = 10;
  private static final long END_MILLIS = 1_000;

  /** The budget for five blocks, and the space for a merge. */
  private static final long HALF = 6 * BLOCK;

  private static ModelBlocks blocks(Mode mode) {
    return new ModelBlocks(List.of(new Log(GROUP, mode, 1, STAMP, BLOCKS * BLOCK, 0, END_MILLIS)));
  }

  private static Access read(long fromBlock, long toBlock, boolean fromColumns) {
    return new Access(
        END_MILLIS,
        GROUP,
        new LogPosition(STAMP, fromBlock * BLOCK),
        new LogPosition(STAMP, toBlock * BLOCK),
        fromColumns,
        (toBlock - fromBlock) * BLOCK,
        0);
  }

  private static List<Access> times(int times, Access access) {
    List<Access> accesses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      accesses.add(access);
    }
    return accesses;
  }

  private static double hits(Mode mode, Eviction eviction, List<Access> accesses) {
    return new CacheModel(blocks(mode), HALF, eviction, 0).hitRatio(accesses);
  }

  @Test
  void hasTheNewestLogAtFirst() {
    for (Eviction eviction : Eviction.values()) {
      assertThat(hits(Mode.FOLLOW, eviction, List.of(read(5, 10, true)))).isEqualTo(1);
      assertThat(hits(Mode.FOLLOW, eviction, List.of(read(0, 5, true)))).isZero();
      assertThat(hits(Mode.FOLLOW, eviction, List.of(read(4, 6, true)))).isEqualTo(0.5);
    }
  }

  @Test
  void putsEvictedLogIntoColumnsAgainIfTheLeastRecentlyReadIsEvicted() {
    List<Access> oldest = times(4, read(0, 1, false));
    assertThat(hits(Mode.FOLLOW, Eviction.LEAST_RECENTLY_USED, oldest)).isEqualTo(0.75);
    assertThat(hits(Mode.FOLLOW, Eviction.OLDEST, oldest)).isZero();
  }

  /** Five blocks fit, so six in turn always evict the next one. */
  @Test
  void evictsTheLeastRecentlyRead() {
    List<Access> five = new ArrayList<>();
    List<Access> six = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      five.add(read(i % 5, i % 5 + 1, false));
      six.add(read(i % 6, i % 6 + 1, false));
    }
    assertThat(hits(Mode.ON_READ, Eviction.LEAST_RECENTLY_USED, five))
        .isCloseTo(55 / 60.0, within(1e-9));
    assertThat(hits(Mode.ON_READ, Eviction.LEAST_RECENTLY_USED, six)).isZero();
    assertThat(hits(Mode.NEVER, Eviction.LEAST_RECENTLY_USED, five)).isZero();
  }

  /** One read must not evict what many others need. */
  @Test
  void doesNotAdmitALargeRead() {
    assertThat(hits(Mode.ON_READ, Eviction.LEAST_RECENTLY_USED, times(4, read(0, 2, false))))
        .isZero();
  }

  /** No budget helps reads of log that is not sealed yet. */
  @Test
  void freshLogIsReadFromTheLogWithAnyBudget() {
    CacheModel model = new CacheModel(blocks(Mode.FOLLOW), HALF, Eviction.OLDEST, 2 * END_MILLIS);
    assertThat(model.hitRatio(List.of(read(8, 9, false), read(9, 10, true)))).isEqualTo(0.5);
  }

  /** Any user can write records, so they may have any content. */
  @Test
  void ignoresImpossibleRecords() {
    Access backwards = read(5, 4, true);
    Access elsewhere =
        new Access(
            END_MILLIS,
            new Group("VA", "GONE"),
            backwards.from(),
            new LogPosition("20170516000000", 0),
            true,
            Long.MAX_VALUE,
            0);
    LogPosition future = new LogPosition("20300101000000", 0);
    Access later = new Access(END_MILLIS, GROUP, future, future, true, 5, 0);
    assertThat(blocks(Mode.FOLLOW).read(later)).isEmpty();
    assertThat(
            hits(
                Mode.FOLLOW,
                Eviction.OLDEST,
                List.of(backwards, elsewhere, later, read(9, 10, true))))
        .isEqualTo(1);
    WhatIf none = WhatIf.of(blocks(Mode.FOLLOW), List.of(backwards, elsewhere, later), 0, 0);
    assertThat(none).isEqualTo(WhatIf.NONE);
  }

  @Test
  void budgetsReachFromLittleToTheWholeLogAndHaveTheSetOne() {
    long set = HALF + 1;
    List<Access> accesses = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      accesses.add(read(i, i + 1, i >= 5));
    }
    WhatIf whatIf = WhatIf.of(blocks(Mode.FOLLOW), accesses, set, 0);
    assertThat(whatIf.reads()).isEqualTo(BLOCKS);
    assertThat(whatIf.hitRatio()).isEqualTo(0.5);
    assertThat(whatIf.budgets()).extracting(WhatIf.Budget::bytes).isSorted().hasSize(9);
    assertThat(whatIf.budgets()).filteredOn(WhatIf.Budget::isSet).hasSize(1);
    assertThat(whatIf.budgets()).extracting(WhatIf.Budget::oldest).isSorted();
    WhatIf.Budget whole = whatIf.budgets().get(8);
    assertThat(whole.bytes()).isEqualTo(64L << 20);
    assertThat(whole.leastRecentlyUsed()).isEqualTo(1);
    assertThat(whatIf.budgets().get(0).oldest()).isZero();
  }
}
