package org.kblake.record.group;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventKind;

/**
 * Channels whose type changes more often than pairs may begin, as those of two servers. Of each
 * only the last connection and the last value after it are kept, until it keeps its type. For one
 * thread.
 */
final class FlippingChannels {

  /** So many changes while a channel waits for a pair are too many. */
  private static final int MANY_CHANGES = 3;

  private final GroupContext context;
  private final Map<GroupChannel, Flipping> flipping = new LinkedHashMap<>();

  /** What is kept of a channel. */
  private static final class Flipping {
    long changedNanos;
    @Nullable ChannelEvent connection;
    @Nullable ChannelEvent value;

    List<ChannelEvent> take() {
      List<ChannelEvent> taken = new ArrayList<>();
      ChannelEvent first = connection;
      ChannelEvent second = value;
      if (first != null) {
        taken.add(first);
      }
      if (second != null) {
        taken.add(second);
      }
      connection = null;
      value = null;
      return taken;
    }
  }

  FlippingChannels(GroupContext context) {
    this.context = context;
  }

  /**
   * Notes the type of an event.
   *
   * @param waitsForPair whether nothing but pairs may let the channel wait
   * @return whether the channel has changed its type once too often
   */
  boolean begins(GroupChannel channel, ChannelEvent event, boolean waitsForPair) {
    long now = context.clock().monotonicNanos();
    boolean isChanged = channel.changesType(event);
    Flipping known = flipping.isEmpty() ? null : flipping.get(channel);
    if (known != null) {
      known.changedNanos = isChanged ? now : known.changedNanos;
      return false;
    }
    if (!channel.waits) {
      channel.changes = 0;
    } else if (isChanged && waitsForPair && ++channel.changes >= MANY_CHANGES) {
      Flipping begun = new Flipping();
      begun.changedNanos = now;
      flipping.put(channel, begun);
      context.notice(
          "type changes again and again, values are refused until it stays for new-pair: name="
              + channel.name);
      return true;
    }
    return false;
  }

  /**
   * Keeps an event of a channel that flips.
   *
   * @param refused takes events that it replaces
   * @return whether the channel flips
   */
  boolean keeps(
      GroupChannel channel, ChannelEvent event, BiConsumer<GroupChannel, ChannelEvent> refused) {
    Flipping known = flipping.isEmpty() ? null : flipping.get(channel);
    if (known == null) {
      return false;
    }
    ChannelEvent replaced = known.value;
    if (event.kind() != EventKind.VALUE) {
      known.take().forEach(each -> refused.accept(channel, each));
      known.connection = event.copy();
    } else {
      if (replaced != null) {
        refused.accept(channel, replaced);
      }
      known.value = event.copy();
    }
    return true;
  }

  /** Returns the number of events that are kept, those included that were lost before them. */
  long size() {
    long events = 0;
    for (Flipping each : flipping.values()) {
      ChannelEvent first = each.connection;
      ChannelEvent second = each.value;
      events += first == null ? 0 : 1L + first.lostBefore();
      events += second == null ? 0 : 1L + second.lostBefore();
    }
    return events;
  }

  /** Hands out what is kept of channels that have kept their type. They flip no more. */
  void handOutSteady(BiConsumer<GroupChannel, ChannelEvent> handler) {
    long now = context.clock().monotonicNanos();
    for (GroupChannel channel : List.copyOf(flipping.keySet())) {
      Flipping known = flipping.get(channel);
      if (known != null && now - known.changedNanos >= context.timing().newPairNanos()) {
        flipping.remove(channel);
        channel.changes = 0;
        known.take().forEach(event -> handler.accept(channel, event));
      }
    }
  }

  /** Hands out all that is kept. */
  void handOut(BiConsumer<GroupChannel, ChannelEvent> handler) {
    flipping.forEach(
        (channel, known) -> known.take().forEach(event -> handler.accept(channel, event)));
    flipping.clear();
  }
}
