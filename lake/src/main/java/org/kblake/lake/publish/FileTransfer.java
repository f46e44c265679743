package org.kblake.lake.publish;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.apache.iceberg.DataFile;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.Codec;
import org.kblake.core.log.LogSpan;
import org.kblake.core.store.EventFile;
import org.kblake.core.store.FileRewriter;
import org.kblake.core.store.StoredBlock;
import org.kblake.lake.table.DataName;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.LocalFiles;
import org.kblake.lake.table.Provenance;
import org.kblake.lake.table.TableKind;

/**
 * Makes data files of files of blocks: a hard link if the table is on the store's file system, else
 * a copy. A file that not all engines read, or of which only some spans are wanted, is written
 * again. The file of the block is never changed.
 */
final class FileTransfer {

  private static final Set<PosixFilePermission> WRITE =
      EnumSet.of(
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  private final String archive;
  private final LongConsumer progress;
  private final DataForm form;
  private final FileRewriter rewriter;

  /**
   * @param archive the archive's root as the store names it
   * @param form what data files must have
   * @param progress gets the number of bytes of each step
   */
  FileTransfer(String archive, DataForm form, LongConsumer progress) {
    this.archive = archive;
    this.form = form;
    Codec codec = form.codec();
    rewriter = new FileRewriter(codec == null ? Codec.LZ4 : codec);
    this.progress = progress;
  }

  /** Returns the name of a new data file. */
  static DataName name(FileRows fileRows) {
    String unique = UUID.randomUUID().toString().substring(0, 8);
    List<LogSpan> chosen = fileRows.chosen();
    return chosen == null
        ? DataName.of(fileRows.block(), unique)
        : DataName.ofSpans(
            fileRows.block(), chosen.get(0).from(), chosen.get(chosen.size() - 1).to(), unique);
  }

  /**
   * Makes a data file, and its provenance beside it.
   *
   * @return the file for a commit; null if it has no rows, and then no file is left
   * @throws NoSuchFileException if the block was removed from the store meanwhile
   */
  @Nullable DataFile run(FileRows fileRows, LakeTable table, DataName name)
      throws IOException, InterruptedException {
    Path source = fileRows.block().directory().resolve(table.kind().fileName());
    String path = table.dataPath(name);
    TableKind kind = table.kind();
    try (EventFile file = EventFile.open(source)) {
      if (fileRows.chosen() == null
          && file.isForAllEngines(kind.type(), kind.waveform(), form.codec(), form.fieldIds())) {
        return shared(fileRows.block(), file, table, path);
      }
      return rewritten(fileRows, file, table, path);
    }
  }

  private DataFile shared(StoredBlock block, EventFile file, LakeTable table, String path)
      throws IOException, InterruptedException {
    Path source = file.file();
    Path target = LocalFiles.path(path);
    String sha256;
    if (target != null && link(source, target)) {
      try (InputStream in = Files.newInputStream(target)) {
        sha256 = FileHash.of(in, progress);
      }
    } else {
      sha256 = copy(source, table, path);
    }
    String kind = table.kind().fileName();
    Provenance.Content content = new Provenance.Content(kind, file.bytes(), sha256);
    Provenance.Content own = new Provenance.Content(nameOf(path), file.bytes(), sha256);
    table.writeProvenance(path, Provenance.of(archive, block, content, own, false));
    return table.dataFile(path, file);
  }

  private @Nullable DataFile rewritten(
      FileRows fileRows, EventFile file, LakeTable table, String path)
      throws IOException, InterruptedException {
    StoredBlock block = fileRows.block();
    Provenance.Content content;
    try (InputStream in = Files.newInputStream(file.file())) {
      content =
          new Provenance.Content(table.kind().fileName(), file.bytes(), FileHash.of(in, progress));
    }
    BitSet segments = fileRows.chosen() == null ? null : block.segmentsIn(fileRows.spans());
    MessageDigest digest = FileHash.digest();
    long rows;
    try (OutputStream out =
        new DigestOutputStream(table.io().newOutputFile(path).create(), digest)) {
      rows =
          rewriter.write(
              file, segments, Channels.newChannel(out), Provenance.footer(archive, block, content));
    }
    if (rows == 0) {
      table.io().deleteFile(path);
      return null;
    }
    String sha256 = HexFormat.of().formatHex(digest.digest());
    try (EventFile written = table.open(path)) {
      Provenance.Content own = new Provenance.Content(nameOf(path), written.bytes(), sha256);
      table.writeProvenance(
          path, Provenance.of(archive, block, fileRows.spans(), content, own, true));
      return table.dataFile(path, written);
    }
  }

  /**
   * Gives a file a name in the table.
   *
   * @return false if the file systems differ, or have no hard links
   */
  private static boolean link(Path source, Path target) throws IOException {
    try {
      Path parent = target.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.createLink(target, source);
      protect(target);
      return true;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      return false;
    }
  }

  /**
   * Takes the right to write from a file that the table shares with the store. Another user's file
   * keeps it, because only its owner may take it.
   */
  private static void protect(Path shared) {
    try {
      Set<PosixFilePermission> rights = new HashSet<>(Files.getPosixFilePermissions(shared));
      if (rights.removeAll(WRITE)) {
        Files.setPosixFilePermissions(shared, rights);
      }
    } catch (IOException | UnsupportedOperationException e) {
      // The file is shared all the same.
    }
  }

  private String copy(Path source, LakeTable table, String path)
      throws IOException, InterruptedException {
    try (InputStream in = Files.newInputStream(source);
        OutputStream out = table.io().newOutputFile(path).create()) {
      return FileHash.copy(in, out, progress);
    }
  }

  private static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
