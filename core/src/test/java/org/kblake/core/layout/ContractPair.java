package org.kblake.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.encode.EventEncoder;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.MilestoneReader;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;

/** A pair with events of all kinds in the layout that {@link LogLayoutContract} tests. */
final class ContractPair {

  static final Group GROUP = Group.parse("VA/CCG");
  private static final String STAMP = "20160516000000";
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** The time of {@link #STAMP} in Tokyo. */
  static final long BEGIN_NANOS = 1_463_324_400L * SECOND_NANOS;

  /** Ids with gaps, every type, scalars and waveforms, names of every length modulo 4. */
  static final RecordTable RECORDS =
      new RecordTable(
          List.of(
              new RecordEntry(3, "VA_CCG:DOUBLE", ValueType.DOUBLE, 1),
              new RecordEntry(0, "VA_CCG:STRING", ValueType.STRING, 1),
              new RecordEntry(7, "VA_CCG:SHORT:W", ValueType.SHORT, 5),
              new RecordEntry(70_000, "VA_CCG:FLOAT:WF", ValueType.FLOAT, 4),
              new RecordEntry(5, "VA_CCG:ENUM", ValueType.ENUM, 1),
              new RecordEntry(6, "VA_CCG:CHAR:WAVE", ValueType.CHAR, 100),
              new RecordEntry(8, "VA_CCG:LONG", ValueType.LONG, 1),
              new RecordEntry(9, "VA_CCG:STRING:W", ValueType.STRING, 3),
              new RecordEntry(10, "N", ValueType.DOUBLE, 2)));

  private final Path root;
  private final LogLayout layout;

  ContractPair(Path root, LogLayout layout) {
    this.root = root;
    this.layout = layout;
  }

  /** Writes three segments of events of all kinds. Returns the events that must be read. */
  List<String> write(ByteOrder order) throws IOException {
    Random random = new Random(5);
    List<String> events = new ArrayList<>();
    try (LogWriter writer = LogWriter.create(root, GROUP, STAMP, layout, order, RECORDS)) {
      long nanos = BEGIN_NANOS;
      for (int segment = 0; segment < 3; segment++) {
        writer.milestone(nanos);
        for (int i = 0; i < 40; i++) {
          nanos += SECOND_NANOS + random.nextInt(1000);
          events.add(writeEvent(writer, nanos, random));
        }
      }
    }
    return events;
  }

  private String writeEvent(LogWriter writer, long nanos, Random random) throws IOException {
    int ordinal = random.nextInt(RECORDS.size());
    RecordEntry entry = RECORDS.entry(ordinal);
    int severity = random.nextInt(4);
    int status = random.nextInt(65_536);
    String head = entry.name() + " " + seen(nanos) + " ";
    if (random.nextInt(8) == 0) {
      boolean connected = random.nextBoolean();
      writer.connection(ordinal, nanos, connected, severity, status);
      return head + (connected ? 1 : 0) + " " + severity + " " + status + " []";
    }
    int elements = 1 + random.nextInt(entry.elementCount());
    List<String> value = new ArrayList<>();
    if (entry.type() == ValueType.STRING) {
      byte[] text = new byte[3 * elements];
      int[] starts = new int[elements + 1];
      for (int i = 0; i < elements; i++) {
        int length = random.nextInt(4);
        starts[i + 1] = starts[i] + length;
        Arrays.fill(text, starts[i], starts[i + 1], (byte) ('a' + i));
        value.add(new String(text, starts[i], length, StandardCharsets.UTF_8));
      }
      writer.texts(ordinal, nanos, severity, status, text, starts, 0, elements);
    } else {
      long[] bits = new long[elements];
      for (int i = 0; i < elements; i++) {
        bits[i] = 1L + random.nextInt(100);
        value.add(Long.toString(bits[i]));
      }
      writer.numbers(ordinal, nanos, severity, status, bits, 0, elements);
    }
    return head + "2 " + severity + " " + status + " " + value;
  }

  static List<String> events(PairLog log) throws IOException {
    List<String> events = new ArrayList<>();
    byte[] text = new byte[LogScanner.MAX_TEXT_BYTES];
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
      while (scanner.nextSegment()) {
        while (scanner.next()) {
          RecordEntry entry = log.records().entry(scanner.record());
          List<String> value = new ArrayList<>();
          for (int i = 0; i < scanner.elements(); i++) {
            value.add(
                entry.type() == ValueType.STRING
                    ? new String(text, 0, scanner.text(i, text, 0), StandardCharsets.UTF_8)
                    : Long.toString(scanner.valueBits(i)));
          }
          events.add(
              entry.name()
                  + " "
                  + scanner.timeNanos()
                  + " "
                  + scanner.state()
                  + " "
                  + scanner.severity()
                  + " "
                  + scanner.status()
                  + " "
                  + value);
        }
      }
    }
    return events;
  }

  static void assertUndamaged(PairLog log, boolean closed) throws IOException {
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), new BitSet())) {
      while (scanner.nextSegment()) {
        assertThat(scanner.segment().damage()).as("%s", log.pair()).isEmpty();
        if (closed) {
          assertThat(scanner.segment().end()).isIn(Segment.End.MILESTONE, Segment.End.END_OF_PAIR);
        }
      }
    }
  }

  /**
   * Encodes the events again and compares the bytes with the log, except the bytes behind the NUL
   * of texts.
   */
  static void assertRewritten(PairLog log) throws IOException {
    LogLayout layout = log.layout();
    RecordStates states = new RecordStates(layout, log.order(), log.records());
    EventEncoder encoder = new EventEncoder(layout, log.order(), log.records());
    boolean first = true;
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null);
        LogScanner raw = LogScanner.open(log, 0, log.logBytes(), null);
        MilestoneReader reader = MilestoneReader.open(log)) {
      while (scanner.nextSegment()) {
        Segment segment = scanner.segment();
        if (first) {
          reader.read(segment.startOffset(), states, null);
          first = false;
        }
        int size = Math.toIntExact(segment.servedEndOffset() - segment.startOffset());
        ByteBuffer expected = ByteBuffer.allocate(size).order(log.order());
        raw.readBytes(segment.startOffset(), segment.servedEndOffset(), expected::put);
        ByteBuffer encoded = ByteBuffer.allocate(size).order(log.order());
        int at = encoder.milestoneHeader(encoded, 0, segment.milestoneNanos(), states);
        for (int ordinal = 0; ordinal < states.records().size(); ordinal++) {
          at += states.putEntry(ordinal, encoded, at);
        }
        while (scanner.next()) {
          byte[] value = new byte[scanner.valueBytes()];
          scanner.buffer().get(scanner.valueAt(), value);
          at +=
              encoder.raw(
                  encoded,
                  at,
                  scanner.record(),
                  scanner.timeNanos(),
                  scanner.state(),
                  scanner.severity(),
                  scanner.status(),
                  value);
          scanner.applyTo(states);
        }
        assertThat(encoded.array())
            .as("%s, segment at %d", log.pair(), segment.startOffset())
            .isEqualTo(expected.array());
      }
    }
  }

  PairLog open() throws IOException {
    return Archive.open(root, settings()).pairs(GROUP).get(0).open();
  }

  static ArchiveSettings settings() {
    return ArchiveSettings.defaults().withTail(TailRule.FINAL);
  }

  /** Makes the pair closed. */
  void close() throws IOException {
    FileTime time = FileTime.from(Instant.now().minusSeconds(7200));
    Files.setLastModifiedTime(indexPath(), time);
    Files.setLastModifiedTime(logPath(), time);
  }

  Path indexPath() {
    return root.resolve("VA/CCG_" + STAMP + ".log1");
  }

  Path logPath() {
    return root.resolve("VA/CCG_" + STAMP + ".log2");
  }

  /** Returns the time that a reader gives for a written time. */
  private long seen(long nanos) {
    ByteBuffer bytes = ByteBuffer.allocate(layout.eventHeaderBytes());
    layout.putEventHeader(bytes, 0, 100, 1, nanos);
    return layout.nanos(bytes, 0);
  }
}
