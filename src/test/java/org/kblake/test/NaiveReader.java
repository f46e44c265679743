package org.kblake.test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a group of the reference layout into lists, as the format's description says it, slowly and
 * without a line of the program's own reader: the oracle of the tests. All bytes of a file below
 * its size count as final.
 */
final class NaiveReader {

  private static final int[] ELEMENT_BYTES = {40, 2, 4, 2, 1, 4, 8};
  private static final String[] TYPES = {
    "string", "short", "float", "enum", "char", "long", "double"
  };
  private static final long BAD = Long.MIN_VALUE;

  /**
   * An event that a reader must serve.
   *
   * @param value a Long of bits, or a String, for each element
   */
  record Event(
      String stamp,
      long offset,
      String record,
      String type,
      int elementCount,
      long nanos,
      int state,
      int severity,
      int status,
      boolean stray,
      int segment,
      List<Object> value) {}

  /** The index of a pair is cut inside its record table, or says what cannot be. */
  static final class UnreadableIndex extends IOException {
    private static final long serialVersionUID = 1L;

    UnreadableIndex(String message) {
      super(message);
    }
  }

  private record Entry(int id, String name, int type, int count) {}

  private final boolean growing;
  private final boolean newest;
  private final long disorder;
  private final String stamp;
  private final long beginNanos;
  private final ByteBuffer index;
  private final ByteBuffer log;
  private final int size;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Integer, Entry> byId = new HashMap<>();
  private final TreeMap<Integer, Long> known = new TreeMap<>();
  private final List<Event> events = new ArrayList<>();
  private long interval;
  private int segments;

  private NaiveReader(
      Path logFile, byte[] index, byte[] log, boolean growing, boolean newest, ZoneId zone, long d)
      throws IOException {
    String name = logFile.getFileName().toString();
    this.stamp = name.substring(name.length() - 19, name.length() - 5);
    this.beginNanos =
        LocalDateTime.parse(stamp, DateTimeFormatter.ofPattern("yyyyMMddHHmmss"))
                .atZone(zone)
                .toEpochSecond()
            * 1_000_000_000L;
    this.growing = growing;
    this.newest = newest;
    this.disorder = d;
    this.index = ByteBuffer.wrap(index);
    this.log = ByteBuffer.wrap(log);
    this.size = log.length;
    readIndex();
    readMilestoneEntries();
    readLog();
  }

  /**
   * All events of a group, pair after pair.
   *
   * @param growing whether the newest pair still grows; all others are closed
   * @param disorderNanos the disorder bound
   */
  static List<Event> read(Path root, String group, boolean growing, ZoneId zone, long disorderNanos)
      throws IOException {
    Path base = root.resolve(group);
    List<Path> logs;
    try (Stream<Path> files = Files.list(base.getParent())) {
      logs =
          files
              .filter(
                  f -> f.getFileName().toString().matches(base.getFileName() + "_\\d{14}\\.log2"))
              .sorted()
              .toList();
    }
    List<Event> all = new ArrayList<>();
    for (Path log : logs) {
      boolean newest = log.equals(logs.get(logs.size() - 1));
      all.addAll(readPair(log, growing && newest, newest, zone, disorderNanos));
    }
    return all;
  }

  /**
   * All events of one pair.
   *
   * @param newest whether it is the last one of its group
   */
  static List<Event> readPair(
      Path log, boolean growing, boolean newest, ZoneId zone, long disorderNanos)
      throws IOException {
    byte[] index = Files.readAllBytes(Path.of(log.toString().replaceFirst("2$", "1")));
    byte[] bytes = Files.readAllBytes(log);
    return new NaiveReader(log, index, bytes, growing, newest, zone, disorderNanos).events;
  }

  // ---- index ----

  private void readIndex() throws IOException {
    need(0, 4);
    if (index.getInt(0) == 0x4B424C31) {
      order(ByteOrder.BIG_ENDIAN);
    } else if (index.order(ByteOrder.LITTLE_ENDIAN).getInt(0) == 0x4B424C31) {
      order(ByteOrder.LITTLE_ENDIAN);
    } else {
      throw new UnreadableIndex("magic");
    }
    need(0, 16);
    if (index.getShort(4) != 1) {
      throw new UnreadableIndex("version");
    }
    int count = index.getInt(8);
    if (count < 0) {
      throw new UnreadableIndex("records");
    }
    int at = 16;
    for (int i = 0; i < count; i++) {
      need(at, 12);
      int type = index.getShort(at + 4) & 0xFFFF;
      if (type > 6) {
        throw new UnreadableIndex("type");
      }
      int length = index.getShort(at + 6) & 0xFFFF;
      int padded = (length + 3) / 4 * 4;
      need(at + 12, padded);
      String name = new String(index.array(), at + 12, length, StandardCharsets.ISO_8859_1);
      Entry entry = new Entry(index.getInt(at), name, type, index.getInt(at + 8));
      if (entry.id < 0
          || entry.count < 1
          || byId.containsKey(entry.id)
          || entries.stream().anyMatch(other -> other.name.equals(name))) {
        throw new UnreadableIndex("entry of " + name);
      }
      entries.add(entry);
      byId.put(entry.id, entry);
      at += 12 + padded;
    }
    if ((index.getInt(12) & 0xFFFFFFFFL) < at) {
      throw new UnreadableIndex("milestone table");
    }
  }

  private void order(ByteOrder order) {
    index.order(order);
    log.order(order);
  }

  private void need(int at, int bytes) throws UnreadableIndex {
    if (at + bytes > index.limit()) {
      throw new UnreadableIndex("at " + at);
    }
  }

  /** Fills {@link #known}: offset in the log -> time in the index, or BAD where there is none. */
  private void readMilestoneEntries() {
    long table = index.getInt(12) & 0xFFFFFFFFL;
    List<int[]> written = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    for (long at = table; at + 16 <= index.limit(); at += 16) {
      int i = (int) at;
      written.add(new int[] {i, index.getInt(i + 8)});
    }
    while (!written.isEmpty() && isZero(index, written.get(written.size() - 1)[0], 16)) {
      written.remove(written.size() - 1);
    }
    boolean ascending = true;
    for (int i = 0; i < written.size(); i++) {
      ascending &= written.get(i)[1] > (i == 0 ? -1 : written.get(i - 1)[1]);
      long time = time(index, written.get(i)[0]);
      if (time != BAD) {
        times.add(time);
      }
    }
    interval = interval(times);
    int last = -1;
    for (int[] entry : written) {
      int offset = entry[1];
      long time = time(index, entry[0]);
      if (offset < 0 || offset > size - 16 || offset <= last) {
        continue;
      }
      if ((!ascending || time == BAD) && !hasMilestoneHeader(offset)) {
        continue;
      }
      if (time == BAD && time(log, offset + 8) == BAD) {
        continue;
      }
      known.put(offset, time == BAD ? time(log, offset + 8) : time);
      last = offset;
    }
    if (size >= 16) {
      boolean header = hasMilestoneHeader(0) && time(log, 8) != BAD;
      known.putIfAbsent(0, header ? time(log, 8) : beginNanos);
    }
  }

  private static long interval(List<Long> times) {
    List<Long> intervals = new ArrayList<>();
    for (int i = 1; i < times.size(); i++) {
      intervals.add(times.get(i) - times.get(i - 1));
    }
    Collections.sort(intervals);
    if (intervals.isEmpty()) {
      return 3600_000_000_000L;
    }
    int n = intervals.size();
    long median =
        n % 2 == 1
            ? intervals.get(n / 2)
            : Math.floorDiv(intervals.get(n / 2 - 1) + intervals.get(n / 2), 2L);
    return median > 0 ? median : 3600_000_000_000L;
  }

  // ---- log ----

  private void readLog() {
    @Nullable Integer start = known.isEmpty() ? null : (Integer) 0;
    while (start != null) {
      start = readIndexSegment(start);
    }
  }

  /** Reads from one known milestone to the next; says where to go on, or null. */
  private @Nullable Integer readIndexSegment(int start) {
    // Where events begin if every length is believed.
    TreeSet<Integer> chain = new TreeSet<>();
    int stop = start;
    while (true) {
      chain.add(stop);
      long length = stop + 16 <= size ? log.getInt(stop) & 0xFFFFFFFFL : 0;
      boolean possible = stop == start ? isMilestoneLength(length) : length >= 16;
      if (!possible || stop + length > size) {
        break;
      }
      stop += (int) length;
    }
    boolean zero = growing && stop + 16 <= size && log.getInt(stop) == 0;

    // Which of the known milestones does it land on?
    List<Integer> passed = new ArrayList<>();
    @Nullable Integer landing = null;
    for (int milestone : List.copyOf(known.tailMap(start, false).keySet())) {
      if (milestone > stop) {
        break;
      }
      if (chain.contains(milestone)) {
        if (hasMilestoneHeader(milestone) || !isUndamagedEvent(milestone)) {
          landing = milestone;
          break;
        }
        known.remove(milestone);
      } else if (hasMilestoneHeader(milestone)) {
        break;
      } else {
        passed.add(milestone);
      }
    }
    @Nullable Integer next = known.higherKey(start);
    if (landing != null) {
      passed.forEach(known::remove);
      readSegments(start, landing, landing, true);
      return landing;
    }
    @Nullable Integer beyond =
        known.tailMap(start, false).keySet().stream()
            .filter(m -> !passed.contains(m))
            .findFirst()
            .orElse(null);
    boolean reachesEnd = beyond == null && endsAsExpected(stop);
    if (reachesEnd || zero && (beyond == null || stop < beyond)) {
      passed.forEach(known::remove);
      readSegments(start, stop, null, true);
      return null;
    }
    // Not believed: up to the first event that reaches past the next milestone, at most.
    int end = next != null && next < stop ? chain.lower(next) : stop;
    readSegments(start, end, next, false);
    return next;
  }

  private boolean endsAsExpected(int at) {
    if (size - at < 16 || isZero(log, at + 16, size - at - 16)) {
      return true;
    }
    long length = log.getInt(at) & 0xFFFFFFFFL;
    Entry entry = byId.get(log.getInt(at + 4));
    boolean plausible =
        log.getInt(at + 4) == -1
            ? isMilestoneLength(length)
            : entry != null && (length == 20 || isValueLength(entry, length));
    return length > size - at && plausible;
  }

  /** Splits a stretch at milestones that the index does not know. */
  private void readSegments(int start, int end, @Nullable Integer next, boolean sound) {
    int segment = start;
    while (segment < end || segment == start && start == end) {
      if (segment == end) {
        segments++;
        return;
      }
      int following = segment + log.getInt(segment);
      while (following < end && !isWholeMilestone(following, end)) {
        following += log.getInt(following);
      }
      boolean goesOn = readSegment(segment, Math.min(following, end), following < end, next, sound);
      if (!goesOn) {
        return;
      }
      segment = following;
    }
  }

  private boolean readSegment(
      int start, int end, boolean milestoneFollows, @Nullable Integer next, boolean sound) {
    long[] from = times(start);
    long lo = from[0];
    long hi = from[1];
    if (milestoneFollows || next != null) {
      long[] to = times(milestoneFollows ? end : next);
      lo = Math.min(lo, to[0]);
      hi = Math.max(hi, to[1]);
    } else {
      hi = growing && newest ? Long.MAX_VALUE : hi + 2 * interval;
    }
    lo -= disorder;
    hi = hi == Long.MAX_VALUE ? hi : hi + disorder;
    int at = start + log.getInt(start);
    while (at < end) {
      int length = log.getInt(at);
      Entry entry = byId.get(log.getInt(at + 4));
      long time = time(log, at + 8);
      boolean inSpan = lo <= time && time <= hi;
      if (!sound && (entry == null || !(length == 20 || isValueLength(entry, length)) || !inSpan)) {
        segments++;
        return false;
      }
      if (isUndamagedEvent(at)) {
        events.add(
            new Event(
                stamp,
                at,
                entry.name,
                TYPES[entry.type],
                entry.count,
                time,
                log.get(at + 16),
                log.get(at + 17),
                log.getShort(at + 18) & 0xFFFF,
                !inSpan,
                segments,
                value(entry, at + 20, length - 20)));
      } else if (sound && next == null && isZero(log, at + 16, size - at - 16)) {
        segments++;
        return false;
      }
      at += length;
    }
    segments++;
    return true;
  }

  /** What log and index say of a milestone's time: the earlier and the later. */
  private long[] times(int milestone) {
    long indexed = known.getOrDefault(milestone, BAD);
    long header = time(log, milestone + 8);
    if (header == BAD || indexed != BAD && !hasMilestoneHeader(milestone)) {
      header = indexed == BAD ? beginNanos : indexed;
    }
    if (indexed == BAD) {
      indexed = header;
    }
    return new long[] {Math.min(header, indexed), Math.max(header, indexed)};
  }

  // ---- what is allowed ----

  private boolean hasMilestoneHeader(int at) {
    return log.getInt(at + 4) == -1 && isMilestoneLength(log.getInt(at) & 0xFFFFFFFFL);
  }

  private boolean isMilestoneLength(long length) {
    long least = 16 + 28L * entries.size();
    long most = least;
    for (Entry entry : entries) {
      most += (long) entry.count * ELEMENT_BYTES[entry.type];
    }
    return length >= least && length <= most && length <= Integer.MAX_VALUE;
  }

  private boolean isWholeMilestone(int at, int end) {
    if (!hasMilestoneHeader(at) || log.getInt(at) > end - at || time(log, at + 8) == BAD) {
      return false;
    }
    int limit = at + log.getInt(at);
    int p = at + 16;
    for (Entry entry : entries) {
      if (limit - p < 28
          || log.getInt(p) != entry.id
          || log.get(p + 12) < 0
          || log.get(p + 12) > 2) {
        return false;
      }
      int bytes = log.getInt(p + 24);
      boolean none = bytes == 0 && isZero(log, p + 13, 11);
      boolean some =
          bytes > 0
              && bytes <= (long) entry.count * ELEMENT_BYTES[entry.type]
              && bytes % ELEMENT_BYTES[entry.type] == 0
              && log.get(p + 13) >= 0
              && log.get(p + 13) <= 3
              && time(log, p + 16) != BAD;
      if (time(log, p + 4) == BAD || !none && !some || bytes > limit - p - 28) {
        return false;
      }
      p += 28 + bytes;
    }
    return p == limit;
  }

  private boolean isUndamagedEvent(int at) {
    if (at + 20 > size) {
      return false;
    }
    Entry entry = byId.get(log.getInt(at + 4));
    long length = log.getInt(at) & 0xFFFFFFFFL;
    int state = log.get(at + 16);
    boolean lengthFits =
        entry != null
            && (state == 2
                ? isValueLength(entry, length)
                : (state == 0 || state == 1) && length == 20);
    int severity = log.get(at + 17);
    return lengthFits && severity >= 0 && severity <= 3 && time(log, at + 8) != BAD;
  }

  private static boolean isValueLength(Entry entry, long length) {
    int bytes = ELEMENT_BYTES[entry.type];
    return length >= 20 + bytes
        && (length - 20) % bytes == 0
        && (length - 20) / bytes <= entry.count;
  }

  // ---- bytes ----

  private static boolean isZero(ByteBuffer bytes, int at, int count) {
    for (int i = 0; i < count; i++) {
      if (bytes.get(at + i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static long time(ByteBuffer bytes, int at) {
    long seconds = bytes.getInt(at) & 0xFFFFFFFFL;
    long nanos = bytes.getInt(at + 4) & 0xFFFFFFFFL;
    return nanos >= 1_000_000_000L ? BAD : (seconds + 631_152_000L) * 1_000_000_000L + nanos;
  }

  private List<Object> value(Entry entry, int at, int bytes) {
    List<Object> value = new ArrayList<>();
    for (int p = at; p < at + bytes; p += ELEMENT_BYTES[entry.type]) {
      value.add(
          switch (entry.type) {
            case 0 -> text(Arrays.copyOfRange(log.array(), p, p + 40));
            case 1 -> (long) log.getShort(p);
            case 2 -> log.getInt(p) & 0xFFFFFFFFL;
            case 3 -> log.getShort(p) & 0xFFFFL;
            case 4 -> log.get(p) & 0xFFL;
            case 5 -> (long) log.getInt(p);
            case 6 -> log.getLong(p);
            default -> throw new AssertionError(entry.type);
          });
    }
    return value;
  }

  private static String text(byte[] element) {
    int length = 0;
    while (length < element.length && element[length] != 0) {
      length++;
    }
    return new String(element, 0, length, StandardCharsets.UTF_8);
  }
}
