package org.kblake.query;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.SettledDirectories;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.access.AccessRecords;
import org.kblake.core.log.LogPosition;
import org.kblake.core.metadata.MetadataFolder;
import org.kblake.core.model.Channel;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.answer.Intervals;
import org.kblake.query.answer.LatestTime;
import org.kblake.query.answer.Losses;
import org.kblake.query.answer.Movements;
import org.kblake.query.answer.RecordedTime;
import org.kblake.query.internal.catalog.MirrorAccess;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.catalog.RecordedMetadata;
import org.kblake.query.internal.engine.AccessRecorder;
import org.kblake.query.internal.engine.EventAnswer;
import org.kblake.query.internal.engine.GridAnswer;
import org.kblake.query.internal.engine.IntervalsAnswer;
import org.kblake.query.internal.engine.MovedAnswer;
import org.kblake.query.internal.engine.QueryEngine;
import org.kblake.query.internal.engine.TrendAnswer;
import org.kblake.query.internal.follow.FollowSession;
import org.kblake.query.internal.source.ReadAheadLimits;
import org.kblake.query.internal.source.ScanThreads;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.MovedQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.UnknownGroupException;
import org.kblake.query.question.UnsupportedAggregateException;

/**
 * An archive, with or without a store of columns, open for questions. Thread safe: each reader has
 * its own files, so interrupting one thread does not affect others. Answers include the newest
 * events that kblog has written.
 *
 * <p>A question throws {@link UnknownChannelException} if a name or pattern matches no channel, and
 * {@link UnknownGroupException} if a group does not exist.
 */
public final class ArchiveReader implements AutoCloseable {

  final QueryEngine engine;
  private final @Nullable Store store;
  private final @Nullable MetadataFolder metadata;
  private final RecordedMetadata recorded;
  private final ScanThreads threads;
  private final int trendBins;
  private final AccessRecorder accesses;
  private final OpenReaders openReaders = new OpenReaders();
  private final AtomicBoolean closed = new AtomicBoolean();

  private ArchiveReader(
      Builder from,
      Path root,
      ArchiveSettings settings,
      @Nullable Store store,
      @Nullable AccessRecords records) {
    this.store = store;
    metadata = from.metadata == null ? null : new MetadataFolder(from.metadata, settings.zone());
    trendBins = from.trendBins;
    threads = new ScanThreads(from.readAhead);
    accesses = new AccessRecorder(records);
    MirrorAccess mirror = new MirrorAccess(store == null ? null : store.directory());
    recorded = new RecordedMetadata(root, settings.zone(), mirror);
    engine =
        QueryEngine.of(
            new PairCatalog(
                Archive.unchecked(root, settings, mirror),
                store,
                metadata,
                mirror,
                new SettledDirectories(from.clock)),
            from.executor,
            threads);
  }

  /** Returns a builder with the default settings. {@link Builder#archive} must be called. */
  public static Builder builder() {
    return new Builder();
  }

  /** The settings of a new reader. */
  public static final class Builder {
    private @Nullable Path archive;
    private @Nullable Path store;
    private @Nullable Path metadata;
    private @Nullable ArchiveSettings settings;
    private @Nullable Executor executor;
    private boolean admit = true;
    private ReadAheadLimits readAhead = ReadAheadLimits.usual();
    private int trendBins = Integer.MAX_VALUE;
    private InstantSource clock = InstantSource.system();

    private Builder() {}

    /** Sets the archive's root. Required. */
    public Builder archive(Path root) {
      archive = root;
      return this;
    }

    /**
     * Sets the store of columns made from the archive. Without a store, the raw logs are read. If
     * the store names a mirror, growing logs are read there as far as they are copied. Then each
     * access to the archive has a time limit of half a second, and data that is not read by then is
     * reported as unavailable.
     */
    public Builder store(Path directory) {
      store = directory;
      return this;
    }

    /**
     * Sets the folder with the metadata of channels, the files {@code SYSTEM/GROUP/channels.csv}. A
     * channel that a file names former names of has the events of these records, too, in every kind
     * of read. Files are read again when they change. A file that does not exist, or is wrong,
     * concerns its group only. Without a folder, only what recorders keep in the archive is known.
     */
    public Builder metadata(Path directory) {
      metadata = directory;
      return this;
    }

    /** Sets all settings of an archive, including the zone. */
    public Builder settings(ArchiveSettings all) {
      settings = all;
      return this;
    }

    /**
     * Sets the executor that plans and reads several groups in parallel. It belongs to the caller
     * and is not shut down here. Without an executor, the calling thread does everything.
     */
    public Builder executor(Executor shared) {
      executor = shared;
      return this;
    }

    /**
     * Sets the number of threads that read raw logs ahead of answers. Default: the processors of
     * the machine, but at most eight. They start for an answer that needs at least 64 MiB of a
     * group's logs. Each has at most 16 MiB of memory, and all together have at most an eighth of
     * the heap. With one thread, the threads of the callers read everything.
     */
    public Builder threads(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("threads must be at least 1: threads=" + count);
      }
      readAhead = ReadAheadLimits.of(count);
      return this;
    }

    /** Sets the limits of reading ahead. */
    Builder readAhead(ReadAheadLimits limits) {
      readAhead = limits;
      return this;
    }

    /** Sets the maximum number of bins that a trend fills at a time. */
    Builder trendBins(int most) {
      trendBins = most;
      return this;
    }

    /** Writes no access records to the store: reads do not decide what is put into columns. */
    public Builder withoutAdmission() {
      admit = false;
      return this;
    }

    /** Sets the clock that decides how long a directory has not changed. */
    Builder clock(InstantSource source) {
      clock = source;
      return this;
    }

    /**
     * Opens archive and store. With a store, an unavailable archive is no error: answers come from
     * columns, and the rest is reported as unavailable.
     *
     * @throws org.kblake.core.archive.UnavailableException if the archive cannot be read
     * @throws IOException if the store is not one of this archive, or cannot be read
     */
    public ArchiveReader open() throws IOException {
      Path root = archive;
      if (root == null) {
        throw new IllegalStateException("no archive: name one with archive(root)");
      }
      ArchiveSettings chosen = settings == null ? ArchiveSettings.defaults() : settings;
      Store opened = null;
      if (store == null) {
        Archive.open(root, chosen);
      } else {
        opened =
            Store.open(
                store,
                StoreIdentity.of(
                    root, chosen.zoneName(), chosen.disorderBoundNanos(), "any", "any"));
      }
      AccessRecords records =
          opened == null || !admit ? null : new AccessRecords(opened.directory());
      return new ArchiveReader(this, root, chosen, opened, records);
    }
  }

  /** Returns the directory of the store; null if there is none. */
  public @Nullable Path storeDirectory() {
    return store == null ? null : store.directory();
  }

  /** Returns the groups of the archive in its order, then those that only the store has. */
  public List<Group> groups() throws IOException {
    return engine.groups();
  }

  /** Returns the channels of {@link #find} that a selection matches in a period. */
  public List<ChannelInfo> channels(ChannelSelection selection, TimeRange period)
      throws IOException {
    return channels(EventQuery.of(selection).between(period));
  }

  /** Returns the channels of {@link #find}. */
  public List<ChannelInfo> channels(EventQuery query) throws IOException {
    return find(query).channels();
  }

  /**
   * Returns the channels that a question matches, as the record tables of its period describe them,
   * and the times whose record tables could not be read.
   */
  public FoundChannels find(EventQuery query) throws IOException {
    return engine.channels(query);
  }

  /**
   * Begins to read events.
   *
   * @param allocator the parent of the reader's own allocator
   * @return the caller closes it
   */
  public EventReader read(EventQuery query, BufferAllocator allocator) throws IOException {
    EventAnswer answer = opened().events(query);
    return new EventReader(
        allocator.newChildAllocator("EventReader", 0, Long.MAX_VALUE),
        answer,
        openReaders.register(accesses, "EventReader", query, answer.report().ranges()));
  }

  /**
   * Begins to read events without Arrow, as decoded columns.
   *
   * @param query its conversion to doubles and its size of batches are ignored
   * @return the caller closes it
   */
  public EventCursor cursor(EventQuery query) throws IOException {
    EventAnswer answer = opened().events(query);
    return new EventCursor(
        answer, openReaders.register(accesses, "EventCursor", query, answer.report().ranges()));
  }

  /** Begins to follow as {@link #follow(FollowQuery)} does, and polls the files once a second. */
  public EventFollower follow(ChannelSelection channels, Instant from) throws IOException {
    return follow(FollowQuery.of(channels, from));
  }

  /**
   * Begins to read events from a time on, and to follow new events.
   *
   * @return the caller closes it
   */
  public EventFollower follow(FollowQuery query) throws IOException {
    long beginNanos = System.nanoTime();
    FollowSession following = opened().follow(query);
    return new EventFollower(
        following,
        new FollowedLosses(this),
        () -> accesses.write(following.report().ranges(), System.nanoTime() - beginNanos),
        openReaders.register(accesses, "EventFollower", query, List.of()));
  }

  /**
   * Begins to read the raw logs of one group in log order, pair after pair, and to follow new
   * events. {@link EventFollower#position} is a place from which another reader continues. A pair
   * is begun when the one before it is closed, so that no late event is left out.
   *
   * <p>Events from the query's time on are returned whenever they are read, strays, too. They are
   * marked as strays if that is known: behind the last milestone a time may prove right or wrong.
   *
   * @param query its selection has one group; its number of last events is ignored
   * @param from the place of the first event, of a {@link EventFollower#position}; null for the
   *     first pair that may have events of the query's time
   * @return the caller closes it
   */
  public EventFollower followLogs(FollowQuery query, @Nullable LogPosition from)
      throws IOException {
    if (query.channels().groups().size() != 1) {
      throw new IllegalArgumentException("not one group: " + query);
    }
    FollowSession following = opened().followLogs(query, from);
    return new EventFollower(
        following,
        new FollowedLosses(this),
        () -> {},
        openReaders.register(accesses, "EventFollower", query, List.of()));
  }

  /** Answers as {@link #held(HeldQuery, ReadListener)} does. */
  public HeldValues held(HeldQuery query) throws IOException {
    return held(query, ReadListener.NONE);
  }

  /**
   * Looks up the values that channels held at an instant.
   *
   * @param listener is told what was read; how much there is to read is not known before
   * @throws IncompleteAnswerException if a log that may hold later values cannot be read, unless
   *     the query allows it
   */
  public HeldValues held(HeldQuery query, ReadListener listener) throws IOException {
    return new HeldValues(opened().held(query, listener));
  }

  /**
   * Begins to read the values that channels held at the points of a grid.
   *
   * @return the caller closes it
   */
  public GridReader grid(GridQuery query) throws IOException {
    GridAnswer answer = opened().grid(query);
    return new GridReader(
        answer, openReaders.register(accesses, "GridReader", query, answer.report().ranges()));
  }

  /**
   * Begins to read aggregates of events in bins.
   *
   * @return the caller closes it
   * @throws UnsupportedAggregateException if a channel's type does not have an aggregate
   */
  public TrendReader trend(TrendQuery query) throws IOException {
    TrendAnswer answer = opened().trend(query);
    return new TrendReader(
        answer,
        trendBins,
        openReaders.register(accesses, "TrendReader", query, answer.report().ranges()));
  }

  /** Answers as {@link #intervals(IntervalQuery, ReadListener)} does. */
  public Intervals intervals(IntervalQuery query) throws IOException {
    return intervals(query, ReadListener.NONE);
  }

  /**
   * Returns the times at which a channel holds a value that meets a condition.
   *
   * @param listener is told how far the events are read, which are read twice
   * @throws IllegalArgumentException if the selection has several channels, or one without numbers
   * @throws IncompleteAnswerException if a log cannot be read, unless the query allows it
   */
  public Intervals intervals(IntervalQuery query, ReadListener listener) throws IOException {
    return accesses
        .timed(() -> opened().intervals(query, listener), IntervalsAnswer::ranges)
        .intervals();
  }

  /** Answers as {@link #moved(MovedQuery, ReadListener)} does. */
  public Movements moved(MovedQuery query) throws IOException {
    return moved(query, ReadListener.NONE);
  }

  /**
   * Returns the channels that left their own habit around an instant, the earliest first.
   *
   * @param listener is told how far the events are read
   * @throws IncompleteAnswerException if a log cannot be read, unless the query allows it
   */
  public Movements moved(MovedQuery query, ReadListener listener) throws IOException {
    return accesses.timed(() -> opened().moved(query, listener), MovedAnswer::ranges).movements();
  }

  /**
   * Returns the time of a group's latest data: the latest time of any event except strays, in the
   * last pair that has events and can be read; nanoseconds since 1970 UTC. It is empty if no event
   * can be read.
   */
  public OptionalLong latestEvent(Group group) throws IOException {
    return findLatest(group).nanos();
  }

  /** Returns {@link #latestEvent}, and why a log that may have later events could not be read. */
  public LatestTime findLatest(Group group) throws IOException {
    return opened().latestEvent(group);
  }

  /** Returns the time in which a channel was recorded. Opens only a few pairs of its group. */
  public RecordedTime recorded(Channel channel) throws IOException {
    return opened().recorded(channel);
  }

  /**
   * Returns what the group's metadata file says of a channel, which need not exist, and what
   * recorders keep of it in the archive where the file says nothing. Everything else is unknown.
   */
  public ChannelMetadata metadata(Channel channel) {
    ChannelMetadata learnt = recorded.of(channel);
    return metadata == null
        ? learnt
        : metadata.of(channel.group()).of(channel.name()).orElse(learnt);
  }

  /** Returns what a group's metadata file says of the channels that have former names. */
  public List<ChannelMetadata> renamed(Group group) {
    return metadata == null ? List.of() : metadata.ofNames(group).renamed();
  }

  /** Returns the groups in which recorders state what they lost; usually there is none. */
  public List<Group> ledgers() throws IOException {
    return opened().ledgers();
  }

  /**
   * Returns the spans of time in which recorders may have lost events, as far as they meet a range.
   * What cannot be read is a note.
   *
   * @param groups the recorded groups
   */
  public Losses losses(Collection<Group> groups, TimeRange range) throws IOException {
    return LedgerReading.of(this, groups, range);
  }

  /** Returns the losses at an instant, of all groups that record channels of a selection. */
  public Losses losses(ChannelSelection channels, long atNanos) throws IOException {
    TimeRange instant = EpochNanos.around(atNanos, atNanos, 1);
    Losses ofNone = losses(List.of(), instant);
    if (!ofNone.hasLedger()) {
      return ofNone;
    }
    Set<Group> groups = new HashSet<>();
    channels(channels, instant).forEach(info -> groups.add(info.channel().group()));
    return losses(groups, instant);
  }

  /**
   * Returns a coverage with the losses of its groups in its range, from the begin of its spans on:
   * of last events only that much is read.
   */
  public CoverageReport withLosses(CoverageReport coverage) throws IOException {
    TimeRange range = coverage.range();
    long from = range.toNanos();
    for (CoverageSpan span : coverage.spans()) {
      from = Math.min(from, span.range().fromNanos());
    }
    return coverage.with(losses(coverage.groups(), new TimeRange(from, range.toNanos())));
  }

  /** Returns intervals with the losses of the channel's group in a range. */
  public Intervals withLosses(Intervals intervals, TimeRange range) throws IOException {
    return intervals.with(losses(List.of(intervals.channel().group()), range));
  }

  /**
   * Returns a text for the state of all files that answers about some groups and a range depend on.
   * While it is the same, the answers are. Names and attributes are read, and no events.
   *
   * @param range with the look-back of held values
   * @return null if the range is open: a log that may have its events may still grow, or there is
   *     none, or a directory or a file cannot be read
   */
  public @Nullable String closedState(Collection<Group> groups, TimeRange range)
      throws IOException {
    return opened().closedState(groups, range);
  }

  /** Returns the engine of a reader that is not closed. */
  private QueryEngine opened() {
    if (closed.get()) {
      throw new IllegalStateException("archive reader is closed");
    }
    return engine;
  }

  /**
   * Closes the store.
   *
   * @throws IllegalStateException with the names of the readers that are still open
   */
  @Override
  public void close() throws IOException {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    threads.close();
    if (store != null) {
      store.close();
    }
    openReaders.requireNone();
  }
}
