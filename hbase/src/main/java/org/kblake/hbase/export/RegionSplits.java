package org.kblake.hbase.export;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.kblake.core.model.Channel;
import org.kblake.hbase.layout.EventKey;

/**
 * The regions of a new table: as many channels in each. HBase divides them further as they grow.
 */
public final class RegionSplits {

  /** The bytes of log whose events are in a region. As cells they take about as much. */
  private static final long LOG_BYTES = 5L << 30;

  private static final int MOST = 100;

  private RegionSplits() {}

  /** Returns the usual number of regions for an amount of log. */
  public static int usual(long logBytes) {
    return (int) Math.min(MOST, 1 + logBytes / LOG_BYTES);
  }

  /** Returns the first rows of the regions, without the first region. */
  public static List<byte[]> of(List<Channel> channels, int regions) throws IOException {
    List<byte[]> prefixes = new ArrayList<>();
    for (Channel each : channels) {
      prefixes.add(EventKey.channelPrefix(each));
    }
    prefixes.sort(Bytes.BYTES_COMPARATOR);
    int count = Math.min(regions, prefixes.size());
    List<byte[]> splits = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      splits.add(prefixes.get((int) ((long) i * prefixes.size() / count)));
    }
    return splits;
  }
}
