package org.kblake.record.channelaccess;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.kblake.record.channelaccess.message.Requests;

/**
 * Finds circuits whose server does not answer. The sender owns it.
 *
 * <p>A silent circuit is kept for a while, as libca does: if only the network was away, what the
 * server buffered still arrives. A server of which a beacon says that it was restarted is asked at
 * once and has no more time than it takes to answer.
 */
final class CircuitLiveness {

  private static final long SECOND_NANOS = 1_000_000_000;

  /** The time that a server has to answer. */
  static final long ANSWER_NANOS = 5 * SECOND_NANOS;

  private static final long PATIENCE_NANOS = 120 * SECOND_NANOS;

  /** The longest time until the first byte, but for the time to connect. */
  private static final long MUTE_NANOS = 15 * SECOND_NANOS;

  private final long silenceNanos;

  /**
   * Circuits that need care.
   *
   * @param asked their output has an echo, which is to be sent
   * @param silent they did not answer
   * @param dead they did not connect, never sent a byte, did not answer for long, or their server
   *     was restarted
   */
  record Findings(List<Circuit> asked, List<Circuit> silent, List<Circuit> dead) {}

  /**
   * Creates a check.
   *
   * @param silenceNanos the time without a byte after which a server is asked, in nanoseconds
   */
  CircuitLiveness(long silenceNanos) {
    this.silenceNanos = silenceNanos;
  }

  /** Checks circuits, and appends echoes to the output of those without a byte for long. */
  Findings check(Collection<Circuit> circuits, long nowNanos) {
    Findings findings = new Findings(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (Circuit circuit : circuits) {
      long asked = circuit.askedNanos();
      if (!circuit.isConnected()) {
        if (nowNanos - circuit.begunNanos() > ANSWER_NANOS) {
          findings.dead().add(circuit);
        }
      } else if (circuit.isMute()
          && nowNanos - circuit.begunNanos() > ANSWER_NANOS + Math.min(MUTE_NANOS, silenceNanos)) {
        findings.dead().add(circuit);
      } else if (asked == 0) {
        if (circuit.isRestarted() || nowNanos - circuit.lastReceivedNanos() >= silenceNanos) {
          circuit.setAskedNanos(nowNanos);
          Requests.echo(circuit.output().with(Requests.LARGEST));
          findings.asked().add(circuit);
        }
      } else if (circuit.lastReceivedNanos() - asked > 0) {
        circuit.setAskedNanos(0);
        circuit.setRestarted(false);
      } else if (nowNanos - asked > (circuit.isRestarted() ? ANSWER_NANOS : PATIENCE_NANOS)) {
        findings.dead().add(circuit);
      } else if (nowNanos - asked > ANSWER_NANOS) {
        findings.silent().add(circuit);
      }
    }
    return findings;
  }
}
