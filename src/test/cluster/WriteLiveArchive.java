import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.kblake.simulate.LiveSimulation;
import org.kblake.simulate.Preset;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;

/**
 * Writes an archive that grows sixty times as fast as time, until it is killed: {@code
 * WriteLiveArchive DIRECTORY}. Milestones, at which a block may end, then come every ten seconds.
 */
final class WriteLiveArchive {

  private static final int SPEED = 60;
  private static final Duration HISTORY = Duration.ofMinutes(15);
  private static final Duration LENGTH = Duration.ofDays(2);

  private WriteLiveArchive() {}

  public static void main(String[] arguments) throws Exception {
    // The preset begins in a month that is over, whose blocks are merged as soon as they are there.
    SimulationSettings settings =
        SimulationSettings.of(Preset.DEMO, Path.of(arguments[0])).length(LENGTH);
    Instant begin = Instant.now();
    Clock clock =
        new Clock() {
          @Override
          public Instant instant() {
            Duration passed = Duration.between(begin, Instant.now());
            return settings.start().plus(HISTORY).plus(passed.multipliedBy(SPEED));
          }

          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }
        };
    new LiveSimulation(settings, HISTORY, clock, SimulationListener.NONE, () -> {}).run();
  }
}
