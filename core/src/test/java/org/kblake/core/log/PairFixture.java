package org.kblake.core.log;

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
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/**
 * One pair in a directory of its own, to be written, damaged and read: three segments of three
 * events each, a minute long. Every event is 28 bytes long but the last of a segment, a waveform.
 *
 * <pre>
 *   milestone A | 28 | 28 | 44     milestone B | 28 | 28 | 44     milestone C | 28 | 28 | 44
 * </pre>
 */
final class PairFixture {

  static final Group GROUP = Group.parse("BM/DCCT");
  static final String STAMP = "20220315031800";
  static final long SECOND_NANOS = 1_000_000_000L;
  static final long MINUTE_NANOS = 60 * SECOND_NANOS;

  /** {@link #STAMP} in Tokyo. */
  static final long BEGIN_NANOS = 1_647_281_880L * SECOND_NANOS;

  static final RecordTable RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(5, "BM_DCCT:HCUR", ValueType.DOUBLE, 1),
              new RecordEntry(6, "BM_DCCT:LCUR", ValueType.DOUBLE, 1),
              new RecordEntry(9, "BM_BLM:D1:ADC", ValueType.DOUBLE, 3)));

  private final Path root;
  private final LogLayout layout;
  private ArchiveSettings settings = ArchiveSettings.defaults();

  /** Where the milestones are. */
  final List<Long> milestones = new ArrayList<>();

  PairFixture(Path root) {
    this(root, ReferenceLayout.INSTANCE);
  }

  PairFixture(Path root, LogLayout layout) {
    this.root = root;
    this.layout = layout;
  }

  PairFixture settings(ArchiveSettings changed) {
    settings = changed;
    return this;
  }

  Path index() {
    return root.resolve("BM/DCCT_" + STAMP + ".log1");
  }

  Path log() {
    return root.resolve("BM/DCCT_" + STAMP + ".log2");
  }

  LogWriter create() throws IOException {
    return LogWriter.create(root, GROUP, STAMP, layout, ByteOrder.BIG_ENDIAN, RECORDS);
  }

  /** Writes the three segments. */
  PairFixture write() throws IOException {
    try (LogWriter writer = create()) {
      for (int segment = 0; segment < 3; segment++) {
        segment(writer, segment, true);
      }
    }
    return this;
  }

  /** Writes one segment: its events are 1, 2 and 3 s behind its milestone. */
  void segment(LogWriter writer, int segment, boolean inIndex) throws IOException {
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

  /** Where an event is: of a segment the first, second or third. */
  long eventOffset(int segment, int event) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(log()));
    long offset = milestones.get(segment);
    for (int i = 0; i <= event; i++) {
      offset += bytes.getInt((int) offset);
    }
    return offset;
  }

  PairFixture putLog(long offset, byte... bytes) throws IOException {
    return put(log(), offset, bytes);
  }

  PairFixture putLogInt(long offset, int value) throws IOException {
    return putLog(offset, ByteBuffer.allocate(4).putInt(value).array());
  }

  PairFixture putIndexInt(long offset, int value) throws IOException {
    return put(index(), offset, ByteBuffer.allocate(4).putInt(value).array());
  }

  /** Where a milestone's entry is in the index. */
  long entryOffset(int milestone) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(index())).getInt(12) + 16L * milestone;
  }

  private PairFixture put(Path file, long offset, byte[] change) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    System.arraycopy(change, 0, bytes, (int) offset, change.length);
    Files.write(file, bytes);
    return this;
  }

  PairFixture truncateLog(long size) throws IOException {
    Files.write(log(), Arrays.copyOf(Files.readAllBytes(log()), (int) size));
    return this;
  }

  PairFixture truncateIndex(long size) throws IOException {
    Files.write(index(), Arrays.copyOf(Files.readAllBytes(index()), (int) size));
    return this;
  }

  /** Makes the files look as if they had been changed so long ago. */
  PairFixture age(long seconds) throws IOException {
    FileTime time = FileTime.from(Instant.now().minusSeconds(seconds));
    Files.setLastModifiedTime(index(), time);
    Files.setLastModifiedTime(log(), time);
    return this;
  }

  /** Makes the pair a closed one. */
  PairFixture close() throws IOException {
    return age(7200);
  }

  PairLog open() throws IOException {
    return Archive.open(root, settings).pairs(GROUP).get(0).open();
  }

  /** What a scan of everything serves. */
  Scanned scan() throws IOException {
    return Scanned.of(open());
  }

  /**
   * @param segments all segments
   * @param values first element of each event that is served
   * @param strays how many of them are strays
   */
  record Scanned(List<Segment> segments, List<Double> values, int strays) {

    static Scanned of(PairLog log) throws IOException {
      List<Segment> segments = new ArrayList<>();
      List<Double> values = new ArrayList<>();
      int strays = 0;
      try (LogScanner scanner = log.scan(0, log.logBytes(), null)) {
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

    List<Segment.End> ends() {
      return segments.stream().map(Segment::end).toList();
    }

    List<Damage> damage() {
      return segments.stream().flatMap(segment -> segment.damage().stream()).toList();
    }

    List<Damage.Kind> kinds() {
      return damage().stream().map(Damage::kind).toList();
    }
  }
}
