package org.kblake.format.text;

import java.util.List;

/** The names of the alarm status of an event: {@code menuAlarmStat} of EPICS. */
public final class AlarmStatus {

  private static final List<String> NAMES =
      List.of(
          "NO_ALARM",
          "READ",
          "WRITE",
          "HIHI",
          "HIGH",
          "LOLO",
          "LOW",
          "STATE",
          "COS",
          "COMM",
          "TIMEOUT",
          "HWLIMIT",
          "CALC",
          "SCAN",
          "LINK",
          "SOFT",
          "BAD_SUB",
          "UDF",
          "DISABLE",
          "SIMM",
          "READ_ACCESS",
          "WRITE_ACCESS");

  /** Servers in C write the name of the constant, too. */
  private static final String SUFFIX = "_ALARM";

  private static final String CONSTANT_OF_HWLIMIT = "HW_LIMIT";

  private AlarmStatus() {}

  /**
   * Returns the name of a status.
   *
   * @param status at least 0; one that EPICS does not have is {@code STATUS_} and the number
   */
  public static String name(int status) {
    return status < NAMES.size() ? NAMES.get(status) : "STATUS_" + status;
  }

  /**
   * Returns the status that a name of EPICS stands for, such as {@code HIHI} or {@code HIHI_ALARM};
   * -1 for none.
   */
  public static int named(String name) {
    int exact = NAMES.indexOf(name);
    if (exact >= 0 || !name.endsWith(SUFFIX)) {
      return exact;
    }
    String constant = name.substring(0, name.length() - SUFFIX.length());
    return NAMES.indexOf(constant.equals(CONSTANT_OF_HWLIMIT) ? "HWLIMIT" : constant);
  }
}
