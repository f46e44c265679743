package org.kblake.simulate.machine;

import org.jspecify.annotations.Nullable;

/**
 * The stored current of one ring, second by second. It decays, and injection tops it up after a
 * loss of one per cent. An abort every few hours loses the beam, and the ring is filled again.
 */
final class StoredBeam {

  private static final double TOP_UP_BELOW = 0.99;
  private static final double ABORTS_PER_SECOND = 1 / 9000.0;
  private static final double MEAN_REPAIR_SECONDS = 600;
  private static final double GAS_SECONDS = 40;
  private static final double HEAT_SECONDS = 900;

  private final SplitMix random;
  private final double lossPerSecond;
  private final double injectionPerSecond;
  private double current = 1;
  private double gas = 1;
  private double heat = 1;
  private boolean injecting;
  private int downSeconds;

  /**
   * @param lifetimeSeconds the time in which the current decays to 1/e
   * @param injectionPerSecond the current that injection adds per second, as a fraction of the
   *     target
   */
  StoredBeam(long seed, double lifetimeSeconds, double injectionPerSecond) {
    random = new SplitMix(seed);
    lossPerSecond = 1 / lifetimeSeconds;
    this.injectionPerSecond = injectionPerSecond;
  }

  /**
   * Advances by one second.
   *
   * @param allowed whether the machine is running, not shut down for maintenance
   * @param abort whether the beam is lost now; null if it is lost at random
   */
  void advance(boolean allowed, @Nullable Boolean abort) {
    if (!allowed) {
      current = 0;
      downSeconds = 1;
    } else if (downSeconds > 0) {
      downSeconds--;
    } else {
      current -= current * lossPerSecond;
      if (injecting) {
        current += injectionPerSecond * (1 + 0.2 * random.gaussian());
        injecting = current < 1;
      } else {
        injecting = current < TOP_UP_BELOW;
      }
      boolean lost = random.chance(ABORTS_PER_SECOND);
      if (abort == null ? lost : abort) {
        current = 0;
        downSeconds = 120 + (int) random.waiting(MEAN_REPAIR_SECONDS);
      }
    }
    gas += (current * (0.4 + 0.6 * current) - gas) / GAS_SECONDS;
    heat += (current - heat) / HEAT_SECONDS;
  }

  /** Returns the current as a fraction of the target. */
  double current() {
    return current;
  }

  double gas() {
    return gas;
  }

  double heat() {
    return heat;
  }
}
