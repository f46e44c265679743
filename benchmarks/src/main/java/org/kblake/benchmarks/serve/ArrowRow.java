package org.kblake.benchmarks.serve;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.kblake.benchmarks.AnswerRows;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.RandomDoubles;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/** The events of a channel-year as an Arrow stream over HTTP, beside the read in this process. */
final class ArrowRow implements Row {

  private static final double MIN_TIMES = 0.5;

  /** The end mark of an Arrow IPC stream. */
  private static final byte[] END = {-1, -1, -1, -1, 0, 0, 0, 0};

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "arrow";
  }

  @Override
  public String title() {
    return "A year of a channel as an Arrow stream";
  }

  @Override
  public String data(Measurement measurement) {
    return "the archive of optimized, "
        + Numbers.plain(OptimizedRow.seconds(measurement))
        + " events; `/api/v1/data?format=arrow`, counted by a client that checks the end mark, and"
        + " decoded by Arrow's ArrowStreamReader from the socket, beside an EventReader in this"
        + " process; in turns";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path archive = OptimizedRow.archive(measurement);
    Path store = BenchmarkData.store(archive);
    int events = OptimizedRow.seconds(measurement);
    Instant from = Instant.ofEpochSecond(0, RandomDoubles.beginNanos());
    Instant to = from.plusSeconds(events + 1L);
    EventQuery query =
        EventQuery.of(ChannelSelection.all(RandomDoubles.GROUP))
            .between(from, to)
            .allowIncomplete();
    String path =
        "/api/v1/data?format=arrow&channel="
            + ServedProcess.encoded(RandomDoubles.channel(0))
            + "&from="
            + from
            + "&to="
            + to;
    List<Double> counted = new ArrayList<>();
    List<Double> decoded = new ArrayList<>();
    List<Double> here = new ArrayList<>();
    int times = measurement.size().choose(1, 7, 15);
    try (ServedProcess server = new ServedProcess(measurement.size(), archive, store);
        ArchiveReader reader = ArchiveReader.builder().archive(archive).store(store).open();
        BufferAllocator memory = new RootAllocator()) {
      for (int i = -3; i < times; i++) {
        long begin = System.nanoTime();
        count(server, path);
        long next = System.nanoTime();
        require(events, decode(server, path, memory));
        long last = System.nanoTime();
        require(events, AnswerRows.count(reader, query.withGroup(), memory));
        if (i >= 0) {
          counted.add(events * 1e6 / (next - begin));
          decoded.add(events * 1e6 / (last - next));
          here.add(events * 1e6 / (System.nanoTime() - last));
        }
      }
    }
    Figure beside = Figure.of("EventReader in this process", Unit.THOUSANDS_PER_SECOND, here);
    return List.of(
        measurement.line(
            Line.of(
                "Arrow over HTTP, bytes are counted",
                Figure.of("kblake", Unit.THOUSANDS_PER_SECOND, counted),
                beside,
                Aim.timesBetter(MIN_TIMES))),
        measurement.line(
            Line.of(
                "Arrow over HTTP, decoded",
                Figure.of("kblake", Unit.THOUSANDS_PER_SECOND, decoded),
                beside,
                Aim.timesBetter(MIN_TIMES))));
  }

  /** Reads a stream to its end. */
  private static void count(ServedProcess server, String path) throws IOException {
    byte[] tail = new byte[END.length];
    try (ServedConnection connection = server.connect()) {
      connection.request(path);
      connection.skip(tail);
    }
    if (!Arrays.equals(tail, END)) {
      throw new IllegalStateException("the stream has no end mark");
    }
  }

  private static long decode(ServedProcess server, String path, BufferAllocator memory)
      throws IOException {
    ServedConnection connection = server.connect();
    long rows = 0;
    try (ArrowStreamReader stream = new ArrowStreamReader(connection, memory)) {
      connection.request(path);
      while (stream.loadNextBatch()) {
        rows += stream.getVectorSchemaRoot().getRowCount();
      }
    }
    return rows;
  }

  private static void require(long events, long rows) {
    if (rows != events) {
      throw new IllegalStateException("wrong number of events: rows=" + rows);
    }
  }
}
