package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Access to the file system of an archive. A missing volume may block a call forever. An
 * implementation for callers that cannot wait makes the call in another thread, with a time limit.
 */
public interface FileAccess {

  /** An access that calls the file system in the caller's thread and waits without a limit. */
  FileAccess WAITING =
      new FileAccess() {
        @Override
        public <T> T call(Path file, Call<T> call) throws IOException {
          return call.run();
        }

        @Override
        public boolean isBlocking() {
          return true;
        }
      };

  /**
   * A call of the file system.
   *
   * @param <T> the type of the result
   */
  interface Call<T> {
    T run() throws IOException;
  }

  /**
   * Makes a call of the file system.
   *
   * @param file the file that the call concerns
   * @throws AccessTimeoutException if the time limit has passed. The call may still run then, and
   *     use the objects that it was given. If it returns a closeable result later, that result is
   *     closed.
   */
  <T> T call(Path file, Call<T> call) throws IOException;

  /**
   * Returns whether {@link #call} only makes the call in the caller's thread. Then a caller may
   * make it directly, without a lambda: linking a lambda takes some milliseconds at the start of a
   * process.
   */
  default boolean isBlocking() {
    return false;
  }

  /**
   * Waits until bytes of a file may be read. Background work uses it to limit its rate of reads.
   *
   * @param bytes the number of bytes to read, at least 1
   * @return the number of bytes that may be read now, at least 1
   * @throws java.io.InterruptedIOException if the thread is interrupted; its interrupt status stays
   *     set
   */
  default int acquire(int bytes) throws IOException {
    return bytes;
  }

  /** Returns whether {@link #acquire} may wait. */
  default boolean isThrottled() {
    return false;
  }

  /** The error of a file system that did not answer in time. */
  final class AccessTimeoutException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * @param reason the reason, as a text for users
     */
    public AccessTimeoutException(String reason) {
      super(reason);
    }
  }
}
