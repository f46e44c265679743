package org.kblake.ship.work;

import java.io.IOException;
import java.util.Map;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;

/** Takes the events of a group, and delivers them. */
public interface EventSink {

  /** Adds rows of a channel to those that are not delivered yet. */
  void add(Channel channel, EventColumns events, int from, int to) throws IOException;

  /** Returns whether more rows may be added before {@link #deliver}. */
  boolean hasRoom();

  /** Delivers what was added. Afterwards the receiver has it. */
  void deliver() throws IOException, InterruptedException;

  /** Returns the ranks of the channels for the state. */
  Map<String, String> ranks();
}
