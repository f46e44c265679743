package org.kblake.cli.command.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.RequestConnection;
import org.kblake.cli.handover.RequestSocket;
import org.kblake.core.internal.store.WriterLock;

/** A short request to the process that writes the store. */
public final class ServiceRequest {

  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Session session;

  public ServiceRequest(Session session) {
    this.session = session;
  }

  /**
   * Sends the request and waits until it is carried out.
   *
   * @throws RequestException if no process answers, or it refuses or fails
   */
  public void send(HandoverRequest request) throws IOException, InterruptedException {
    Path store = session.settings().store();
    long untilNanos = System.nanoTime() + MAX_NANOS;
    while (System.nanoTime() < untilNanos) {
      try (RequestConnection connection = RequestConnection.open(store, request)) {
        if (connection == null) {
          break;
        }
        if (isDone(connection, untilNanos)) {
          return;
        }
      }
    }
    String holder = WriterLock.lastHolder(store);
    String unreachable = holder == null ? null : RequestSocket.unreachable(holder);
    throw new RequestException(
        unreachable == null
            ? "no kblake run follows the archive, or it does not respond: store=" + store
            : unreachable);
  }

  /** Returns false if the process has ended, or does not respond. */
  private static boolean isDone(RequestConnection connection, long untilNanos)
      throws IOException, InterruptedException {
    HandoverAnswer answer = connection.answer(untilNanos);
    while (answer != null && !answer.state().isEnd()) {
      answer = connection.answer(untilNanos);
    }
    if (answer != null && answer.state() != HandoverAnswer.State.done) {
      throw new RequestException("kblake run refused the request: " + answer.why());
    }
    return answer != null;
  }
}
