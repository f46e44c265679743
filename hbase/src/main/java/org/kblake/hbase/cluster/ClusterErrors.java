package org.kblake.hbase.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/** Errors of HBase and Hadoop as one line. Their messages have stack traces of servers. */
public final class ClusterErrors {

  private static final int MOST_CHARACTERS = 300;

  private ClusterErrors() {}

  /** Work with the libraries. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws IOException, InterruptedException;
  }

  /** Work with the libraries that returns nothing. */
  @FunctionalInterface
  public interface Action {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Does work as {@link #explained} does.
   *
   * @param what the work that failed, such as {@code bulk load}
   */
  public static void run(String what, Action action) throws IOException, InterruptedException {
    var unused =
        explained(
            what,
            () -> {
              action.run();
              return what;
            });
  }

  /**
   * Does work. Errors tell what failed.
   *
   * @param what the work that failed, such as {@code bulk load}
   * @throws IOException with one line, also for errors that Hadoop throws as {@link FSError}
   */
  public static <T> T explained(String what, Work<T> work)
      throws IOException, InterruptedException {
    try {
      return work.run();
    } catch (FSError e) {
      throw new IOException(what + " failed: " + line(e), e);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (Thread.interrupted()) {
        // Ctrl-C. The libraries report an interrupt in many ways.
        throw new InterruptedException(line(e));
      }
      // Errors of this program and of the JDK name their files themselves.
      if (!e.getClass().getName().startsWith("org.apache.")) {
        throw e;
      }
      throw new IOException(what + " failed: " + line(e), e);
    }
  }

  /** Returns the first line of the cause of an error. */
  static String line(@Nullable Throwable error) {
    Throwable cause = error;
    while (cause != null && cause.getCause() != null && isWrapper(cause)) {
      cause = cause.getCause();
    }
    if (cause == null) {
      return "unknown";
    }
    String message = String.valueOf(cause.getMessage()).strip().split("\\R", 2)[0];
    String line = cause.getMessage() == null ? cause.getClass().getSimpleName() : message.strip();
    return line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + "..." : line;
  }

  private static boolean isWrapper(Throwable error) {
    return error instanceof RetriesExhaustedException
        || error instanceof FSError
        || error instanceof RemoteException
        || error.getMessage() == null
        || error.getMessage().equals(String.valueOf(error.getCause()));
  }
}
