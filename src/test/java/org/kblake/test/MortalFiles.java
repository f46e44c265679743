package org.kblake.test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.kblake.core.store.StoreFiles;

/**
 * Files of a writer that is killed after some steps: what it did before is there, and it does
 * nothing more, not even put things in order.
 */
final class MortalFiles implements StoreFiles {

  static final String KILLED = "killed";

  private final int life;
  private int steps;

  /**
   * @param life how many steps are done
   */
  MortalFiles(int life) {
    this.life = life;
  }

  /** Steps so far. */
  int steps() {
    return steps;
  }

  private synchronized void step() throws IOException {
    if (steps >= life) {
      throw new IOException(KILLED);
    }
    steps++;
  }

  @Override
  public Output create(Path file) throws IOException {
    step();
    Output output = LOCAL.create(file);
    return new Output() {
      @Override
      public int write(ByteBuffer source) throws IOException {
        step();
        return output.write(source);
      }

      @Override
      public long size() {
        return output.size();
      }

      @Override
      public void force() throws IOException {
        // To the disk it makes no difference here, and to the test a minute.
        step();
      }

      @Override
      public boolean isOpen() {
        return output.isOpen();
      }

      @Override
      public void close() throws IOException {
        output.close();
      }
    };
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    step();
    LOCAL.createDirectories(directory);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    step();
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    step();
    LOCAL.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    step();
    LOCAL.delete(path);
  }
}
