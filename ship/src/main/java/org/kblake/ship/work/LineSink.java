package org.kblake.ship.work;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.ship.influx.LineSender;
import org.kblake.ship.line.EventRanks;
import org.kblake.ship.line.PointLine;
import org.kblake.ship.line.PointLines;
import org.kblake.ship.state.RefusedLines;

/**
 * Sends the events of a group as lines of InfluxDB. Strays have ranks, too: whether an event is one
 * may become known only after it was sent.
 */
public final class LineSink implements GroupSink {

  private static final String TOO_MANY =
      "kblake: over "
          + EventRanks.MOST
          + " events of one time, or clocks that were set back as often";

  private final PointLine lines;
  private final PointLines batch;
  private final PointLines unranked;
  private final LineSender sender;
  private final RefusedLines refused;
  private final EventRanks ranks = new EventRanks();
  private final Map<Channel, byte[]> prefixes = new HashMap<>();
  private long delivered;

  /**
   * @param refused those of the group; closed with this sink
   * @param ranks those of the group's state
   */
  public LineSink(
      String measurement,
      int mostLines,
      LineSender sender,
      RefusedLines refused,
      Map<String, String> ranks) {
    lines = new PointLine(measurement);
    batch = new PointLines(mostLines);
    unranked = new PointLines(mostLines);
    this.sender = sender;
    this.refused = refused;
    ranks.forEach(this.ranks::restore);
  }

  @Override
  public void add(Channel channel, EventColumns events, int from, int to) {
    byte[] prefix = prefixes.computeIfAbsent(channel, lines::prefix);
    for (int row = from; row < to; row++) {
      String rank = ranks.next(channel.name(), events.timeNanos[row]);
      if (events.stray[row] == 0) {
        lines.add(rank == null ? unranked : batch, prefix, rank == null ? "" : rank, events, row);
      }
    }
  }

  @Override
  public boolean hasRoom() {
    return batch.hasRoom() && unranked.hasRoom();
  }

  @Override
  public void deliver() throws IOException, InterruptedException {
    try {
      if (batch.lines() > 0) {
        sender.send(batch, refused);
      }
      if (unranked.lines() > 0) {
        refused.add(TOO_MANY, unranked.bytes(0, unranked.lines()), unranked.lines());
      }
      delivered += batch.lines() + unranked.lines();
    } finally {
      batch.clear();
      unranked.clear();
    }
  }

  @Override
  public long delivered() {
    return delivered;
  }

  @Override
  public Kept keep() throws IOException {
    return new Kept(refused.save(), ranks.texts());
  }

  @Override
  public @Nullable String refusal() {
    return refused.count() == 0
        ? null
        : "InfluxDB refused " + refused.count() + " lines, kept in " + refused.file();
  }

  @Override
  public void close() throws IOException {
    refused.close();
  }
}
