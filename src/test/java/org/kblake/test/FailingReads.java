package org.kblake.test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileStore;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.jspecify.annotations.Nullable;

/**
 * A directory on a network volume that fails: from one of its reads on there is an error at each of
 * them, be it of attributes, of a name, of a directory or of bytes. Safe for many threads.
 */
final class FailingReads {

  static final String REASON = "Input/output error";

  private final Path directory;
  private long left = Long.MAX_VALUE;
  private long reads;

  /**
   * @param directory absolute, on the disk
   */
  FailingReads(Path directory) {
    this.directory = directory;
  }

  /** Lets so many reads succeed from now on, and counts from 0. */
  synchronized void failAfter(long succeeding) {
    left = succeeding;
    reads = 0;
  }

  /** Lets all reads succeed. */
  synchronized void mend() {
    left = Long.MAX_VALUE;
  }

  /** Reads since {@link #failAfter}. */
  synchronized long reads() {
    return reads;
  }

  boolean concerns(Path real) {
    return real.toAbsolutePath().normalize().startsWith(directory);
  }

  synchronized void read(Path real) throws IOException {
    if (!concerns(real)) {
      return;
    }
    reads++;
    if (left == 0) {
      throw new IOException(REASON);
    }
    left--;
  }

  /** A channel whose reads count. */
  FileChannel channel(Path real, FileChannel disk) {
    return new Channel(real, disk);
  }

  /** The volume, of a type that nobody knows as local. */
  FileStore store(FileStore disk) {
    return new Volume(disk);
  }

  private final class Channel extends FileChannel {
    private final Path real;
    private final FileChannel disk;

    Channel(Path real, FileChannel disk) {
      this.real = real;
      this.disk = disk;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      FailingReads.this.read(real);
      return disk.read(into);
    }

    @Override
    public long read(ByteBuffer[] into, int from, int count) throws IOException {
      FailingReads.this.read(real);
      return disk.read(into, from, count);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      FailingReads.this.read(real);
      return disk.read(into, position);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
      FailingReads.this.read(real);
      return disk.map(mode, position, size);
    }

    @Override
    public long position() throws IOException {
      return disk.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
      disk.position(position);
      return this;
    }

    @Override
    public long size() throws IOException {
      FailingReads.this.read(real);
      return disk.size();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int first, int count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseChannel() throws IOException {
      disk.close();
    }
  }

  private static final class Volume extends FileStore {
    private final FileStore disk;

    Volume(FileStore disk) {
      this.disk = disk;
    }

    @Override
    public String name() {
      return disk.name();
    }

    @Override
    public String type() {
      return "network";
    }

    @Override
    public boolean isReadOnly() {
      return disk.isReadOnly();
    }

    @Override
    public long getTotalSpace() throws IOException {
      return disk.getTotalSpace();
    }

    @Override
    public long getUsableSpace() throws IOException {
      return disk.getUsableSpace();
    }

    @Override
    public long getUnallocatedSpace() throws IOException {
      return disk.getUnallocatedSpace();
    }

    @Override
    public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
      return disk.supportsFileAttributeView(type);
    }

    @Override
    public boolean supportsFileAttributeView(String name) {
      return disk.supportsFileAttributeView(name);
    }

    @Override
    public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
      return disk.getFileStoreAttributeView(type);
    }

    @Override
    public Object getAttribute(String attribute) throws IOException {
      return disk.getAttribute(attribute);
    }
  }
}
