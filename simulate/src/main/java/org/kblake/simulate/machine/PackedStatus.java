package org.kblake.simulate.machine;

import org.kblake.core.model.EventState;

/**
 * State, severity and alarm status of an event in one {@code int}.
 *
 * <pre>
 *   31        16 15      8 7      0
 *   status       severity  state
 * </pre>
 *
 * The alarm statuses are those of EPICS {@code menuAlarmStat}.
 */
public final class PackedStatus {

  private static final int HIHI = 3;
  private static final int HIGH = 4;
  private static final int LOLO = 5;
  private static final int STATE = 7;
  private static final int COMM = 9;
  private static final int UDF = 17;

  private static final int MINOR = 1;
  private static final int MAJOR = 2;
  private static final int INVALID = 3;

  public static final int GOOD = pack(EventState.VALUE, 0, 0);
  public static final int WARNING = pack(EventState.VALUE, MINOR, HIGH);
  public static final int ALARM = pack(EventState.VALUE, MAJOR, HIHI);
  public static final int LOST = pack(EventState.VALUE, MAJOR, LOLO);
  public static final int FAULT = pack(EventState.VALUE, MAJOR, STATE);
  public static final int UNDEFINED = pack(EventState.VALUE, INVALID, UDF);
  public static final int CONNECTED = pack(EventState.CONNECTED, 0, 0);
  public static final int DISCONNECTED = pack(EventState.DISCONNECTED, INVALID, COMM);

  private PackedStatus() {}

  private static int pack(EventState state, int severity, int status) {
    return status << 16 | severity << 8 | state.code();
  }

  public static int state(int packedStatus) {
    return packedStatus & 0xFF;
  }

  public static int severity(int packedStatus) {
    return packedStatus >>> 8 & 0xFF;
  }

  public static int status(int packedStatus) {
    return packedStatus >>> 16;
  }
}
