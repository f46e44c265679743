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
 * An archive, with or without a store of columns, open for questions. Safe for many threads:
 * readers have files of their own, so that a thread that is interrupted harms no other. What kblog
 * wrote a moment ago is in the answer.
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

  /** Says what to open. */
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
     * The store of columns made from the archive. Without one, the raw logs are read. While it
     * names a mirror, logs that grow are read there as far as they are copied, and the archive is
     * waited for half a second: what it does not give by then is reported as unavailable.
     */
    public Builder store(Path directory) {
      store = directory;
      return this;
    }

    /** The archive's time zone; Asia/Tokyo unless said otherwise. */
    public Builder zone(ZoneId zone) {
      settings = settings.withZone(zone);
      return this;
    }

    /** Everything a site may say of its archive, the zone included. */
    public Builder settings(ArchiveSettings all) {
      settings = all;
      return this;
    }

    /**
     * Where the pairs of several groups are looked at side by side; the caller's, not shut down
     * here. Without one, the calling thread does everything.
     */
    public Builder executor(Executor shared) {
      executor = shared;
      return this;
    }

    /**
     * Leaves nothing in the store of what is read: a look at a year must not have it put into
     * columns, nor keep there what nobody else needs.
     */
    public Builder withoutAdmission() {
      admit = false;
      return this;
    }

    /** What tells the present when it is asked whether a directory has been left alone for long. */
    Builder clock(InstantSource source) {
      clock = source;
      return this;
    }

    /**
     * Opens archive and store. An archive that is unavailable is no error where there is a store:
     * what columns have is answered, the rest is reported.
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
   * The channels that a selection means in a period, with what the record tables of the period say
   * of them.
   *
   * @throws UnknownChannelException if a name or pattern means no channel
   * @throws UnknownGroupException if a group is not there
   */
  public List<ChannelInfo> channels(ChannelSelection selection, TimeRange period)
      throws IOException {
    return channels(EventQuery.of(selection).between(period));
  }

  /**
   * The channels that a question means, with what the record tables of its period say of them.
   *
   * @throws UnknownChannelException if a name or pattern means no channel
   * @throws UnknownGroupException if a group is not there
   */
  public List<ChannelInfo> channels(EventQuery query) throws IOException {
    return find(query).channels();
  }

  /**
   * The same, and whether all record tables of the period could be read.
   *
   * @throws UnknownChannelException if a name or pattern means no channel
   * @throws UnknownGroupException if a group is not there
   */
  public FoundChannels find(EventQuery query) throws IOException {
    return engine.channels(query);
  }

  /**
   * Begins to read events.
   *
   * @param allocator the parent of the reader's own allocator
   * @return the caller closes it
   * @throws UnknownChannelException if a name or pattern means no channel
   * @throws UnknownGroupException if a group is not there
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
   * Begins to read events without Arrow, as the columns they are decoded into.
   *
   * @param query whether doubles are asked for, and the size of batches, do not matter
   * @return the caller closes it
   * @throws UnknownChannelException if a name or pattern means no channel
   * @throws UnknownGroupException if a group is not there
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
   * Begins to read events from a time on, and to follow those that come.
   *
   * @return the caller closes it
   * @throws UnknownChannelException if a name or pattern means no channel yet
   * @throws UnknownGroupException if a group is not there
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
   * Looks up what values channels held at an instant.
   *
   * @throws IncompleteAnswerException if a log that may hold later values cannot be read, unless
   *     the query allows it
   * @throws UnknownChannelException if a name or pattern means no channel
   * @throws UnknownGroupException if a group is not there
   */
  public HeldValues held(HeldQuery query) throws IOException {
    requireOpen();
    return new HeldValues(engine.held(query));
  }

  /**
   * Begins to read what channels held at the points of a grid.
   *
   * @return the caller closes it
   * @throws UnknownChannelException if a name or pattern means no channel
   * @throws UnknownGroupException if a group is not there
   */
  public GridReader grid(GridQuery query) throws IOException {
    requireOpen();
    GridAnswer answer = engine.grid(query);
    return new GridReader(answer, remember("GridReader", query, answer.ranges()));
  }

  /**
   * Up to when a group has data: the latest time of any event, strays aside, in its last pair that
   * has events and can be read; nanoseconds since 1970 UTC.
   *
   * @return empty if no event can be read
   */
  public OptionalLong latestEvent(Group group) throws IOException {
    return findLatest(group).nanos();
  }

  /** The same, and whether all logs could be read that may have later events. */
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
   * @throws IllegalStateException naming the readers that are still open; theirs is the memory, and
   *     closing them frees it
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
