package org.kblake.core.internal.log.pair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kblake.core.log.PairName;

/** What names of pairs say on the times at which the pairs were written. */
final class NamedPeriodsTest {

  private static final ZoneId ZONE = ZoneId.of("Europe/Zurich");

  @Test
  void pairsAreWrittenFromTheTimeOfTheirNamesOn() {
    assertThat(earliest("20240520090000", "20240520090002", "20240520100000"))
        .containsExactly(begin("20240520090000"), begin("20240520090002"), begin("20240520100000"));
  }

  /** The clock was ahead at 2099, and names follow this one since it was corrected. */
  @Test
  void namesASecondApartMayBeAhead() {
    assertThat(
            earliest(
                "20240520090000",
                "20240521090000",
                "20990101000000",
                "20990101000001",
                "20990101000002",
                "20990201000000"))
        .containsExactly(
            begin("20240520090000"),
            begin("20240521090000"),
            begin("20240521090000"),
            begin("20240521090000"),
            begin("20240521090000"),
            begin("20990201000000"));
  }

  @Test
  void firstNamesMayBeAheadByAnyTime() {
    assertThat(earliest("20990101000000", "20990101000001"))
        .containsExactly(Long.MIN_VALUE, Long.MIN_VALUE);
  }

  /** At 3:00 clocks were set to 2:00, so that the second of 02:59:59 occurred twice. */
  @Test
  void secondsOfRepeatedHoursAndLeapSecondsAreSecondsToo() {
    for (List<String> row :
        List.of(
            List.of("20241027015959", "20241027020000"),
            List.of("20241027025959", "20241027030000"),
            List.of("20161231235959", "20161231235960"),
            List.of("20161231235960", "20170101000000"))) {
      assertThat(earliest("20160101000000", row.get(0), row.get(1)))
          .as("%s", row)
          .containsOnly(begin("20160101000000"));
    }
  }

  private static long[] earliest(String... stamps) {
    List<PairName> names = Stream.of(stamps).map(NamedPeriodsTest::name).toList();
    NamedPeriods periods = new NamedPeriods(names, ZONE);
    return IntStream.range(0, names.size()).mapToLong(periods::earliestNanos).toArray();
  }

  private static long begin(String stamp) {
    return name(stamp).beginNanos(ZONE);
  }

  private static PairName name(String stamp) {
    return new PairName("CCG", stamp);
  }
}
