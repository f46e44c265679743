package org.kblake.record.pvaccess;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PvAlarmTest {

  @ParameterizedTest
  @CsvSource({
    "NO_ALARM, 1, 0",
    "READ, 1, 1",
    "HIHI, 1, 3",
    "HIHI_ALARM, 0, 3",
    "HWLIMIT, 1, 11",
    "HW_LIMIT_ALARM, 1, 11",
    "BAD_SUB, 3, 16",
    "UDF, 2, 17",
    "WRITE_ACCESS, 4, 21",
    "WRITE_ACCESS_ALARM, 4, 21",
    // Messages of records, and other texts: the class of PV Access.
    "too hot, 0, 0",
    "too hot, 1, 7",
    "hihi, 2, 9",
    "'', 3, 15",
    "_ALARM, 4, 18",
    "too hot, 5, 15",
    "too hot, 6, 17",
    "too hot, 7, 14",
    "too hot, 8, 17",
    "too hot, -1, 17",
  })
  void statusIsThatOfTheMessageOrOfItsClass(String message, int alarmClass, int status) {
    assertThat(PvAlarm.status(message, alarmClass)).isEqualTo(status);
  }
}
