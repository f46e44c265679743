package org.kblake.query;

import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.Interruption;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.internal.engine.TrendAnswer;
import org.kblake.query.internal.trend.GroupTrend;
import org.kblake.query.internal.trend.TrendWindow;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.TrendQuery;

/**
 * Aggregates of events in bins, bin after bin in time order. Channel numbers are indexes into
 * {@link #channels()}.
 *
 * <pre>
 *   while (trend.next()) {
 *     for (int channel = 0; channel &lt; trend.channels().size(); channel++) {
 *       trend.timeNanos(), trend.count(channel)
 *       if (trend.has(channel, Aggregate.MAX)) {
 *         double most = trend.number(channel, Aggregate.MAX);
 * </pre>
 *
 * <p>Bins are filled as many at a time as fit 64 MiB, or a sixth of the heap. So memory does not
 * grow with their number. For one thread at a time. The caller closes it.
 */
public final class TrendReader extends AnswerReader {

  private final TrendAnswer answer;
  private final TrendQuery query;
  private final Set<Aggregate> asked;
  private final List<Channel> channels;
  private final List<ChannelInfo> infos;
  private final List<GroupTrend> trends;
  private final GroupTrend[] trendOf;
  private final int[] indexOf;
  private final long bins;
  private final int windowBins;

  private TrendWindow window;
  private long firstBin;
  private long bin = -1;

  /**
   * @param mostBins the maximum number of bins that are filled at a time
   */
  TrendReader(TrendAnswer answer, int mostBins, Runnable onClose) {
    super(new AnswerState(answer.query(), answer.report(), onClose));
    this.answer = answer;
    query = answer.query();
    asked = EnumSet.copyOf(query.aggregates());
    channels = answer.resolution().channels();
    infos = List.copyOf(answer.types().infos());
    trends = answer.trends();
    bins = query.bins();
    windowBins = Math.min(mostBins, answer.types().windowBins());
    window = new TrendWindow(0, 0, query.stepNanos(), 0);
    Map<Group, GroupTrend> byGroup = new HashMap<>();
    for (Group group : answer.resolution().groups()) {
      byGroup.put(group, trends.get(byGroup.size()));
    }
    trendOf = new GroupTrend[channels.size()];
    indexOf = new int[channels.size()];
    Map<Group, Integer> counts = new HashMap<>();
    for (int i = 0; i < trendOf.length; i++) {
      Group group = channels.get(i).group();
      trendOf[i] = Objects.requireNonNull(byGroup.get(group));
      indexOf[i] = counts.merge(group, 1, Integer::sum) - 1;
    }
  }

  @Override
  public List<Channel> channels() {
    return channels;
  }

  /**
   * Returns the channels with the types of their values. The type is double if a channel had
   * numbers of several types in the period.
   */
  public List<ChannelInfo> infos() {
    return infos;
  }

  /**
   * Moves to the next bin.
   *
   * @return false after the last one
   * @throws IncompleteAnswerException after the last bin of an answer that may miss events, unless
   *     the query allows it
   */
  public boolean next() throws IOException {
    state.requireOpen("reader");
    Interruption.check();
    if (bin + 1 < bins) {
      bin++;
      if (bin - firstBin >= window.bins()) {
        firstBin = bin;
        window = TrendWindow.of(query, bin, (int) Math.min(windowBins, bins - bin));
        answer.read(window);
      }
      for (GroupTrend trend : trends) {
        trend.goTo((int) (bin - firstBin));
      }
      return true;
    }
    bin = bins;
    state.end();
    return false;
  }

  /** Returns the begin of the bin, nanoseconds since 1970 UTC. */
  public long timeNanos() {
    return query.binNanos(bin);
  }

  /** Returns the end of the bin, not included, nanoseconds since 1970 UTC. */
  public long endNanos() {
    return query.binEndNanos(bin);
  }

  /**
   * Returns whether the bin was read as a whole. If not, events of it may be missing, or a held
   * value may be outdated, because a log could not be read.
   */
  public boolean isComplete(int channel) {
    return !trendOf[channel].isIncomplete(indexOf[channel]);
  }

  /** Returns whether the channel's values are numbers or enums, and not texts or lists. */
  public boolean isNumber(int channel) {
    return !trendOf[channel].isRows(indexOf[channel]);
  }

  /** Returns the number of value events. */
  public long count(int channel) {
    return trendOf[channel].trend(indexOf[channel]).count(binOfWindow());
  }

  /**
   * Returns whether the bin has an aggregate: a bin without events has count 0 and no values.
   *
   * @param aggregate one of the question's
   */
  public boolean has(int channel, Aggregate aggregate) {
    require(aggregate);
    return trendOf[channel].trend(indexOf[channel]).has(binOfWindow(), aggregate);
  }

  /**
   * Returns an aggregate as a number. Values of each numeric type are exact. A time is in
   * nanoseconds since 1970 UTC, which a double cannot represent exactly; {@link #integer} is exact.
   *
   * @throws IllegalStateException if the bin does not have it, or it is a text or a list
   */
  public double number(int channel, Aggregate aggregate) {
    requirePresent(channel, aggregate);
    if (row(channel, aggregate) != null) {
      throw new IllegalStateException("not a number: channel=" + channels.get(channel));
    }
    return trendOf[channel].trend(indexOf[channel]).number(binOfWindow(), aggregate);
  }

  /**
   * Returns a number of events, a severity, or a time in nanoseconds since 1970 UTC.
   *
   * @throws IllegalStateException if the bin does not have it
   */
  public long integer(int channel, Aggregate aggregate) {
    requirePresent(channel, aggregate);
    return trendOf[channel].trend(indexOf[channel]).integer(binOfWindow(), aggregate);
  }

  /**
   * Returns the event of a first or last value that is a text or a list: row 0 of these columns.
   * Not to be changed.
   *
   * @throws IllegalStateException if the bin does not have it, or it is a number
   */
  public EventColumns columns(int channel, Aggregate aggregate) {
    requirePresent(channel, aggregate);
    EventColumns row = row(channel, aggregate);
    if (row == null) {
      throw new IllegalStateException("a number: channel=" + channels.get(channel));
    }
    return row;
  }

  private @Nullable EventColumns row(int channel, Aggregate aggregate) {
    return aggregate == Aggregate.FIRST || aggregate == Aggregate.LAST
        ? trendOf[channel].trend(indexOf[channel]).row(binOfWindow(), aggregate)
        : null;
  }

  private void require(Aggregate aggregate) {
    if (!asked.contains(aggregate)) {
      throw new IllegalArgumentException("not requested: " + aggregate);
    }
  }

  private void requirePresent(int channel, Aggregate aggregate) {
    if (!has(channel, aggregate)) {
      throw new IllegalStateException(
          "the bin has no " + aggregate + ": channel=" + channels.get(channel));
    }
  }

  private int binOfWindow() {
    return (int) (bin - firstBin);
  }

  /**
   * Returns the coverage of the answer: for each group the spans of the bins read so far, and
   * before them the spans of the look-back from which held values may be missing. Complete after
   * {@link #next} has returned false. If bins are filled in several windows, a segment counts in
   * each window that reads it.
   */
  @Override
  public CoverageReport coverage() {
    return super.coverage();
  }

  /** Returns the number of rows of rollups that took the place of events so far. */
  long rollupRows() {
    long rows = 0;
    for (GroupTrend trend : trends) {
      rows += trend.rollupRows();
    }
    return rows;
  }

  @Override
  public void close() {
    state.close();
  }
}
