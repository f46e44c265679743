package org.kblake.record.measure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.group.Count;
import org.kblake.record.group.GroupCounts;
import org.kblake.record.group.GroupListener;
import org.kblake.record.group.LogGap;
import org.kblake.record.group.Recorder;
import org.kblake.record.group.RecorderSettings;
import org.kblake.record.log.LogSettings;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.CircuitCounts;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventKind;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;
import org.kblake.record.source.SourceCounts;

/**
 * Measures what the recording thread takes from the ring to the file. Arguments: an empty
 * directory, channels, millions of events, events of a burst. A burst is put before any of it is
 * taken.
 */
public final class MeasureLog implements ChannelSource, GroupListener {

  private static final int MILLION = 1_000_000;
  private static final int VALUE_BYTES = 24;

  private final EventQueue queue = new EventQueue(new EventRing(ChannelAccessSettings.RING_BYTES));
  private final ChannelEvent event = new ChannelEvent();
  private final ByteBuffer bytes = ByteBuffer.allocate(VALUE_BYTES);
  private int opened;

  private MeasureLog() {}

  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    int channels = Integer.parseInt(arguments[1]);
    new MeasureLog()
        .run(root, channels, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
  }

  private void run(Path root, int channels, int millions, int burst) throws IOException {
    Files.createDirectories(root.resolve("SYS/LCF"));
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < channels; i++) {
      names.append("RECORD").append(i).append('\n');
    }
    Files.writeString(root.resolve("SYS/LCF/GROUP.lcf"), names);
    LogSettings log = LogSettings.of(root, ArchiveSettings.defaults());
    try (Recorder recorder = new Recorder(this, RecorderSettings.of(log), this)) {
      GroupCounts counts = recorder.add(new Group("TEST", "GROUP"));
      for (int i = 0; i < channels; i++) {
        queue.put(event.begin(i, EventKind.CONNECTED, now()).typed(ValueType.DOUBLE, 1));
      }
      long given = channels;
      await(recorder, counts, given);
      for (int batch = 0; batch < (long) millions * MILLION / burst; batch++) {
        for (int i = 0; i < burst; i++) {
          bytes.putInt(4, (int) (now() / 1_000_000_000 - 631_152_000)).putDouble(16, batch + i);
          event.begin((int) (((long) batch * burst + i) % channels), EventKind.VALUE, now());
          queue.put(event.typed(ValueType.DOUBLE, 1).with(bytes, 0, VALUE_BYTES));
        }
        long begin = System.nanoTime();
        given += burst;
        await(recorder, counts, given);
        if ((long) (batch + 1) * burst % MILLION == 0) {
          System.out.println("ns/event " + (System.nanoTime() - begin) / burst);
        }
      }
      System.out.println("written " + counts.get(Count.WRITTEN) + " lost " + queue.lost());
    }
  }

  /** Lets the recorder turn until that many events are in the log. */
  private static void await(Recorder recorder, GroupCounts counts, long events) {
    while (counts.get(Count.WRITTEN) + counts.get(Count.LOST) < events) {
      recorder.turn();
    }
  }

  private static long now() {
    return 1_000_000 * System.currentTimeMillis();
  }

  @Override
  public int open(String name) {
    return opened++;
  }

  @Override
  public int poll(EventHandler handler, int limit) {
    return queue.poll(handler, limit);
  }

  @Override
  public void await(long nanos) {
    // Events are there.
  }

  @Override
  public void close(int channel) {
    // There is no server.
  }

  @Override
  public String name(int channel) {
    return "RECORD" + channel;
  }

  @Override
  public SourceCounts counts() {
    return SourceCounts.NONE;
  }

  @Override
  public List<CircuitCounts> circuits() {
    return List.of();
  }

  @Override
  public void close() {
    // There is no thread.
  }

  @Override
  public void gap(Group group, LogGap gap) {
    System.out.println(gap);
  }

  @Override
  public void notice(Group group, String line) {
    System.out.println(line);
  }
}
