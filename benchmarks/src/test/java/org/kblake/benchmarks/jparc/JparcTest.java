package org.kblake.benchmarks.jparc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.benchmarks.measure.ChartDetail;
import org.kblake.benchmarks.measure.DetailTable;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Load;
import org.kblake.benchmarks.measure.MeasuredMachine;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Notebook;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.RowResult;
import org.kblake.benchmarks.measure.Size;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.file.WriteProfile;

/**
 * kblake's side of the matrix with days of twenty minutes, so that a broken benchmark is noticed.
 * The figures are meaningless. HBase is not started: its classes come with benchmarks/jparc only.
 */
class JparcTest {

  private static final int DAY_SECONDS = 1_200;

  private static final PrintStream NOWHERE =
      new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

  @TempDir static Path data;

  @BeforeAll
  static void takeLittleData() {
    System.setProperty("kblake.benchmarks.data", data.toString());
  }

  @Test
  void everyRowIsMeasured() throws Exception {
    for (Row row : Jparc.rows(DAY_SECONDS)) {
      Measurement measurement = new Measurement(Size.TINY, null, NOWHERE);
      List<Line> lines = row.measure(measurement);
      assertThat(lines).allMatch(line -> line.ours().median() > 0);
      assertThat(measurement.details()).allMatch(detail -> detail.figure().median() > 0);
      RowResult result = result(row, lines, measurement.details());
      Path page = data.resolve("page.md");
      Files.writeString(
          page, "<!-- tables: written by jparc -->\n<!-- end of tables of jparc -->\n");
      new Notebook(page, "jparc").write(List.of(result), DetailTable::of);
      assertThat(Files.readString(page)).contains("### " + row.title());
      for (ChartDetail detail : measurement.details()) {
        assertThat(Files.readString(page)).contains("| " + detail.figure().of() + " | ");
      }
    }
    try (var left = Files.list(data)) {
      assertThat(left).noneMatch(it -> it.getFileName().toString().startsWith("unfinished"));
    }
  }

  private static RowResult result(Row row, List<Line> lines, List<ChartDetail> details) {
    return new RowResult(
        row.number(),
        row.name(),
        row.title(),
        row.data(new Measurement(Size.TINY, null, NOWHERE)),
        "jparc",
        "2026-01-01",
        new MeasuredMachine("none", 2, 1, "none", "none", "17"),
        new Load(0, 1),
        Map.of(),
        List.of(),
        lines,
        details);
  }

  /** Each kind of values has another encoding, so that the matrix has all that the store writes. */
  @Test
  void kindsOfValuesDifferInTheirEncoding() throws Exception {
    assertThat(stored(ValueKind.RANDOM, new WriteProfile(Codec.LZ4, false)))
        .isEqualTo("kblake --codec lz4: byte-stream-split, lz4");
    assertThat(stored(ValueKind.RANDOM, new WriteProfile(Codec.GZIP, true)))
        .startsWith("kblake --codec gzip --profile lake: plain, ");
    assertThat(stored(ValueKind.READINGS, WriteProfile.STANDARD)).contains(": dictionary, ");
    assertThat(stored(ValueKind.COUNTERS, WriteProfile.STANDARD)).contains(": delta, ");
  }

  private static String stored(ValueKind values, WriteProfile profile) throws Exception {
    SimulatedDays days = new SimulatedDays(values, 2, 2, 2 * DAY_SECONDS);
    try (StoredColumns columns = new StoredColumns(days, profile, data.resolve("kinds"))) {
      columns.load(0);
      return columns.text();
    }
  }

  /** HBase gets the events of these files. */
  @Test
  void eventsForHBaseAreThoseOfTheArchive() throws Exception {
    for (ValueKind values : ValueKind.values()) {
      SimulatedDays days = new SimulatedDays(values, 3, 2, DAY_SECONDS);
      try (StoredColumns columns =
          new StoredColumns(days, WriteProfile.STANDARD, data.resolve("sums"))) {
        columns.load(0);
        columns.load(1);
        long sum = sumOfEvents(days.events(0)) + sumOfEvents(days.events(1));
        assertThat(columns.sum(RequestedDay.all(days, 2))).isEqualTo(sum);
        assertThat(columns.sum(RequestedDay.all(days, 1))).isNotEqualTo(sum);
      }
    }
  }

  private static long sumOfEvents(Path file) throws IOException {
    long sum = 0;
    try (DataInputStream events = new DataInputStream(Files.newInputStream(file))) {
      while (true) {
        int channel = events.readInt();
        sum += (events.readLong() * 31 + events.readLong()) * 31 + channel;
      }
    } catch (EOFException end) {
      return sum;
    }
  }
}
