package org.kblake.lake.publish;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NotAuthorizedException;

/** Errors of catalogs and file systems as one line. */
public final class LakeErrors {

  private static final List<String> INTERRUPTS =
      List.of(
          InterruptedException.class.getName(),
          InterruptedIOException.class.getName(),
          ClosedByInterruptException.class.getName());

  private LakeErrors() {}

  /**
   * Ends the work after an error if the process was told to stop. Iceberg's pools of threads reject
   * work as soon as the JVM begins to end, which may be before this thread is interrupted. Hadoop
   * runs commands, and an interrupt meanwhile is left in the text of an error only.
   */
  public static void requireNotStopped(Throwable error) throws InterruptedException {
    boolean stopped = Thread.interrupted();
    for (Throwable each = error; each != null; each = each.getCause()) {
      stopped |= each instanceof RejectedExecutionException || isInterrupt(each.toString());
    }
    if (stopped) {
      throw new InterruptedException();
    }
  }

  private static boolean isInterrupt(String error) {
    return INTERRUPTS.stream().anyMatch(error::contains);
  }

  /** Returns the line of an error, with its cause. */
  public static String line(Throwable error) {
    StringBuilder line = new StringBuilder(text(error));
    Throwable cause = error.getCause();
    while (cause != null) {
      String text = text(cause);
      if (line.indexOf(text) < 0) {
        line.append(": ").append(text);
      }
      cause = cause.getCause();
    }
    String hint = hint(error);
    return line.append(hint).toString().replaceAll("\\s*\\R\\s*", " ");
  }

  private static String hint(Throwable error) {
    if (error instanceof CommitStateUnknownException) {
      return "; whether the snapshot was committed is unknown, and the next publish finds out";
    }
    if (error instanceof CommitFailedException) {
      return "; another program changed the table, publish again";
    }
    return error instanceof NotAuthorizedException ? "; check the catalog's credentials" : "";
  }

  private static String text(Throwable error) {
    String message = error.getMessage();
    return message == null || message.isBlank()
        ? error.getClass().getSimpleName()
        : message.strip();
  }
}
