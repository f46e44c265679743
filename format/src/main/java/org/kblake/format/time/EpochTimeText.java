package org.kblake.format.time;

import org.kblake.format.number.Digits;

/** Writes times as nanoseconds since 1970 UTC. */
final class EpochTimeText implements TimeText {

  @Override
  public int write(long nanos, byte[] target, int at) {
    return Digits.writeLong(nanos, target, at);
  }

  @Override
  public boolean numeric() {
    return true;
  }
}
