package org.kblake.server.internal.appliance.sample;

import org.kblake.core.columns.EventColumns;

/** One sample of an answer. It is reused: valid until the next one. */
public final class AnsweredSample {

  /** Marks that a time of a connection is absent. */
  public static final long ABSENT = Long.MIN_VALUE;

  private EventColumns columns = new EventColumns(org.kblake.core.model.ValueType.DOUBLE, false, 1);
  private int row;
  private long timeNanos;
  private int severity;
  private int status;
  private long lostSeconds = ABSENT;
  private long regainedSeconds = ABSENT;
  private boolean bin;

  /** Sets the value. Severity and status are those of the row. */
  public void set(long newTimeNanos, EventColumns newColumns, int newRow) {
    timeNanos = newTimeNanos;
    columns = newColumns;
    row = newRow;
    severity = newColumns.severity[newRow];
    status = Short.toUnsignedInt(newColumns.status[newRow]);
    lostSeconds = ABSENT;
    regainedSeconds = ABSENT;
    bin = false;
  }

  /** Says that the value is a list of the statistics of a bin. */
  public void setBin() {
    bin = true;
  }

  /** Returns whether the value is a list of the statistics of a bin. */
  public boolean isBin() {
    return bin;
  }

  /** Sets the time alone. */
  public void setTimeNanos(long nanos) {
    timeNanos = nanos;
  }

  /** Sets when the connection was lost and regained before this sample, or {@link #ABSENT}. */
  public void setConnection(long newLostSeconds, long newRegainedSeconds) {
    lostSeconds = newLostSeconds;
    regainedSeconds = newRegainedSeconds;
  }

  /** Returns the time, nanoseconds since 1970 UTC. */
  public long timeNanos() {
    return timeNanos;
  }

  /** Returns the whole seconds since 1970 UTC. */
  public long seconds() {
    return Math.floorDiv(timeNanos, 1_000_000_000L);
  }

  /** Returns the nanoseconds of the second. */
  public int nanos() {
    return (int) Math.floorMod(timeNanos, 1_000_000_000L);
  }

  /** Returns the columns with the value. Not to be changed. */
  public EventColumns columns() {
    return columns;
  }

  /** Returns the row of the value. */
  public int row() {
    return row;
  }

  /** Returns the index of the first element of the value. */
  public int firstElement() {
    return columns.waveform() ? columns.listStarts[row] : row;
  }

  /** Returns the index after the last element of the value. */
  public int endElement() {
    return columns.waveform() ? columns.listStarts[row + 1] : row + 1;
  }

  /** Returns the severity, 0 to 3. */
  public int severity() {
    return severity;
  }

  /** Returns the EPICS {@code menuAlarmStat}. */
  public int status() {
    return status;
  }

  /** Returns when the connection was lost, seconds since 1970 UTC, or {@link #ABSENT}. */
  public long lostSeconds() {
    return lostSeconds;
  }

  /** Returns when the connection was regained, seconds since 1970 UTC, or {@link #ABSENT}. */
  public long regainedSeconds() {
    return regainedSeconds;
  }
}
