package org.kblake.query;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.Store;
import org.kblake.core.store.StoreIdentity;
import org.kblake.query.arrow.EventSchema;
import org.kblake.query.arrow.ValueShape;

/**
 * An archive, with or without a store of columns, open for questions. Safe for many threads:
 * readers have files of their own, so that a thread that is interrupted harms no other. What kblog
 * wrote a moment ago is in the answer.
 */
public final class ArchiveReader implements AutoCloseable {

  private final Histories histories;
  private final Planner planner;
  private final @Nullable Store store;
  private final InParallel parallel;
  private final Map<Long, String> openReaders = new ConcurrentHashMap<>();
  private final AtomicLong readers = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();

  private ArchiveReader(
      Path root, ArchiveSettings settings, @Nullable Store store, Executor executor) {
    this.store = store;
    histories = new Histories(root, settings, store);
    planner = new Planner(histories, new PairLogs());
    parallel = new InParallel(executor);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Says what to open. */
  public static final class Builder {
    private @Nullable Path archive;
    private @Nullable Path store;
    private ArchiveSettings settings = ArchiveSettings.defaults();
    private Executor executor = Runnable::run;

    private Builder() {}

    /** The archive's root. Required. */
    public Builder archive(Path root) {
      archive = root;
      return this;
    }

    /** The store of columns made from the archive. Without one, the raw logs are read. */
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
     * Opens archive and store. An archive that is unavailable is no error where there is a store:
     * what columns have is answered, the rest is reported.
     *
     * @throws org.kblake.core.log.UnavailableException if the archive cannot be read
     * @throws org.kblake.core.store.StoreException if the store is not one of this archive
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
                    root, settings.zone().getId(), settings.disorderBoundNanos(), "any", "any"));
      }
      return new ArchiveReader(root, settings, opened, executor);
    }
  }

  /** The groups of the archive in its order, then those that only the store has. */
  public List<Group> groups() throws IOException {
    return histories.groups();
  }

  /**
   * The channels that a selection means in a period, with what the last record table of the period
   * says of them.
   *
   * @throws UnknownChannelException if a name or pattern means no channel
   * @throws UnknownGroupException if a group is not there
   */
  public List<ChannelInfo> channels(ChannelSelection selection, TimeRange period)
      throws IOException {
    List<GroupPlan> plans = plan(selection, period, Source.AUTO);
    Resolution resolution = resolve(selection, plans);
    List<ChannelInfo> infos = new ArrayList<>();
    for (Channel channel : resolution.channels()) {
      infos.add(ChannelInfo.of(channel, planOf(channel.group(), plans).tables()));
    }
    return infos;
  }

  private static GroupPlan planOf(Group group, List<GroupPlan> plans) {
    return plans.stream()
        .filter(plan -> plan.history().group().equals(group))
        .findFirst()
        .orElseThrow();
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
    return query.lastEvents() > 0 ? readLast(query, allocator) : readAll(query, allocator);
  }

  private EventReader readAll(EventQuery query, BufferAllocator allocator) throws IOException {
    List<GroupPlan> plans = plan(query.channels(), query.range(), query.source());
    Resolution resolution = resolve(query.channels(), plans);
    List<Answer> answers = new ArrayList<>();
    TreeSet<ValueShape> shapes = new TreeSet<>();
    for (Group group : resolution.groups()) {
      GroupPlan plan = planOf(group, plans);
      List<ChannelTarget> targets = resolution.targets(group);
      Resolution.addShapes(plan.tables(), targets, shapes);
      answers.add(
          answer(
              query,
              Answer.legs(plan, targets),
              plan.contents(),
              plan.report(),
              targets.size(),
              answers.size()));
    }
    return open(query, allocator, resolution, answers, shapes, null);
  }

  private EventReader readLast(EventQuery query, BufferAllocator allocator) throws IOException {
    List<GroupPlan> plans = plan(query.channels(), lastInstant(query.range()), query.source());
    Resolution resolution;
    try {
      resolution = resolve(query.channels(), plans);
    } catch (UnknownChannelException e) {
      plans = plan(query.channels(), query.range(), query.source());
      resolution = resolve(query.channels(), plans);
    }
    List<Answer> answers = new ArrayList<>();
    TreeSet<ValueShape> shapes = new TreeSet<>();
    long[] skips = new long[resolution.names().size() * Math.max(1, resolution.groups().size())];
    for (Group group : resolution.groups()) {
      List<ChannelTarget> targets = resolution.targets(group);
      Planner.Opened opened = planner.open(group, query.range(), query.source());
      LastEvents last =
          LastEvents.find(
              planner, opened, targets, query, query.lastEvents(), resolution.names().size());
      opened.report().onlyFrom(last.fromNanos());
      opened.report().pendingFrom(EpochNanos.of(Instant.now()), null);
      Resolution.addShapes(
          last.legs().stream().map(Answer.PlannedLeg::records).toList(), targets, shapes);
      Resolution.addShapes(planOf(group, plans).tables(), targets, shapes);
      System.arraycopy(
          last.skips(), 0, skips, answers.size() * last.skips().length, last.skips().length);
      answers.add(
          answer(
              query,
              last.legs(),
              opened.contents(),
              opened.report(),
              targets.size(),
              answers.size()));
    }
    return open(query, allocator, resolution, answers, shapes, skips);
  }

  private static TimeRange lastInstant(TimeRange range) {
    long last = EpochNanos.minus(range.toNanos(), 1);
    return new TimeRange(Math.max(range.fromNanos(), last), range.toNanos());
  }

  private static Answer answer(
      EventQuery query,
      List<Answer.PlannedLeg> legs,
      PairContents contents,
      CoverageBuilder report,
      int channels,
      int group) {
    return new Answer(legs, contents, report, channels, group, query.range(), query.hasStrays());
  }

  private EventReader open(
      EventQuery query,
      BufferAllocator allocator,
      Resolution resolution,
      List<Answer> answers,
      Set<ValueShape> shapes,
      long @Nullable [] skips) {
    List<RunSource> sources = new ArrayList<>();
    for (Answer answer : answers) {
      RunSource source = new GroupSource(answer, planner);
      if (skips != null) {
        int names = resolution.names().size();
        long[] own =
            java.util.Arrays.copyOfRange(
                skips, answer.group() * names, (answer.group() + 1) * names);
        source = new SkippingSource(source, own);
      }
      sources.add(source);
    }
    EventSchema schema =
        EventSchema.of(
            shapes, query.isAsDouble(), resolution.groups().size() > 1, query.hasStrays());
    long number = readers.incrementAndGet();
    String name = "EventReader of " + query;
    BufferAllocator own = allocator.newChildAllocator(name, 0, Long.MAX_VALUE);
    openReaders.put(number, name);
    return new EventReader(
        own,
        query,
        resolution,
        schema,
        sources.size() == 1 ? sources.get(0) : new MergedGroups(sources),
        new Behind.Answers(query.range(), List.copyOf(answers)),
        () -> openReaders.remove(number));
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
    TimeRange instant = new TimeRange(query.atNanos(), EpochNanos.plus(query.atNanos(), 1));
    Resolution resolution =
        resolve(query.channels(), plan(query.channels(), instant, query.source()));
    List<CoverageSpan> missing = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Map<Channel, HeldValue> values = new HashMap<>();
    for (Group group : resolution.groups()) {
      List<ChannelTarget> targets = resolution.targets(group);
      Planner.Opened opened = planner.open(group, HeldSearch.rangeOf(query), query.source());
      HeldSearch search =
          new HeldSearch(
              planner, opened, query, targets, histories.settings().disorderBoundNanos());
      search.run();
      missing.addAll(search.missing());
      notes.addAll(opened.report().report().notes());
      targets.forEach(target -> values.put(target.channel(), search.value(target)));
    }
    CoverageReport coverage = new CoverageReport(HeldSearch.rangeOf(query), missing, 0, 0, notes);
    if (!coverage.isComplete() && !query.allowIncomplete()) {
      throw new IncompleteAnswerException(coverage);
    }
    return new HeldValues(
        query, resolution, resolution.channels().stream().map(values::get).toList(), coverage);
  }

  private List<GroupPlan> plan(ChannelSelection selection, TimeRange range, Source source)
      throws IOException {
    long now = EpochNanos.of(Instant.now());
    List<Group> groups = groupsOf(selection);
    return parallel.map(groups, group -> planner.plan(group, range, source, now));
  }

  private List<Group> groupsOf(ChannelSelection selection) throws IOException {
    List<Group> known = histories.groups();
    if (selection.groups().isEmpty()) {
      return known;
    }
    for (Group group : selection.groups()) {
      if (!known.contains(group)) {
        throw new UnknownGroupException(
            group, NearestNames.of(group.toString(), known.stream().map(Group::toString).toList()));
      }
    }
    return selection.groups().stream().distinct().toList();
  }

  private static Resolution resolve(ChannelSelection selection, List<GroupPlan> plans)
      throws UnknownChannelException {
    List<Resolution.Tables> tables = new ArrayList<>();
    for (GroupPlan plan : plans) {
      tables.add(
          new Resolution.Tables(plan.history().group(), plan.tables(), !plan.hasUnreadTable()));
    }
    return Resolution.of(selection.patterns(), tables);
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
    List<String> left = List.copyOf(new TreeMap<>(openReaders).values());
    if (!left.isEmpty()) {
      throw new IllegalStateException("readers are still open: " + String.join("; ", left));
    }
  }
}
