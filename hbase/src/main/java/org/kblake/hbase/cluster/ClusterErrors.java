package org.kblake.hbase.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Set;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;
import org.kblake.hbase.stop.StopRequest;

/** Errors of HBase and Hadoop as one line. Their messages have stack traces of servers. */
public final class ClusterErrors {

  private static final int MAX_CHARACTERS = 300;

  /** HBase's errors of servers that ended. Some of them extend no common class. */
  private static final Set<String> AWAY =
      Set.of(
          "CallTimeoutException",
          "ConnectionClosedException",
          "ConnectionClosingException",
          "FailedServerException",
          "MasterNotRunningException",
          "MasterRegistryFetchException",
          "NoServerForRegionException",
          "RegionServerAbortedException",
          "RegionServerStoppedException",
          "ServerNotRunningYetException");

  private ClusterErrors() {}

  /** HBase went away, or cannot do what was asked. */
  public static final class Lost extends IOException {

    private static final long serialVersionUID = 1;

    Lost(String message, Throwable cause) {
      super(message, cause);
    }
  }

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
   * @throws Lost if it is an error of HBase or of the network
   * @throws IOException with one line, also for errors that Hadoop throws as {@link FSError}
   */
  public static <T> T explained(String what, Work<T> work)
      throws IOException, InterruptedException {
    try {
      return work.run();
    } catch (FSError e) {
      throw new IOException(what + " failed: " + line(e), e);
    } catch (SocketTimeoutException e) {
      throw lost(what, e);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (isInterrupt(e)) {
        // Ctrl-C. The libraries report an interrupt in many ways.
        throw new InterruptedException(line(e));
      }
      if (isOfCluster(e)) {
        throw lost(what, e);
      }
      // Errors of this program and of the JDK name their files themselves.
      if (!e.getClass().getName().startsWith("org.apache.")) {
        throw e;
      }
      throw new IOException(what + " failed: " + line(e), e);
    }
  }

  private static boolean isOfCluster(IOException error) {
    return error instanceof SocketException
        || error.getClass().getName().startsWith("org.apache.hadoop.hbase.");
  }

  /** Does work of which each error is one of HBase or of the network. */
  static <T> T ofCluster(String what, Work<T> work) throws IOException, InterruptedException {
    try {
      return work.run();
    } catch (IOException e) {
      if (isInterrupt(e)) {
        throw new InterruptedException(line(e));
      }
      throw lost(what, e);
    }
  }

  private static Lost lost(String what, IOException error) {
    return new Lost(
        (isTimeout(error) ? "HBase is away: " : "") + what + " failed: " + line(error), error);
  }

  private static boolean isInterrupt(IOException error) {
    boolean interrupted = StopRequest.isMade();
    for (Throwable each = error; each != null; each = each.getCause()) {
      interrupted |=
          each instanceof InterruptedException
              || each instanceof ClosedByInterruptException
              || each instanceof InterruptedIOException
                  && !(each instanceof SocketTimeoutException);
    }
    return interrupted;
  }

  /** Returns whether servers did not answer, of which HBase's client tells in many ways. */
  private static boolean isTimeout(Throwable error) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (each instanceof SocketException
          || each instanceof SocketTimeoutException
          || each instanceof HBaseIOException && AWAY.contains(each.getClass().getSimpleName())
          || String.valueOf(each.getMessage()).contains("within timeout")) {
        return true;
      }
    }
    return false;
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
    return line.length() > MAX_CHARACTERS ? line.substring(0, MAX_CHARACTERS) + "..." : line;
  }

  private static boolean isWrapper(Throwable error) {
    return error instanceof RetriesExhaustedException
        || error instanceof FSError
        || error instanceof RemoteException
        || error.getMessage() == null
        || error.getMessage().equals(String.valueOf(error.getCause()));
  }
}
