package org.kblake.core.internal.store.block;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.ChannelRows;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.read.EventPageReader;
import org.kblake.core.internal.parquet.read.FooterReader;
import org.kblake.core.internal.store.chunk.BlockChunks;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.internal.store.file.StoreWriteException;
import org.kblake.core.internal.store.rollup.RollupBuilder;
import org.kblake.core.internal.store.rollup.RollupWriter;
import org.kblake.core.internal.store.rollup.Rollups;
import org.kblake.core.model.ValueType;

/**
 * Gives a block rollups: a new generation of the block has the same files, as hard links, and
 * beside them the rollups. They are computed from the pages of events, row group after row group.
 * If the block keeps none, the file of rollups has no rows, so that this is done once. The block
 * exists when {@link #commit} returns. If this is closed before, its names are removed. Not thread
 * safe.
 */
public final class RollupAddition implements Closeable {

  private final StoreFiles files;
  private final Trash trash;
  private final Block block;
  private final Path groupDirectory;
  private final Path temporary;
  private boolean ended;

  /**
   * @param block the block, which has no rollups
   */
  public RollupAddition(StoreFiles files, Trash trash, Path groupDirectory, Block block)
      throws IOException {
    this.files = files;
    this.trash = trash;
    this.block = block;
    this.groupDirectory = groupDirectory;
    temporary = BlockWriter.temporary(groupDirectory);
    files.createDirectories(temporary);
  }

  /**
   * Returns whether a block has no file of rollups, and a channel that has enough events for its
   * time. It may keep none, because they would take too many bytes.
   */
  public static boolean isWanted(Block block) throws IOException {
    if (Files.exists(block.directory().resolve(Rollups.FILE_NAME))
        || !Rollups.mayFit(bytesOfEvents(block))) {
      return false;
    }
    for (Chunk chunk : block.chunks().all()) {
      if (Rollups.isOf(chunk.type(), chunk.waveform()) && chunk.firstNanos() <= chunk.lastNanos()) {
        long hours = TimeUnit.NANOSECONDS.toHours(chunk.lastNanos() - chunk.firstNanos());
        if (hours >= 0 && Rollups.mayKeep(chunk.rows() / (hours + 2))) {
          return true;
        }
      }
    }
    return false;
  }

  private static long bytesOfEvents(Block block) throws IOException {
    long bytes = 0;
    for (Path file : block.chunks().files()) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /**
   * Computes the rollups.
   *
   * @return false if the block keeps none
   */
  public boolean write(WriteProfile profile) throws IOException {
    try (RollupWriter rollups = new RollupWriter(files, temporary, profile)) {
      RollupBuilder builder = new RollupBuilder();
      for (Path file : filesByType()) {
        try (FileByteSource source = new FileByteSource(file)) {
          FileLayout layout = FooterReader.read(source);
          RollupReader reader = new RollupReader(source, layout, rollups, builder);
          for (RowGroupLayout rowGroup : layout.rowGroups()) {
            reader.read(rowGroup);
          }
        }
      }
      return rollups.finish(block.checksum(), true);
    }
  }

  /** Returns the files of events in the order in which a backfill encodes them. */
  private List<Path> filesByType() throws IOException {
    List<Path> listed = block.chunks().files();
    List<Path> sorted = new ArrayList<>();
    for (ValueType type : ValueType.values()) {
      for (boolean waveform : new boolean[] {false, true}) {
        Path file = block.directory().resolve(BlockChunks.fileName(type, waveform));
        if (listed.contains(file)) {
          sorted.add(file);
        }
      }
    }
    return sorted;
  }

  /**
   * Makes the new generation visible.
   *
   * @param generation the lowest generation
   * @return the block, which is on the disk when this returns
   * @throws FileSystemException if the file system has no hard links
   */
  public Block commit(int generation) throws IOException {
    try (DirectoryStream<Path> names = Files.newDirectoryStream(block.directory())) {
      for (Path file : names) {
        link(file);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    files.forceDirectory(temporary);
    BlockSummary summary = block.summary();
    BlockName wanted = new BlockName(summary.from(), summary.to(), generation);
    BlockName name =
        new BlockName(
            summary.from(),
            summary.to(),
            Math.max(generation, trash.freeGeneration(groupDirectory, wanted)));
    Path directory = groupDirectory.resolve(name.toString());
    Block made = Block.complete(temporary, directory, name);
    files.rename(temporary, directory);
    ended = true;
    files.forceDirectory(groupDirectory);
    return made;
  }

  private void link(Path file) throws IOException {
    Path name = temporary.resolve(String.valueOf(file.getFileName()));
    try {
      files.link(file, name);
    } catch (StoreWriteException | UnsupportedOperationException e) {
      FileSystemException refused =
          new FileSystemException(
              file.toString(), name.toString(), "cannot be linked: " + e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  @Override
  public void close() throws IOException {
    if (!ended) {
      ended = true;
      Trash.deleteTree(files, temporary);
    }
  }

  /** Reads the events of a file of a block into rollups. */
  private static final class RollupReader {

    private final FileByteSource source;
    private final FileLayout layout;
    private final RollupWriter rollups;
    private final RollupBuilder builder;
    private final EventPageReader reader = new EventPageReader();
    private final EventColumns into;
    private final boolean suits;

    /** The channel whose rows were read last, and their number in the block so far. */
    private String channel = "";

    private long channelRows;

    RollupReader(
        FileByteSource source, FileLayout layout, RollupWriter rollups, RollupBuilder builder) {
      this.source = source;
      this.layout = layout;
      this.rollups = rollups;
      this.builder = builder;
      into = new EventColumns(layout.type(), layout.waveform(), 1);
      suits = Rollups.isOf(layout.type(), layout.waveform());
    }

    void read(RowGroupLayout rowGroup) throws IOException {
      long bytes = rowGroup.columns().stream().mapToLong(column -> column.bytes()).sum();
      int page = 0;
      for (ChannelRows rows : rowGroup.channels()) {
        if (!rows.name().equals(channel)) {
          channel = rows.name();
          channelRows = 0;
        }
        if (suits) {
          builder.begin(rows.rows(), channelRows);
          page = build(rowGroup, rows, page);
        }
        rollups.add(
            new RollupWriter.RowGroupRollup(
                rows.name(),
                layout.type(),
                rows.rows(),
                bytes * rows.rows() / rowGroup.rows(),
                suits ? builder.end() : null));
        channelRows += rows.rows();
      }
    }

    /**
     * Adds the rows of a channel in a row group.
     *
     * @param from a page at or before its first one
     * @return a page at or before the first one of the next channel
     */
    private int build(RowGroupLayout rowGroup, ChannelRows rows, int from) throws IOException {
      int[] pageRows = rowGroup.pageRows();
      int end = rows.firstRow() + rows.rows();
      int page = from;
      while (pageRows[page + 1] <= rows.firstRow()) {
        page++;
      }
      while (page < rowGroup.pages() && pageRows[page] < end) {
        reader.read(source, rowGroup, page, page + 1, EnumSet.allOf(EventColumn.class), into);
        int origin = pageRows[page];
        builder.add(
            into,
            Math.max(rows.firstRow(), origin) - origin,
            Math.min(end, pageRows[page + 1]) - origin);
        page++;
      }
      return Math.max(from, page - 1);
    }
  }
}
