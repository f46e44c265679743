package org.kblake.cli.command.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ReadPlan.Spent;

final class RawReadNoteTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long MIDNIGHT = 1_463_324_400 * SECOND;
  private static final List<Group> GROUP = List.of(new Group("VA", "CCG"));

  private static final RawReadNote NOTE =
      new RawReadNote(
          new TimeRange(MIDNIGHT, MIDNIGHT + 60 * SECOND + 1), ZoneId.of("Asia/Tokyo"), true);

  @Test
  void shortReadIsNotWorthALine() {
    assertThat(NOTE.line(GROUP, new Spent(1 << 30, SECOND - 1, 0, 0))).isNull();
    assertThat(NOTE.line(GROUP, new Spent((16 << 20) - 1, 60 * SECOND, 0, 0))).isNull();
    assertThat(NOTE.line(GROUP, new Spent(0, 5 * SECOND, 1 << 30, SECOND))).isNull();
  }

  /** Nothing was read from columns, so nothing is known of their speed. */
  @Test
  void commandCoversTheRangeWithoutAFactor() {
    assertThat(NOTE.line(GROUP, new Spent(3L << 30, 12 * SECOND, 0, 0)))
        .isEqualTo(
            "read 3.00 GiB from raw logs in 12.0 s; put it into columns with: kblake backfill"
                + " --group VA/CCG --from 2016-05-16T00:00:00+09:00"
                + " --to 2016-05-16T00:01:01+09:00");
  }

  /** 1 GiB of log in a second beside 256 MiB a second. */
  @Test
  void factorIsThatOfTheSameAnswer() {
    assertThat(NOTE.line(GROUP, new Spent(1 << 30, 4 * SECOND, 1 << 30, SECOND)))
        .startsWith("read 1.00 GiB of 2.00 GiB of log from raw logs in 4.0 s; ")
        .endsWith(" (this answer read log in columns 4 times as fast)");
    assertThat(NOTE.line(GROUP, new Spent(1 << 30, 4 * SECOND, 1 << 20, SECOND / 1000)))
        .doesNotContain("times");
    assertThat(NOTE.line(GROUP, new Spent(1 << 30, 4 * SECOND, 1 << 30, 4 * SECOND)))
        .doesNotContain("times");
  }

  /** Each group's time includes that of the other. */
  @Test
  void severalGroupsHaveNoFactor() {
    List<Group> groups = List.of(new Group("VA", "CCG"), new Group("BM", "DCCT"));
    assertThat(NOTE.line(groups, new Spent(1 << 30, 8 * SECOND, 1 << 30, SECOND)))
        .contains(" in 4.0 s; ")
        .contains("--group VA/CCG --group BM/DCCT")
        .doesNotContain("times");
  }

  @Test
  void nothingIsAdvisedIfOnlyRawLogsWereWanted() {
    RawReadNote raw =
        new RawReadNote(new TimeRange(Long.MIN_VALUE, MIDNIGHT), ZoneId.of("Asia/Tokyo"), false);
    assertThat(raw.line(GROUP, new Spent(1 << 30, 4 * SECOND, 0, 0)))
        .isEqualTo("read 1.00 GiB from raw logs in 4.0 s");
  }
}
