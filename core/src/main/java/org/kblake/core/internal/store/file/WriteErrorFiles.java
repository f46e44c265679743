package org.kblake.core.internal.store.file;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Files whose errors are thrown as {@link StoreWriteException}, so that they differ from errors of
 * reading. Interrupts and files that another process removed are not errors of the disk, and their
 * exceptions stay unchanged.
 */
public final class WriteErrorFiles implements StoreFiles {

  private final StoreFiles files;

  public WriteErrorFiles(StoreFiles files) {
    this.files = files;
  }

  private static IOException typed(IOException e) {
    return e instanceof InterruptedIOException
            || e instanceof ClosedByInterruptException
            || e instanceof NoSuchFileException
        ? e
        : new StoreWriteException(e);
  }

  @Override
  public Output create(Path file) throws IOException {
    try {
      return new TypedOutput(files.create(file));
    } catch (IOException e) {
      throw typed(e);
    }
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    try {
      files.createDirectories(directory);
    } catch (IOException e) {
      throw typed(e);
    }
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    try {
      files.forceDirectory(directory);
    } catch (IOException e) {
      throw typed(e);
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    try {
      files.rename(from, to);
    } catch (IOException e) {
      throw typed(e);
    }
  }

  @Override
  public void link(Path existing, Path name) throws IOException {
    try {
      files.link(existing, name);
    } catch (IOException e) {
      throw typed(e);
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    try {
      files.delete(path);
    } catch (IOException e) {
      throw typed(e);
    }
  }

  /** A file being written. */
  private record TypedOutput(Output output) implements Output {

    @Override
    public long size() {
      return output.size();
    }

    @Override
    public boolean isOpen() {
      return output.isOpen();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      try {
        return output.write(source);
      } catch (IOException e) {
        throw typed(e);
      }
    }

    @Override
    public void force() throws IOException {
      try {
        output.force();
      } catch (IOException e) {
        throw typed(e);
      }
    }

    @Override
    public void close() throws IOException {
      try {
        output.close();
      } catch (IOException e) {
        throw typed(e);
      }
    }
  }
}
