package org.kblake.core.internal.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * All changes of a store on its disk, reduced to the operations that durability needs. A power cut
 * may undo everything that was not forced. Tests simulate this.
 */
public interface StoreFiles {

  /** A file being written. */
  interface Output extends WritableByteChannel {
    /** Returns the number of bytes written so far. */
    long size();

    /** Forces all written bytes to the disk. */
    void force() throws IOException;
  }

  /** The files of the operating system. */
  StoreFiles LOCAL = new Local();

  /** Creates a new file. */
  Output create(Path file) throws IOException;

  /** Creates a directory and its parents if they are missing. */
  void createDirectories(Path directory) throws IOException;

  /** Forces the names in a directory to the disk. */
  void forceDirectory(Path directory) throws IOException;

  /** Renames a file or directory on the same file system atomically. */
  void rename(Path from, Path to) throws IOException;

  /** Gives a file on the same file system a second name. */
  void link(Path existing, Path name) throws IOException;

  /** Removes a file or an empty directory. */
  void delete(Path path) throws IOException;

  /** The files of the operating system. */
  final class Local implements StoreFiles {
    private Local() {}

    @Override
    public Output create(Path file) throws IOException {
      return new LocalOutput(
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
      Files.createDirectories(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void link(Path existing, Path name) throws IOException {
      Files.createLink(name, existing);
    }

    @Override
    public void delete(Path path) throws IOException {
      Files.delete(path);
    }
  }

  /** A file of the operating system. */
  final class LocalOutput implements Output {
    private final FileChannel channel;
    private long size;

    private LocalOutput(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      int bytes = source.remaining();
      while (source.hasRemaining()) {
        channel.write(source);
      }
      size += bytes;
      return bytes;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public void force() throws IOException {
      channel.force(true);
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
