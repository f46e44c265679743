package org.kblake.core.internal.log.file;

import java.io.IOException;
import java.nio.file.Path;

/**
 * How an archive's file system is asked. A missing volume may block a call for ever. A caller that
 * cannot wait has somebody else ask, and gives up.
 */
public interface FileAccess {

  /** Asks, and waits for as long as it takes. */
  FileAccess WAITING =
      new FileAccess() {
        @Override
        public <T> T ask(Path file, Question<T> question) throws IOException {
          return question.ask();
        }

        @Override
        public boolean isBlocking() {
          return true;
        }
      };

  /**
   * What is asked of a file system.
   *
   * @param <T> what it answers
   */
  interface Question<T> {
    T ask() throws IOException;
  }

  /**
   * Asks.
   *
   * @param file what the question is about
   * @throws AccessTimeoutException if it was given up; the question may still be under way then,
   *     and holds whatever it was given. An answer that can be closed is closed when it comes after
   *     all.
   */
  <T> T ask(Path file, Question<T> question) throws IOException;

  /**
   * Whether one may as well ask oneself. Where that is so, no question need be made: a process that
   * begins some milliseconds to be linked.
   */
  default boolean isBlocking() {
    return false;
  }

  /**
   * Asked before much of a file is read, and in no hurry to answer: so work in the background
   * leaves the disk to others.
   *
   * @param bytes that are wanted, at least 1
   * @return how many of them may be read now, at least 1
   * @throws java.io.InterruptedIOException if the thread is interrupted, and stays so
   */
  default int acquire(int bytes) throws IOException {
    return bytes;
  }

  /** Whether {@link #acquire} may keep one waiting. */
  default boolean isThrottled() {
    return false;
  }

  /** A file system did not answer in time. */
  final class AccessTimeoutException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * @param reason why, for people
     */
    public AccessTimeoutException(String reason) {
      super(reason);
    }
  }
}
