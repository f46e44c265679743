package org.kblake.lake.table;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/**
 * Local files of Hadoop whose bytes and names are forced to the disk, so that a power cut undoes no
 * step before the commit that needs it.
 */
public final class ForcedLocalFiles extends UnforcedLocalFiles {

  /** The file in which the Hadoop catalog names the present version of a table. */
  static final String VERSION_HINT = "version-hint.text";

  /** Forces a name to the disk. An interrupt does not prevent it, so that a commit is complete. */
  private static void forceName(Path path) throws IOException {
    Path parent = path.getParent();
    boolean interrupted = false;
    while (parent != null) {
      interrupted |= Thread.interrupted();
      try {
        try (FileChannel directory = FileChannel.open(parent, StandardOpenOption.READ)) {
          directory.force(true);
        }
        parent = null;
      } catch (ClosedByInterruptException e) {
        interrupted = true;
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private Path local(org.apache.hadoop.fs.Path path) {
    return pathToFile(path).toPath().toAbsolutePath();
  }

  @Override
  protected OutputStream createOutputStreamWithMode(
      org.apache.hadoop.fs.Path path, boolean append, FsPermission permission) throws IOException {
    return new ForcedOutput(
        super.createOutputStreamWithMode(path, append, permission), local(path));
  }

  @Override
  protected boolean mkOneDirWithMode(
      org.apache.hadoop.fs.Path path, java.io.File file, FsPermission permission)
      throws IOException {
    boolean made = super.mkOneDirWithMode(path, file, permission);
    forceName(file.toPath().toAbsolutePath());
    return made;
  }

  @Override
  public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
      throws IOException {
    boolean renamed = super.rename(from, to);
    try {
      forceName(local(to));
    } catch (IOException e) {
      // Others see the commit, but a power cut may undo it.
      throw new CommitStateUnknownException(e);
    }
    return renamed;
  }

  /**
   * Keeps the version hint. Iceberg deletes it before it renames another one to its name. The
   * rename replaces it, and without the deletion a reader finds it at any time.
   */
  @Override
  public boolean delete(org.apache.hadoop.fs.Path path, boolean recursive) throws IOException {
    return path.getName().equals(VERSION_HINT) && !recursive || super.delete(path, recursive);
  }

  /** A file that is forced when it is closed, and then its name. */
  private static final class ForcedOutput extends FilterOutputStream {

    private final Path file;

    ForcedOutput(OutputStream out, Path file) {
      super(out);
      this.file = file;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      try (OutputStream closed = out) {
        closed.flush();
        if (closed instanceof Syncable forced) {
          forced.hsync();
        }
      }
      forceName(file);
    }
  }
}
