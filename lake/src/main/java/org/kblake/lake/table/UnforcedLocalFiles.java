package org.kblake.lake.table;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Local files of Hadoop for which no program is run. There are no files of checksums beside
 * metadata. Parquet files have checksums of their own.
 */
public class UnforcedLocalFiles extends RawLocalFileSystem {

  /**
   * Leaves the permissions to the umask of the process, as for data files. Hadoop would run chmod
   * for each file, and an interrupt while it waits for that would be lost, with the file.
   */
  @Override
  public void setPermission(Path path, FsPermission permission) {}

  @Override
  public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
    return new FSDataInputStream(new LocalStreams.Input(super.open(path, bufferBytes)));
  }

  @Override
  protected OutputStream createOutputStreamWithMode(
      Path path, boolean append, FsPermission permission) throws IOException {
    return new LocalStreams.Output(super.createOutputStreamWithMode(path, append, permission));
  }

  /** Returns no owner and no permissions. Hadoop would run a program for those of each file. */
  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    FileStatus found = super.getFileStatus(path);
    return new FileStatus(
        found.getLen(),
        found.isDirectory(),
        found.getReplication(),
        found.getBlockSize(),
        found.getModificationTime(),
        found.getPath());
  }
}
