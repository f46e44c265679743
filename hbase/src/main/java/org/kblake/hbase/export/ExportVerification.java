package org.kblake.hbase.export;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.hbase.cell.BatchCells;
import org.kblake.hbase.cluster.ClusterErrors;
import org.kblake.hbase.cluster.ClusterTable;
import org.kblake.hbase.destination.ExportBatch;
import org.kblake.hbase.layout.EventKey;
import org.kblake.hbase.layout.EventValue;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.CoverageReport;

/**
 * Compares a table with the archive. Each event of the archive must be in the table, bit for bit,
 * and the table must have no other event of the channels in the range. Strays of the table whose
 * segments are not read for the range are not compared.
 */
public final class ExportVerification {

  /** The ranges of rows of one scan. A server reads the list for each of its regions. */
  private static final int RANGES_AT_ONCE = 1000;

  private static final int STRAYS_AT_ONCE = 1000;

  private final ArchiveReader archive;
  private final ExportQuestion question;
  private final Duration length;
  private final long memoryBytes;
  private final ClusterTable table;
  private final Result result = new Result();

  /** The result so far. */
  public static final class Result {
    private long equal;
    private long missing;
    private long other;
    private long different;
    private String first = "";
    private final List<CoverageReport> coverage = new ArrayList<>();

    /** Returns the number of events that are equal. */
    public long equal() {
      return equal;
    }

    /** Returns whether the table has the events of the archive, and no others. */
    public boolean isEqual() {
      return missing == 0 && other == 0 && different == 0;
    }

    /** Returns the coverage of batches that could not be read completely. */
    public List<CoverageReport> coverage() {
      return coverage;
    }

    /** Returns the numbers of events, and the first difference. */
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,d events are equal, %,d are missing from the table, %,d are only in the table, %,d"
              + " have other values%s",
          equal,
          missing,
          other,
          different,
          first.isEmpty() ? "" : "; the first: " + first);
    }

    private void note(String kind, byte[] row) {
      if (first.isEmpty()) {
        first = kind + ", row=" + Bytes.toStringBinary(row);
      }
    }
  }

  /** A cell of the archive. */
  private record Cell(byte[] row, byte[] value) {}

  /**
   * @param length the length of a batch
   * @param memoryBytes the memory for the cells of a batch
   */
  public ExportVerification(
      ArchiveReader archive,
      ExportQuestion question,
      Duration length,
      long memoryBytes,
      ClusterTable table) {
    this.archive = archive;
    this.question = question;
    this.length = length;
    // The cells are copied once more to be compared.
    this.memoryBytes = memoryBytes / 4;
    this.table = table;
  }

  /**
   * Compares all batches. Batches without events in the archive are compared with the next one that
   * has some, in the same scan.
   */
  public Result run(Export.Listener listener) throws IOException, InterruptedException {
    for (Group group : question.names().keySet()) {
      ExportBatch[] without = {null};
      new BatchReader(archive, question, memoryBytes)
          .read(
              question.batches(group, length),
              read -> {
                ExportBatch all = joined(without[0], read.batch());
                without[0] = all;
                if (read.cells().cells() > 0) {
                  without[0] = null;
                  explainedCompare(all, read.cells());
                }
                if (!read.coverage().isComplete()) {
                  result.coverage.add(read.coverage());
                }
                listener.done(read.cells().cells(), false);
              },
              listener::read);
      ExportBatch last = without[0];
      if (last != null) {
        explainedCompare(last, new BatchCells(memoryBytes));
      }
    }
    return result;
  }

  private static ExportBatch joined(@Nullable ExportBatch before, ExportBatch batch) {
    return before == null
        ? batch
        : batch.in(new TimeRange(before.range().fromNanos(), batch.range().toNanos()));
  }

  private void explainedCompare(ExportBatch batch, BatchCells cells)
      throws IOException, InterruptedException {
    ClusterErrors.run(
        "reading " + table.name(),
        () -> {
          compare(batch, cells);
        });
  }

  private void compare(ExportBatch batch, BatchCells cells)
      throws IOException, InterruptedException {
    List<Cell> expected = new ArrayList<>();
    List<Cell> strays = new ArrayList<>();
    cells.forEach(
        (row, rowBytes, value, valueAt, valueBytes) -> {
          Cell cell =
              new Cell(
                  Arrays.copyOf(row, rowBytes),
                  Arrays.copyOfRange(value, valueAt, valueAt + valueBytes));
          (EventValue.isStray(cell.value) ? strays : expected).add(cell);
        });
    List<byte[]> prefixes = new ArrayList<>();
    for (String name : batch.names()) {
      prefixes.add(EventKey.channelPrefix(new Channel(batch.group(), name)));
    }
    prefixes.sort(Bytes.BYTES_COMPARATOR);
    int at = 0;
    for (int i = 0; i < prefixes.size(); i += RANGES_AT_ONCE) {
      int end = Math.min(i + RANGES_AT_ONCE, prefixes.size());
      at = compare(expected, at, ranges(prefixes.subList(i, end), batch.range()));
    }
    for (; at < expected.size(); at++) {
      missing(expected.get(at));
    }
    for (int i = 0; i < strays.size(); i += STRAYS_AT_ONCE) {
      compareStrays(strays.subList(i, Math.min(i + STRAYS_AT_ONCE, strays.size())));
    }
  }

  private static List<byte[][]> ranges(List<byte[]> prefixes, TimeRange range) {
    List<byte[][]> ranges = new ArrayList<>();
    for (byte[] prefix : prefixes) {
      ranges.add(
          new byte[][] {
            EventKey.at(prefix, range.fromNanos()), EventKey.at(prefix, range.toNanos())
          });
    }
    return ranges;
  }

  /**
   * Compares the events of ranges of rows. Returns the number of expected events before its end.
   */
  private int compare(List<Cell> expected, int from, List<byte[][]> ranges)
      throws IOException, InterruptedException {
    int[] at = {from};
    table.scan(
        ranges,
        (row, value) -> {
          while (at[0] < expected.size()
              && Arrays.compareUnsigned(expected.get(at[0]).row, row) < 0) {
            missing(expected.get(at[0]++));
          }
          if (at[0] < expected.size() && Arrays.equals(expected.get(at[0]).row, row)) {
            compare(expected.get(at[0]++), value);
          } else if (!EventValue.isStray(value)) {
            result.other++;
            result.note("only in the table", row);
          }
        });
    return at[0];
  }

  private void compareStrays(List<Cell> strays) throws IOException {
    List<byte @Nullable []> values = table.values(strays.stream().map(Cell::row).toList());
    for (int i = 0; i < strays.size(); i++) {
      byte[] value = values.get(i);
      if (value == null) {
        missing(strays.get(i));
      } else {
        compare(strays.get(i), value);
      }
    }
  }

  private void compare(Cell expected, byte[] value) {
    if (Arrays.equals(expected.value, value)) {
      result.equal++;
    } else {
      result.different++;
      result.note("another value", expected.row);
    }
  }

  private void missing(Cell cell) {
    result.missing++;
    result.note("missing", cell.row);
  }
}
