package org.kblake.record.command;

import org.kblake.record.channelaccess.settings.ChannelAccessSettings;

/** Which changes of a record a server sends. Those of its alarm are always among them. */
public enum EventMask {
  /** Changes beyond the monitor deadband. */
  VALUE(ChannelAccessSettings.VALUE_AND_ALARM),
  /** Changes beyond the archive deadband. */
  LOG(ChannelAccessSettings.LOG_AND_ALARM);

  private final int bits;

  EventMask(int bits) {
    this.bits = bits;
  }

  int bits() {
    return bits;
  }
}
