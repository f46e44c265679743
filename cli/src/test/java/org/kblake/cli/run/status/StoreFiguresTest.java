package org.kblake.cli.run.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.cli.run.status.RunStatus.Disk;
import org.kblake.cli.run.status.RunStatus.GroupNumbers;

final class StoreFiguresTest {

  private static final Disk DISK = new Disk(1_000_000, 2_000_000, false);

  private static GroupNumbers group(String mode, long covered, long pending, long lagSeconds) {
    return new GroupNumbers(
        "VA/" + mode, mode, 1, covered, covered / 2, 1_000, pending, lagSeconds, false, null);
  }

  private static StoreFigures of(GroupNumbers... groups) {
    return new StoreFigures(List.of(groups), DISK);
  }

  @Test
  void onlyFollowedGroupsCount() {
    StoreFigures figures =
        of(group("follow", 900, 100, 60), group("on-read", 0, 999, 70), group("never", 5, 999, 80));
    assertThat(figures.coverage()).isEqualTo(0.9);
    assertThat(figures.furthestBehind()).isEqualTo(group("follow", 900, 100, 60));
    assertThat(figures.daysUntilFull()).isEqualTo(1_000);
  }

  /** A coverage of 100 % would be wrong for an archive without columns. */
  @Test
  void figuresAreUnknownWithoutFollowedGroups() {
    for (StoreFigures figures :
        List.of(of(), of(group("never", 0, 999, 1)), of(group("on-read", 7, 3, 1)))) {
      assertThat(figures.coverage()).isNull();
      assertThat(figures.furthestBehind()).isNull();
      assertThat(figures.daysUntilFull()).isNull();
    }
  }

  @Test
  void aFollowedGroupWithoutALogIsCovered() {
    assertThat(of(group("follow", 0, 0, 0)).coverage()).isEqualTo(1);
  }

  @Test
  void diskOfAStoreWithABudgetIsNeverFull() {
    StoreFigures figures =
        new StoreFigures(
            List.of(group("follow", 900, 100, 0)), new Disk(1_000_000, 2_000_000, true));
    assertThat(figures.daysUntilFull()).isNull();
  }
}
