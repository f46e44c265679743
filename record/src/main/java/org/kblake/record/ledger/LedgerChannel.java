package org.kblake.record.ledger;

import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/** The names and types of a ledger's channels. */
final class LedgerChannel {

  private static final String LOSSES = ":LOSSES";
  private static final String STATE = ":STATE";
  private static final int ELEMENTS_OF_LOSSES = 6;

  private LedgerChannel() {}

  /** Returns the channel of statements about a group. */
  static String losses(Group group) {
    return group + LOSSES;
  }

  /** Returns the channel that says whether a group is recorded. */
  static String state(Group group) {
    return group + STATE;
  }

  /** Returns the channel of events received, of a group or a circuit. */
  static String received(Object of) {
    return of + ":RECEIVED";
  }

  static String written(Group group) {
    return group + ":WRITTEN";
  }

  static String lost(Group group) {
    return group + ":LOST";
  }

  static String refused(Group group) {
    return group + ":REFUSED";
  }

  static String doubles(Group group) {
    return group + ":DOUBLES";
  }

  /** Returns the channel of the seconds in which a circuit was late or down. */
  static String late(String circuit) {
    return circuit + ":LATE";
  }

  static String canaryLost(String canary) {
    return canary + ":CANARY-LOST";
  }

  static ValueType type(String name) {
    return name.endsWith(STATE) ? ValueType.LONG : ValueType.DOUBLE;
  }

  static int elements(String name) {
    return name.endsWith(LOSSES) ? ELEMENTS_OF_LOSSES : 1;
  }
}
