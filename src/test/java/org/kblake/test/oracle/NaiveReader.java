package org.kblake.test.oracle;

import static org.kblake.test.oracle.NaiveIndex.BAD;
import static org.kblake.test.oracle.NaiveIndex.isZero;
import static org.kblake.test.oracle.NaiveIndex.time;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The oracle of the tests: reads a group of the reference layout into lists as the description of
 * the format states, slowly and without code of the program's own reader. All bytes of a file below
 * its size count as final.
 */
public final class NaiveReader {

  private static final String[] TYPES = {
    "string", "short", "float", "enum", "char", "long", "double"
  };

  /**
   * An event that a reader must return.
   *
   * @param value a Long of bits, or a String, for each element
   */
  public record Event(
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

  /**
   * The segment from one milestone to the next.
   *
   * @param endOffset the offset of the next segment, or the log's size
   * @param spanFrom its span, widened, both ends included
   * @param followed whether a milestone follows in the pair, or followed before the log was cut
   * @param first the earliest time of an event that is not a stray; MAX_VALUE if there is none
   * @param last the latest one; MIN_VALUE if there is none
   * @param damagedBytes bytes that are neither events, nor a milestone, nor an end cut by a crash
   * @param milestoneDamaged whether its milestone is damaged
   * @param unwritten whether a part of it is not written yet, although the next milestone is
   */
  public record Segment(
      int startOffset,
      int endOffset,
      long milestoneNanos,
      long spanFrom,
      long spanTo,
      boolean followed,
      long first,
      long last,
      int strays,
      int damagedBytes,
      boolean milestoneDamaged,
      boolean unwritten) {}

  private final boolean growing;
  private final boolean newest;
  private final long disorder;
  private final String stamp;
  private final long beginNanos;
  private final NaiveIndex index;
  private final ByteBuffer log;
  private final int size;
  private final NaiveRules rules;
  private final TreeMap<Integer, Long> known = new TreeMap<>();

  /** The milestones that the index has behind the end of the log, by offset. */
  private final NavigableMap<Integer, Long> lost;

  /** The time of the last milestone that the index has in the log; the pair's begin if none. */
  private final long lastKnownNanos;

  private final List<Event> events = new ArrayList<>();
  private final List<Segment> segments = new ArrayList<>();

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
    this.index = new NaiveIndex(index);
    this.log = ByteBuffer.wrap(log).order(this.index.order);
    this.size = log.length;
    this.rules = new NaiveRules(this.log, this.index);
    findKnownMilestones();
    lastKnownNanos = known.isEmpty() ? beginNanos : known.lastEntry().getValue();
    lost = this.index.behind(size, lastKnownNanos);
    readLog();
  }

  /**
   * Returns all events of a group, pair after pair.
   *
   * @param growing whether the newest pair still grows; all others are closed
   * @param disorderNanos the disorder bound
   */
  public static List<Event> read(
      Path root, String group, boolean growing, ZoneId zone, long disorderNanos)
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
   * Returns all events of one pair.
   *
   * @param newest whether it is the last one of its group
   */
  static List<Event> readPair(
      Path log, boolean growing, boolean newest, ZoneId zone, long disorderNanos)
      throws IOException {
    return of(log, growing, newest, zone, disorderNanos).events;
  }

  /** Reads one pair. */
  public static NaiveReader of(
      Path log, boolean growing, boolean newest, ZoneId zone, long disorderNanos)
      throws IOException {
    byte[] index = Files.readAllBytes(Path.of(log.toString().replaceFirst("2$", "1")));
    byte[] bytes = Files.readAllBytes(log);
    return new NaiveReader(log, index, bytes, growing, newest, zone, disorderNanos);
  }

  public List<Event> events() {
    return events;
  }

  public List<Segment> segments() {
    return segments;
  }

  public NaiveIndex index() {
    return index;
  }

  /** Returns the bytes of the log. */
  public int size() {
    return size;
  }

  /** Collects the milestones known from the index: the offset in the log and the time. */
  private void findKnownMilestones() {
    boolean ascending = index.isAscending();
    int last = -1;
    for (NaiveIndex.Milestone milestone : index.milestones) {
      int offset = milestone.offset();
      long time = milestone.nanos();
      if (offset < 0 || offset > size - 16 || offset <= last) {
        continue;
      }
      if ((!ascending || time == BAD) && !rules.hasMilestoneHeader(offset)) {
        continue;
      }
      if (time == BAD && time(log, offset + 8) == BAD) {
        continue;
      }
      known.put(offset, time == BAD ? time(log, offset + 8) : time);
      last = offset;
    }
    if (size >= 16) {
      boolean header = rules.hasMilestoneHeader(0) && time(log, 8) != BAD;
      known.putIfAbsent(0, header ? time(log, 8) : beginNanos);
    }
  }

  /** Returns the milestones that a log has lost: offset and time. */
  NavigableMap<Integer, Long> lost() {
    return lost;
  }

  /** Returns whether the pair is closed, and its index leads behind the end of its log. */
  public boolean isCutShort() {
    return !growing && !lost.isEmpty();
  }

  long lastKnownNanos() {
    return lastKnownNanos;
  }

  private void readLog() {
    @Nullable Integer start = known.isEmpty() ? null : (Integer) 0;
    while (start != null) {
      start = readIndexSegment(start);
    }
  }

  /** Reads from one known milestone to the next. Returns the offset to continue at, or null. */
  private @Nullable Integer readIndexSegment(int start) {
    // The offsets at which events begin if every length is right.
    TreeSet<Integer> chain = new TreeSet<>();
    int stop = start;
    while (true) {
      chain.add(stop);
      long length = stop + 16 <= size ? log.getInt(stop) & 0xFFFFFFFFL : 0;
      boolean possible = stop == start ? rules.isMilestoneLength(length) : length >= 16;
      if (!possible || stop + length > size) {
        break;
      }
      stop += (int) length;
    }
    boolean zero = growing && stop + 16 <= size && log.getInt(stop) == 0;

    // The known milestones that this chain contains.
    List<Integer> passed = new ArrayList<>();
    @Nullable Integer landing = null;
    for (int milestone : List.copyOf(known.tailMap(start, false).keySet())) {
      if (milestone > stop) {
        break;
      }
      if (chain.contains(milestone)) {
        if (rules.hasMilestoneHeader(milestone) || !rules.isUndamagedEvent(milestone)) {
          landing = milestone;
          break;
        }
        known.remove(milestone);
      } else if (rules.hasMilestoneHeader(milestone)) {
        break;
      } else {
        passed.add(milestone);
      }
    }
    @Nullable Integer next = known.higherKey(start);
    if (landing != null) {
      passed.forEach(known::remove);
      readSegments(start, landing, landing, true, false);
      return landing;
    }
    @Nullable Integer beyond =
        known.tailMap(start, false).keySet().stream()
            .filter(m -> !passed.contains(m))
            .findFirst()
            .orElse(null);
    boolean reachesEnd = beyond == null && endsAsExpected(stop);
    boolean unwritten = zero && (beyond == null || stop < beyond);
    boolean writtenBehind =
        known.tailMap(stop, false).keySet().stream().anyMatch(rules::hasMilestoneHeader);
    if (reachesEnd || unwritten && !writtenBehind) {
      passed.forEach(known::remove);
      readSegments(start, stop, null, true, false);
      return null;
    }
    if (unwritten && passed.isEmpty()) {
      readSegments(start, stop, next, true, true);
      return next;
    }
    // The chain is wrong. Reads at most up to the first event that reaches past the next milestone.
    int end = next != null && next < stop ? chain.lower(next) : stop;
    readSegments(start, end, next, false, false);
    return next;
  }

  private boolean endsAsExpected(int at) {
    if (size - at < 16 || isZero(log, at + 16, size - at - 16)) {
      return true;
    }
    long length = log.getInt(at) & 0xFFFFFFFFL;
    NaiveIndex.Entry entry = index.byId.get(log.getInt(at + 4));
    boolean plausible =
        log.getInt(at + 4) == -1
            ? rules.isMilestoneLength(length)
            : entry != null && (length == 20 || rules.isValueLength(entry, length));
    return length > size - at && plausible;
  }

  /** Splits a segment at milestones that are not in the index. */
  private void readSegments(
      int start, int end, @Nullable Integer next, boolean sound, boolean unwritten) {
    int segment = start;
    boolean goesOn = true;
    while (goesOn && (segment < end || start == end)) {
      int following = segment == end ? end : segment + log.getInt(segment);
      while (following < end && !rules.isWholeMilestone(following, end)) {
        following += log.getInt(following);
      }
      following = Math.min(following, end);
      boolean last = following == end;
      goesOn =
          readSegment(segment, following, !last, next, sound, last && unwritten) && start < end;
      segment = following;
    }
  }

  private boolean readSegment(
      int start,
      int end,
      boolean milestoneFollows,
      @Nullable Integer next,
      boolean sound,
      boolean unwritten) {
    Integer nextMilestone = milestoneFollows ? Integer.valueOf(end) : next;
    long[] span = span(start, nextMilestone);
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    int strays = 0;
    int damagedBytes = 0;
    int at = start == end ? end : start + log.getInt(start);
    boolean goesOn = true;
    while (at < end && goesOn) {
      int length = log.getInt(at);
      NaiveIndex.Entry entry = index.byId.get(log.getInt(at + 4));
      long time = time(log, at + 8);
      boolean inSpan = span[0] <= time && time <= span[1];
      if (!sound
          && (entry == null || !(length == 20 || rules.isValueLength(entry, length)) || !inSpan)) {
        goesOn = false;
      } else if (entry != null && rules.isUndamagedEvent(at)) {
        events.add(event(at, entry, !inSpan));
        strays += inSpan ? 0 : 1;
        first = inSpan ? Math.min(first, time) : first;
        last = inSpan ? Math.max(last, time) : last;
        at += length;
      } else if (sound && next == null && isZero(log, at + 16, size - at - 16)) {
        goesOn = false;
      } else {
        damagedBytes += length;
        at += length;
      }
    }
    boolean whole = sound || milestoneFollows && goesOn;
    // Behind damage, reading continues at a milestone of the index.
    Integer continueOffset = whole ? nextMilestone : next;
    int segmentEnd = continueOffset == null ? size : continueOffset;
    segments.add(
        new Segment(
            start,
            segmentEnd,
            milestoneNanos(start),
            span[0],
            span[1],
            continueOffset != null || isCutShort(),
            first,
            last,
            strays,
            damagedBytes + (whole ? 0 : segmentEnd - at),
            start < end && !isSoundMilestone(start),
            unwritten));
    return goesOn;
  }

  private Event event(int at, NaiveIndex.Entry entry, boolean stray) {
    return new Event(
        stamp,
        at,
        entry.name(),
        TYPES[entry.type()],
        entry.count(),
        time(log, at + 8),
        log.get(at + 16),
        log.get(at + 17),
        log.getShort(at + 18) & 0xFFFF,
        stray,
        segments.size(),
        rules.value(entry, at + 20, log.getInt(at) - 20));
  }

  /** Returns the span, both ends included, widened by the disorder bound. */
  private long[] span(int start, @Nullable Integer nextMilestone) {
    long[] from = times(start);
    if (nextMilestone != null) {
      long[] to = times(nextMilestone);
      return new long[] {Math.min(from[0], to[0]) - disorder, Math.max(from[1], to[1]) + disorder};
    }
    boolean open = growing && newest;
    if (!open && !lost.isEmpty()) {
      long next = lost.firstEntry().getValue();
      return new long[] {Math.min(from[0], next) - disorder, Math.max(from[1], next) + disorder};
    }
    return new long[] {
      from[0] - disorder, open ? Long.MAX_VALUE : from[1] + 2 * index.interval() + disorder
    };
  }

  /** Returns the times of a milestone in the log and in the index: the earlier and the later. */
  private long[] times(int milestone) {
    long indexed = known.getOrDefault(milestone, BAD);
    long nanos = milestoneNanos(milestone);
    if (indexed == BAD) {
      indexed = nanos;
    }
    return new long[] {Math.min(nanos, indexed), Math.max(nanos, indexed)};
  }

  /**
   * Returns the time of a milestone from the log, or else from the index, or else from the file
   * name.
   */
  private long milestoneNanos(int milestone) {
    long indexed = known.getOrDefault(milestone, BAD);
    long header = time(log, milestone + 8);
    if (header == BAD || indexed != BAD && !rules.hasMilestoneHeader(milestone)) {
      return indexed == BAD ? beginNanos : indexed;
    }
    return header;
  }

  private boolean isSoundMilestone(int at) {
    long[] times = times(at);
    return rules.isWholeMilestone(at, size) && times[0] == times[1];
  }
}
