package org.kblake.core.store;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.ChannelRows;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.read.EventPageReader;
import org.kblake.core.internal.parquet.read.FooterReader;
import org.kblake.core.internal.parquet.write.EventFileWriter;
import org.kblake.core.internal.parquet.write.RowGroupEncoder;

/**
 * Writes rows of a file of a block again, in the form that all engines read. Columns have ids,
 * which some engines need. For one thread.
 */
public final class FileRewriter {

  private final EventPageReader reader = new EventPageReader();
  private final RowGroupEncoder encoder = new RowGroupEncoder();
  private final WriteProfile profile;

  /**
   * @param codec the compression of columns that become smaller by it
   */
  public FileRewriter(Codec codec) {
    profile = new WriteProfile(codec, true);
  }

  /**
   * Writes a new file. Row groups have the same rows as those of the source.
   *
   * @param segments the segments whose rows are written; null for all
   * @param target gets the file, and is closed
   * @param keyValues the key-value pairs of the footer
   * @return the number of rows; a file without rows is complete, too
   * @throws InterruptedException if the thread is interrupted; then the new file is not complete
   */
  public long write(
      EventFile from,
      @Nullable BitSet segments,
      WritableByteChannel target,
      Map<String, String> keyValues)
      throws IOException, InterruptedException {
    ByteSource source = from.source();
    FileLayout layout = FooterReader.read(source);
    EventColumns rows = new EventColumns(layout.type(), layout.waveform(), EventColumns.PAGE_ROWS);
    long written = 0;
    try (EventFileWriter writer =
        new EventFileWriter(target, layout.type(), layout.waveform(), profile, keyValues, true)) {
      for (RowGroupLayout rowGroup : layout.rowGroups()) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        reader.read(source, rowGroup, 0, rowGroup.pages(), EnumSet.allOf(EventColumn.class), rows);
        encoder.begin(layout.type(), layout.waveform(), profile);
        long added = 0;
        for (ChannelRows each : rowGroup.channels()) {
          encoder.channel(each.name());
          added += append(rows, each, segments);
        }
        if (added > 0) {
          writer.append(encoder.finish());
          written += added;
        }
      }
      writer.finish();
    }
    return written;
  }

  /** Adds the wanted rows of a channel, run by run. */
  private long append(EventColumns rows, ChannelRows channel, @Nullable BitSet segments) {
    int end = channel.firstRow() + channel.rows();
    if (segments == null) {
      encoder.append(rows, channel.firstRow(), end);
      return channel.rows();
    }
    long added = 0;
    int from = channel.firstRow();
    while (from < end) {
      boolean wanted = segments.get(rows.segment[from]);
      int to = from + 1;
      while (to < end && segments.get(rows.segment[to]) == wanted) {
        to++;
      }
      if (wanted) {
        encoder.append(rows, from, to);
        added += to - from;
      }
      from = to;
    }
    return added;
  }
}
