package org.kblake.cli.command.service;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.RequestFiles;

/** A short request to the process that writes the store. */
public final class ServiceRequest {

  private static final long POLL_MILLIS = 100;
  private static final int MAX_POLLS = 300;

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
    RequestFiles files = new RequestFiles(session.settings().store());
    if (files.areAccepted()) {
      String name = files.put(request);
      try {
        for (int poll = 0; poll < MAX_POLLS; poll++) {
          TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
          HandoverAnswer answer = files.answer(name);
          if (answer != null && answer.state() == HandoverAnswer.State.done) {
            return;
          }
          if (answer != null && answer.state().isEnd()) {
            throw new RequestException("kblake run refused the request: " + answer.why());
          }
        }
      } finally {
        files.remove(name);
      }
    }
    throw new RequestException(
        "no kblake run follows the archive, or it does not respond: store="
            + session.settings().store());
  }
}
