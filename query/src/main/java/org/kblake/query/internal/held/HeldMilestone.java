package org.kblake.query.internal.held;

import java.io.IOException;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.scan.MilestoneReader;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.plan.ChannelTarget;

/**
 * The entries of a milestone for channels, used in place of the log before it. A milestone repeats
 * the last events of its channels. Events that were strays do not count.
 */
final class HeldMilestone {

  private final PairLog log;
  private final long offset;
  private final long nanos;
  private final RecordStates states;
  private final TimeRange range;

  private HeldMilestone(
      PairLog log, long offset, long nanos, RecordStates states, TimeRange range) {
    this.log = log;
    this.offset = offset;
    this.nanos = nanos;
    this.states = states;
    this.range = range;
  }

  /**
   * Reads a milestone.
   *
   * @param range the times of events that count
   * @return the entries; null if the milestone cannot be read, or has none of the channels
   */
  static @Nullable HeldMilestone read(
      PairLog log, long offset, Collection<ChannelTarget> channels, TimeRange range)
      throws IOException {
    RecordStates states = new RecordStates(log.layout(), log.order(), log.records());
    BitSet wanted = new BitSet();
    for (ChannelTarget channel : channels) {
      int ordinal = log.records().ordinalOfName(channel.name());
      if (ordinal >= 0) {
        wanted.set(ordinal);
      }
    }
    if (wanted.isEmpty()) {
      return null;
    }
    try (MilestoneReader reader = MilestoneReader.open(log)) {
      return new HeldMilestone(log, offset, reader.read(offset, states, wanted), states, range);
    } catch (CorruptLogException | UnavailableException e) {
      return null;
    }
  }

  /** Returns the offset of the milestone in its log. */
  long offset() {
    return offset;
  }

  /** Returns the milestone's time, nanoseconds since 1970 UTC. */
  long nanos() {
    return nanos;
  }

  boolean isAt(PairLog ofLog, long atOffset) {
    return log == ofLog && offset == atOffset;
  }

  /**
   * Returns whether another milestone of the log states the same of a channel, as far as this is
   * still searched. Both were read for this channel.
   */
  boolean isSame(HeldMilestone other, ChannelTarget channel, HeldSearchState known) {
    int ordinal = states.records().ordinalOfName(channel.name());
    return ordinal < 0
        || (known.isValueSettled() || states.hasSameValue(ordinal, other.states))
            && (known.isEventSettled() || states.hasSameEvent(ordinal, other.states));
  }

  /**
   * Sets the values of channels from the milestone.
   *
   * @param found the search state of each channel without a value
   * @param isFirst whether no log before the milestone can be read for the question
   */
  void settle(
      Map<ChannelTarget, HeldSearchState> found,
      HeldConfirmation confirmation,
      boolean isFirst,
      HeldStates.Scan scan)
      throws IOException {
    Map<ChannelTarget, HeldCandidate> values = new LinkedHashMap<>();
    Map<ChannelTarget, HeldCandidate> events = new LinkedHashMap<>();
    found.forEach(
        (channel, known) -> {
          int ordinal = states.records().ordinalOfName(channel.name());
          if (ordinal >= 0 && !known.isValueSettled() && states.hasValue(ordinal)) {
            add(
                channel,
                new HeldCandidate(
                    states.valueNanos(ordinal), EventState.VALUE, MilestoneRow.of(states, ordinal)),
                values);
          }
          if (ordinal >= 0 && !known.isEventSettled()) {
            add(
                channel,
                new HeldCandidate(
                    states.eventNanos(ordinal), EventState.of(states.state(ordinal)), null),
                events);
          }
        });
    Map<ChannelTarget, Long> confirmedValues = confirmation.confirm(values, isFirst, scan);
    // The last event of most channels was a value, so it is not confirmed twice.
    Map<ChannelTarget, Long> confirmedEvents = new LinkedHashMap<>();
    confirmedValues.forEach(
        (channel, orderKey) -> {
          if (isSameEvent(values.get(channel), events.get(channel))) {
            confirmedEvents.put(channel, orderKey);
          }
        });
    Map<ChannelTarget, HeldCandidate> others = new LinkedHashMap<>(events);
    others.keySet().removeAll(confirmedEvents.keySet());
    confirmedEvents.putAll(confirmation.confirm(others, isFirst, scan));
    found.forEach(
        (channel, known) -> {
          HeldCandidate event = events.get(channel);
          Long eventOrderKey = confirmedEvents.get(channel);
          if (event != null && eventOrderKey != null) {
            known.event(counts(event) ? event.state() : null, eventOrderKey, event.nanos());
          }
          HeldCandidate value = values.get(channel);
          Long orderKey = confirmedValues.get(channel);
          if (value != null && orderKey != null) {
            known.value(counts(value) ? value.value() : null, orderKey);
          }
        });
  }

  private void add(
      ChannelTarget channel, HeldCandidate candidate, Map<ChannelTarget, HeldCandidate> to) {
    if (candidate.nanos() != LogLayout.NEVER_NANOS && candidate.nanos() < range.toNanos()) {
      to.put(channel, candidate);
    }
  }

  private boolean counts(HeldCandidate candidate) {
    return candidate.nanos() >= range.fromNanos();
  }

  private static boolean isSameEvent(@Nullable HeldCandidate value, @Nullable HeldCandidate event) {
    return value != null
        && event != null
        && value.nanos() == event.nanos()
        && event.state() != EventState.DISCONNECTED;
  }
}
