package org.kblake.record.source;

import java.util.List;

/**
 * The alarm status of a log, {@code menuAlarmStat} of EPICS, from an alarm of PV Access. There the
 * message has the name, unless the record has a message of its own, and the status is a class.
 */
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

  /** By the class: none, device, driver, record, database, configuration, undefined, client. */
  private static final List<String> OF_CLASSES =
      List.of("NO_ALARM", "STATE", "COMM", "SOFT", "DISABLE", "SOFT", "UDF", "LINK");

  private AlarmStatus() {}

  /**
   * Returns the status.
   *
   * @param message the alarm's message
   * @param alarmClass the alarm's status
   */
  public static int of(String message, int alarmClass) {
    int named = message.isEmpty() ? -1 : named(message);
    if (named >= 0) {
      return named;
    }
    boolean isKnown = alarmClass >= 0 && alarmClass < OF_CLASSES.size();
    return NAMES.indexOf(isKnown ? OF_CLASSES.get(alarmClass) : "UDF");
  }

  /** Returns the status that a name of EPICS stands for, such as {@code HIHI}; -1 for none. */
  public static int named(String message) {
    int exact = NAMES.indexOf(message);
    if (exact >= 0 || !message.endsWith(SUFFIX)) {
      return exact;
    }
    String name = message.substring(0, message.length() - SUFFIX.length());
    return NAMES.indexOf(name.equals(CONSTANT_OF_HWLIMIT) ? "HWLIMIT" : name);
  }
}
