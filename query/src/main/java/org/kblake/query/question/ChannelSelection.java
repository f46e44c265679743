package org.kblake.query.question;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;

/**
 * The channels and groups of a question.
 *
 * @param groups the groups to search; empty for all
 * @param patterns the patterns of names, in the order of the answer; a channel that matches twice
 *     is answered once
 */
public record ChannelSelection(List<Group> groups, List<ChannelPattern> patterns) {

  public ChannelSelection {
    groups = List.copyOf(groups);
    patterns = List.copyOf(patterns);
  }

  /** Selects channels by their exact names, in any group. */
  public static ChannelSelection names(String... names) {
    return of(Stream.of(names).map(ChannelPattern::name).toList());
  }

  /** Selects every channel whose name matches, in any group. */
  public static ChannelSelection glob(String glob) {
    return of(List.of(ChannelPattern.glob(glob)));
  }

  /** Selects the channels that the patterns match, in any group. */
  public static ChannelSelection of(List<ChannelPattern> patterns) {
    return new ChannelSelection(List.of(), patterns);
  }

  /** Selects one channel. */
  public static ChannelSelection of(Channel channel) {
    return new ChannelSelection(
        List.of(channel.group()), List.of(ChannelPattern.name(channel.name())));
  }

  /** Selects all channels of the groups. */
  public static ChannelSelection all(Group... groups) {
    return new ChannelSelection(List.of(groups), List.of(ChannelPattern.glob("*")));
  }

  /** Returns a copy for these groups only. */
  public ChannelSelection in(Group... only) {
    return new ChannelSelection(List.of(only), patterns);
  }

  /** Returns a copy with one more pattern. */
  public ChannelSelection and(ChannelPattern pattern) {
    List<ChannelPattern> more = new ArrayList<>(patterns);
    more.add(pattern);
    return new ChannelSelection(groups, more);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (ChannelPattern pattern : patterns.subList(0, Math.min(3, patterns.size()))) {
      text.append(text.isEmpty() ? "" : ",").append(pattern);
    }
    if (patterns.size() > 3) {
      text.append(",... (").append(patterns.size()).append(")");
    }
    return groups.isEmpty() ? text.toString() : groups + " " + text;
  }
}
