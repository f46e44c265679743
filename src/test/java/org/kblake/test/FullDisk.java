package org.kblake.test;

import java.io.IOException;
import java.nio.file.Path;
import org.kblake.core.store.StoreFiles;

/** A local disk that takes no blocks at times. */
final class FullDisk implements StoreFiles {

  volatile boolean full;

  private final String reason;

  FullDisk() {
    this("No space left on device");
  }

  /**
   * @param reason what the system says then
   */
  FullDisk(String reason) {
    this.reason = reason;
  }

  private void needRoom(Path file) throws IOException {
    if (full && file.toString().contains("unfinished")) {
      throw new IOException(reason);
    }
  }

  @Override
  public Output create(Path file) throws IOException {
    needRoom(file);
    return LOCAL.create(file);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    LOCAL.createDirectories(directory);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    LOCAL.forceDirectory(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    LOCAL.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    LOCAL.delete(path);
  }
}
