package org.kblake.record.channelaccess;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.kblake.record.channelaccess.message.Requests;

/** Finds circuits whose server does not answer. The sender owns it. */
final class Liveness {

  private static final long ANSWER_NANOS = 5_000_000_000L;

  private final long silenceNanos;

  /**
   * Creates a check.
   *
   * @param silenceNanos the time without a byte after which a server is asked, in nanoseconds
   */
  Liveness(long silenceNanos) {
    this.silenceNanos = silenceNanos;
  }

  /**
   * Appends echoes to the output of silent circuits.
   *
   * @param asked gets the circuits whose output has an echo
   * @return the circuits that did not connect or answer in time
   */
  List<Circuit> check(Collection<Circuit> circuits, long nowNanos, Collection<Circuit> asked) {
    List<Circuit> dead = new ArrayList<>();
    for (Circuit circuit : circuits) {
      long silence = nowNanos - circuit.lastReceivedNanos();
      if (!circuit.isConnected()) {
        if (nowNanos - circuit.begunNanos() > ANSWER_NANOS) {
          dead.add(circuit);
        }
      } else if (silence < silenceNanos) {
        circuit.setAskedNanos(0);
      } else if (circuit.askedNanos() == 0) {
        circuit.setAskedNanos(nowNanos);
        Requests.echo(circuit.output().with(Requests.LARGEST));
        asked.add(circuit);
      } else if (nowNanos - circuit.askedNanos() > ANSWER_NANOS) {
        dead.add(circuit);
      }
    }
    return dead;
  }
}
