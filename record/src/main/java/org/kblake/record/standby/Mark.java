package org.kblake.record.standby;

import java.util.List;
import org.kblake.record.log.StampRun;
import org.kblake.record.source.EventKind;

/**
 * Where the log of the recorder before this one ends for a channel.
 *
 * @param run what the stamps say
 * @param later the events that the log has after it
 */
record Mark(StampRun run, List<Later> later) {

  /**
   * An event of the log, whose stamp is not known.
   *
   * @param hash its content, if it is a value
   */
  record Later(EventKind kind, int hash) {}
}
