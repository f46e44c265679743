package org.kblake.test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.kblake.core.store.StoreFiles;

/** A local disk that is not waited for: no power cut is to be survived. */
class UnforcedFiles implements StoreFiles {

  @Override
  public Output create(Path file) throws IOException {
    Output local = LOCAL.create(file);
    return new Output() {
      @Override
      public int write(ByteBuffer source) throws IOException {
        return local.write(source);
      }

      @Override
      public long size() {
        return local.size();
      }

      @Override
      public void force() {}

      @Override
      public boolean isOpen() {
        return local.isOpen();
      }

      @Override
      public void close() throws IOException {
        local.close();
      }
    };
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    LOCAL.createDirectories(directory);
  }

  @Override
  public void forceDirectory(Path directory) {}

  @Override
  public void rename(Path from, Path to) throws IOException {
    LOCAL.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    LOCAL.delete(path);
  }
}
