package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.layout.ReferenceLayout;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * One pair in its own directory, to be written, damaged and read. It has three segments of three
 * events each, a minute long. Every event has 28 bytes, except the last of a segment, which is a
 * waveform.
 *
 * <pre>
 *   milestone A | 28 | 28 | 44     milestone B | 28 | 28 | 44     milestone C | 28 | 28 | 44
 * </pre>
 */
public final class PairFixture {

  public static final Group GROUP = Group.parse("BM/DCCT");
  public static final String STAMP = "20220315031800";
  public static final long SECOND_NANOS = 1_000_000_000L;
  public static final long MINUTE_NANOS = 60 * SECOND_NANOS;

  /** The time of {@link #STAMP} in Tokyo. */
  public static final long BEGIN_NANOS = 1_647_281_880L * SECOND_NANOS;

  static final RecordTable RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(5, "BM_DCCT:HCUR", ValueType.DOUBLE, 1),
              new RecordEntry(6, "BM_DCCT:LCUR", ValueType.DOUBLE, 1),
              new RecordEntry(9, "BM_BLM:D1:ADC", ValueType.DOUBLE, 3)));

  /** The values of all events: of a waveform, its first element. */
  public static final List<Double> ALL = List.of(0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0, 2.5, 3.0);

  private final Path root;
  private final LogLayout layout;
  private ArchiveSettings settings = ArchiveSettings.defaults();

  /** The offsets of the milestones. */
  public final List<Long> milestones = new ArrayList<>();

  public PairFixture(Path root) {
    this(root, ReferenceLayout.INSTANCE);
  }

  PairFixture(Path root, LogLayout layout) {
    this.root = root;
    this.layout = layout;
  }

  public PairFixture settings(ArchiveSettings changed) {
    settings = changed;
    return this;
  }

  public Path index() {
    return root.resolve("BM/DCCT_" + STAMP + ".log1");
  }

  public Path log() {
    return root.resolve("BM/DCCT_" + STAMP + ".log2");
  }

  public LogWriter create() throws IOException {
    return LogWriter.create(root, GROUP, STAMP, layout, ByteOrder.BIG_ENDIAN, RECORDS);
  }

  /** Writes the three segments. */
  public PairFixture write() throws IOException {
    try (LogWriter writer = create()) {
      for (int segment = 0; segment < 3; segment++) {
        segment(writer, segment, true);
      }
    }
    return this;
  }

  /** Writes one segment. Its events are 1, 2 and 3 s behind its milestone. */
  public void segment(LogWriter writer, int segment, boolean inIndex) throws IOException {
    milestones.add(writer.logBytes());
    long nanos = BEGIN_NANOS + segment * MINUTE_NANOS;
    if (inIndex) {
      writer.milestone(nanos);
    } else {
      writer.milestoneOutsideIndex(nanos);
    }
    writer.number(0, nanos + SECOND_NANOS, 0, 0, bits(segment));
    writer.number(1, nanos + 2 * SECOND_NANOS, 1, 4, bits(segment + 0.5));
    long[] wave = {bits(segment + 1), bits(segment + 2)};
    writer.numbers(2, nanos + 3 * SECOND_NANOS, 0, 0, wave, 0, 2);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  /** Returns the offset of the first, second or third event of a segment. */
  public long eventOffset(int segment, int event) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(log()));
    long offset = milestones.get(segment);
    for (int i = 0; i <= event; i++) {
      offset += bytes.getInt((int) offset);
    }
    return offset;
  }

  public PairFixture putLog(long offset, byte... bytes) throws IOException {
    return put(log(), offset, bytes);
  }

  public PairFixture putLogInt(long offset, int value) throws IOException {
    return putLog(offset, ByteBuffer.allocate(4).putInt(value).array());
  }

  public PairFixture putIndexInt(long offset, int value) throws IOException {
    return put(index(), offset, ByteBuffer.allocate(4).putInt(value).array());
  }

  /** Returns the offset of a milestone's entry in the index. */
  public long entryOffset(int milestone) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(index())).getInt(12) + 16L * milestone;
  }

  private PairFixture put(Path file, long offset, byte[] change) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    System.arraycopy(change, 0, bytes, (int) offset, change.length);
    Files.write(file, bytes);
    return this;
  }

  public PairFixture truncateLog(long size) throws IOException {
    Files.write(log(), Arrays.copyOf(Files.readAllBytes(log()), (int) size));
    return this;
  }

  public PairFixture truncateIndex(long size) throws IOException {
    Files.write(index(), Arrays.copyOf(Files.readAllBytes(index()), (int) size));
    return this;
  }

  /** Makes the files look as if they had last changed this many seconds ago. */
  public PairFixture age(long seconds) throws IOException {
    FileTime time = FileTime.from(Instant.now().minusSeconds(seconds));
    Files.setLastModifiedTime(index(), time);
    Files.setLastModifiedTime(log(), time);
    return this;
  }

  /** Makes the pair closed. */
  public PairFixture close() throws IOException {
    return age(7200);
  }

  public PairLog open() throws IOException {
    return Archive.open(root, settings).pairs(GROUP).get(0).open();
  }

  /** Scans the whole pair. */
  public Scanned scan() throws IOException {
    return Scanned.of(open());
  }

  /**
   * The result of a scan.
   *
   * @param segments all segments
   * @param values the first element of each event
   * @param strays the number of strays among the events
   */
  public record Scanned(List<Segment> segments, List<Double> values, int strays) {

    public static Scanned of(PairLog log) throws IOException {
      List<Segment> segments = new ArrayList<>();
      List<Double> values = new ArrayList<>();
      int strays = 0;
      try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
        while (scanner.nextSegment()) {
          segments.add(scanner.segment());
          while (scanner.next()) {
            values.add(
                scanner.elements() == 0
                    ? Double.NaN
                    : Double.longBitsToDouble(scanner.valueBits(0)));
            strays += scanner.stray() ? 1 : 0;
          }
        }
      }
      return new Scanned(segments, values, strays);
    }

    public List<Segment.End> ends() {
      return segments.stream().map(Segment::end).toList();
    }

    public List<Damage> damage() {
      return segments.stream().flatMap(segment -> segment.damage().stream()).toList();
    }

    List<Damage.Kind> kinds() {
      return damage().stream().map(Damage::kind).toList();
    }
  }
}
