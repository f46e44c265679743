package org.kblake.query;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.DirectoryStates;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.access.AccessRecords;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.answer.LatestTime;
import org.kblake.query.internal.arrow.BatchSchema;
import org.kblake.query.internal.catalog.MirrorAccess;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.catalog.PairSnapshotCache;
import org.kblake.query.internal.engine.AccessRecorder;
import org.kblake.query.internal.engine.EventAnswer;
import org.kblake.query.internal.engine.GridAnswer;
import org.kblake.query.internal.engine.ParallelTasks;
import org.kblake.query.internal.engine.QueryEngine;
import org.kblake.query.internal.follow.FollowSession;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.UnknownGroupException;

/**
 * An archive, with or without a store of columns, open for questions. Thread safe: each reader has
 * its own files, so interrupting one thread does not affect others. Answers include the newest
 * events that kblog has written.
 */
public final class ArchiveReader implements AutoCloseable {

  private final QueryEngine engine;
  private final @Nullable Store store;
  private final AccessRecorder accesses;
  private final Map<Long, Open> openReaders = new ConcurrentHashMap<>();
  private final AtomicLong readers = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();

  private ArchiveReader(
      Path root,
      ArchiveSettings settings,
      @Nullable Store store,
      AccessRecorder accesses,
      @Nullable Executor executor,
      InstantSource clock) {
    this.store = store;
    this.accesses = accesses;
    MirrorAccess mirror = new MirrorAccess(store == null ? null : store.directory());
    PairCatalog catalog =
        new PairCatalog(root, settings, store, mirror, new DirectoryStates(clock));
    engine =
        new QueryEngine(
            catalog,
            new Planner(catalog, new PairSnapshotCache(mirror)),
            new ParallelTasks(executor));
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The settings of a new reader. */
  public static final class Builder {
    private @Nullable Path archive;
    private @Nullable Path store;
    private ArchiveSettings settings = ArchiveSettings.defaults();
    private @Nullable Executor executor;
    private boolean admit = true;
    private InstantSource clock = InstantSource.system();

    private Builder() {}

    /** The archive's root. Required. */
    public Builder archive(Path root) {
      archive = root;
      return this;
    }

    /**
     * The store of columns made from the archive. Without a store, the raw logs are read. If the
     * store names a mirror, growing logs are read there as far as they are copied, and each access
     * to the archive may take half a second. Data that is not available by then is reported as
     * unavailable.
     */
    public Builder store(Path directory) {
      store = directory;
      return this;
    }

    /** The archive's time zone. Default: Asia/Tokyo. */
    public Builder zone(ZoneId zone) {
      settings = settings.withZone(zone);
      return this;
    }

    /** All settings of an archive, including the zone. */
    public Builder settings(ArchiveSettings all) {
      settings = all;
      return this;
    }

    /**
     * The executor that plans several groups in parallel. It belongs to the caller and is not shut
     * down here. Without an executor, the calling thread does everything.
     */
    public Builder executor(Executor shared) {
      executor = shared;
      return this;
    }

    /**
     * Writes no access records to the store. So a read of a year does not cause its log to be put
     * into columns, or its blocks to be kept there.
     */
    public Builder withoutAdmission() {
      admit = false;
      return this;
    }

    /**
     * The clock that decides whether a directory has not changed for long enough to keep its
     * listing.
     */
    Builder clock(InstantSource source) {
      clock = source;
      return this;
    }

    /**
     * Opens archive and store. With a store, an unavailable archive is no error: answers come from
     * columns, and the rest is reported as unavailable.
     *
     * @throws org.kblake.core.archive.UnavailableException if the archive cannot be read
     * @throws org.kblake.core.internal.store.file.StoreException if the store is not one of this
     *     archive
     */
    public ArchiveReader open() throws IOException {
      Path root = archive;
      if (root == null) {
        throw new IllegalStateException("no archive: name one with archive(root)");
      }
      Store opened = null;
      if (store == null) {
        Archive.open(root, settings);
      } else {
        opened =
            Store.open(
                store,
                StoreIdentity.of(
                    root, settings.zoneName(), settings.disorderBoundNanos(), "any", "any"));
      }
      AccessRecords records =
          opened == null || !admit ? null : new AccessRecords(opened.directory());
      return new ArchiveReader(
          root, settings, opened, new AccessRecorder(records), executor, clock);
    }
  }

  /** The groups of the archive in its order, then those that only the store has. */
  public List<Group> groups() throws IOException {
    return engine.groups();
  }

  /**
   * The channels that a selection matches in a period, as the record tables of the period describe
   * them.
   *
   * @throws UnknownChannelException if a name or pattern matches no channel
   * @throws UnknownGroupException if a group does not exist
   */
  public List<ChannelInfo> channels(ChannelSelection selection, TimeRange period)
      throws IOException {
    return channels(EventQuery.of(selection).between(period));
  }

  /**
   * The channels that a question matches, as the record tables of its period describe them.
   *
   * @throws UnknownChannelException if a name or pattern matches no channel
   * @throws UnknownGroupException if a group does not exist
   */
  public List<ChannelInfo> channels(EventQuery query) throws IOException {
    return find(query).channels();
  }

  /**
   * As {@link #channels(EventQuery)}, and whether all record tables of the period could be read.
   *
   * @throws UnknownChannelException if a name or pattern matches no channel
   * @throws UnknownGroupException if a group does not exist
   */
  public FoundChannels find(EventQuery query) throws IOException {
    return engine.channels(query);
  }

  /**
   * Begins to read events.
   *
   * @param allocator the parent of the reader's own allocator
   * @return the caller closes it
   * @throws UnknownChannelException if a name or pattern matches no channel
   * @throws UnknownGroupException if a group does not exist
   */
  public EventReader read(EventQuery query, BufferAllocator allocator) throws IOException {
    requireOpen();
    EventAnswer answer = engine.events(query);
    BatchSchema schema =
        BatchSchema.of(
            answer.shapes(),
            query.isAsDouble(),
            answer.resolution().groups().size() > 1,
            query.hasStrays());
    String name = "EventReader of " + query;
    return new EventReader(
        allocator.newChildAllocator(name, 0, Long.MAX_VALUE),
        query,
        answer.resolution(),
        schema,
        answer.source(),
        answer.account(),
        remember("EventReader", query, answer.account().ranges()));
  }

  /**
   * Begins to read events without Arrow, as decoded columns.
   *
   * @param query its conversion to doubles and its size of batches are ignored
   * @return the caller closes it
   * @throws UnknownChannelException if a name or pattern matches no channel
   * @throws UnknownGroupException if a group does not exist
   */
  public EventCursor cursor(EventQuery query) throws IOException {
    requireOpen();
    EventAnswer answer = engine.events(query);
    return new EventCursor(answer, remember("EventCursor", query, answer.account().ranges()));
  }

  /** As {@link #follow(FollowQuery)}, looking at files once a second. */
  public EventFollower follow(ChannelSelection channels, Instant from) throws IOException {
    return follow(FollowQuery.of(channels, from));
  }

  /**
   * Begins to read events from a time on, and to follow new events.
   *
   * @return the caller closes it
   * @throws UnknownChannelException if a name or pattern matches no channel yet
   * @throws UnknownGroupException if a group does not exist
   */
  public EventFollower follow(FollowQuery query) throws IOException {
    requireOpen();
    long beginNanos = System.nanoTime();
    FollowSession following = engine.follow(query);
    List<ReadRange> ranges = following.ranges();
    return new EventFollower(
        following,
        () -> accesses.leave(ranges, System.nanoTime() - beginNanos),
        remember("EventFollower", query, List.of()));
  }

  /** A reader that is not closed yet. */
  private record Open(String reader, Object query) {
    @Override
    public String toString() {
      return reader + " of " + query;
    }
  }

  /** What a reader does when it is closed. */
  private Runnable remember(String reader, Object query, List<ReadRange> ranges) {
    long beginNanos = System.nanoTime();
    long number = readers.incrementAndGet();
    openReaders.put(number, new Open(reader, query));
    return () -> {
      openReaders.remove(number);
      accesses.leave(ranges, System.nanoTime() - beginNanos);
    };
  }

  /**
   * Looks up the values that channels held at an instant.
   *
   * @throws IncompleteAnswerException if a log that may hold later values cannot be read, unless
   *     the query allows it
   * @throws UnknownChannelException if a name or pattern matches no channel
   * @throws UnknownGroupException if a group does not exist
   */
  public HeldValues held(HeldQuery query) throws IOException {
    requireOpen();
    return new HeldValues(engine.held(query));
  }

  /**
   * Begins to read the values that channels held at the points of a grid.
   *
   * @return the caller closes it
   * @throws UnknownChannelException if a name or pattern matches no channel
   * @throws UnknownGroupException if a group does not exist
   */
  public GridReader grid(GridQuery query) throws IOException {
    requireOpen();
    GridAnswer answer = engine.grid(query);
    return new GridReader(answer, remember("GridReader", query, answer.ranges()));
  }

  /**
   * The time of a group's latest data: the latest time of any event except strays, in the last pair
   * that has events and can be read; nanoseconds since 1970 UTC.
   *
   * @return empty if no event can be read
   */
  public OptionalLong latestEvent(Group group) throws IOException {
    return findLatest(group).nanos();
  }

  /** As {@link #latestEvent}, and whether all logs that may have later events could be read. */
  public LatestTime findLatest(Group group) throws IOException {
    requireOpen();
    return engine.latestEvent(group);
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException("archive reader is closed");
    }
  }

  /**
   * Closes the store.
   *
   * @throws IllegalStateException with the names of the readers that are still open; close them to
   *     free their memory
   */
  @Override
  public void close() throws IOException {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (store != null) {
      store.close();
    }
    if (!openReaders.isEmpty()) {
      List<String> left = new ArrayList<>();
      new TreeMap<>(openReaders).values().forEach(open -> left.add(open.toString()));
      throw new IllegalStateException("readers are still open: " + String.join("; ", left));
    }
  }
}
