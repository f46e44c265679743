package org.kblake.query.internal.held;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.EventState;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.catalog.GroupPairs;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.ReadListener;

/**
 * The values that channels of one group held at an instant. A channel that was renamed has several
 * records. Each is searched on its own, because a milestone repeats the last event of a record. The
 * last event of them in log order is that of the channel.
 */
public final class HeldLookup {

  /** The number of channels that a note names. */
  private static final int MAX_NAMES = 3;

  private final Readings readings;
  private final GroupPairs groupPairs;
  private final HeldQuery query;
  private final Map<ChannelTarget, Found> found = new HashMap<>();
  private final Set<CoverageSpan> missing = new LinkedHashSet<>();
  private final Set<String> notes = new LinkedHashSet<>();

  /**
   * The result for a channel.
   *
   * @param orderKey the key of the value's segment in log order
   * @param stateOrderKey the key of the last event's segment
   */
  private record Found(HeldValue value, long orderKey, long stateOrderKey) {}

  /**
   * A record of a channel, and the question about the times in which it is the channel.
   *
   * @param usesMilestones false if a milestone may repeat an event from before these times, which
   *     is another channel's
   */
  private record RecordQuery(
      ChannelTarget channel, ChannelTarget record, HeldQuery query, boolean usesMilestones) {}

  private HeldLookup(Readings readings, GroupPairs groupPairs, HeldQuery query) {
    this.readings = readings;
    this.groupPairs = groupPairs;
    this.query = query;
  }

  /**
   * Searches for the values of a reading's channels.
   *
   * @param group the group, whose pairs include those of the search
   * @param listener is told what was read; how much there is to read is not known before
   */
  public static HeldLookup run(Reading group, HeldQuery query, ReadListener listener)
      throws IOException {
    HeldLookup lookup =
        new HeldLookup(
            group.shared().withoutReadAhead().sharedBy(1).tell(listener),
            group.plan().groupPairs(),
            query);
    lookup.search(group.channels());
    lookup.noteLookBack(group.channels());
    return lookup;
  }

  /** Returns the spans in which values may be missing. */
  public List<CoverageSpan> missing() {
    return List.copyOf(missing);
  }

  /** Returns notes on the blocks and pairs that were searched. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  public HeldValue value(ChannelTarget channel) {
    return of(channel).value();
  }

  /**
   * Returns the key in log order of the segment that has the event of a channel's value; {@link
   * Long#MIN_VALUE} if only a milestone has it.
   */
  public long orderKey(ChannelTarget channel) {
    return of(channel).orderKey();
  }

  /** Returns the same key of the channel's last event of any kind. */
  public long stateOrderKey(ChannelTarget channel) {
    return of(channel).stateOrderKey();
  }

  private Found of(ChannelTarget channel) {
    return found.getOrDefault(
        channel, found(channel, new HeldSearchState(), new HeldSearchState()));
  }

  private static Found found(ChannelTarget channel, HeldSearchState value, HeldSearchState event) {
    return new Found(
        new HeldValue(channel.channel(), value.value(), event.state()),
        value.orderKey(),
        event.stateOrderKey());
  }

  private void search(List<ChannelTarget> channels) throws IOException {
    List<ChannelTarget> whole = channels.stream().filter(ChannelTarget::isOneRecord).toList();
    List<ChannelTarget> renamed = channels.stream().filter(each -> !each.isOneRecord()).toList();
    // Without any channel, the notes of the group are still wanted.
    if (!whole.isEmpty() || renamed.isEmpty()) {
      HeldSearch search = search(query, whole, true);
      for (ChannelTarget channel : whole) {
        HeldSearchState state = search.states().state(channel);
        found.put(channel, found(channel, state, state));
      }
    }
    if (!renamed.isEmpty()) {
      searchRecords(renamed);
    }
  }

  private HeldSearch search(HeldQuery asked, List<ChannelTarget> channels, boolean usesMilestones)
      throws IOException {
    HeldSearch search = HeldSearch.run(readings, groupPairs, asked, channels, usesMilestones);
    missing.addAll(search.states().missing());
    notes.addAll(search.notes());
    return search;
  }

  /**
   * Notes that the look-back ended without a value of some channels, although there is more log.
   */
  private void noteLookBack(List<ChannelTarget> channels) {
    long end = query.scope().searched().fromNanos();
    if (groupPairs.pairs().stream().noneMatch(pair -> pair.beginNanos() < end)) {
      return;
    }
    List<String> unknown = new ArrayList<>();
    for (ChannelTarget channel : channels) {
      if (!value(channel).isKnown()) {
        unknown.add(channel.name());
      }
    }
    if (!unknown.isEmpty()) {
      int named = Math.min(MAX_NAMES, unknown.size());
      int more = unknown.size() - named;
      notes.add(
          CoverageReport.LOOK_BACK_ENDED
              + EpochNanos.instant(end)
              + " without a value: group="
              + groupPairs.group()
              + ", channels="
              + String.join(", ", unknown.subList(0, named))
              + (more > 0 ? " and " + more + " more" : "")
              + "; an earlier value is found with a longer setting look-back, or with get --at");
    }
  }

  private void searchRecords(List<ChannelTarget> channels) throws IOException {
    Map<List<Long>, List<RecordQuery>> byTimes = new LinkedHashMap<>();
    Map<ChannelTarget, List<HeldSearchState>> results = new HashMap<>();
    int index = 0;
    for (ChannelTarget channel : channels) {
      results.put(channel, new ArrayList<>());
      for (RecordName record : channel.records()) {
        HeldQuery asked = within(record);
        if (asked != null) {
          Channel own = new Channel(channel.channel().group(), record.name());
          byTimes
              .computeIfAbsent(
                  List.of(asked.atNanos(), asked.lookBackNanos(), record.fromNanos()),
                  any -> new ArrayList<>())
              .add(
                  new RecordQuery(
                      channel,
                      new ChannelTarget(own, index++),
                      asked,
                      record.fromNanos() == Long.MIN_VALUE));
        }
      }
    }
    for (List<RecordQuery> sameTimes : byTimes.values()) {
      HeldSearch search =
          search(
              sameTimes.get(0).query(),
              sameTimes.stream().map(RecordQuery::record).toList(),
              sameTimes.get(0).usesMilestones());
      for (RecordQuery each : sameTimes) {
        results
            .getOrDefault(each.channel(), new ArrayList<>())
            .add(search.states().state(each.record()));
      }
    }
    for (ChannelTarget channel : channels) {
      List<HeldSearchState> states = results.getOrDefault(channel, List.of());
      found.put(channel, found(channel, lastValue(channel, states), lastEvent(channel, states)));
    }
  }

  /** Returns the question about the times of a record; null if it has none. */
  private @Nullable HeldQuery within(RecordName record) {
    long last = Math.min(query.atNanos(), EpochNanos.minus(record.untilNanos(), 1));
    long first =
        Math.max(EpochNanos.minus(query.atNanos(), query.lookBackNanos()), record.fromNanos());
    return first > last ? null : asked(first, last);
  }

  private HeldQuery asked(long firstNanos, long lastNanos) {
    return new HeldQuery(
        query.scope().at(lastNanos).lookBackNanos(EpochNanos.minus(lastNanos, firstNanos)));
  }

  private HeldSearchState lastValue(ChannelTarget channel, List<HeldSearchState> states)
      throws IOException {
    HeldSearchState last = new HeldSearchState();
    for (HeldSearchState state : states) {
      EventColumns value = state.value();
      EventColumns before = last.value();
      if (value == null) {
        continue;
      }
      if (before == null || state.orderKey() > last.orderKey()) {
        last = state;
      } else if (state.orderKey() == last.orderKey()) {
        last =
            later(channel, last, before.timeNanos[0], state, value.timeNanos[0], state.orderKey());
      }
    }
    return last;
  }

  private HeldSearchState lastEvent(ChannelTarget channel, List<HeldSearchState> states)
      throws IOException {
    HeldSearchState last = new HeldSearchState();
    for (HeldSearchState state : states) {
      EventState known = state.state();
      if (known == null) {
        continue;
      }
      if (last.state() == null || state.stateOrderKey() > last.stateOrderKey()) {
        last = state;
      } else if (state.stateOrderKey() == last.stateOrderKey()) {
        last =
            later(
                channel, last, last.stateNanos(), state, state.stateNanos(), state.stateOrderKey());
      }
    }
    return last;
  }

  /**
   * Returns the one of two results that is later in log order, though both events are in one
   * segment. This segment is read again, for both records. If there is no segment, because only
   * milestones have the events, times decide.
   */
  private HeldSearchState later(
      ChannelTarget channel,
      HeldSearchState a,
      long aNanos,
      HeldSearchState b,
      long bNanos,
      long orderKey)
      throws IOException {
    if (orderKey == Long.MIN_VALUE) {
      return bNanos > aNanos ? b : a;
    }
    HeldQuery both = asked(Math.min(aNanos, bNanos), Math.max(aNanos, bNanos));
    return search(both, List.of(channel), false).states().state(channel);
  }
}
