package org.kblake.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.internal.engine.GridAnswer;
import org.kblake.query.internal.grid.GridConnections;
import org.kblake.query.internal.grid.GridEvents;
import org.kblake.query.internal.grid.GroupGrid;
import org.kblake.query.question.GridQuery;

/**
 * The values that channels held at the points of a grid, point after point in time order. Channel
 * numbers are indexes into {@link #channels()}.
 *
 * <pre>
 *   while (grid.next()) {
 *     for (int channel = 0; channel &lt; grid.channels().size(); channel++) {
 *       if (grid.isKnown(channel)) {
 *         String value = grid.asText(channel);
 * </pre>
 *
 * <p>If the question includes connection events, each point has those after the point before and up
 * to its own time. After {@link #next} has returned false, there are those after the last point.
 * They are ordered by time; at one time by group, then in log order.
 *
 * <p>Memory does not grow with the grid. For one thread at a time. The caller closes it.
 */
public final class GridReader extends AnswerReader {

  private final GridQuery query;
  private final List<ChannelInfo> infos;
  private final List<Channel> channels;
  private final GroupGrid[] grids;
  private final GridEvents[] eventsOf;
  private final int[] indexOf;

  /** The numbers of channels, by group, then by their numbers in the group. */
  private final int[][] channelOf;

  private final List<GridConnections.Connection> connections = new ArrayList<>();
  private final long points;

  /** The points returned so far. {@link #share} reads it on any thread. */
  private final AtomicLong returned = new AtomicLong();

  private long point = -1;
  private boolean ended;

  /**
   * @param answer the answer, whose grids are closed with this reader
   */
  GridReader(GridAnswer answer, Runnable onClose) {
    super(new AnswerState(answer.query(), answer.report(), onClose));
    query = answer.query();
    points = query.points();
    channels = answer.resolution().channels();
    infos = answer.infos();
    grids = answer.grids().toArray(GroupGrid[]::new);
    List<Group> groups = answer.resolution().groups();
    eventsOf = new GridEvents[channels.size()];
    indexOf = new int[channels.size()];
    channelOf = new int[grids.length][];
    Map<Group, Integer> numbers = new HashMap<>();
    for (int group = 0; group < grids.length; group++) {
      numbers.put(groups.get(group), group);
      channelOf[group] = new int[grids[group].events().size()];
    }
    int[] counts = new int[grids.length];
    for (int i = 0; i < channels.size(); i++) {
      int number = Objects.requireNonNull(numbers.get(channels.get(i).group()));
      eventsOf[i] = grids[number].events();
      indexOf[i] = counts[number]++;
      channelOf[number][indexOf[i]] = i;
    }
  }

  @Override
  public List<Channel> channels() {
    return channels;
  }

  /**
   * Returns the channels as the record tables of the grid's period describe them, without channels
   * that are in none of these tables.
   */
  public List<ChannelInfo> infos() {
    return infos;
  }

  /**
   * Moves to the next point.
   *
   * @return false after the last one
   * @throws IncompleteAnswerException after the last point of an answer that may miss events,
   *     unless the query allows it
   */
  public boolean next() throws IOException {
    state.requireOpen("reader");
    Interruption.check();
    connections.clear();
    if (ended) {
      return false;
    }
    returned.lazySet(++point);
    ended = point == points;
    for (int i = 0; i < grids.length; i++) {
      GroupGrid grid = grids[i];
      if (ended) {
        grid.end();
      } else {
        grid.next();
      }
      for (GridConnections.Connection each : grid.events().connections().present()) {
        int channel = channelOf[i][each.channel()];
        connections.add(new GridConnections.Connection(each.nanos(), channel, each.state()));
      }
    }
    if (grids.length > 1) {
      connections.sort((a, b) -> Long.compare(a.nanos(), b.nanos()));
    }
    if (ended) {
      state.end();
    }
    return !ended;
  }

  /** Returns the point's time, nanoseconds since 1970 UTC. */
  public long timeNanos() {
    return query.pointNanos(point);
  }

  /**
   * Returns whether the channel holds a value at the point, which the answer does not have because
   * the point is in a gap ({@link GridQuery#nullInGaps}).
   */
  public boolean isGap(int channel) {
    return eventsOf[channel].isGap(indexOf[channel]);
  }

  /** Returns whether the channel has a value at the point. */
  public boolean isKnown(int channel) {
    return eventsOf[channel].columns(indexOf[channel]) != null;
  }

  /**
   * Returns whether the channel's value is of another event than at the previous point, or is no
   * longer known.
   */
  public boolean isNew(int channel) {
    return eventsOf[channel].isChanged(indexOf[channel]);
  }

  /**
   * Returns the columns with the event that set the value. Valid until the next call of {@link
   * #next}. Not to be changed.
   *
   * @throws IllegalStateException if no value is known
   */
  public EventColumns columns(int channel) {
    @Nullable EventColumns columns = eventsOf[channel].columns(indexOf[channel]);
    if (columns == null) {
      throw new IllegalStateException("no value is known: channel=" + channels.get(channel));
    }
    return columns;
  }

  /** Returns the event's row in {@link #columns}. */
  public int row(int channel) {
    return eventsOf[channel].row(indexOf[channel]);
  }

  /**
   * Returns the channel's number at the point. A double represents the numbers of each type
   * exactly.
   *
   * @throws IllegalStateException if no value is known, or it is a string or a list
   */
  public double asDouble(int channel) {
    return columns(channel).asDouble(row(channel));
  }

  /**
   * Returns the channel's integer at the point: a short, enum, char or long.
   *
   * @throws IllegalStateException if no value is known, or it is not an integer
   */
  public long asLong(int channel) {
    return columns(channel).asLong(row(channel));
  }

  /**
   * Returns the channel's value at the point as text, as {@link EventColumns#asText} does.
   *
   * @throws IllegalStateException if no value is known
   */
  public String asText(int channel) {
    return columns(channel).asText(row(channel));
  }

  /**
   * Returns the channel's numbers at the point: the elements of a list, or a scalar alone.
   *
   * @throws IllegalStateException if no value is known, or its elements are strings
   */
  public double[] asDoubles(int channel) {
    return columns(channel).asDoubles(row(channel));
  }

  /**
   * Returns the begin of the value: the event's time, nanoseconds since 1970 UTC. In a gap that of
   * the held value.
   *
   * @throws IllegalStateException if no value is known or held
   */
  public long sinceNanos(int channel) {
    return isGap(channel)
        ? eventsOf[channel].sinceNanos(indexOf[channel])
        : columns(channel).timeNanos[row(channel)];
  }

  /** Returns the number of connection events of the point. */
  public int connections() {
    return connections.size();
  }

  /** Returns the time of a connection event, nanoseconds since 1970 UTC. */
  public long connectionNanos(int connection) {
    return connections.get(connection).nanos();
  }

  /** Returns the channel of a connection event. */
  public int connectionChannel(int connection) {
    return connections.get(connection).channel();
  }

  /** Returns the state of a connection event: connected or disconnected. */
  public EventState connectionState(int connection) {
    return connections.get(connection).state();
  }

  /** Returns the share of the points returned so far, 0 to 1. Any thread may call this. */
  public double share() {
    return (double) returned.get() / points;
  }

  /**
   * Returns the number of events whose values were decoded for the points returned so far. Skipped
   * events do not count.
   */
  public long eventsRead() {
    long read = 0;
    for (GroupGrid grid : grids) {
      read += grid.events().valuesRead();
    }
    return read;
  }

  /** Returns the number of events whose times were decoded for the points returned so far. */
  public long timesRead() {
    long read = 0;
    for (GroupGrid grid : grids) {
      read += grid.events().timesRead();
    }
    return read;
  }

  /**
   * Returns the coverage of the answer: for each group the spans from the first point to the last,
   * and before them the spans of the look-back from which values at the first point may be missing.
   * Complete after {@link #next} has returned false.
   */
  @Override
  public CoverageReport coverage() {
    return super.coverage();
  }

  @Override
  public void close() throws IOException {
    if (state.close()) {
      FirstFailure.closeAll(grids);
    }
  }
}
