package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;

/**
 * The events of a group as lines, read in two ways: by the reader of kblake, and by a slow one that
 * follows the description of the format and shares no code with it.
 */
public final class LoggedEvents {

  private static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);

  private static final int[] ELEMENT_BYTES = {40, 2, 4, 2, 1, 4, 8};

  private LoggedEvents() {}

  public static String line(
      String name, long nanos, int state, int severity, int status, String valueHex) {
    return name + " " + nanos + " " + state + " " + severity + " " + status + " " + valueHex;
  }

  /** Reads all pairs by both readers, which must agree, and checks that nothing is a stray. */
  public static List<String> read(Path root, Group group) throws IOException {
    List<String> lines = byKblake(root, group);
    assertThat(naive(root, group)).isEqualTo(lines);
    return lines;
  }

  /** Reads all pairs by the reader of kblake. There must be no damage and no stray. */
  static List<String> byKblake(Path root, Group group) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Pair pair : Archive.open(root, ArchiveSettings.defaults()).pairs(group)) {
      if (Files.exists(pair.logPath()) && Files.size(pair.logPath()) > 0) {
        scan(pair.open(), lines);
      }
    }
    return lines;
  }

  /** Returns how many events a question for a range finds. */
  static long inRange(Path root, long fromNanos, long toNanos) throws IOException {
    long events = 0;
    TimeRange range = new TimeRange(fromNanos, toNanos);
    for (Pair pair : Archive.open(root, ArchiveSettings.defaults()).pairs(RecorderFixture.GROUP)) {
      if (range.meets(pair.beginNanos() - DAY_NANOS, pair.endNanos())) {
        PairLog log = pair.open();
        for (IndexSegment segment : log.segmentsMeeting(range)) {
          try (LogScanner scanner =
              LogScanner.open(log, segment.fromOffset(), segment.toOffset(), null)) {
            while (scanner.nextSegment()) {
              while (scanner.next()) {
                events += range.contains(scanner.timeNanos()) ? 1 : 0;
              }
            }
          }
        }
      }
    }
    return events;
  }

  private static void scan(PairLog log, List<String> lines) throws IOException {
    try (LogScanner scanner = LogScanner.open(log, 0, log.logBytes(), null)) {
      while (scanner.nextSegment()) {
        assertThat(scanner.segment().damage()).isEmpty();
        while (scanner.next()) {
          byte[] value = new byte[scanner.valueBytes()];
          scanner.buffer().get(scanner.valueAt(), value);
          String name = log.records().entry(scanner.record()).name();
          lines.add(
              line(
                  name,
                  scanner.timeNanos(),
                  scanner.state(),
                  scanner.severity(),
                  scanner.status(),
                  HexFormat.of().formatHex(value)));
          assertThat(scanner.stray()).as("stray %s", lines.get(lines.size() - 1)).isFalse();
        }
      }
    }
  }

  /** Returns the log files of a group in the order of their names. */
  static List<Path> logs(Path root, Group group) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(group.system()))) {
      return files
          .filter(file -> file.getFileName().toString().matches(group.name() + "_\\d{14}\\.log2"))
          .sorted()
          .toList();
    }
  }

  /** Reads all pairs by the description of the format. */
  static List<String> naive(Path root, Group group) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path log : logs(root, group)) {
      lines.addAll(naive(log));
    }
    return lines;
  }

  /** Reads all whole events of a pair, and checks its milestones and their entries. */
  private static List<String> naive(Path logFile) throws IOException {
    List<String> lines = new ArrayList<>();
    ByteBuffer log = ByteBuffer.wrap(Files.readAllBytes(logFile));
    if (log.limit() == 0) {
      return lines;
    }
    Path indexFile = Path.of(logFile.toString().replaceAll("log2$", "log1"));
    ByteBuffer index = ByteBuffer.wrap(Files.readAllBytes(indexFile));
    boolean isBig = index.getInt(0) == 0x4B424C31;
    index.order(isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    log.order(index.order());
    List<String> names = new ArrayList<>();
    List<Integer> types = new ArrayList<>();
    List<Integer> ids = new ArrayList<>();
    int at = 16;
    for (int i = 0; i < index.getInt(8); i++) {
      ids.add(index.getInt(at));
      types.add((int) index.getShort(at + 4));
      byte[] name = new byte[index.getShort(at + 6)];
      index.get(at + 12, name);
      names.add(new String(name, StandardCharsets.US_ASCII));
      at += (12 + name.length + 3) / 4 * 4;
    }
    assertThat(at).isEqualTo(index.getInt(12));
    Map<Integer, Long> milestones = new TreeMap<>();
    String[] last = new String[names.size()];
    for (int e = 0; e + 16 <= log.limit() && log.getInt(e) <= log.limit() - e; ) {
      int length = log.getInt(e);
      long nanos = nanos(log, e + 8);
      if (log.getInt(e + 4) == -1) {
        milestones.put(e, nanos);
        requireStates(log, e, length, names, last);
      } else {
        int record = ids.indexOf(log.getInt(e + 4));
        byte[] value = new byte[length - 20];
        log.get(e + 20, value);
        assertThat(value.length % ELEMENT_BYTES[types.get(record)]).isZero();
        int state = log.get(e + 16);
        String line =
            line(
                names.get(record),
                nanos,
                state,
                log.get(e + 17),
                log.getShort(e + 18) & 0xFFFF,
                HexFormat.of().formatHex(value));
        lines.add(line);
        last[record] = nanos + " " + state;
      }
      e += length;
    }
    assertThat(log.limit() < 8 || log.getInt(4) == -1).isTrue();
    for (; at + 16 <= index.limit(); at += 16) {
      assertThat(milestones).containsEntry(index.getInt(at + 8), nanos(index, at));
    }
    return lines;
  }

  /** Checks that a milestone has the last events of this pair. */
  private static void requireStates(
      ByteBuffer log, int milestone, int length, List<String> names, String[] last) {
    int at = milestone + 16;
    for (int i = 0; i < names.size(); i++) {
      if (last[i] != null) {
        assertThat(nanos(log, at + 4) + " " + log.get(at + 12)).isEqualTo(last[i]);
      }
      at += 28 + log.getInt(at + 24);
    }
    assertThat(at).isEqualTo(milestone + length);
  }

  private static long nanos(ByteBuffer bytes, int at) {
    long seconds = bytes.getInt(at) & 0xFFFF_FFFFL;
    return seconds == 0 && bytes.getInt(at + 4) == 0
        ? 0
        : (seconds + 631_152_000L) * 1_000_000_000L + bytes.getInt(at + 4);
  }
}
