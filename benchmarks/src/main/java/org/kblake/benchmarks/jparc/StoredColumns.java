package org.kblake.benchmarks.jparc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.AnswerRows;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/**
 * ValueKind in the columns of kblake. The logs of a day are put into the archive before its load.
 */
final class StoredColumns implements StoredValues {

  private final SimulatedDays data;
  private final WriteProfile profile;
  private final Path directory;
  private final Path archive;
  private final Path store;
  private @Nullable ArchiveReader reader;

  /** Creates an empty store in a directory, which is deleted first. */
  StoredColumns(SimulatedDays data, WriteProfile profile, Path directory) throws IOException {
    this.data = data;
    this.profile = profile;
    this.directory = directory;
    archive = directory.resolve("archive");
    store = directory.resolve("store");
    close();
  }

  @Override
  public String text() throws IOException {
    String options =
        "--codec "
            + profile.codec().name().toLowerCase(Locale.ROOT)
            + (profile.lake() ? " --profile lake" : "");
    return "kblake " + options + ": " + ValueEncodings.of(store);
  }

  @Override
  public double load(int day) throws IOException, InterruptedException {
    close(reader);
    reader = null;
    for (Path log : data.logs(day)) {
      Path link = archive.resolve(data.archive().relativize(log));
      Files.createDirectories(link.getParent());
      Files.createLink(link, log);
    }
    int threads = Runtime.getRuntime().availableProcessors();
    long begin = System.nanoTime();
    long events = BenchmarkData.backfill(archive, store, profile, threads, TimeRange.ALL).events();
    double millis = (System.nanoTime() - begin) / 1e6;
    if (events != data.eventsOfDay()) {
      throw new IOException("events of day " + day + ": " + events);
    }
    return millis;
  }

  @Override
  public double merge() {
    return 0;
  }

  @Override
  public long bytes() throws IOException {
    long bytes = 0;
    for (Path file : files(store)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private ArchiveReader reader() throws IOException {
    ArchiveReader open = reader;
    if (open == null) {
      open = ArchiveReader.builder().archive(archive).store(store).open();
      reader = open;
    }
    return open;
  }

  @Override
  public double read(List<RequestedDay> days) throws IOException, InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(READERS);
    try {
      long begin = System.nanoTime();
      ArchiveReader open = reader();
      List<Future<Long>> reads = new ArrayList<>();
      for (int first = 0; first < READERS; first++) {
        int reader = first;
        reads.add(executor.submit(() -> read(open, days, reader)));
      }
      long values = 0;
      for (Future<Long> read : reads) {
        values += read.get();
      }
      double millis = (System.nanoTime() - begin) / 1e6;
      if (values != (long) days.size() * data.daySeconds()) {
        throw new IOException("values of " + days.size() + " days: " + values);
      }
      return millis;
    } catch (ExecutionException e) {
      throw new IOException("reader failed", e);
    } finally {
      executor.shutdownNow();
    }
  }

  private static long read(ArchiveReader reader, List<RequestedDay> days, int first)
      throws IOException {
    long values = 0;
    try (BufferAllocator allocator = new RootAllocator()) {
      for (int i = first; i < days.size(); i += READERS) {
        values += AnswerRows.count(reader, query(days.get(i)), allocator);
      }
    }
    return values;
  }

  private static EventQuery query(RequestedDay day) {
    String name = SimulatedDays.channel(day.channel());
    return EventQuery.of(ChannelSelection.names(name).in(SimulatedDays.GROUP)).between(day.day());
  }

  @Override
  public long sum(List<RequestedDay> days) throws IOException {
    long sum = 0;
    for (RequestedDay day : days) {
      try (EventCursor events = reader().cursor(query(day))) {
        while (events.next()) {
          EventColumns columns = events.columns();
          for (int row = events.from(); row < events.to(); row++) {
            sum += (columns.timeNanos[row] * 31 + columns.values[row]) * 31 + day.channel();
          }
        }
      }
    }
    return sum;
  }

  @Override
  public List<Path> forget() throws IOException {
    close(reader);
    reader = null;
    List<Path> files = new ArrayList<>(files(archive));
    files.addAll(files(store));
    return files;
  }

  @Override
  public void close() throws IOException {
    close(reader);
    reader = null;
    Commands.delete(directory);
  }

  private static void close(@Nullable ArchiveReader reader) throws IOException {
    if (reader != null) {
      reader.close();
    }
  }
}
