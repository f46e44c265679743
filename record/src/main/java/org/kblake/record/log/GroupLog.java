package org.kblake.record.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.encode.PairEncoder;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.PairName;
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

  private static final long LEAST_STAMPS_NANOS = 100_000_000;

  /** So many failed turns in a row may be the fault of the pair's files alone. */
  private static final int MANY_FAILURES = 10;

  /** So far ahead of the time a name is worth a notice. */
  private static final long FAR_AHEAD_NANOS = 3600 * WATCH_NANOS;

  /** What Linux says if a file system has no locks. */
  private static final List<String> WITHOUT_LOCKS =
      List.of("No locks available", "not supported", "not implemented");

  private final Group group;
  private final LogSettings settings;
  private final LogFiles files;
  private final RecordClock clock;
  private final Path directory;
  private final PairNames names;
  private final OtherWriters others;
  private final SegmentClock segment;
  private final Consumer<String> notices;
  private @Nullable Closeable lock;
  private @Nullable PairOutput pair;

  /** Has the states after the last event, also if their pair was given up. */
  private @Nullable PairEncoder encoder;

  /** Whether another recorder may take over, so that this one keeps stamps beside the pairs. */
  private boolean keepsStamps;

  /** Where records are that no pair of this recorder has; by name. */
  private Map<String, StampOrder> orders = Map.of();

  /** What only memory has of a lost pair. */
  private @Nullable KeptEvents kept;

  private long stampedNanos;
  private boolean hasOldStamps;
  private long maxLogBytes;
  private boolean rotates;
  private int failures;
  private boolean hasUnsynced;
  private boolean hasUnsyncedNames;
  private long begunNanos;

  /** The time of the pair's name. */
  private long namedNanos;

  private boolean wasAhead;
  private long syncedNanos;
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
    files = directories.files();
    this.clock = clock;
    this.notices = notices;
    directory = settings.root().resolve(group.system());
    names = new PairNames(directories, directory, group.name(), settings.archive().zone());
    others = new OtherWriters(names, group.toString());
    segment =
        new SegmentClock(
            settings.timing().milestoneNanos(), settings.archive().disorderBoundNanos() / 4);
    long now = clock.monotonicNanos();
    begunNanos = now;
    syncedNanos = now;
    watchedNanos = now;
    listedNanos = now;
  }

  /** Keeps stamps for another recorder, from the next pair on, and expects that it takes over. */
  public void keepStamps() {
    keepsStamps = true;
    others.replace();
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
    orders = before;
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
   * Locks the group, and checks that no other program writes its pairs. Called before the first
   * pair, now and then.
   *
   * @throws OtherWriterException if one does
   */
  public void claim() throws IOException {
    requireMounted();
    if (pairs == 0) {
      files.createDirectory(directory);
    }
    if (lock == null) {
      lock = lock();
      others.list();
      if (lock == null) {
        others.requireReplaced();
      }
    }
    others.check();
  }

  private @Nullable Closeable lock() throws IOException {
    try {
      return files.lock(directory.resolve("." + group.name() + ".lock"));
    } catch (IOException e) {
      if (WITHOUT_LOCKS.stream().noneMatch(String.valueOf(e.getMessage())::contains)) {
        throw e;
      }
      notices.accept("other recorders are only noticed when their pairs grow: " + e);
      return () -> {};
    }
  }

  /** Checks that the root is no mount point whose volume is away. Such a directory is empty. */
  private void requireMounted() throws IOException {
    String known = pairs == 0 ? "SYS" : group.system();
    if (files.bytes(settings.root().resolve(known)) < 0) {
      throw new IOException(
          "archive has no directory "
              + known
              + ", is its volume mounted?: root="
              + settings.root()
              + (pairs == 0 ? "; in a new archive: mkdir " + settings.root().resolve(known) : ""));
    }
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
      noteOrders(last);
    }
    SortedSet<PairName> existing = others.list();
    long now = LogTimes.representable(clock.wallNanos());
    KeptEvents again = kept;
    long first = again == null ? nanos : Math.min(nanos, again.earliestNanos());
    PairName name = names.next(Math.min(first, now), existing);
    others.addOwn(name);
    PairOutput next = create(name, records);
    PairEncoder before = encoder;
    if (before != null && again == null) {
      next.encoder().continueFrom(before);
    }
    try {
      beginStamps(next, name);
    } catch (IOException e) {
      next.close();
      throw e;
    }
    pair = next;
    encoder = next.encoder();
    maxLogBytes = maxLogBytes(records);
    rotates = false;
    pairs++;
    begunNanos = clock.monotonicNanos();
    listedNanos = begunNanos;
    hasUnsyncedNames = true;
    long others = again == null ? 0 : putAgain(again, next, first);
    if (before != null && again != null) {
      next.encoder().continueFrom(before);
    }
    next.milestoneInMemory(nanos);
    noteMilestone(nanos);
    namedNanos = name.beginNanos(settings.archive().zone());
    wasAhead = isAhead(nanos);
    if (wasAhead) {
      notices.accept("pair's name is ahead of the clock, as those before it: " + name.stamp());
    }
    return others;
  }

  private long putAgain(KeptEvents again, PairOutput next, long nanos) {
    kept = null;
    next.reserve(again.bytes() + 2 * milestoneBytes(next.encoder().records()));
    next.milestoneInMemory(nanos);
    return again.putInto(next);
  }

  private void noteOrders(PairOutput last) {
    Map<String, StampOrder> known = new HashMap<>();
    RecordTable records = last.encoder().records();
    for (int record = 0; record < records.size(); record++) {
      StampOrder order = last.order(record);
      if (order != null) {
        known.put(records.entry(record).name(), order);
      }
    }
    orders = known;
  }

  private void beginStamps(PairOutput next, PairName name) throws IOException {
    if (keepsStamps) {
      List<StampOrder> known = new ArrayList<>();
      RecordTable records = next.encoder().records();
      for (int record = 0; record < records.size(); record++) {
        StampOrder order = orders.get(records.entry(record).name());
        known.add(order == null ? new StampOrder() : order);
      }
      next.keepStamps(files, StampsFile.path(directory, name), known);
      hasOldStamps = true;
      stampedNanos = clock.monotonicNanos() - WATCH_NANOS;
    }
  }

  /** A stamp costs more than its event if it is written as often. */
  private long stampsNanos() {
    return Math.max(LEAST_STAMPS_NANOS, Math.min(WATCH_NANOS, 5 * settings.timing().flushNanos()));
  }

  /** Writes the stamps after the log, and then removes those of earlier pairs. */
  private void writeStamps(PairOutput current, long now) throws IOException {
    if (keepsStamps && now - stampedNanos >= stampsNanos() && !current.isDirty()) {
      current.writeStamps(clock.wallNanos());
      stampedNanos = now;
      if (hasOldStamps) {
        hasOldStamps = false;
        for (String file : files.names(directory)) {
          PairName of = StampsFile.pair(file);
          if (of != null && of.group().equals(group.name()) && !current.isOf(of)) {
            files.discard(directory.resolve(file));
          }
        }
      }
    }
  }

  /** Returns the largest size of a log: at least four milestones, so that events have room. */
  private long maxLogBytes(RecordTable records) {
    long least = Math.min(PairOutput.LAYOUT.maxLogBytes(), 4 * milestoneBytes(records));
    return Math.max(settings.maxLogBytes(), least);
  }

  private PairOutput create(PairName name, RecordTable records) throws IOException {
    try {
      return PairOutput.create(files, directory, name, LogSettings.ORDER, records);
    } catch (FileAlreadyExistsException e) {
      others.removeOwn(name);
      throw e;
    }
  }

  /** Ends a pair with a milestone, so that the span of its last segment is known. */
  private void end(PairOutput last) throws IOException {
    boolean syncs = settings.sync() != SyncPolicy.NONE;
    if (syncs) {
      syncNames(); // a pair may end before its first sync
    }
    last.write(syncs, true); // without room this fails before memory has one milestone more
    last.milestone(segment.latestNanos());
    last.write(syncs, true);
    last.writeStamps(clock.wallNanos());
    last.end();
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
    failures = isRetry ? failures + 1 : 0;
    if (failures >= MANY_FAILURES) {
      tryNewFile();
      requireWritable(current());
    }
    return turn();
  }

  /** Writes as many bytes as wait for the pair into a file, and removes it. */
  private void tryNewFile() throws IOException {
    Path file = directory.resolve("." + group.name() + ".try");
    try (WrittenFile tried = files.create(file)) {
      tried.write(ByteBuffer.allocate(Math.toIntExact(current().bytesInMemory())), 0);
    } finally {
      files.discard(file);
    }
  }

  private void requireWritable(PairOutput current) throws PairLostException {
    try {
      current.write(false, settings.sync() == SyncPolicy.NONE);
    } catch (IOException e) {
      throw new PairLostException("log cannot be written, a new pair is begun: " + e, e);
    }
  }

  private long turn() throws IOException {
    PairOutput current = current();
    long now = clock.monotonicNanos();
    watch(current, now);
    if (segment.isIntervalOver(now)) {
      milestone(LogTimes.representable(clock.wallNanos()));
    }
    if (rotates || now - begunNanos >= settings.timing().rotateNanos()) {
      begin(current.encoder().records(), LogTimes.representable(clock.wallNanos()));
    }
    current = current();
    write(current, now);
    writeStamps(current, now);
    return Math.max(0, dueNanos(now));
  }

  private long dueNanos(long now) {
    long due = Math.min(segment.untilIntervalNanos(now), WATCH_NANOS + watchedNanos - now);
    if (hasUnsynced) {
      due = Math.min(due, settings.timing().syncNanos() + syncedNanos - now);
    }
    return Math.min(due, settings.timing().rotateNanos() - (now - begunNanos));
  }

  private void watch(PairOutput current, long now) throws IOException {
    if (now - watchedNanos >= WATCH_NANOS) {
      watchedNanos = now;
      current.requireThere(files);
      others.check();
    }
    if (now - listedNanos >= (keepsStamps ? WATCH_NANOS : LIST_NANOS)) {
      listedNanos = now;
      others.list();
    }
  }

  private void write(PairOutput current, long now) throws IOException {
    LogTiming timing = settings.timing();
    boolean syncsNow =
        switch (settings.sync()) {
          case NONE -> false;
          case INTERVAL -> now - syncedNanos >= timing.syncNanos();
          case EVENT -> true;
        };
    if (!current.isDirty() && !(hasUnsynced && syncsNow)) {
      return;
    }
    if (syncsNow) {
      syncNames();
    }
    current.write(syncsNow, syncsNow || settings.sync() == SyncPolicy.NONE);
    syncedNanos = syncsNow ? now : syncedNanos;
    hasUnsynced = settings.sync() == SyncPolicy.INTERVAL && !syncsNow;
  }

  private void syncNames() throws IOException {
    if (hasUnsyncedNames) {
      files.force(directory);
      files.force(settings.root());
      hasUnsyncedNames = false;
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
    Closeable locked = lock;
    noteOrders(lost);
    long missing = lost.missing();
    KeptEvents again = lost.kept();
    kept = again;
    pair = null;
    bytesBefore += lost.logBytes();
    lock = null; // that of the next pair may be on another volume
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
    Closeable locked = lock;
    lock = null;
    try (locked) {
      if (last != null) {
        end(last);
      }
    }
  }
}
