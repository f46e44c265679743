package org.kblake.core.internal.store.rollup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.model.ValueType;

/**
 * Writes the rollups of a block while the block's row groups are written. The file is created with
 * its first rows. All rows of one row group are in memory. Not thread safe.
 *
 * <p>The rows of a channel are kept if there are enough events for each, and if all rows so far
 * take no more than their share of the bytes of all events so far. The finest width takes nine
 * tenths of this at most, so that wider ones are left out last. If all rows are left out for their
 * bytes, the file has none: then it is known that the block has no rollups.
 */
public final class RollupWriter implements Closeable {

  private static final double SHARE_OF_FINEST = 0.9;

  /** The approximate bytes of a footer without row groups, and of a row group in it. */
  static final int FOOTER_BYTES = 1 << 11;

  private final StoreFiles files;
  private final Path file;
  private final WriteProfile profile;
  private final RollupLimits limits = RollupLimits.present();
  private final EncodedPages encoding;
  private RollupDirectoryWriter directory = new RollupDirectoryWriter();
  private RollupRowGroups rowGroups;
  private StoreFiles.@Nullable Output output;

  private String channel = "";
  private ValueType type = ValueType.STRING;
  private @Nullable RollupRows rows;
  private long events;
  private boolean complete;
  private boolean leftOut;
  private long eventBytes;
  private long spentBytes = FOOTER_BYTES;

  /**
   * @param directory the directory of the block's files
   */
  public RollupWriter(StoreFiles files, Path directory, WriteProfile profile) {
    this.files = files;
    this.profile = profile;
    file = directory.resolve(Rollups.FILE_NAME);
    encoding = new EncodedPages(profile);
    rowGroups = new RollupRowGroups(encoding.codec(), this.directory);
  }

  /**
   * The rollup of a channel's rows in one row group.
   *
   * @param channel the channel's name
   * @param type the type of its values
   * @param events the number of events
   * @param bytes the bytes of its columns
   * @param rows the finest rows; null if there is no rollup
   */
  public record RowGroupRollup(
      String channel, ValueType type, long events, long bytes, @Nullable RollupRows rows) {}

  /** Adds the next rollup. Those of a channel and type follow each other, in log order. */
  public void add(RowGroupRollup added) throws IOException {
    if (!added.channel.equals(channel) || added.type != type) {
      endChannel();
      channel = added.channel;
      type = added.type;
      complete = true;
    }
    eventBytes += added.bytes;
    events += added.events;
    RollupRows more = added.rows;
    if (more == null) {
      complete = false;
      rows = null;
    } else if (complete) {
      RollupRows all = rows;
      if (all == null) {
        rows = more;
      } else {
        all.addAll(more, Rollups.BASE);
      }
    }
  }

  private void endChannel() throws IOException {
    RollupRows base = rows;
    if (base != null && complete && !directory.has(channel)) {
      for (long width : Rollups.WIDTHS) {
        if (!add(width, width == Rollups.BASE ? base : coarser(base, width))) {
          break;
        }
      }
    }
    rows = null;
    events = 0;
  }

  static RollupRows coarser(RollupRows base, long width) {
    RollupRows coarse = new RollupRows(16);
    coarse.addAll(base, width);
    return coarse;
  }

  /** Adds the rows of a width. Returns false if they take too many bytes. */
  private boolean add(long width, RollupRows all) throws IOException {
    if (all.count() == 0 || !limits.keeps(all.count(), events)) {
      return false;
    }
    List<EncodedPages.Page> pages = encoding.encode(all);
    long bytes = RollupDirectoryWriter.bytes(pages.size());
    for (EncodedPages.Page page : pages) {
      bytes += rowGroups.bytes(page);
    }
    double share = width == Rollups.BASE ? limits.share() * SHARE_OF_FINEST : limits.share();
    if (spentBytes + bytes > share * eventBytes) {
      leftOut = true;
      return false;
    }
    spentBytes += bytes;
    directory.entry(channel, type, width, all.count(), events, pages.size());
    for (EncodedPages.Page page : pages) {
      rowGroups.add(channel, Rollups.seconds(width), all, page);
      if (rowGroups.isFull()) {
        flush();
      }
    }
    return true;
  }

  private void flush() throws IOException {
    StoreFiles.Output out = output == null ? create() : output;
    spentBytes += FOOTER_BYTES;
    rowGroups.write(out);
  }

  private StoreFiles.Output create() throws IOException {
    StoreFiles.Output out = files.create(file);
    output = out;
    write(FileFooter.magic(), out);
    return out;
  }

  private static void write(ByteBuffer bytes, StoreFiles.Output out) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  /**
   * Ends the file and forces it to the disk. There is no file if no rows were kept, and none were
   * left out for their bytes.
   *
   * @param stamp the checksum of the block's head
   * @param always whether there is a file, without rows, even then
   * @return whether rows were kept
   */
  public boolean finish(int stamp, boolean always) throws IOException {
    endChannel();
    if (!rowGroups.isEmpty()) {
      flush();
    }
    StoreFiles.Output out = output;
    if (out != null) {
      ByteOutput tail = tail(stamp, out);
      if (out.size() + tail.size <= limits.share() * eventBytes) {
        finish(tail, out);
        return true;
      }
      close();
      files.delete(file);
      leftOut = true;
      directory = new RollupDirectoryWriter();
      rowGroups = new RollupRowGroups(encoding.codec(), directory);
    }
    if (always || leftOut && Rollups.mayFit(eventBytes)) {
      out = create();
      finish(tail(stamp, out), out);
    }
    return false;
  }

  private ByteOutput tail(int stamp, StoreFiles.Output out) throws IOException {
    ByteOutput tail = new ByteOutput(1 << 12);
    directory.put(stamp, out.size(), encoding.codec(), tail);
    FileFooter.put(
        rowGroups.metaData(profile.lake()),
        Map.of("kblake.rollup", Integer.toString(Rollups.VERSION)),
        out.size(),
        tail);
    return tail;
  }

  private static void finish(ByteOutput tail, StoreFiles.Output out) throws IOException {
    write(ByteBuffer.wrap(tail.bytes, 0, tail.size), out);
    out.force();
  }

  @Override
  public void close() throws IOException {
    StoreFiles.Output out = output;
    output = null;
    if (out != null) {
      out.close();
    }
  }
}
