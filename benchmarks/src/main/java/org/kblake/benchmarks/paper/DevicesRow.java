package org.kblake.benchmarks.paper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.kblake.benchmarks.ParallelRead;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Repeat;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Size;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/**
 * Raw reading of one channel by the API and by kblogrd, and all columns by codec, with 1 to 6
 * threads, from the page cache and from one to three devices, each with its own limit of bandwidth.
 */
final class DevicesRow implements Row {

  private static final int MAX_THREADS = 6;
  private static final int MAX_DEVICES = 3;
  private static final String CHANNEL = "CGRFCAV:D01_A01:VC";
  private static final double LIMIT = CappedDevice.BYTES_PER_SECOND / 0x1p20;

  private static final Figure PUBLISHED =
      Figure.of("KEKBLog's reader, a process, published", Unit.MEBIBYTES_PER_SECOND, 348);

  private final List<Line> lines = new ArrayList<>();

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "devices";
  }

  @Override
  public String title() {
    return "Raw reading and columns by threads, devices and codec";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, scale 0.01, "
        + measurement.size().choose(15, 120, 365)
        + " days, seed 1; raw logs one channel, columns all channels, all as MiB of log a second,"
        + " in process. *raw* is the Java API with as many threads that read ahead; *kblogrd* is"
        + " the program from its arguments to its lines (-f free, into nothing), as many requests"
        + " at once as threads, which share the period, each with a thread for each core. "
        + Runtime.getRuntime().availableProcessors()
        + " cores for threads, devices and the rest of the machine. A device is a FUSE file system"
        + " that gives 40 MB/s and delays each read by 1 ms, without a cache; pairs and row groups"
        + " are on the devices in turns. Compressed raw logs are no format of KEKBLog's reference"
        + " layout, so codecs are those of columns";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    lines.clear();
    PaperArchive archive = PaperArchive.of(measurement.size());
    List<Path> stores = new ArrayList<>();
    for (Codec codec : List.of(Codec.NONE, Codec.LZ4, Codec.ZSTD)) {
      stores.add(archive.store(codec));
    }
    measure(measurement, archive, stores, "page cache", List.of(measurement.data()), 0);
    Path work = Files.createTempDirectory("kblake-paper");
    List<CappedDevice> devices = new ArrayList<>();
    try {
      List<Path> roots = new ArrayList<>();
      Path program = measurement.size() == Size.TINY ? work : CappedDevice.compile(work);
      for (int count = 1; count <= MAX_DEVICES; count++) {
        if (measurement.size() == Size.TINY) {
          roots.add(measurement.data());
        } else {
          CappedDevice device =
              CappedDevice.mount(program, measurement.data(), work.resolve("device" + count));
          devices.add(device);
          roots.add(device.root());
        }
        String name = count + (count == 1 ? " device" : " devices");
        measure(measurement, archive, stores, name, roots, count);
      }
    } catch (IOException e) {
      Figure missing =
          Figure.notMeasured("raw", Unit.MEBIBYTES_PER_SECOND, String.valueOf(e.getMessage()));
      lines.add(measurement.line(Line.of("devices with a bandwidth of their own", missing)));
    } finally {
      FirstFailure.closeAll(devices.toArray(Closeable[]::new));
      Commands.delete(work);
    }
    return List.copyOf(lines);
  }

  /**
   * @param roots the directory of the data on each device
   * @param devices the number of limits, 0 for none
   */
  private void measure(
      Measurement measurement,
      PaperArchive archive,
      List<Path> stores,
      String where,
      List<Path> roots,
      int devices)
      throws IOException, InterruptedException {
    double log = archive.logMebibytes();
    Path name = archive.root().getFileName();
    Path links = Files.createTempDirectory("kblake-links");
    try {
      Path linked =
          archive.linked(
              links.resolve("archive"), roots.stream().map(it -> it.resolve(name)).toList());
      int times = devices == 0 ? measurement.size().choose(1, 5, 9) : 1;
      List<Figure> raw = new ArrayList<>();
      for (int threads = 1; threads <= MAX_THREADS; threads++) {
        int count = threads;
        Figure rate = rate(times, log, () -> read(linked, count));
        raw.add(rate);
        measurement.detail(where, threads(threads), "raw", rate);
      }
      KblogrdRequests requests = new KblogrdRequests(linked, CHANNEL);
      List<Figure> kblogrd = new ArrayList<>();
      for (int threads = 1; threads <= MAX_THREADS; threads++) {
        int count = threads;
        Figure rate = rate(times, log, () -> requests.run(count));
        kblogrd.add(rate);
        measurement.detail(where, threads(threads), "kblogrd, as many requests", rate);
      }
      if (devices == 0) {
        add(measurement, "raw, " + where + ", 1 thread", raw.get(0), PUBLISHED, Aim.NONE);
        add(
            measurement,
            "raw, " + where + ", 2 threads",
            raw.get(1),
            raw.get(0).named("1 thread"),
            Aim.NONE);
        add(measurement, "kblogrd, " + where + ", 1 request", kblogrd.get(0), PUBLISHED, Aim.NONE);
        add(
            measurement,
            "kblogrd, " + where + ", 6 requests",
            kblogrd.get(MAX_THREADS - 1),
            kblogrd.get(0).named("1 request"),
            Aim.NONE);
      } else {
        Figure limit =
            Figure.of("the limit of " + where, Unit.MEBIBYTES_PER_SECOND, devices * LIMIT);
        add(measurement, "raw, " + where + ", 1 thread", raw.get(0), limit, Aim.NONE);
        Aim aim = devices == 1 ? Aim.timesBetter(0.9) : Aim.NONE;
        add(measurement, "raw, " + where + ", 2 threads", raw.get(1), limit, aim);
        add(
            measurement,
            "raw, " + where + ", 6 threads",
            raw.get(MAX_THREADS - 1),
            limit,
            Aim.NONE);
        add(measurement, "kblogrd, " + where + ", 1 request", kblogrd.get(0), limit, Aim.NONE);
        add(
            measurement,
            "kblogrd, " + where + ", 6 requests",
            kblogrd.get(MAX_THREADS - 1),
            limit,
            Aim.NONE);
      }
      for (Path store : stores) {
        String codec = store.getFileName().toString();
        codec = codec.substring(codec.lastIndexOf('-') + 1);
        ParallelRead read =
            ParallelRead.of(roots.stream().map(it -> it.resolve(store.getFileName())).toList());
        Figure last = raw.get(0);
        for (int threads = 1; threads <= MAX_THREADS; threads++) {
          int count = threads;
          last = rate(times, log, () -> read.run(count, Pace.FREE));
          measurement.detail(where, threads(threads), codec.toLowerCase(Locale.ROOT), last);
        }
        add(
            measurement,
            codec + " columns, " + where + ", 6 threads",
            last,
            raw.get(MAX_THREADS - 1).named("raw logs, 6 threads"),
            Aim.NONE);
      }
    } finally {
      Commands.delete(links);
    }
  }

  private void add(Measurement measurement, String what, Figure ours, Figure beside, Aim aim) {
    lines.add(measurement.line(Line.of(what, ours, beside, aim)));
  }

  private static String threads(int count) {
    return Numbers.plain(count) + (count == 1 ? " thread" : " threads");
  }

  private static Figure rate(int times, double mebibytes, Repeat.Work work)
      throws IOException, InterruptedException {
    return Figure.of("kblake", Unit.MILLISECONDS, Repeat.millis(times > 1 ? 1 : 0, times, work))
        .asRateOf(mebibytes);
  }

  /** Reads the events of one channel from raw logs. */
  private static void read(Path archive, int threads) throws IOException {
    EventQuery query = EventQuery.of(ChannelSelection.glob(CHANNEL)).allowIncomplete();
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive).threads(threads).open();
        EventCursor cursor = reader.cursor(query)) {
      long rows = 0;
      while (cursor.next()) {
        rows += cursor.to() - cursor.from();
      }
      if (rows == 0 || !cursor.coverage().missing().isEmpty()) {
        throw new IOException("not all was read: rows=" + rows + ", " + cursor.coverage());
      }
    }
  }
}
