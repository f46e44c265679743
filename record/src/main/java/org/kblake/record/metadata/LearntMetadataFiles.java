package org.kblake.record.metadata;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.kblake.core.metadata.ChannelsWriter;
import org.kblake.core.metadata.GroupMetadata;
import org.kblake.core.metadata.MetadataFolder;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/**
 * Keeps what servers say of channels in {@code SYS/channels} of an archive. Events come from the
 * recording thread, files are written at an interval by a thread of its own, so that a disk that
 * hangs stops nothing else. Until then what changed is kept, less than 1 KiB for a channel. A file
 * is replaced as a whole, if something in it differs.
 */
public final class LearntMetadataFiles implements AutoCloseable {

  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final Duration END = Duration.ofSeconds(5);

  private final Path system;
  private final MetadataFolder folder;
  private final Predicate<Group> isWritten;
  private final BiConsumer<Group, String> notices;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "kblake-record-metadata");
            made.setDaemon(true);
            return made;
          });
  private final Map<Group, String> problems = new HashMap<>();
  private final Map<Group, Long> writtenNanos = new HashMap<>();

  /** What the files lack. Guarded by this object. */
  private Map<Group, Map<String, LearntMetadata>> changed = new HashMap<>();

  /**
   * Takes events from now on.
   *
   * @param root the archive's root
   * @param zone the archive's zone
   * @param isWritten tells, in any thread, whether this process records a group at present
   * @param notices takes, in any thread, why a group's file cannot be written
   */
  public LearntMetadataFiles(
      Path root, ZoneId zone, Predicate<Group> isWritten, BiConsumer<Group, String> notices) {
    system = root.resolve("SYS");
    folder = MetadataFolder.recorded(root, zone);
    this.isWritten = isWritten;
    this.notices = notices;
  }

  /**
   * Begins to write files.
   *
   * @param interval the shortest time between two files of a group
   */
  public void start(Duration interval) {
    long look = Math.min(interval.toMillis(), LOOK.toMillis());
    var unused =
        thread.scheduleWithFixedDelay(
            () -> write(interval.toNanos()), look, look, TimeUnit.MILLISECONDS);
  }

  /** Takes an event of a channel, of which only metadata and descriptions concern this object. */
  public void take(Group group, String channel, ChannelEvent event) {
    LearntMetadata learnt =
        event.kind() == EventKind.METADATA
            ? new LearntMetadata(event.control(), null)
            : new LearntMetadata(null, event.text(0));
    synchronized (this) {
      changed
          .computeIfAbsent(group, any -> new LinkedHashMap<>())
          .merge(channel, learnt, (earlier, later) -> later.orElse(earlier));
    }
  }

  /**
   * @param intervalNanos the shortest time since a group's last file
   */
  private void write(long intervalNanos) {
    Map<Group, Map<String, LearntMetadata>> taken;
    synchronized (this) {
      taken = changed;
      changed = new HashMap<>();
    }
    taken.forEach(
        (group, channels) -> {
          try {
            Long last = writtenNanos.get(group);
            boolean isDue = last == null || System.nanoTime() - last >= intervalNanos;
            if (isDue && isWritten.test(group)) {
              writtenNanos.put(group, System.nanoTime());
              write(group, channels);
              problems.remove(group);
              return;
            }
          } catch (IOException | RuntimeException e) {
            String problem = "metadata of channels cannot be written: " + e;
            if (!problem.equals(problems.put(group, problem))) {
              notices.accept(group, problem);
            }
          }
          putBack(group, channels);
        });
  }

  private synchronized void putBack(Group group, Map<String, LearntMetadata> channels) {
    changed.merge(
        group,
        channels,
        (later, earlier) -> {
          earlier.forEach((name, each) -> later.merge(name, each, LearntMetadata::orElse));
          return later;
        });
  }

  private void write(Group group, Map<String, LearntMetadata> learnt) throws IOException {
    GroupMetadata before = folder.read(group);
    Map<String, ChannelMetadata> channels = new LinkedHashMap<>(before.channels());
    learnt.forEach(
        (name, each) ->
            channels.put(
                name,
                each.over(
                    channels.getOrDefault(
                        name, ChannelMetadata.unknown(new Channel(group, name))))));
    if (!channels.equals(before.channels())) {
      replace(folder.fileOf(group), channels);
    }
  }

  private void replace(Path file, Map<String, ChannelMetadata> channels) throws IOException {
    if (!Files.isDirectory(system)) {
      throw new IOException("no such directory: " + system); // the volume is away
    }
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Path next = file.resolveSibling("." + file.getFileName() + ".new");
    try (FileChannel out =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ChannelsWriter.write(Channels.newOutputStream(out), channels.values());
      out.force(true);
    }
    if (Files.size(next) > MetadataFolder.MAX_BYTES) {
      throw new IOException("more than " + MetadataFolder.MAX_BYTES + " bytes: " + file);
    }
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Writes what is still to be written, waits at most some seconds for it, and ends. */
  @Override
  public void close() {
    thread.execute(() -> write(0));
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END.toSeconds(), TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
