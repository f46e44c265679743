package org.kblake.simulate.machine;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The state of the accelerator. It is the same for every group of a simulation, so that the
 * channels of all groups depend on the same fills and aborts.
 *
 * <p>The rings are advanced second by second. Arrays contain the levels of each second of the
 * current step of time. There is no beam in August, and during maintenance from nine to five on
 * every second Wednesday.
 */
public final class Machine {

  public static final long SECOND_NANOS = 1_000_000_000L;

  /** The time before a planned abort in which no beam is lost. */
  private static final long STORED_NANOS = 3 * 3600 * SECOND_NANOS;

  private static final double[] NEVER = new double[0];

  private final ZoneId zone;
  private final StoredBeam ler;
  private final StoredBeam her;
  private final double[][] levels = new double[MachineQuantity.values().length][];
  private final long abortNanos;
  private long stepNanos;

  public Machine(long seed, ZoneId zone) {
    this(seed, zone, Long.MIN_VALUE);
  }

  /**
   * @param abortNanos the second at which both beams are lost, nanoseconds since 1970 UTC;
   *     Long.MIN_VALUE for none
   */
  public Machine(long seed, ZoneId zone, long abortNanos) {
    this.zone = zone;
    this.abortNanos = abortNanos;
    ler = new StoredBeam(SplitMix.derive(seed, "LER"), 600, 0.006);
    her = new StoredBeam(SplitMix.derive(seed, "HER"), 2100, 0.004);
    Arrays.fill(levels, NEVER);
  }

  /**
   * Advances by the seconds of a step. Steps are consecutive.
   *
   * @param fromNanos the begin of the step, nanoseconds since 1970 UTC
   */
  public void advance(long fromNanos, int seconds) {
    stepNanos = fromNanos;
    if (levels[0].length < seconds) {
      for (int i = 0; i < levels.length; i++) {
        levels[i] = new double[seconds];
      }
    }
    LocalDateTime local =
        LocalDateTime.ofInstant(Instant.ofEpochSecond(fromNanos / SECOND_NANOS), zone);
    boolean running = running(local);
    double warmth = warmth(local);
    for (int second = 0; second < seconds; second++) {
      Boolean abort = abort(fromNanos + second * SECOND_NANOS);
      ler.advance(running, abort);
      her.advance(running, abort);
      levels[MachineQuantity.LER.ordinal()][second] = ler.current();
      levels[MachineQuantity.HER.ordinal()][second] = her.current();
      levels[MachineQuantity.LER_GAS.ordinal()][second] = ler.gas();
      levels[MachineQuantity.HER_GAS.ordinal()][second] = her.gas();
      levels[MachineQuantity.LER_HEAT.ordinal()][second] = ler.heat();
      levels[MachineQuantity.HER_HEAT.ordinal()][second] = her.heat();
      levels[MachineQuantity.DAY.ordinal()][second] = warmth;
    }
  }

  /** Returns whether the beams are lost in a second; null if they are lost at random. */
  private @Nullable Boolean abort(long nanos) {
    return abortNanos == Long.MIN_VALUE || nanos > abortNanos || nanos < abortNanos - STORED_NANOS
        ? null
        : nanos == abortNanos;
  }

  /** Returns the begin of the current step, nanoseconds since 1970 UTC. */
  public long stepNanos() {
    return stepNanos;
  }

  /**
   * Returns the levels of each second of the current step. The array is valid until the next {@link
   * #advance}.
   */
  public double[] levels(MachineQuantity quantity) {
    return levels[quantity.ordinal()];
  }

  private static boolean running(LocalDateTime local) {
    boolean maintenance =
        local.toLocalDate().toEpochDay() % 14 == 6 && local.getHour() >= 9 && local.getHour() < 17;
    return local.getMonth() != Month.AUGUST && !maintenance;
  }

  private static double warmth(LocalDateTime local) {
    double hour = local.getHour() + local.getMinute() / 60.0;
    return 0.5 + 0.5 * StrictMath.cos((hour - 14) * (Math.PI / 12));
  }
}
