package org.kblake.cli.command.service;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.handover.HandoverAnswer;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.RequestFiles;

/** Has the process that writes the store set its counters back. */
public final class CounterReset {

  private static final long LOOK_MILLIS = 100;
  private static final int MOST_LOOKS = 100;

  private final Session session;

  public CounterReset(Session session) {
    this.session = session;
  }

  /**
   * Returns when it is done.
   *
   * @throws RequestException if no process answers
   */
  public void run() throws IOException, InterruptedException {
    RequestFiles files = new RequestFiles(session.settings().store());
    if (files.areWanted()) {
      String name = files.put(HandoverRequest.resetOfCounters());
      try {
        for (int look = 0; look < MOST_LOOKS; look++) {
          TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
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
