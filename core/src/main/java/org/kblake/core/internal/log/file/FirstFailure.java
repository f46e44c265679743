package org.kblake.core.internal.log.file;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Closes several resources and keeps the first error. Errors of closing are added to it as
 * suppressed errors.
 */
public final class FirstFailure {

  private FirstFailure() {}

  /**
   * Closes resources after an error. Errors of closing are added to the first error as suppressed
   * errors.
   *
   * @param first the error, which the caller throws
   * @param unfinished the resources, all of which are closed in this order; null is skipped
   */
  public static void close(Throwable first, @Nullable Closeable... unfinished) {
    for (Closeable each : unfinished) {
      suppress(first, failure(each));
    }
  }

  /**
   * Closes all resources, in this order.
   *
   * @param all the resources; null is skipped
   * @throws IOException the first error of closing; later errors are added to it as suppressed
   *     errors
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

  /** Adds a suppressed error. An error cannot suppress itself. */
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
