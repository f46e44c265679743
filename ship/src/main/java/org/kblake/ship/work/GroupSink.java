package org.kblake.ship.work;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;

/** Takes the events of a group, and delivers them. */
public interface GroupSink extends Closeable {

  /**
   * What a state has of a sink.
   *
   * @param refusedBytes the length of the file of refused lines
   * @param ranks those of the channels
   */
  record Kept(long refusedBytes, Map<String, String> ranks) {}

  /** Adds rows of a channel to those that are not delivered yet, but not strays. */
  void add(Channel channel, EventColumns events, int from, int to) throws IOException;

  /** Returns whether more rows may be added before {@link #deliver}. */
  boolean hasRoom();

  /** Delivers what was added. Afterwards the receiver has it. */
  void deliver() throws IOException, InterruptedException;

  /** Returns the number of delivered events. */
  long delivered();

  /** Writes to the disk what the sink keeps, and returns what the state must have of it. */
  Kept keep() throws IOException;

  /** Returns what the receiver did not take, one line; null if it took all. */
  @Nullable String refusal();
}
