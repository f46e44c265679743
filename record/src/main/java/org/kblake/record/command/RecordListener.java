package org.kblake.record.command;

import java.io.IOException;
import java.net.BindException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.cli.run.status.MetricsServer;

/**
 * The server of a recorder's metrics. The active recorder on a standby's host may have the port;
 * the standby listens once that one has ended. For one thread.
 */
final class RecordListener implements AutoCloseable {

  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Opener opener;
  private final RunLog log;
  private @Nullable MetricsServer server;
  private final LongSupplier clock;
  private boolean isWaiting;
  private long triedNanos;

  /** What the last try met. */
  private String problem = "";

  /** Starts a server. */
  interface Opener {
    /** Returns the server, or null if there is to be none. */
    @Nullable MetricsServer open() throws IOException;
  }

  /**
   * @param clock nanoseconds of a clock that nobody sets
   */
  RecordListener(Opener opener, RunLog log, LongSupplier clock) {
    this.opener = opener;
    this.log = log;
    this.clock = clock;
  }

  /**
   * Begins to listen.
   *
   * @param waits whether a port in use is tried again
   */
  void begin(boolean waits) throws IOException {
    try {
      listen();
    } catch (IOException e) {
      if (!waits || !(e.getCause() instanceof BindException)) {
        throw e;
      }
      isWaiting = true;
      failed(e);
    }
  }

  private void failed(IOException e) {
    triedNanos = clock.getAsLong();
    String met = String.valueOf(e.getMessage());
    if (!met.equals(problem)) {
      problem = met;
      log.warn("does not listen yet", "problem", met);
    }
  }

  /** Tries again, now and then, if the port was in use. A recorder goes on without metrics. */
  void tryAgain() {
    if (isWaiting && clock.getAsLong() - triedNanos >= RETRY_NANOS) {
      try {
        listen();
        isWaiting = false;
      } catch (IOException e) {
        failed(e);
      }
    }
  }

  private void listen() throws IOException {
    MetricsServer opened = opener.open();
    server = opened;
    if (opened != null) {
      log.info("listens", "address", opened.address());
    }
  }

  @Override
  public void close() {
    MetricsServer opened = server;
    if (opened != null) {
      opened.close();
    }
  }
}
