package org.kblake.core.internal.store.block;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.parquet.file.ChannelRows;
import org.kblake.core.internal.parquet.file.FileLayout;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.write.EncodedRowGroup;
import org.kblake.core.internal.parquet.write.EventFileWriter;
import org.kblake.core.internal.store.chunk.BlockChunks;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkDirectoryLayout;
import org.kblake.core.internal.store.chunk.ChunkDirectoryWriter;
import org.kblake.core.internal.store.chunk.ChunkTimes;
import org.kblake.core.internal.store.file.Sha256;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.internal.store.rollup.RollupWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * Writes one block. Its files are written and forced under a temporary name. Then the directory is
 * forced and renamed, and its parent is forced. The block exists when {@link #commit} returns. If
 * the writer is closed before, its files are removed. Not thread safe.
 */
public final class BlockWriter implements Closeable {

  public static final String TEMPORARY_PREFIX = "unfinished-";

  /**
   * The numbers in the temporary names of blocks that threads of this process write at the same
   * time. Names of other processes have another process id.
   */
  private static final AtomicLong BEGUN = new AtomicLong(System.nanoTime());

  private final StoreFiles files;
  private final Trash trash;
  private final Group group;
  private final Path groupDirectory;
  private final Path temporary;
  private final WriteProfile profile;
  private final Map<String, OpenFile> open = new TreeMap<>();
  private final Patch.Writer patch;
  private final RollupWriter rollups;
  private boolean ended;

  /** A Parquet file being written, and the times of its chunks in the order of its rows. */
  private record OpenFile(
      StoreFiles.Output output, EventFileWriter writer, List<ChunkTimes> times) {}

  public BlockWriter(
      StoreFiles files, Trash trash, Path groupDirectory, Group group, WriteProfile profile)
      throws IOException {
    this.files = files;
    this.trash = trash;
    this.group = group;
    this.groupDirectory = groupDirectory;
    this.profile = profile;
    this.temporary = temporary(groupDirectory);
    rollups = new RollupWriter(files, temporary, profile);
    files.createDirectories(temporary);
    try {
      this.patch = new Patch.Writer(files, temporary);
    } catch (Throwable e) {
      FirstFailure.close(e, () -> Trash.deleteTree(files, temporary));
      throw e;
    }
  }

  /** Returns a temporary name of a block that no other has. */
  static Path temporary(Path groupDirectory) {
    return groupDirectory.resolve(
        TEMPORARY_PREFIX
            + ProcessHandle.current().pid()
            + "-"
            + Long.toHexString(BEGUN.incrementAndGet()));
  }

  /**
   * Adds a row group.
   *
   * @param times the times of each of its channels, in the order of its rows
   * @param added the rollups of each of its channels
   */
  public void append(
      ValueType type,
      boolean waveform,
      EncodedRowGroup rowGroup,
      List<ChunkTimes> times,
      List<RollupWriter.RowGroupRollup> added)
      throws IOException {
    String name = BlockChunks.fileName(type, waveform);
    OpenFile file = open.get(name);
    if (file == null) {
      StoreFiles.Output output = files.create(temporary.resolve(name));
      file =
          new OpenFile(
              output,
              new EventFileWriter(
                  output, type, waveform, profile, Map.of("kblake.group", group.toString())),
              new ArrayList<>());
      open.put(name, file);
    }
    file.writer.append(rowGroup);
    file.times.addAll(times);
    for (RollupWriter.RowGroupRollup rollup : added) {
      rollups.add(rollup);
    }
  }

  /**
   * Returns the writer of the differences between the log and the columns. They are added in log
   * order.
   */
  public Patch.Writer patch() {
    return patch;
  }

  /**
   * Makes the block visible.
   *
   * @param generation the lowest generation; the block has a higher one if its name is in the trash
   * @return the block, which is on the disk when this returns, unless it was merged already
   */
  public Block commit(
      BlockSummary summary,
      List<StoredSegment> segments,
      List<PairImage> pairs,
      List<StoredDamage> damage,
      int generation)
      throws IOException {
    patch.finish();
    List<FileLayout> layouts = new ArrayList<>();
    List<Chunk> chunks = new ArrayList<>();
    int rowGroups = 0;
    for (OpenFile file : open.values()) {
      FileLayout layout = file.writer.finish();
      file.output.force();
      layouts.add(layout);
      int chunk = 0;
      for (RowGroupLayout rowGroup : layout.rowGroups()) {
        for (ChannelRows rows : rowGroup.channels()) {
          chunks.add(chunk(layout, rowGroups, rows, file.times.get(chunk++)));
        }
        rowGroups++;
      }
    }
    try (StoreFiles.Output output =
        files.create(temporary.resolve(ChunkDirectoryLayout.FILE_NAME))) {
      new ChunkDirectoryWriter(layouts, chunks).write(output);
      output.force();
    }
    try (StoreFiles.Output output = files.create(temporary.resolve(BlockSections.FILE_NAME))) {
      BlockSections.write(output, summary, identities(pairs), segments, pairs, damage);
      output.force();
    }
    rollups.finish(BlockSections.readHead(temporary).checksum(), false);
    closeFiles();
    files.forceDirectory(temporary);
    BlockName wanted = new BlockName(summary.from(), summary.to(), generation);
    BlockName name =
        new BlockName(
            summary.from(),
            summary.to(),
            Math.max(generation, trash.freeGeneration(groupDirectory, wanted)));
    Path directory = groupDirectory.resolve(name.toString());
    Block block = Block.complete(temporary, directory, name);
    files.rename(temporary, directory);
    ended = true;
    files.forceDirectory(groupDirectory);
    return block;
  }

  private static Chunk chunk(FileLayout file, int rowGroup, ChannelRows rows, ChunkTimes times) {
    return new Chunk(
        rows.name(),
        file.type(),
        file.waveform(),
        rowGroup,
        rows.firstRow(),
        rows.rows(),
        rows.firstPage(),
        rows.pages(),
        times.firstNanos(),
        times.lastNanos(),
        times.firstValueNanos());
  }

  private static List<PairIdentity> identities(List<PairImage> pairs) {
    List<PairIdentity> identities = new ArrayList<>();
    for (PairImage pair : pairs) {
      identities.add(
          new PairIdentity(Sha256.of(pair.indexHead()), pair.firstMilestoneSha256(), true));
    }
    return identities;
  }

  private void closeFiles() throws IOException {
    List<Closeable> closing = new ArrayList<>();
    open.values().forEach(file -> closing.add(file.writer));
    closing.add(patch);
    closing.add(rollups);
    open.clear();
    FirstFailure.closeAll(closing.toArray(Closeable[]::new));
  }

  /** Removes the written files if the block was not committed. Further calls have no effect. */
  @Override
  public void close() throws IOException {
    if (!ended) {
      ended = true;
      FirstFailure.closeAll(this::closeFiles, () -> Trash.deleteTree(files, temporary));
    }
  }
}
