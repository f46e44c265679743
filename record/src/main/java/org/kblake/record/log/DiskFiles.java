package org.kblake.record.log;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The file system of this machine. */
final class DiskFiles implements LogFiles {

  @Override
  public WrittenFile create(Path file) throws IOException {
    return new DiskFile(FileChannel.open(file, CREATE_NEW, WRITE));
  }

  private record DiskFile(FileChannel channel) implements WrittenFile {

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
      long at = offset;
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  @Override
  public void discard(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // An empty file stays. Readers take it for a pair whose index is not written yet.
    }
  }

  @Override
  public long changedMillis(Path directory) throws IOException {
    return Files.getLastModifiedTime(directory).toMillis();
  }

  @Override
  public List<String> names(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      files.forEach(file -> names.add(String.valueOf(file.getFileName())));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  @Override
  public long bytes(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return -1;
    }
  }

  @Override
  public void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, READ)) {
      channel.force(true);
    }
  }

  @Override
  public @Nullable Closeable lock(Path file) throws IOException {
    return LockedFile.lock(file);
  }
}
