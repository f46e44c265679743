package org.kblake.core.internal.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Files whose bytes are written at a pace. */
public final class PacedFiles implements StoreFiles {

  private final StoreFiles files;
  private final Pace pace;

  /** Returns files that are written at a pace. */
  public static StoreFiles of(StoreFiles files, Pace pace) {
    return pace.equals(Pace.FREE) ? files : new PacedFiles(files, pace);
  }

  public PacedFiles(StoreFiles files, Pace pace) {
    this.files = files;
    this.pace = pace;
  }

  @Override
  public Output create(Path file) throws IOException {
    return new PacedOutput(files.create(file), pace);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    files.createDirectories(directory);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    files.forceDirectory(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    files.rename(from, to);
  }

  @Override
  public void link(Path existing, Path name) throws IOException {
    files.link(existing, name);
  }

  @Override
  public void delete(Path path) throws IOException {
    files.delete(path);
  }

  /** A file that is written at a pace. */
  private record PacedOutput(Output output, Pace pace) implements Output {

    @Override
    public int write(ByteBuffer source) throws IOException {
      pace.before(source.remaining());
      return output.write(source);
    }

    @Override
    public long size() {
      return output.size();
    }

    @Override
    public void force() throws IOException {
      output.force();
    }

    @Override
    public boolean isOpen() {
      return output.isOpen();
    }

    @Override
    public void close() throws IOException {
      output.close();
    }
  }
}
