package org.kblake.hbase.restore;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.hbase.layout.EventKey;
import org.kblake.hbase.layout.EventValue;
import org.kblake.hbase.stop.StopRequest;

/**
 * Writes the events of a table as an archive. The archive is written beside its place, and gets its
 * name when it is complete. For one thread.
 */
public final class Import {

  /** A pair that was changed so long ago counts as closed. */
  private static final Duration CLOSED = Duration.ofHours(2);

  private final Path target;
  private final Path work;
  private final Configuration configuration;
  private final long boundNanos;
  private final long memoryBytes;

  /** Reads all rows of events. */
  @FunctionalInterface
  public interface Source {
    void read(Rows rows) throws IOException, InterruptedException;
  }

  /** Takes rows. */
  @FunctionalInterface
  public interface Rows {
    /** Takes the key and the value of a row. The arrays are new. */
    void take(byte[] row, byte[] value) throws IOException, InterruptedException;
  }

  /** Learns of the progress. */
  public interface Listener {
    /** An event was read. */
    void read();

    /** Events of a pair were written. */
    void written(long events);
  }

  /** The extent of an archive that was written. */
  public record Summary(int groups, int pairs, long events) {}

  /**
   * @param target a directory that is empty or does not exist
   * @param boundNanos the disorder bound of the archive that was exported
   * @param memoryBytes the memory for sorting
   */
  public Import(Path target, Configuration configuration, long boundNanos, long memoryBytes) {
    this.target = target.toAbsolutePath().normalize();
    this.configuration = configuration;
    this.boundNanos = boundNanos;
    this.memoryBytes = memoryBytes;
    work = this.target.resolveSibling(this.target.getFileName() + ".import");
  }

  /** Returns the directory in which the archive is written until it is complete. */
  public Path work() {
    return work;
  }

  /** Returns whether a directory can be the target: it is empty or does not exist. */
  public static boolean isFree(Path target) throws IOException {
    if (!Files.exists(target)) {
      return true;
    }
    if (!Files.isDirectory(target)) {
      return false;
    }
    try (Stream<Path> files = Files.list(target)) {
      return files.findAny().isEmpty();
    }
  }

  /** Writes the archive. After an error nothing of it is left. */
  public Summary run(Source source, Listener listener) throws IOException, InterruptedException {
    remove(work);
    Path archive = Files.createDirectories(work.resolve("archive"));
    Path sorting = Files.createDirectories(work.resolve("sorting"));
    try {
      Summary summary;
      try (SortedCells rows = new SortedCells(sorting, configuration, memoryBytes)) {
        source.read(
            (row, value) -> {
              rows.add(row, value);
              listener.read();
            });
        rows.sort(() -> {});
        StopRequest.check();
        summary = write(rows, archive, listener);
        StopRequest.check();
      }
      Files.createDirectories(target.getParent());
      Files.move(archive, target, StandardCopyOption.REPLACE_EXISTING);
      return summary;
    } finally {
      remove(work);
    }
  }

  private Summary write(SortedCells rows, Path archive, Listener listener)
      throws IOException, InterruptedException {
    Set<Group> groups = new TreeSet<>();
    int pairs = 0;
    long events = 0;
    byte[][] first = rows.next();
    while (first != null) {
      long begin = rows.position();
      RestoredPair pair = new RestoredPair(EventKey.of(first[0]), boundNanos);
      byte[][] behind = survey(rows, pair, first);
      long end = rows.position();
      rows.seek(begin);
      write(rows, pair, archive);
      listener.written(pair.events());
      groups.add(pair.group());
      pairs++;
      events += pair.events();
      if (behind != null) {
        rows.seek(end);
        behind = rows.next();
      }
      first = behind;
    }
    StringBuilder list = new StringBuilder();
    groups.forEach(
        group -> list.append(group.system()).append(' ').append(group.name()).append('\n'));
    Path system = Files.createDirectories(archive.resolve("SYS"));
    Files.writeString(system.resolve("KEKBLog.list"), list, StandardCharsets.UTF_8);
    return new Summary(groups.size(), pairs, events);
  }

  /** Adds the events of a pair to its facts. Returns the first row behind them, or null. */
  private static byte @Nullable [][] survey(SortedCells rows, RestoredPair pair, byte[][] first)
      throws IOException, InterruptedException {
    byte[][] next = first;
    while (next != null) {
      EventKey key = EventKey.of(next[0]);
      if (!pair.has(key)) {
        return next;
      }
      pair.add(key, EventValue.of(next[1], next[0]), next[0]);
      StopRequest.check();
      next = rows.next();
    }
    return null;
  }

  private static void write(SortedCells rows, RestoredPair pair, Path archive)
      throws IOException, InterruptedException {
    try (PairWriter writer = new PairWriter(archive, pair)) {
      for (long i = 0; i < pair.events(); i++) {
        byte[][] next = rows.next();
        if (next == null) {
          throw new IOException("sorted rows are cut: pair=" + pair.stamp());
        }
        writer.write(EventKey.of(next[0]), EventValue.of(next[1], next[0]), next[0]);
        StopRequest.check();
      }
      writer.finish();
    }
    long latest = Instant.now().minus(CLOSED).toEpochMilli();
    long last = TimeUnit.NANOSECONDS.toMillis(pair.lastNanos());
    PairName name = new PairName(pair.group().name(), pair.stamp());
    Path directory = archive.resolve(pair.group().system());
    for (String file : List.of(name.indexFile(), name.logFile())) {
      Files.setLastModifiedTime(
          directory.resolve(file), FileTime.fromMillis(last < 0 ? latest : Math.min(last, latest)));
    }
  }

  private static void remove(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path each : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
          Files.delete(each);
        }
      }
    }
  }
}
