package org.kblake.record.group;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.standby.Latch;
import org.kblake.cli.standby.LatchProvider;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.model.Group;
import org.kblake.record.channelaccess.ChannelAccessSource;
import org.kblake.record.channelaccess.settings.ChannelAccessSettings;
import org.kblake.record.channelaccess.settings.SearchSettings;
import org.kblake.record.log.LogFiles;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.RecordClock;
import org.kblake.record.log.SyncPolicy;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.EventKind;
import org.kblake.record.standby.FileLatch;

/**
 * A process that records the group VA/CCG, or stands by. Its arguments are the root, the port of
 * the server, the servers of ZooKeeper or {@code lock}, a {@link TimeRule}, and the bytes of memory
 * for events that wait. It says what happens, a line each.
 */
final class StandbyMain implements GroupListener {

  /** The disk of the group is full as long as the root has a file of this name. */
  static final String FULL = "full";

  private final ChannelSource source;
  private final Set<String> connected = new HashSet<>();

  private StandbyMain(ChannelSource source) {
    this.source = source;
  }

  /** The disk, which may be full. */
  private static LogFiles files(Path full) {
    FailingFiles files = new FailingFiles();
    files.writing =
        file -> {
          if (Files.exists(full)) {
            throw new IOException("No space left on device");
          }
        };
    files.creating = files.writing;
    return files;
  }

  public static void main(String... arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    int port = Integer.parseInt(arguments[1]);
    boolean isLock = arguments[2].equals("lock");
    Latch latch =
        isLock
            ? new FileLatch(root.resolve("latch"), System.out::println)
            : LatchProvider.acrossHosts(arguments[2], "record", System.out::println);
    LogTiming timing =
        new LogTiming(
            TimeUnit.SECONDS.toNanos(5),
            TimeUnit.MILLISECONDS.toNanos(20),
            LogTiming.DEFAULT.syncNanos(),
            Long.MAX_VALUE,
            TimeUnit.SECONDS.toNanos(1),
            TimeUnit.MILLISECONDS.toNanos(500));
    LogSettings log =
        new LogSettings(
            root,
            ArchiveSettings.defaults(),
            timing,
            SyncPolicy.NONE,
            ReferenceLayout.INSTANCE.maxLogBytes());
    RecorderSettings settings =
        new RecorderSettings(
            log,
            TimeRule.valueOf(arguments[3]),
            Long.parseLong(arguments[4]),
            files(root.resolve(FULL)),
            RecordClock.SYSTEM);
    ChannelSource source =
        ChannelAccessSource.start(
            new ChannelAccessSettings(
                new SearchSettings(
                    List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
                    List.of(),
                    SearchSettings.PACKETS_PER_SECOND,
                    Duration.ofMinutes(5),
                    new SearchSettings.Ports(5064, 25_999)),
                Duration.ofSeconds(60),
                Long.MAX_VALUE,
                1 << 22,
                ChannelAccessSettings.VALUE_AND_ALARM));
    Recorder recorder = new Recorder(source, settings, new StandbyMain(source));
    long clocksNanos = TimeUnit.MILLISECONDS.toNanos(isLock ? 100 : 2000);
    recorder.standBy(new StandbySettings(latch, TimeUnit.SECONDS.toNanos(60), clocksNanos));
    recorder.add(new Group("VA", "CCG"));
    while (true) {
      recorder.turn();
    }
  }

  @Override
  public void received(@Nullable Group group, ChannelEvent event) {
    String name = source.name(event.channel());
    if (name.startsWith("R") && event.kind() == EventKind.CONNECTED && connected.add(name)) {
      System.out.println("connected " + connected.size());
    }
  }

  @Override
  public void takesOver(Group group, boolean isSeamless, long aliveNanos) {
    System.out.println(isSeamless ? "takes over" : "is the active recorder");
  }

  @Override
  public void standsBy(Group group) {
    System.out.println("another recorder is active");
  }

  @Override
  public void gap(Group group, LogGap gap) {
    System.out.println("gap " + gap);
  }

  @Override
  public void notice(Group group, String line) {
    System.out.println(line);
  }
}
