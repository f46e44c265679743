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
 * Every change that a store makes on its disk, as few verbs as durability needs. A power cut may
 * undo whatever was not forced; tests replay that.
 */
public interface StoreFiles {

  /** A file being written. */
  interface Output extends WritableByteChannel {
    /** Bytes written so far. */
    long size();

    /** Returns when everything written is on the disk. */
    void force() throws IOException;
  }

  /** The operating system's own files. */
  StoreFiles LOCAL = new Local();

  /** Makes a new file. */
  Output create(Path file) throws IOException;

  /** Makes a directory and those above it, where they are missing. */
  void createDirectories(Path directory) throws IOException;

  /** Returns when the names in a directory are on the disk. */
  void forceDirectory(Path directory) throws IOException;

  /** Gives a file or directory another name on the same file system, in one step. */
  void rename(Path from, Path to) throws IOException;

  /** Removes a file or an empty directory. */
  void delete(Path path) throws IOException;

  /** The operating system's own files. */
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
