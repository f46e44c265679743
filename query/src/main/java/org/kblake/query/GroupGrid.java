package org.kblake.query;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EventState;
import org.kblake.core.store.EventColumns;

/** The values that channels of one group held at the points of a grid, looked up one by one. */
final class GroupGrid implements Closeable {

  private final Questions questions;
  private final GridQuery query;
  private final GroupPlan plan;
  private final List<ChannelTarget> channels;
  private final Set<CoverageSpan> missing = new LinkedHashSet<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final List<GridReader.Connection> connections = new ArrayList<>();
  private final List<GridReader.Connection> present = new ArrayList<>();
  private final HeldValue[] values;
  private final boolean[] isNew;
  private int nextConnection;
  private long point = -1;

  /**
   * @param plan of the grid's range
   * @param channels asked for, counted from 0 in this order
   * @param names of all groups' channels, as the channels' indices count them
   */
  GroupGrid(
      Questions questions,
      GridQuery query,
      GroupPlan plan,
      List<ChannelTarget> channels,
      List<String> names) {
    this.questions = questions;
    this.query = query;
    this.plan = plan;
    this.channels = channels;
    values = new HeldValue[channels.size()];
    isNew = new boolean[channels.size()];
  }

  /** Goes on to the next point. */
  void next() throws IOException {
    point++;
    if (point == 0) {
      readConnections();
    }
    long nanos = query.pointNanos(point);
    HeldQuery at = query.atStart().at(nanos);
    at =
        new HeldQuery(
            at.channels(),
            nanos,
            EpochNanos.plus(at.lookBackNanos(), nanos - query.startNanos()),
            at.source(),
            true);
    Planner.Opened opened =
        questions.planner().open(plan.history().group(), HeldSearch.rangeOf(at), query.source());
    HeldSearch search =
        new HeldSearch(
            questions.planner(), opened, at, channels, questions.settings().disorderBoundNanos());
    search.run();
    search.missing().stream()
        .filter(span -> span.range().fromNanos() < query.startNanos())
        .forEach(missing::add);
    notes.addAll(opened.report().report().notes());
    for (int i = 0; i < values.length; i++) {
      HeldValue now = search.value(channels.get(i));
      isNew[i] = true; // each is looked up by itself
      values[i] = now;
    }
    present.clear();
    while (nextConnection < connections.size()
        && connections.get(nextConnection).nanos() <= nanos) {
      present.add(connections.get(nextConnection++));
    }
  }

  /** Goes behind the last point: only connection events are left. */
  void end() throws IOException {
    if (point < 0) {
      readConnections();
    }
    present.clear();
    present.addAll(connections.subList(nextConnection, connections.size()));
  }

  private void readConnections() throws IOException {
    Map<Integer, Integer> numbers = new HashMap<>();
    channels.forEach(channel -> numbers.put(channel.index(), numbers.size()));
    Answer answer =
        new Answer(
            Answer.legs(plan, channels),
            plan.contents(),
            plan.report(),
            channels.size(),
            0,
            query.range(),
            false);
    try (GroupSource source = new GroupSource(answer, questions.planner())) {
      while (source.next()) {
        EventColumns columns = source.columns();
        for (int row = source.from(); row < source.to(); row++) {
          if (columns.state[row] != EventState.VALUE_CODE
              && columns.timeNanos[row] < query.connectionsToNanos()) {
            connections.add(
                new GridReader.Connection(
                    columns.timeNanos[row],
                    numbers.getOrDefault(source.channel(), 0),
                    EventState.of(columns.state[row])));
          }
        }
      }
    }
    connections.sort(Comparator.comparingLong(GridReader.Connection::nanos));
  }

  /** The columns that hold the event which set a channel's value; null if none is known. */
  @Nullable EventColumns columns(int channel) {
    return values[channel].isKnown() ? values[channel].row() : null;
  }

  /** The row of that event. */
  int row(int channel) {
    return 0;
  }

  /** Whether it is another event than at the point before. */
  boolean isNew(int channel) {
    return isNew[channel];
  }

  /** The connection events behind the point before, up to this one, by time. */
  List<GridReader.Connection> connections() {
    return present;
  }

  CoverageReport coverage() {
    CoverageReport range = plan.report().report();
    List<CoverageSpan> spans = new ArrayList<>(missing);
    spans.addAll(range.spans());
    notes.addAll(range.notes());
    return new CoverageReport(
        range.range(), spans, range.strays(), range.backwardSteps(), List.copyOf(notes));
  }

  @Override
  public void close() throws IOException {}
}
