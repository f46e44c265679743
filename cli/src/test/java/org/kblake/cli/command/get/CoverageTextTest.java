package org.kblake.cli.command.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.ReadPlan;

final class CoverageTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|1000000|all from columns",
        "1000000|0|all from raw logs",
        "1|1000000|99.9% of the log from columns, 0.1% from raw logs",
        "1000000|1|0.1% of the log from columns, 99.9% from raw logs",
        "250|750|75.0% of the log from columns, 25.0% from raw logs"
      })
  void partIsNeverAllOrNothing(long rawBytes, long storedBytes, String line) {
    CoverageReport report = new CoverageReport(new TimeRange(0, 1), List.of(), 0, 0, List.of());
    Answered answered = new Answered(report, new ReadPlan.Spent(rawBytes, 1, storedBytes, 1));

    assertThat(CoverageText.of(answered, ZoneOffset.UTC, false)).endsWith(line);
  }
}
