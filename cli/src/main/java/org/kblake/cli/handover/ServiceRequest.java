package org.kblake.cli.handover;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.error.RequestException;

/** A short request to the process that writes the store. */
public final class ServiceRequest {

  private static final long LIMIT_SECONDS = 30;

  private ServiceRequest() {}

  /**
   * Sends the request and waits until it is carried out. A process that begins is waited for.
   *
   * @throws RequestException if no process answers, or it refuses or fails
   */
  public static void send(Path store, HandoverRequest request)
      throws IOException, InterruptedException {
    long untilNanos = System.nanoTime() + RequestConnection.limitNanos(LIMIT_SECONDS);
    while (true) {
      try (RequestConnection connection = RequestConnection.open(store, request)) {
        HandoverAnswer end =
            connection == null ? null : connection.end(() -> untilNanos, answer -> {});
        if (end != null && end.state() != HandoverAnswer.State.done) {
          throw new RequestException("kblake run refused the request: " + end.why());
        }
        if (end != null) {
          return;
        }
      }
      LockHolder holder = LockHolder.last(store);
      String unreachable = holder == null ? null : holder.unreachable();
      if (unreachable != null) {
        throw new RequestException(unreachable);
      }
      if (holder == null || !holder.takesRequests() || holder.hasEnded()) {
        throw new RequestException(
            "no kblake run follows the archive, or it does not respond: store=" + store);
      }
      if (System.nanoTime() - untilNanos >= 0) {
        throw new RequestException(holder.silence());
      }
      TimeUnit.MILLISECONDS.sleep(RequestConnection.RETRY_MILLIS);
    }
  }
}
