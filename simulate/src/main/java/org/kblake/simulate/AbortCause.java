package org.kblake.simulate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.preset.SimulatedGroup;

/**
 * The cause of a simulated abort: one channel that does not depend on the beams posts a value that
 * is off its habit, a little before the beams are lost, and stays there.
 *
 * @param channel the channel
 * @param onsetNanos the time of the value, nanoseconds since 1970 UTC, 20 to 500 ms before the
 *     abort
 * @param sigmas the distance of the value from the mean of the channel's hour before, in standard
 *     deviations of that hour, 6 to 10 or -6 to -10
 */
public record AbortCause(Channel channel, long onsetNanos, double sigmas) {

  private static final double MIN_LEAD_NANOS = 20e6;
  private static final double MAX_LEAD_NANOS = 500e6;
  private static final double MIN_SIGMAS = 6;
  private static final double MAX_SIGMAS = 10;

  /** Returns the cause of the abort of a simulation; null if it has no such abort, or no cause. */
  public static @Nullable AbortCause of(SimulationSettings settings) {
    Instant abort = settings.abort();
    if (abort == null) {
      return null;
    }
    List<Channel> causes = new ArrayList<>();
    for (SimulatedGroup group : settings.preset().groups(settings.scale())) {
      for (SimulatedGroup.PlannedChannel channel : group.channels()) {
        if (channel.kind().isSteady()) {
          causes.add(new Channel(group.group(), channel.name()));
        }
      }
    }
    if (causes.isEmpty()) {
      return null;
    }
    SplitMix random = new SplitMix(SplitMix.derive(settings.seed(), "cause of an abort"));
    Channel cause = causes.get(random.below(causes.size()));
    double lead = random.between(MIN_LEAD_NANOS, MAX_LEAD_NANOS);
    double sigmas = random.between(MIN_SIGMAS, MAX_SIGMAS);
    return new AbortCause(
        cause,
        abort.getEpochSecond() * Machine.SECOND_NANOS - (long) lead,
        random.chance(0.5) ? sigmas : -sigmas);
  }
}
