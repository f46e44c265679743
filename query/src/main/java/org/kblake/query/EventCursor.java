package org.kblake.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.answer.LogSegment;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.internal.engine.EventAnswer;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.source.EventRows;
import org.kblake.query.question.EventQuery;

/**
 * Events in the order of an answer, some adjacent rows of one channel at a time. The rows are those
 * of {@link EventReader}, without Arrow and without a copy.
 *
 * <pre>
 *   while (cursor.next()) {
 *     EventColumns columns = cursor.columns();
 *     for (int row = cursor.from(); row &lt; cursor.to(); row++) {
 *       columns.timeNanos[row], columns.state[row], columns.values[row] ...
 * </pre>
 *
 * For one thread at a time. The caller closes it.
 */
public final class EventCursor extends RowReader {

  private final EventQuery query;
  private final List<Channel> channels;
  private final List<HeldValue> held;
  private final EventRows source;

  /** Indices into the channels, by the source's numbers of groups, then of names. */
  private final int[][] channelOf;

  private boolean ended;

  EventCursor(EventAnswer answer, Runnable onClose) {
    super(new AnswerState(answer.query(), answer.report(), onClose));
    query = answer.query();
    channels = answer.resolution().channels();
    held = answer.held();
    source = answer.source();
    channelOf = channelOf(answer.resolution());
  }

  private static int[][] channelOf(ChannelResolution resolution) {
    Map<String, Integer> names = new HashMap<>();
    for (String name : resolution.names()) {
      names.put(name, names.size());
    }
    Map<Group, Integer> groups = new HashMap<>();
    for (Group group : resolution.groups()) {
      groups.put(group, groups.size());
    }
    int[][] channelOf = new int[groups.size()][names.size()];
    for (int[] ofGroup : channelOf) {
      Arrays.fill(ofGroup, -1);
    }
    List<Channel> channels = new ArrayList<>(resolution.channels());
    for (int i = 0; i < channels.size(); i++) {
      Channel channel = channels.get(i);
      channelOf[groups.getOrDefault(channel.group(), 0)][names.getOrDefault(channel.name(), 0)] = i;
    }
    return channelOf;
  }

  @Override
  public List<Channel> channels() {
    return channels;
  }

  /**
   * Returns the segment of the log that a row is in. The question must have log order.
   *
   * @throws IllegalStateException if the place in the log is unknown, because the question has no
   *     log order, or has several groups
   */
  public LogSegment segment(int row) throws IOException {
    LogSegment segment = query.hasLogOrder() ? source.segment(row) : null;
    if (segment == null) {
      throw new IllegalStateException("the place in the log is unknown: " + query);
    }
    return segment;
  }

  /** Returns the held values whose events come first, one row at a time. */
  public List<HeldValue> held() {
    return held;
  }

  /**
   * Moves to the next rows, at least one.
   *
   * @return false if there is none
   * @throws IncompleteAnswerException at the end of an answer that may miss events, unless the
   *     query allows it
   */
  public boolean next() throws IOException {
    state.requireOpen("cursor");
    if (!ended && source.next()) {
      return true;
    }
    if (!ended) {
      ended = true;
      source.close();
    }
    state.end();
    return false;
  }

  @Override
  EventRows rows() {
    return source;
  }

  @Override
  public int channel() {
    return channelOf[source.group()][source.channel()];
  }

  /** Returns the time that raw logs and columns took so far. */
  public ReadPlan.Spent spent() {
    return state.report().spent();
  }

  @Override
  public void close() throws IOException {
    if (state.close()) {
      source.close();
    }
  }
}
