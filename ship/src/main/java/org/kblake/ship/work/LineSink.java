package org.kblake.ship.work;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.ship.influx.LineSender;
import org.kblake.ship.line.EventLine;
import org.kblake.ship.line.EventRanks;
import org.kblake.ship.line.LineBatch;

/** Sends the events of one group to InfluxDB. */
public final class LineSink implements EventSink {

  private final EventLine lines;
  private final LineBatch batch;
  private final LineSender sender;
  private final EventRanks ranks = new EventRanks();
  private final Map<Channel, byte[]> prefixes = new HashMap<>();

  /**
   * @param ranks those of the group's state
   */
  public LineSink(String measurement, int mostLines, LineSender sender, Map<String, String> ranks) {
    lines = new EventLine(measurement);
    batch = new LineBatch(mostLines);
    this.sender = sender;
    ranks.forEach(this.ranks::restore);
  }

  @Override
  public void add(Channel channel, EventColumns events, int from, int to) {
    byte[] prefix = prefixes.computeIfAbsent(channel, lines::prefix);
    for (int row = from; row < to; row++) {
      String rank = ranks.next(channel.name(), events.timeNanos[row]);
      lines.add(batch, prefix, rank, events, row);
    }
  }

  @Override
  public boolean hasRoom() {
    return batch.hasRoom();
  }

  @Override
  public void deliver() throws IOException, InterruptedException {
    try {
      sender.send(batch);
    } finally {
      batch.clear();
    }
  }

  @Override
  public Map<String, String> ranks() {
    return ranks.texts();
  }
}
