package org.kblake.core.internal.log.file;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The error that stopped something: what goes wrong while it is closed must not hide it. */
public final class FirstFailure {

  private FirstFailure() {}

  /**
   * Closes what an error has left unfinished. What goes wrong then is added to the error, as
   * suppressed.
   *
   * @param first the error, which the caller throws
   * @param unfinished all of them are closed, in this order; null is skipped
   */
  public static void close(Throwable first, @Nullable Closeable... unfinished) {
    for (Closeable each : unfinished) {
      suppress(first, failure(each));
    }
  }

  /**
   * Closes all of them, in this order.
   *
   * @param all null is skipped
   * @throws IOException the first that one of them threw; the others' are added to it
   */
  public static void closeAll(@Nullable Closeable... all) throws IOException {
    Throwable first = null;
    for (Closeable each : all) {
      Throwable failure = failure(each);
      if (first == null) {
        first = failure;
      } else {
        suppress(first, failure);
      }
    }
    if (first instanceof IOException e) {
      throw e;
    }
    if (first instanceof RuntimeException e) {
      throw e;
    }
    if (first instanceof Error e) {
      throw e;
    }
  }

  /** An error cannot suppress itself. */
  @SuppressWarnings("ReferenceEquality")
  private static void suppress(Throwable first, @Nullable Throwable failure) {
    if (failure != null && failure != first) {
      first.addSuppressed(failure);
    }
  }

  private static @Nullable Throwable failure(@Nullable Closeable closed) {
    try {
      if (closed != null) {
        closed.close();
      }
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }
}
