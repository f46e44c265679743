package org.kblake.server.internal.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.HeldValues;
import org.kblake.query.TrendReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.Losses;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.UnsupportedAggregateException;
import org.kblake.server.internal.data.AnswerMemory;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * The answer to {@code /api/v1/trend}: for each channel its aggregates in bins, or its events where
 * they are few. It is computed before it is written, so that its begin tells whether it is
 * complete.
 */
final class TrendOutput implements AutoCloseable {

  /** The bytes of a bin of a channel: in the reader, and as it is kept. */
  private static final long BIN_BYTES = 320;

  private static final int DEFAULT_BINS = 800;
  private static final int MAX_BINS = 20_000;

  /** The maximum number of bins of all channels together. */
  private static final int MAX_IN_ALL = 400_000;

  private static final int MAX_POINTS = 100_000;
  private static final int TOO_LARGE = 413;

  private final ServedArchive archive;
  private final ArchiveReader reader;
  private final TimeRange range;
  private final long widthNanos;
  private final int points;
  private final AnswerMemory.Reserved memory;
  private final ElementBudget budget = new ElementBudget();
  private final List<Trace> traces = new ArrayList<>();
  private final Map<Group, JoinedCoverage> coverage = new TreeMap<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private Losses losses = Losses.NONE;
  private boolean complete = true;

  private TrendOutput(
      ServedArchive archive,
      TimeRange range,
      long widthNanos,
      int points,
      AnswerMemory.Reserved memory) {
    this.memory = memory;
    this.archive = archive;
    reader = archive.reader();
    this.range = range;
    this.widthNanos = widthNanos;
    this.points = points;
  }

  /** Computes the answer to a request, which the caller closes. It is null if the client has it. */
  static @Nullable TrendOutput of(Parameters parameters, ServedArchive archive) throws IOException {
    List<ChannelInfo> channels = parameters.knownChannels();
    TimeRange asked = parameters.range();
    int most = parameters.number("bins", 1, MAX_BINS, DEFAULT_BINS);
    long width = parameters.duration("width");
    if (width == 0) {
      width = BinWidths.atMost(asked, most, archive.zone());
    }
    long bins = BinWidths.bins(asked, width, archive.zone());
    if (bins > MAX_BINS || bins * channels.size() > MAX_IN_ALL) {
      throw new HttpStatusException(
          TOO_LARGE,
          "too many bins: "
              + bins
              + " for each of "
              + channels.size()
              + " channels; the limits are "
              + MAX_BINS
              + ", and "
              + MAX_IN_ALL
              + " in all; use a larger width");
    }
    int points = parameters.number("points", 0, MAX_POINTS, 2 * most);
    long begin = BinWidths.begin(asked.fromNanos(), width, archive.zone());
    TimeRange range = new TimeRange(begin, asked.toNanos());
    if (parameters.isKept(channels, range, archive.lookBack().toNanos())) {
      return null;
    }
    AnswerMemory.Reserved memory =
        archive.answers().reserve(Math.max(bins, points) * channels.size() * BIN_BYTES);
    TrendOutput answer = new TrendOutput(archive, range, width, points, memory);
    try {
      answer.read(channels);
      return answer;
    } catch (IOException | RuntimeException e) {
      answer.close();
      throw e;
    }
  }

  @Override
  public void close() {
    memory.close();
  }

  private void read(List<ChannelInfo> channels) throws IOException {
    Map<Group, List<Trace>> groups = new LinkedHashMap<>();
    Map<Group, List<Trace>> former = new LinkedHashMap<>();
    for (ChannelInfo info : channels) {
      Trace trace = new Trace(info, reader.metadata(info.channel()), budget);
      traces.add(trace);
      // A question that names both has the channel, and not its former name.
      boolean isFormer = !trace.metadata.presentNames().isEmpty();
      (isFormer ? former : groups)
          .computeIfAbsent(info.channel().group(), any -> new ArrayList<>())
          .add(trace);
    }
    for (Map.Entry<Group, List<Trace>> group : groups.entrySet()) {
      read(group.getKey(), group.getValue());
    }
    for (Map.Entry<Group, List<Trace>> group : former.entrySet()) {
      for (Trace trace : group.getValue()) {
        read(group.getKey(), List.of(trace));
      }
    }
    for (Trace trace : traces) {
      Interruption.check();
      trace.readEvents(reader, range, points);
      // Files may have gone since the bins were read.
      add(trace.info.channel().group(), trace.missing(), trace.missing().isEmpty());
    }
    losses = reader.losses(coverage.keySet(), range);
  }

  private void read(Group group, List<Trace> some) throws IOException {
    readHeld(group, some);
    List<Trace> numbers = new ArrayList<>(some);
    List<Trace> others = new ArrayList<>();
    numbers.removeIf(trace -> !trace.isNumber() && others.add(trace));
    while (!numbers.isEmpty() && !readBins(group, numbers, BinColumns.OF_NUMBERS)) {
      // A channel had values of another type in this period.
      numbers.removeIf(trace -> !trace.isNumber() && others.add(trace));
    }
    readBins(group, others, BinColumns.OF_ALL);
  }

  private static ChannelSelection selection(Group group, List<Trace> some) {
    return ChannelQuestions.selection(group, some.stream().map(Trace::name).toList());
  }

  private void readHeld(Group group, List<Trace> some) throws IOException {
    HeldQuery query =
        archive.heldQuery(
            selection(group, some), Math.max(Long.MIN_VALUE + 1, range.fromNanos()) - 1);
    HeldValues values = reader.held(query);
    complete &= values.coverage().isComplete();
    notes.addAll(values.coverage().lookBackNotes());
    for (HeldValue held : values.values()) {
      some.stream()
          .filter(trace -> trace.name().equals(held.channel().name()))
          .forEach(trace -> trace.held(held));
    }
  }

  /**
   * Reads the bins of channels of one group.
   *
   * @return false if a channel does not have the aggregates, which its trace then knows
   */
  private boolean readBins(Group group, List<Trace> some, List<Aggregate> aggregates)
      throws IOException {
    if (some.isEmpty()) {
      return true;
    }
    TrendQuery query =
        new TrendQuery(
            archive.scope(selection(group, some)).between(range), widthNanos, aggregates);
    try (TrendReader trend = reader.trend(query)) {
      List<BinColumns> columns = new ArrayList<>();
      for (int channel = 0; channel < some.size(); channel++) {
        columns.add(new BinColumns(channel, aggregates, budget));
        some.get(channel).bins(columns.get(channel));
      }
      while (trend.next()) {
        columns.forEach(each -> each.add(trend));
      }
      add(group, trend.coverage().spans(), trend.coverage().isComplete());
      return true;
    } catch (UnsupportedAggregateException e) {
      some.stream()
          .filter(trace -> trace.name().equals(e.channel().name()))
          .forEach(Trace::isNoNumber);
      return false;
    }
  }

  private void add(Group group, List<CoverageSpan> spans, boolean isComplete) {
    complete &= isComplete;
    coverage.computeIfAbsent(group, any -> new JoinedCoverage()).add(spans);
  }

  /** Returns whether no event can be missing. */
  boolean isComplete() {
    return complete;
  }

  /** Writes the answer as an object. */
  void write(JsonAnswer json) throws IOException {
    json.name("from").time(range.fromNanos());
    json.name("to").time(range.toNanos());
    json.name("width").number(widthNanos / 1e6);
    json.name("channels")
        .array(
            out -> {
              for (Trace trace : traces) {
                out.object(trace::write);
              }
            });
    Map<Group, Collection<CoverageSpan>> spans = new TreeMap<>();
    coverage.forEach((group, joined) -> spans.put(group, joined.spans()));
    json.name("coverage").array(out -> JsonCoverage.write(out, spans));
    JsonCoverage.writeLossy(json, losses);
    JsonCoverage.writeNotes(json, JsonCoverage.withSummary(notes, losses));
    json.name("complete").bool(complete);
  }

  /** One channel of the answer. */
  static final class Trace {
    private final ChannelInfo info;
    private final ChannelMetadata metadata;
    private final ElementBudget budget;
    private boolean isNumber;
    private @Nullable HeldValue held;
    private @Nullable BinColumns bins;
    private @Nullable EventLists events;

    Trace(ChannelInfo info, ChannelMetadata metadata, ElementBudget budget) {
      this.info = info;
      this.metadata = metadata;
      this.budget = budget;
      isNumber = ChannelTexts.isNumber(info);
    }

    String name() {
      return info.channel().name();
    }

    boolean isNumber() {
      return isNumber;
    }

    void isNoNumber() {
      isNumber = false;
    }

    void held(HeldValue value) {
      held = value;
    }

    void bins(BinColumns columns) {
      bins = columns;
    }

    /** Reads the events if they are few. */
    void readEvents(ArchiveReader reader, TimeRange range, int points) throws IOException {
      BinColumns counted = bins;
      if (counted != null && points > 0 && counted.events() <= points) {
        ChannelSelection selection = ChannelQuestions.selection(info.channel());
        // Connections and disconnections are events, too, which bins do not count.
        events =
            EventLists.read(
                reader,
                EventQuery.of(selection).between(range).allowIncomplete(),
                2 * points + 16,
                budget);
      }
    }

    /** Returns the spans of which events that are written may be missing. */
    List<CoverageSpan> missing() {
      EventLists few = events;
      return few == null ? List.of() : few.missing();
    }

    void write(JsonAnswer json) throws IOException {
      ChannelTexts.write(json, info, metadata);
      json.name("held");
      HeldValue value = held;
      if (value == null || !value.isKnown()) {
        json.nothing();
      } else {
        json.object(out -> ChannelTexts.writeHeld(out, value));
      }
      EventLists few = events;
      BinColumns many = bins;
      if (few != null) {
        json.name("events").object(few::write);
      } else if (many != null) {
        json.name("bins").object(many::write);
      }
    }
  }
}
