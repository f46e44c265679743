package org.kblake.lake.publish;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.apache.iceberg.DataFile;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.Stretch;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.lake.table.DataName;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.LocalFiles;
import org.kblake.lake.table.Provenance;

/**
 * Makes data files of files of blocks: a hard link if the table is on the store's file system, else
 * a copy. A file that not all engines read, or of which only a part is wanted, is written again.
 * The file of the block is never changed.
 */
final class FileTransfer {

  private final String archive;
  private final Path temporary;
  private final LongConsumer progress;
  private final FileRewriter rewriter = new FileRewriter();

  /**
   * @param archive the archive's root as the store names it
   * @param temporary a directory for files that are written before they are sent elsewhere
   * @param progress gets the number of bytes of each step
   */
  FileTransfer(String archive, Path temporary, LongConsumer progress) {
    this.archive = archive;
    this.temporary = temporary;
    this.progress = progress;
  }

  /** Returns the name of a new data file. */
  static DataName name(Piece piece) {
    String unique = UUID.randomUUID().toString().substring(0, 8);
    List<Stretch> part = piece.part();
    return part == null
        ? DataName.of(piece.block(), unique)
        : DataName.ofPart(
            piece.block(), part.get(0).from(), part.get(part.size() - 1).to(), unique);
  }

  /**
   * Makes a data file, and its provenance beside it.
   *
   * @return the file for a commit; null if it has no rows, and then no file is left
   * @throws NoSuchFileException if the block was removed from the store meanwhile
   */
  @Nullable DataFile run(Piece piece, LakeTable table, DataName name)
      throws IOException, InterruptedException {
    Path source = piece.block().directory().resolve(table.kind().fileName());
    String path = table.dataPath(name);
    try (FileByteSource bytes = new FileByteSource(source)) {
      FileFooter footer = FileFooter.read(bytes);
      if (piece.part() == null && SharedFormat.has(table.kind(), footer)) {
        return shared(piece.block(), source, bytes.size(), footer, table, path);
      }
      return rewritten(piece, source, bytes, table, path);
    }
  }

  private DataFile shared(
      Block block, Path source, long size, FileFooter footer, LakeTable table, String path)
      throws IOException, InterruptedException {
    Path target = LocalFiles.path(path);
    String sha256;
    if (target != null && link(source, target)) {
      try (InputStream in = Files.newInputStream(target)) {
        sha256 = FileHash.of(in, progress);
      }
    } else {
      sha256 = send(source, table, path);
    }
    String kind = table.kind().fileName();
    Provenance.Content content = new Provenance.Content(kind, size, sha256);
    Provenance.Content own = new Provenance.Content(nameOf(path), size, sha256);
    table.writeProvenance(path, Provenance.of(archive, block, content, own, false));
    return table.dataFile(path, size, footer.metaData());
  }

  private @Nullable DataFile rewritten(
      Piece piece, Path source, FileByteSource bytes, LakeTable table, String path)
      throws IOException, InterruptedException {
    Block block = piece.block();
    Provenance.Content content;
    try (InputStream in = Files.newInputStream(source)) {
      content =
          new Provenance.Content(table.kind().fileName(), bytes.size(), FileHash.of(in, progress));
    }
    Path local = LocalFiles.path(path);
    Path written = local == null ? temporary.resolve(nameOf(path)) : local;
    if (local != null) {
      createParent(local);
    }
    try {
      BitSet segments = piece.part() == null ? null : RowSlices.of(block, piece.stretches());
      long rows =
          rewriter.write(bytes, segments, written, Provenance.footer(archive, block, content));
      if (rows == 0) {
        Files.delete(written);
        return null;
      }
      FileFooter footer;
      long size;
      try (FileByteSource own = new FileByteSource(written)) {
        footer = FileFooter.read(own);
        size = own.size();
      }
      String sha256;
      if (local == null) {
        sha256 = send(written, table, path);
      } else {
        try (InputStream in = Files.newInputStream(written)) {
          sha256 = FileHash.of(in, unused -> {});
        }
      }
      Provenance.Content own = new Provenance.Content(nameOf(path), size, sha256);
      table.writeProvenance(
          path, Provenance.of(archive, block, piece.stretches(), content, own, true));
      return table.dataFile(path, size, footer.metaData());
    } finally {
      if (local == null) {
        Files.deleteIfExists(written);
      }
    }
  }

  /**
   * Gives a file a name in the table.
   *
   * @return false if the file systems differ, or have no hard links
   */
  private static boolean link(Path source, Path target) throws IOException {
    createParent(target);
    try {
      Files.createLink(target, source);
      return true;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static void createParent(Path target) throws IOException {
    Path parent = target.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
  }

  private String send(Path source, LakeTable table, String path)
      throws IOException, InterruptedException {
    Path local = LocalFiles.path(path);
    if (local != null) {
      createParent(local);
      try (InputStream in = Files.newInputStream(source);
          FileChannel channel =
              FileChannel.open(local, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
          OutputStream out = Channels.newOutputStream(channel)) {
        String sha256 = FileHash.copy(in, out, progress);
        channel.force(true);
        return sha256;
      }
    }
    try (InputStream in = Files.newInputStream(source);
        OutputStream out = table.io().newOutputFile(path).create()) {
      return FileHash.copy(in, out, progress);
    }
  }

  private static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
