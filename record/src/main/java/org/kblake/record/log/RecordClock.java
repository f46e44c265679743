package org.kblake.record.log;

import java.time.Instant;

/** The two clocks of a recorder. The wall clock may be set at any time, the other one may not. */
public interface RecordClock {

  /** The clocks of this machine. */
  RecordClock SYSTEM =
      new RecordClock() {
        @Override
        public long wallNanos() {
          Instant now = Instant.now();
          return LogTimes.NANOS_PER_SECOND * now.getEpochSecond() + now.getNano();
        }

        @Override
        public long monotonicNanos() {
          return System.nanoTime();
        }
      };

  /** Returns the time of the wall clock in nanoseconds since 1970 UTC. */
  long wallNanos();

  /** Returns a time in nanoseconds for differences only. */
  long monotonicNanos();
}
