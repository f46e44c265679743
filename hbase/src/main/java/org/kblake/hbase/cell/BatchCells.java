package org.kblake.hbase.cell;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.hbase.layout.EventKey;
import org.kblake.hbase.stop.StopRequest;
import org.kblake.query.answer.LogSegment;

/** The cells of a batch of a group's log, in memory. For one thread. */
public final class BatchCells {

  private final long mostBytes;
  private final Map<Channel, ChannelCells> channels = new HashMap<>();
  private long bytes;

  /** Receives cells in the order of their keys. */
  @FunctionalInterface
  public interface Consumer {
    /**
     * Takes a cell.
     *
     * @param row an array that begins with the key; valid during the call
     */
    void take(byte[] row, int rowBytes, byte[] value, int valueAt, int valueBytes)
        throws IOException, InterruptedException;
  }

  /**
   * @param mostBytes the memory for cells
   */
  public BatchCells(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Returns whether there is memory for more cells. */
  public boolean hasRoom() {
    return bytes < mostBytes;
  }

  /** Returns the number of cells. */
  public long cells() {
    return channels.values().stream().mapToLong(ChannelCells::cells).sum();
  }

  /** Returns the number of cells of a channel. */
  public long cells(Channel channel) {
    ChannelCells cells = channels.get(channel);
    return cells == null ? 0 : cells.cells();
  }

  /**
   * Adds the event of a row.
   *
   * @throws IOException if the channel's name is too long for HBase
   */
  public void add(Channel channel, EventColumns columns, int row, LogSegment segment)
      throws IOException {
    ChannelCells cells = channels.get(channel);
    if (cells == null) {
      cells = new ChannelCells(EventKey.channelPrefix(channel));
      channels.put(channel, cells);
      bytes += cells.bytes();
    }
    long before = cells.bytes();
    cells.add(columns, row, Long.parseLong(segment.stamp()), segment.offset());
    bytes += cells.bytes() - before;
  }

  /** Passes all cells on in the order of their keys. */
  public void forEach(Consumer consumer) throws IOException, InterruptedException {
    List<ChannelCells> sorted = new ArrayList<>(channels.values());
    sorted.sort(Comparator.comparing(ChannelCells::prefix, Bytes.BYTES_COMPARATOR));
    for (ChannelCells each : sorted) {
      byte[] row = new byte[each.prefix().length + EventKey.MAX_PLACE_BYTES];
      for (int cell : each.order()) {
        int rowBytes = each.copyRow(cell, row);
        consumer.take(row, rowBytes, each.data(), each.valueAt(cell), each.valueBytes(cell));
      }
      StopRequest.check();
    }
  }

  /** Returns the digest of all cells. */
  public CellDigest digest() throws IOException, InterruptedException {
    CellDigest digest = new CellDigest();
    forEach(digest::add);
    return digest;
  }
}
