package org.kblake.record.measure;

import java.time.Duration;
import org.kblake.record.channelaccess.ChannelAccessSource;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.channelaccess.settings.EpicsEnvironment;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.pvaccess.PvAccessEnvironment;
import org.kblake.record.pvaccess.PvAccessSource;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;
import org.kblake.record.source.PacketBudget;
import org.kblake.record.source.SourceCounts;

/**
 * Measures {@link ChannelAccessSource}, or {@link PvAccessSource} if names begin with {@code
 * pva://}. Arguments: channels, seconds, first part of the names.
 */
public final class MeasureSource {

  private MeasureSource() {}

  private static int connected;
  private static long connectedNanos;

  public static void main(String[] arguments) {
    int channels = Integer.parseInt(arguments[0]);
    long seconds = Long.parseLong(arguments[1]);
    CountingRun run = new CountingRun(channels);
    try (ChannelSource source = source(arguments[2])) {
      for (int i = 0; i < channels; i++) {
        source.open(arguments[2] + i);
      }
      long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
      long settled = end - Duration.ofSeconds(seconds).toNanos() / 3;
      boolean isSettled = false;
      while (System.nanoTime() < end) {
        if (!isSettled && System.nanoTime() > settled) {
          isSettled = true;
          run.settle();
        }
        if (source.poll(event -> take(run, event, channels), 1024) == 0) {
          source.await(1_000_000);
        }
      }
      SourceCounts counts = source.counts();
      long late = source.circuits().stream().filter(each -> each.drops().fromNanos() != 0).count();
      run.print(
          arguments[2].startsWith(PvAccessSource.PREFIX) ? "pva" : "source",
          connectedNanos,
          " own_lost="
              + counts.ring().lost()
              + " dropped="
              + counts.dropped()
              + " late_circuits="
              + late);
    }
  }

  private static ChannelSource source(String names) {
    return names.startsWith(PvAccessSource.PREFIX)
        ? PvAccessSource.start(
            PvAccessEnvironment.read(System.getenv()).settings(),
            new EventQueue(new EventRing(ChannelAccessSettings.RING_BYTES)),
            new PacketBudget(SearchSettings.PACKETS_PER_SECOND, System.nanoTime()))
        : ChannelAccessSource.start(EpicsEnvironment.read(System.getenv()).settings());
  }

  private static void take(CountingRun run, ChannelEvent event, int channels) {
    if (event.kind() == EventKind.VALUE) {
      run.value(event.channel(), event.number(0), event.stampNanos());
    } else if (event.kind() == EventKind.CONNECTED) {
      if (++connected == channels) {
        connectedNanos = System.nanoTime();
      }
    }
  }
}
