package org.kblake.ingest.internal.verify;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.internal.store.file.StoreWriteException;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.image.BlockReplay;
import org.kblake.ingest.internal.rows.ReaderPool;
import org.kblake.ingest.internal.rows.RowMemory;

/**
 * Writes pairs again from their blocks: both files byte for byte, with their modification times. A
 * file gets its final name only when it is complete and verified. No link below the root of the new
 * tree is followed, because it could lead into the archive.
 */
public final class Restore {

  /**
   * The result for a group's pairs.
   *
   * @param restored stamps of pairs that were written
   * @param refused the reasons why other pairs were not written, by stamp
   */
  public record Result(List<String> restored, Map<String, String> refused) {}

  private final Store store;
  private final List<LogLayout> layouts;
  private final RowMemory memory;
  private final ReaderPool readers = new ReaderPool(Pace.FREE);

  /**
   * @param memoryBytes memory for rows
   */
  public Restore(Store store, List<LogLayout> layouts, long memoryBytes) {
    this.store = store;
    this.layouts = layouts;
    this.memory = new RowMemory(memoryBytes, store.directory());
  }

  /** A pair that has an image in a block. */
  private record Known(PairImage image, PairImage.@Nullable Closing closing) {}

  /**
   * Restores every pair of a group that is completely in blocks.
   *
   * @param into the root of the new tree, which may be a link; files go to {@code into/SYSTEM/}
   * @param progress gets the bytes of log of the group's blocks as they are done; together they are
   *     the bytes of all its blocks
   * @throws FileAlreadyExistsException if a file already exists
   */
  public Result run(Group group, Path into, LongConsumer progress)
      throws IOException, InterruptedException {
    Map<String, String> refused = new TreeMap<>();
    List<Block> blocks = blocks(group, refused);
    Map<String, Known> pairs = pairs(blocks, refused);
    Coverage coverage = Block.coverage(blocks);
    List<String> whole = new ArrayList<>();
    for (Map.Entry<String, Known> pair : pairs.entrySet()) {
      if (refused.containsKey(pair.getKey())) {
        continue;
      }
      String reason = refusal(pair.getKey(), pair.getValue().closing, coverage);
      if (reason == null) {
        whole.add(pair.getKey());
      } else {
        refused.put(pair.getKey(), reason);
      }
    }
    Path directory = into.resolve(group.system());
    Files.createDirectories(into);
    requireDirectory(directory);
    for (String stamp : whole) {
      refuseToOverwrite(indexFile(directory, group, stamp));
      refuseToOverwrite(logFile(directory, group, stamp));
    }
    for (Block block : blocks) {
      long left = block.summary().rawBytes();
      boolean needed = block.spans().stream().anyMatch(span -> whole.contains(span.stamp()));
      if (needed) {
        requireDirectory(directory);
        LogOutput output = new LogOutput(block, directory, whole, progress);
        try (output) {
          new BlockReplay(block, layouts, memory, readers).run(output);
        } catch (StoreWriteException | ClosedByInterruptException | InterruptedIOException e) {
          throw e;
        } catch (IOException e) {
          if (output.failed) {
            throw e;
          }
          // The pairs of other blocks can still be restored.
          for (LogSpan span : block.spans()) {
            if (whole.remove(span.stamp())) {
              refused.put(span.stamp(), String.valueOf(e.getMessage()));
              Files.deleteIfExists(unfinished(logFile(directory, group, span.stamp())));
            }
          }
        }
        left -= output.bytes;
      }
      progress.accept(left);
    }
    for (String stamp : whole) {
      Known known = pairs.get(stamp);
      if (known != null && known.closing != null) {
        requireDirectory(directory);
        finish(directory, group, stamp, known.image, known.closing);
      }
    }
    return new Result(whole, refused);
  }

  private List<Block> blocks(Group group, Map<String, String> refused) {
    try {
      return store.blocks(
          group,
          problem ->
              refused.put(
                  String.valueOf(problem.file().getParent()),
                  String.valueOf(problem.getMessage())));
    } catch (IOException e) {
      refused.put("all", "blocks cannot be listed: " + e + "; check the store's disk");
      return List.of();
    }
  }

  private static Map<String, Known> pairs(List<Block> blocks, Map<String, String> refused) {
    Map<String, Known> pairs = new TreeMap<>();
    for (Block block : blocks) {
      List<PairImage> images;
      try {
        images = block.pairs();
      } catch (IOException e) {
        block.spans().forEach(span -> refused.put(span.stamp(), String.valueOf(e.getMessage())));
        continue;
      }
      for (PairImage image : images) {
        Known known = pairs.get(image.stamp());
        if (known == null || known.closing == null) {
          pairs.put(image.stamp(), new Known(image, image.closing()));
        }
      }
    }
    return pairs;
  }

  private static @Nullable String refusal(
      String stamp, PairImage.@Nullable Closing closing, Coverage coverage) {
    if (closing == null) {
      return "its end is in no block: the pair was still growing, or its last segment is missing";
    }
    if (!coverage.holds(stamp, 0, closing.logBytes())) {
      return "not completely in blocks: held="
          + coverage.held(stamp, 0, closing.logBytes())
          + ", bytes of the log="
          + closing.logBytes();
    }
    return null;
  }

  private static Path indexFile(Path directory, Group group, String stamp) {
    return directory.resolve(group.name() + "_" + stamp + ".log1");
  }

  private static Path logFile(Path directory, Group group, String stamp) {
    return directory.resolve(group.name() + "_" + stamp + ".log2");
  }

  private static Path unfinished(Path file) {
    return file.resolveSibling("unfinished-" + file.getFileName());
  }

  /** Makes a directory, unless there is one that is no link. */
  private static void requireDirectory(Path directory) throws IOException {
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        throw new FileSystemException(
            directory.toString(),
            null,
            "is no directory or a link, which restore does not follow; name an empty directory");
      }
    }
  }

  private static void refuseToOverwrite(Path file) throws FileAlreadyExistsException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(
          file.toString(), null, "restore does not overwrite; name an empty directory");
    }
  }

  private static void finish(
      Path directory, Group group, String stamp, PairImage image, PairImage.Closing closing)
      throws IOException {
    Path index = indexFile(directory, group, stamp);
    Path log = logFile(directory, group, stamp);
    try (FileChannel channel = create(unfinished(index))) {
      write(channel, ByteBuffer.wrap(image.indexHead()));
      write(channel, ByteBuffer.wrap(closing.indexTail()));
      channel.force(true);
    }
    if (closing.logBytes() == 0) {
      create(unfinished(log)).close();
    }
    complete(index, closing.indexModifiedNanos());
    complete(log, closing.logModifiedNanos());
  }

  private static void complete(Path file, long modifiedNanos) throws IOException {
    Files.getFileAttributeView(
            unfinished(file), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(FileTime.from(modifiedNanos, TimeUnit.NANOSECONDS), null, null);
    Files.move(unfinished(file), file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Replaces what a restoration that was killed has left. */
  private static FileChannel create(Path file) throws IOException {
    Files.deleteIfExists(file);
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Writes a block's bytes into the logs that are being restored. */
  private static final class LogOutput implements BlockReplay.Sink, AutoCloseable {
    private final Block block;
    private final Path directory;
    private final List<String> whole;
    private final LongConsumer progress;
    private long bytes;
    private int span = -1;
    private @Nullable FileChannel channel;

    /** True if the new logs cannot be written, which concerns all of them. */
    private boolean failed;

    LogOutput(Block block, Path directory, List<String> whole, LongConsumer progress) {
      this.block = block;
      this.directory = directory;
      this.whole = whole;
      this.progress = progress;
    }

    @Override
    public void bytes(StoredSegment segment, long offset, ByteBuffer encoded) throws IOException {
      failed = true;
      write(segment, offset, encoded);
      failed = false;
      bytes += encoded.remaining();
      progress.accept(encoded.remaining());
    }

    private void write(StoredSegment segment, long offset, ByteBuffer encoded) throws IOException {
      if (segment.span() != span) {
        open(segment.span());
      }
      FileChannel log = channel;
      if (log != null) {
        ByteBuffer left = encoded.duplicate();
        long at = offset;
        while (left.hasRemaining()) {
          at += log.write(left, at);
        }
      }
    }

    private void open(int wanted) throws IOException {
      close();
      span = wanted;
      LogSpan of = block.spans().get(wanted);
      if (whole.contains(of.stamp())) {
        Path file = unfinished(logFile(directory, block.group(), of.stamp()));
        channel =
            of.fromOffset() == 0
                ? create(file)
                : FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      }
    }

    @Override
    public void close() throws IOException {
      FileChannel open = channel;
      channel = null;
      if (open != null) {
        boolean failedBefore = failed;
        failed = true;
        try (open) {
          open.force(true);
        }
        failed = failedBefore;
      }
    }
  }
}
