package org.kblake.cli.handover;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.kblake.cli.error.RequestException;

/** A short request to the process that writes the store. */
public final class ServiceRequest {

  /** The limit without an answer. */
  private static final long LIMIT_SECONDS = 30;

  /** After this time the user is told why nothing happens. */
  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Consumer<String> notes;
  private final long beginNanos = System.nanoTime();
  private long heardNanos = beginNanos;
  private boolean told;

  private ServiceRequest(Consumer<String> notes) {
    this.notes = notes;
  }

  /**
   * Sends the request and waits until it is carried out. A process that begins is waited for, and
   * so are the requests before it.
   *
   * @param notes receives a line if other requests are before this one
   * @throws RequestException if no process answers, or it refuses
   * @throws IOException if it fails
   */
  public static void send(Path store, HandoverRequest request, Consumer<String> notes)
      throws IOException, InterruptedException {
    new ServiceRequest(notes).sendTo(store, request);
  }

  private void hear(HandoverAnswer answer) {
    heardNanos = System.nanoTime();
    if (answer.state() == HandoverAnswer.State.waiting
        && !told
        && heardNanos - beginNanos > TELL_NANOS) {
      told = true;
      notes.accept("kblake run carries out other requests first; Ctrl-C cancels this one");
    }
  }

  private void sendTo(Path store, HandoverRequest request)
      throws IOException, InterruptedException {
    long limitNanos = RequestConnection.limitNanos(LIMIT_SECONDS);
    while (true) {
      try (RequestConnection connection = RequestConnection.open(store, request)) {
        HandoverAnswer end =
            connection == null ? null : connection.end(() -> heardNanos + limitNanos, this::hear);
        if (end != null && end.state() == HandoverAnswer.State.refused) {
          throw new RequestException("kblake run refused the request: " + end.why());
        }
        if (end != null && end.state() == HandoverAnswer.State.failed) {
          throw new IOException("kblake run failed: " + end.why() + "; see its log");
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
        throw new RequestException("no kblake run follows the archive: store=" + store);
      }
      if (System.nanoTime() - heardNanos >= limitNanos) {
        throw new RequestException(holder.silence());
      }
      TimeUnit.MILLISECONDS.sleep(RequestConnection.RETRY_MILLIS);
    }
  }
}
