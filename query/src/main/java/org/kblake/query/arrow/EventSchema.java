package org.kblake.query.arrow;

/**
 * The columns of an answer.
 *
 * <pre>
 *   time      timestamp[ns, UTC]
 *   channel   dictionary of utf8, int32 indices
 *   group     likewise; only where several groups answer
 *   state     uint8    0 disconnected, 1 connected, 2 value
 *   severity  uint8    0 none, 1 minor, 2 major, 3 invalid
 *   status    uint16   EPICS menuAlarmStat
 *   stray     bool     only where strays are requested
 *   value     null where the state is not value
 * </pre>
 *
 * The type of {@code value} is that of the channels requested: utf8, int16 (short), float32
 * (float), uint16 (enum), uint8 (char), int32 (long), float64 (double), and a list of these for
 * waveforms. Numbers of several types are float64, which holds each of them exactly: a long has 32
 * bits. Where values are of several kinds, each kind has its own column, with a null where a row's
 * value is in another column:
 *
 * <pre>
 *   value            numbers
 *   value_text       texts
 *   value_list       waveforms of numbers
 *   value_text_list  waveforms of texts
 * </pre>
 *
 * Only kinds that can occur have a column. One kind alone is always in {@code value}. With {@code
 * asDouble} there is {@code value} only: float64, a list of it if one of them is a waveform.
 */
public final class EventSchema {

  public static final String TIME = "time";
  public static final String CHANNEL = "channel";
  public static final String GROUP = "group";
  public static final String STATE = "state";
  public static final String SEVERITY = "severity";
  public static final String STATUS = "status";
  public static final String STRAY = "stray";
  public static final String VALUE = "value";
  public static final String VALUE_TEXT = "value_text";
  public static final String VALUE_LIST = "value_list";
  public static final String VALUE_TEXT_LIST = "value_text_list";

  /** Id of the dictionary of channel names. */
  public static final long CHANNEL_DICTIONARY = 0;

  /** Id of the dictionary of group names. */
  public static final long GROUP_DICTIONARY = 1;

  private EventSchema() {}
}
