package org.kblake.record.importing;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.core.internal.log.encode.PairEncoder;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.record.group.ArchiveLists;
import org.kblake.record.log.LogFiles;

/**
 * The group that an import writes to, locked. Its pairs of other programs are never touched. For
 * one thread, which closes it.
 */
public final class ImportTarget implements Closeable {

  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");
  private static final String LEAP_SECOND = "60";
  private static final long QUIET_MILLIS = 60_000;

  private final Path root;
  private final Group group;
  private final ZoneId zone;
  private final Closeable lock;
  private final TreeSet<PairName> others = new TreeSet<>();
  private final Map<Path, Long> sizes = new HashMap<>();
  private final ImportState state;

  private ImportTarget(Path root, Group group, ZoneId zone, Closeable lock, ImportState state) {
    this.root = root;
    this.group = group;
    this.zone = zone;
    this.lock = lock;
    this.state = state;
  }

  /**
   * Locks the group, ends what a killed import left, and lists its pairs.
   *
   * @param nowMillis the present time, milliseconds since 1970 UTC
   * @throws IOException if the archive is away, or another program writes to the group
   */
  public static ImportTarget open(Path root, Group group, ZoneId zone, long nowMillis)
      throws IOException {
    if (!Files.isDirectory(root.resolve("SYS"))) {
      throw new RequestException(
          "archive has no directory SYS; mount its volume, or create SYS for a new archive:"
              + " archive="
              + root);
    }
    Path directory = root.resolve(group.system());
    LogFiles.DISK.createDirectory(directory);
    Closeable lock = LogFiles.DISK.lock(directory.resolve("." + group.name() + ".lock"));
    if (lock == null) {
      throw new RequestException(
          "group is being recorded or imported; stop that program, or name another group: group="
              + group);
    }
    try {
      ImportState state =
          ImportState.read(directory.resolve("." + group.name() + ".import"), group.name());
      ImportTarget target = new ImportTarget(root, group, zone, lock, state);
      target.begin(nowMillis);
      return target;
    } catch (Throwable e) {
      try (lock) {
        throw e;
      }
    }
  }

  private Path directory() {
    return root.resolve(group.system());
  }

  /** Returns the file that tells how far the import got. */
  public Path stateFile() {
    return state.file();
  }

  private void begin(long nowMillis) throws IOException {
    SortedSet<PairName> own = state.pairs();
    if (!own.isEmpty()) {
      publish(own.last());
    }
    for (String file : LogFiles.DISK.names(directory())) {
      PairName left = PairFiles.unfinishedPair(file);
      if (left != null && left.group().equals(group.name())) {
        Files.delete(directory().resolve(file));
      }
      PairName name = PairName.ofFile(file);
      if (name != null && name.group().equals(group.name()) && !own.contains(name)) {
        others.add(name);
      }
    }
    if (!others.isEmpty()) {
      noteSizes(others.last(), nowMillis);
    }
  }

  private void noteSizes(PairName newest, long nowMillis) throws IOException {
    for (String file : List.of(newest.indexFile(), newest.logFile())) {
      Path path = directory().resolve(file);
      if (Files.exists(path)) {
        if (nowMillis - Files.getLastModifiedTime(path).toMillis() < QUIET_MILLIS) {
          throw grows(path);
        }
        sizes.put(path, Files.size(path));
      }
    }
  }

  private RequestException grows(Path file) {
    return new RequestException(
        "another program records the group; stop it and wait a minute, or name another group:"
            + " group="
            + group
            + ", growing file="
            + file);
  }

  /** Checks that no other program lets the group grow. */
  private void requireQuiet() throws IOException {
    for (Map.Entry<Path, Long> each : sizes.entrySet()) {
      if (Files.exists(each.getKey()) && Files.size(each.getKey()) != each.getValue()) {
        throw grows(each.getKey());
      }
    }
  }

  /** Returns how far earlier imports got. */
  ImportState state() {
    return state;
  }

  /** Returns whether an earlier import wrote a pair. */
  public boolean isContinued() {
    return !state.pairs().isEmpty();
  }

  /** Returns the time before which all events are imported, nanoseconds since 1970 UTC. */
  public long untilNanos() {
    return state.untilNanos();
  }

  /** Returns whether an earlier import had a channel. */
  public boolean hasImported(String channel) {
    return state.hasChannel(channel);
  }

  /**
   * Returns the begin of the first pair of another program, before which imported events must be;
   * the largest long if there is none.
   */
  public long limitNanos() {
    for (PairName name : others) {
      if (name.hasTime()) {
        return name.beginNanos(zone);
      }
    }
    return Long.MAX_VALUE;
  }

  /** Begins a pair with the name of a time, or a later one. */
  PairName nextName(long nanos) throws IOException {
    PairName name = PairName.at(group.name(), nanos, zone);
    SortedSet<PairName> own = state.pairs();
    if (!own.isEmpty() && name.compareTo(own.last()) <= 0) {
      name = after(own.last());
    }
    PairName limit = others.isEmpty() ? null : others.first();
    if (limit != null && name.compareTo(limit) >= 0) {
      throw new RequestException(
          "the group has logs of another program from there on; give an earlier --to, or name"
              + " another group: group="
              + group
              + ", pair="
              + limit.stamp());
    }
    return name;
  }

  private PairName after(PairName last) {
    String stamp = last.stamp();
    if (stamp.endsWith(LEAP_SECOND)) {
      stamp = stamp.substring(0, stamp.length() - LEAP_SECOND.length()) + "59";
    }
    return new PairName(
        group.name(), LocalDateTime.parse(stamp, STAMP).plusSeconds(1).format(STAMP));
  }

  PairFiles create(PairName name, RecordTable records, @Nullable PairEncoder before)
      throws IOException {
    return PairFiles.create(directory(), name, records, before);
  }

  /**
   * Adds a pair whose files are whole; {@link ImportState#add} describes the other parameters. From
   * the moment at which the state is written it belongs to the group, also after a kill.
   */
  void add(PairName name, long untilNanos, long eventsThere, List<String> names)
      throws IOException {
    requireQuiet();
    LogFiles.DISK.force(directory());
    state.add(name, untilNanos, eventsThere, names);
    publish(name);
  }

  /** Gives the files of a pair their names. The log comes first: a log alone is no pair. */
  private void publish(PairName name) throws IOException {
    for (String file : List.of(name.logFile(), name.indexFile())) {
      Path from = PairFiles.unfinished(directory(), file);
      if (Files.exists(from)) {
        Files.move(from, directory().resolve(file));
      }
    }
    LogFiles.DISK.force(directory());
  }

  /** Adds the group to the list of groups. */
  void addToList() throws IOException {
    new ArchiveLists(root).keepInList(group);
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
