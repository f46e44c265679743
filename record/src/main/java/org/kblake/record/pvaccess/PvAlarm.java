package org.kblake.record.pvaccess;

import java.util.List;
import org.kblake.format.text.AlarmStatus;

/**
 * The status that a log has for an alarm of PV Access. There the message has the name, unless the
 * record has a message of its own, and the status is a class.
 */
final class PvAlarm {

  /** By the class: none, device, driver, record, database, configuration, undefined, client. */
  private static final List<String> OF_CLASSES =
      List.of("NO_ALARM", "STATE", "COMM", "SOFT", "DISABLE", "SOFT", "UDF", "LINK");

  private PvAlarm() {}

  /**
   * Returns the status.
   *
   * @param message the alarm's message
   * @param alarmClass the alarm's status
   */
  static int status(String message, int alarmClass) {
    int named = AlarmStatus.named(message);
    if (named >= 0) {
      return named;
    }
    boolean isKnown = alarmClass >= 0 && alarmClass < OF_CLASSES.size();
    return AlarmStatus.named(isKnown ? OF_CLASSES.get(alarmClass) : "UDF");
  }
}
