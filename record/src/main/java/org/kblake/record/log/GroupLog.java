package org.kblake.record.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.encode.PairEncoder;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.record.source.ChannelEvent;

/**
 * The pairs of a group, one after the other. Each method that writes may fail; then it has taken
 * nothing, and may be called again. After a {@link PairLostException} the pair must be given up.
 * For one thread.
 */
public final class GroupLog implements Closeable {

  private static final long WATCH_NANOS = 1_000_000_000L;
  private static final long LIST_NANOS = 60 * WATCH_NANOS;

  /** So far ahead of the time a name is worth a notice. */
  private static final long FAR_AHEAD_NANOS = 3600 * WATCH_NANOS;

  private final Group group;
  private final LogSettings settings;
  private final LogFiles files;
  private final RecordClock clock;
  private final GroupClaim claim;
  private final PairStamps stamps;
  private final PairWrites writes;
  private final SegmentClock segment;
  private final Consumer<String> notices;
  private @Nullable PairOutput pair;

  /** Has the states after the last event, also if their pair was given up. */
  private @Nullable PairEncoder encoder;

  /** What only memory has of a lost pair. */
  private @Nullable KeptEvents kept;

  private long maxLogBytes;
  private boolean rotates;
  private long begunNanos;

  /** The time of the pair's name. */
  private long namedNanos;

  private boolean wasAhead;
  private long watchedNanos;
  private long listedNanos;
  private long pairs;
  private long bytesBefore;
  private long milestones;

  /**
   * @param notices takes lines for the operator
   */
  public GroupLog(
      Group group,
      LogSettings settings,
      PairDirectories directories,
      RecordClock clock,
      Consumer<String> notices) {
    this.group = group;
    this.settings = settings;
    this.clock = clock;
    this.notices = notices;
    Path directory = settings.root().resolve(group.system());
    files = directories.files();
    long now = clock.monotonicNanos();
    long flushNanos = settings.timing().flushNanos();
    claim = new GroupClaim(group, settings, directories, notices);
    stamps = new PairStamps(group.name(), directory, files, clock, flushNanos);
    writes = new PairWrites(group.name(), directory, files, settings, now);
    segment =
        new SegmentClock(
            settings.timing().milestoneNanos(), settings.archive().disorderBoundNanos() / 4);
    begunNanos = now;
    watchedNanos = now;
    listedNanos = now;
  }

  /** Keeps stamps for another recorder, from the next pair on, and expects that it takes over. */
  public void keepStamps() {
    stamps.keep();
    claim.replace();
  }

  /**
   * Sets what the log of another recorder has, before the first pair after it.
   *
   * @param records the records of the next pair
   * @param before where each one is, by name
   * @param states gives the last events, which the first milestone has
   */
  public void continueFrom(
      RecordTable records, Map<String, StampOrder> before, Consumer<States> states) {
    stamps.continueFrom(before);
    PairEncoder known = new PairEncoder(PairOutput.LAYOUT, LogSettings.ORDER, records);
    EventBytes bytes = new EventBytes(PairOutput.LAYOUT, known);
    states.accept(
        (ordinal, nanos, event) -> {
          ByteBuffer buffer = ByteBuffer.allocate(EventBytes.length(PairOutput.LAYOUT, event));
          bytes.put(buffer.order(LogSettings.ORDER), 0, ordinal, nanos, event);
        });
    encoder = known;
  }

  /** Takes the last events of records. */
  public interface States {
    /** Takes an event, which its record can have. */
    void put(int ordinal, long nanos, ChannelEvent event);
  }

  /** Returns whether there is a pair to append to. */
  public boolean isOpen() {
    return pair != null;
  }

  /** Returns how long the pairs of another program must rest until they count as ended. */
  public long closedAfterNanos() {
    return settings.archive().closedAfterNanos();
  }

  /** Returns the number of pairs begun. */
  public long pairs() {
    return pairs;
  }

  /** Returns the bytes of the logs begun, those in memory included. */
  public long bytes() {
    PairOutput open = pair;
    return bytesBefore + (open == null ? 0 : open.logBytes());
  }

  /** Returns the number of milestones written, without those that only end a segment. */
  public long milestones() {
    return milestones;
  }

  /** Returns the largest number of bytes of a milestone of these records. */
  public static long milestoneBytes(RecordTable records) {
    LogLayout layout = PairOutput.LAYOUT;
    long bytes = layout.eventHeaderBytes();
    for (int ordinal = 0; ordinal < records.size(); ordinal++) {
      long elements = records.entry(ordinal).elementCount();
      bytes += layout.stateEntryBytes() + elements * records.entry(ordinal).type().bytes();
    }
    return bytes;
  }

  /**
   * Locks the group, and checks that no other program writes its pairs. Each new pair does so, too.
   *
   * @throws OtherWriterException if one does
   */
  public void claim() throws IOException {
    claim.claim(pairs == 0);
  }

  /**
   * Ends the pair, and begins a new one, whose first milestone has the states of the last one.
   * Creates files, and writes only the end of the last pair. What memory had of a lost one comes
   * before that milestone, after one that knows no states.
   *
   * @param nanos the time of the milestone, nanoseconds since 1970 UTC, which a log can represent
   * @return the number of events of a lost pair that this one cannot have
   */
  public long begin(RecordTable records, long nanos) throws IOException {
    claim();
    PairOutput last = pair;
    if (last != null) {
      end(last);
      stamps.note(last);
    }
    long now = LogTimes.representable(clock.wallNanos());
    KeptEvents again = kept;
    long first = again == null ? nanos : Math.min(nanos, again.earliestNanos());
    PairOutput next = claim.create(records, Math.min(first, now));
    PairEncoder before = encoder;
    if (before != null && again == null) {
      next.encoder().continueFrom(before);
    }
    try {
      stamps.begin(next);
    } catch (IOException e) {
      next.discard(files);
      throw e;
    }
    pair = next;
    encoder = next.encoder();
    maxLogBytes = maxLogBytes(records);
    rotates = false;
    pairs++;
    begunNanos = clock.monotonicNanos();
    listedNanos = begunNanos;
    writes.begun();
    long others = again == null ? 0 : putAgain(again, next, first);
    if (before != null && again != null) {
      next.encoder().continueFrom(before);
    }
    next.milestoneInMemory(nanos);
    noteMilestone(nanos);
    namedNanos = next.name().beginNanos(settings.archive().zone());
    wasAhead = isAhead(nanos);
    if (wasAhead) {
      notices.accept(
          "pair's name is ahead of the clock, as those before it: " + next.name().stamp());
    }
    return others;
  }

  private long putAgain(KeptEvents again, PairOutput next, long nanos) {
    kept = null;
    next.reserve(again.bytes() + 2 * milestoneBytes(next.encoder().records()));
    next.milestoneInMemory(nanos);
    return again.putInto(next);
  }

  /** Returns the largest size of a log: at least four milestones, so that events have room. */
  private long maxLogBytes(RecordTable records) {
    long least = Math.min(PairOutput.LAYOUT.maxLogBytes(), 4 * milestoneBytes(records));
    return Math.max(settings.maxLogBytes(), least);
  }

  private void end(PairOutput last) throws IOException {
    writes.end(last, segment.latestNanos(), clock.wallNanos());
    pair = null;
    bytesBefore += last.logBytes();
  }

  private void noteMilestone(long nanos) {
    segment.milestone(nanos, clock.monotonicNanos());
    milestones++;
  }

  /** Begins a new pair with the same records at the next turn. */
  public void rotate() {
    rotates = true;
  }

  /**
   * Appends an event to the pair.
   *
   * @param receivedNanos the time of reception, which a log can represent
   * @param nanos the event's time in the log
   */
  public void append(int ordinal, long receivedNanos, long nanos, ChannelEvent event)
      throws IOException {
    if (segment.isDue(receivedNanos)) {
      milestone(receivedNanos);
    }
    // The value is in the event, and in the milestone at the end.
    if (!hasRoom(2L * EventBytes.length(PairOutput.LAYOUT, event))) {
      begin(current().encoder().records(), receivedNanos);
    }
    current().event(ordinal, nanos, event);
    segment.received(receivedNanos);
  }

  private void milestone(long nanos) throws IOException {
    PairOutput current = current();
    if (!hasRoom(2 * current.encoder().milestoneBytes())) {
      begin(current.encoder().records(), nanos);
      return;
    }
    if (segment.isBack(nanos)) {
      if (!wasAhead && isAhead(nanos)) {
        // Readers find events far before their pair's name if the name follows another one.
        begin(current.encoder().records(), nanos);
        return;
      }
      current.milestone(segment.latestNanos());
    }
    current.milestone(nanos);
    noteMilestone(nanos);
  }

  /** Returns whether the name of the pair is far ahead of a time. */
  private boolean isAhead(long nanos) {
    return namedNanos - nanos > FAR_AHEAD_NANOS;
  }

  /** Returns whether the log may have so many bytes more, and the milestone at its end. */
  private boolean hasRoom(long bytes) {
    PairOutput current = current();
    return current.logBytes() + bytes + current.encoder().milestoneBytes() <= maxLogBytes;
  }

  private PairOutput current() {
    PairOutput current = pair;
    if (current == null) {
      throw new IllegalStateException("no pair was begun: group=" + group);
    }
    return current;
  }

  /**
   * Does what is due at this time: milestones, a new pair, writes, checks. If the disk takes new
   * files for long, but not this pair, the pair is lost.
   *
   * @param isRetry whether the last call failed; then it writes in any case
   * @return the time in nanoseconds until something is due without events
   */
  public long turn(boolean isRetry) throws IOException {
    writes.retry(current(), isRetry);
    PairOutput current = current();
    long now = clock.monotonicNanos();
    watch(current, now);
    // After a failure events wait that belong before a milestone of now.
    if (!isRetry && segment.isIntervalOver(now)) {
      milestone(LogTimes.representable(clock.wallNanos()));
    }
    if (rotates || now - begunNanos >= settings.timing().rotateNanos()) {
      begin(current.encoder().records(), LogTimes.representable(clock.wallNanos()));
    }
    current = current();
    writes.write(current, now);
    stamps.write(current, now);
    return Math.max(0, dueNanos(now));
  }

  private long dueNanos(long now) {
    long due = Math.min(segment.untilIntervalNanos(now), WATCH_NANOS + watchedNanos - now);
    due = Math.min(due, writes.untilSyncNanos(now));
    return Math.min(due, settings.timing().rotateNanos() - (now - begunNanos));
  }

  private void watch(PairOutput current, long now) throws IOException {
    if (now - watchedNanos >= WATCH_NANOS) {
      watchedNanos = now;
      current.requireThere(files);
      claim.check();
    }
    if (now - listedNanos >= (stamps.areKept() ? WATCH_NANOS : LIST_NANOS)) {
      listedNanos = now;
      claim.list();
    }
  }

  /** Returns the number of events that no pair has, or may not have. */
  public long missing() {
    PairOutput open = pair;
    KeptEvents again = kept;
    return (open == null ? 0 : open.missing()) + (again == null ? 0 : again.events());
  }

  /**
   * Returns the earliest time of these events, nanoseconds since 1970 UTC, or a later one if there
   * are none.
   */
  public long missingFromNanos() {
    PairOutput open = pair;
    KeptEvents again = kept;
    return Math.min(
        open == null ? Long.MAX_VALUE : open.missingFromNanos(),
        again == null ? Long.MAX_VALUE : again.earliestNanos());
  }

  /** Drops what memory has of a lost pair. Returns its number of events. */
  public long dropKept() {
    long events = pair == null ? missing() : 0;
    kept = null;
    return events;
  }

  /**
   * Gives the pair up, without a further byte. The next one has what memory has of it.
   *
   * @return the number of events that it does not have, or may not have
   */
  public long giveUp() {
    PairOutput lost = current();
    Closeable locked = claim.takeLock(); // that of the next pair may be on another volume
    stamps.note(lost);
    long missing = lost.missing();
    KeptEvents again = lost.kept();
    kept = again;
    pair = null;
    bytesBefore += lost.logBytes();
    try (locked) {
      lost.close();
    } catch (IOException e) {
      // The pair is lost anyhow.
    }
    return missing - (again == null ? 0 : again.events());
  }

  /** Ends the pair and unlocks the group. After a failure the pair can only be given up. */
  @Override
  public void close() throws IOException {
    PairOutput last = pair;
    Closeable locked = claim.takeLock();
    try (locked) {
      if (last != null) {
        end(last);
      }
    }
  }
}
