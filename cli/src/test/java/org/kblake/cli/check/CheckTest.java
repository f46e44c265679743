package org.kblake.cli.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CheckTest {

  private static final Health WELL =
      new Health(null, 0, null, "VA/CCG", 1500L, 0.9987, 120.4, 500L << 30, null, 0.75, List.of());

  @Test
  void lagIsJudgedByItsThresholds() {
    assertThat(check(CheckKind.LAG, null, null, WELL))
        .isEqualTo(new Finding(Severity.OK, "lag 25 min (VA/CCG)", "lag=1500s;7200;43200;0"));
    assertThat(check(CheckKind.LAG, "20m", "1h", WELL).severity()).isEqualTo(Severity.WARNING);
    assertThat(check(CheckKind.LAG, "10m", "20m", WELL).severity()).isEqualTo(Severity.CRITICAL);
    assertThat(check(CheckKind.LAG, "25m", null, WELL).severity()).isEqualTo(Severity.OK);
  }

  @Test
  void sharesAreBadWhenTheyAreSmall() {
    assertThat(check(CheckKind.COVERAGE, "99.9%", "99", WELL))
        .isEqualTo(
            new Finding(Severity.WARNING, "coverage 99.87%", "coverage=99.87%;99.90:;99:;0;100"));
    assertThat(check(CheckKind.HIT_RATIO, null, null, WELL).severity()).isEqualTo(Severity.OK);
    assertThat(check(CheckKind.HIT_RATIO, "90%", "80%", WELL).severity())
        .isEqualTo(Severity.CRITICAL);
  }

  @Test
  void diskIsJudgedByTimeAndByFreeSpace() {
    assertThat(check(CheckKind.DISK, null, null, WELL).text())
        .isEqualTo("disk full in 120 days, 500 GiB free");
    assertThat(check(CheckKind.DISK, "200d", null, WELL).severity()).isEqualTo(Severity.WARNING);
    Health full = new Health(null, 0, null, null, null, null, 1e9, 1L << 20, null, null, List.of());
    assertThat(check(CheckKind.DISK, null, null, full).severity()).isEqualTo(Severity.CRITICAL);
    Health idle =
        new Health(
            null,
            0,
            null,
            null,
            null,
            null,
            Double.POSITIVE_INFINITY,
            1L << 40,
            null,
            null,
            List.of());
    assertThat(check(CheckKind.DISK, null, null, idle))
        .isEqualTo(new Finding(Severity.OK, "disk 1.00 TiB free", "free=1099511627776B;;;0"));
  }

  private static Finding stale(String warning, GroupAge... ages) {
    Health health =
        new Health(null, 0, null, null, null, null, null, null, null, null, List.of(ages));
    return check(CheckKind.STALE, warning, "6h", health);
  }

  private static GroupAge age(String group, long minutes) {
    return new GroupAge(group, minutes * 60, null);
  }

  /** A group that is silent for days has its own thresholds. */
  private static GroupAge silent(String group, long minutes) {
    return new GroupAge(
        group,
        minutes * 60,
        Thresholds.of(CheckKind.STALE, Duration.ofDays(3), Duration.ofDays(7)));
  }

  @Test
  void groupsWithoutRecentEventsAreNamedWithTheWorstFirst() {
    assertThat(stale("1h", age("VA/CCG", 5), age("RF/LLRF", 59)))
        .isEqualTo(
            new Finding(
                Severity.OK,
                "newest event of each group within 59 min (RF/LLRF)",
                "stale=3540s;3600;21600;0"));
    assertThat(stale("1h", age("VA/CCG", 61), age("RF/LLRF", 420), age("BM/DCCT", 1)))
        .isEqualTo(
            new Finding(
                Severity.CRITICAL,
                "no event in RF/LLRF for 7 h, VA/CCG for 61 min",
                "stale=25200s;3600;21600;0"));
    assertThat(stale("1m", age("A/A", 5), age("A/B", 6), age("A/C", 7), age("A/D", 8)).text())
        .isEqualTo("no event in A/D for 8 min, A/C for 7 min, A/B for 6 min, 1 more");
  }

  @Test
  void thresholdsOfAGroupPrecedeThoseOfAllGroups() {
    assertThat(stale("1h", age("VA/CCG", 5), silent("CO/Rare", 2 * 24 * 60)))
        .isEqualTo(
            new Finding(
                Severity.OK,
                "newest event of each group within 2 d (CO/Rare)",
                "stale=172800s;259200;604800;0"));
    assertThat(stale("1h", age("VA/CCG", 5), silent("CO/Rare", 4 * 24 * 60)).severity())
        .isEqualTo(Severity.WARNING);
    assertThat(stale("1h", age("VA/CCG", 61), silent("CO/Rare", 2 * 24 * 60)).text())
        .isEqualTo("no event in VA/CCG for 61 min");
  }

  /** The archive does not tell whether such a group is still recorded. */
  @Test
  void ageOfAGroupThatIsAwayIsNotKnown() {
    GroupAge away = new GroupAge("VA/CCG", null, null);
    assertThat(stale("1h", away, age("RF/LLRF", 5)))
        .isEqualTo(new Finding(Severity.UNKNOWN, "stale is not known: group is away: VA/CCG", ""));
    assertThat(stale("1h", away, age("RF/LLRF", 90)).severity()).isEqualTo(Severity.WARNING);
    assertThat(stale("1h").severity()).isEqualTo(Severity.UNKNOWN);
  }

  @Test
  void missingFigureIsUnknown() {
    assertThat(check(CheckKind.SCRUB, null, null, WELL))
        .isEqualTo(new Finding(Severity.UNKNOWN, "scrub is not known", ""));
  }

  @Test
  void problemsAreAWarningAndADeadProcessIsCritical() {
    Health ill = new Health(null, 2, "a|b", null, null, null, null, null, null, null, List.of());
    Finding finding = check(CheckKind.PROCESS, null, null, ill);
    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(Finding.line(List.of(finding)))
        .isEqualTo("KBLAKE WARNING - 2 problems, the first: a/b | problems=2;0;;0");
    Health dead =
        new Health("process is dead", 0, null, null, null, null, null, null, null, null, List.of());
    assertThat(check(CheckKind.PROCESS, null, null, dead).severity()).isEqualTo(Severity.CRITICAL);
  }

  @Test
  void worstComesFirst() {
    List<Finding> findings =
        List.of(
            new Finding(Severity.OK, "fine", "a=1"),
            new Finding(Severity.CRITICAL, "awful", ""),
            new Finding(Severity.WARNING, "bad", "b=2"));
    assertThat(Finding.line(findings)).isEqualTo("KBLAKE CRITICAL - awful, bad, fine | a=1 b=2");
    assertThat(Finding.worst(findings).status()).isEqualTo(2);
  }

  @Test
  void thresholdOfAnotherKindIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Thresholds.of(CheckKind.LAG, "99%", null))
        .withMessageContaining("'99%' is not a duration");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Thresholds.of(CheckKind.COVERAGE, "1h", null))
        .withMessageContaining("'1h' is not a percentage");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Thresholds.of(CheckKind.PROCESS, "1h", null))
        .withMessage("process has no thresholds");
  }

  private static Finding check(
      CheckKind kind, @Nullable String warning, @Nullable String critical, Health health) {
    return Check.of(kind, Thresholds.of(kind, warning, critical), health);
  }
}
