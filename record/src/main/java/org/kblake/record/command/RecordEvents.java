package org.kblake.record.command;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.core.model.Group;
import org.kblake.record.group.GroupListener;
import org.kblake.record.group.LogGap;
import org.kblake.record.group.RecordingState;
import org.kblake.record.metadata.LearntMetadataFiles;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.ChannelSource;
import org.kblake.record.source.ConversionCounts;
import org.kblake.record.source.EventKind;

/**
 * Logs what happens to groups: notices at once, gaps and numbers of channels each second. Metadata
 * go to files.
 */
final class RecordEvents implements GroupListener {

  private static final int MOST_NAMES = 20;

  private final RunLog log;
  private final ChannelSource source;
  private final LearntMetadataFiles metadata;
  private final Map<Group, Gaps> gaps = new LinkedHashMap<>();
  private final Disconnections disconnections = new Disconnections();
  private final Map<Group, List<String>> unconnected = new LinkedHashMap<>();
  private final Map<Group, String> shown = new LinkedHashMap<>();
  private final Map<Group, String> before = new LinkedHashMap<>();

  /** Numbers of groups since the last line. */
  private final Map<String, Integer> roles = new LinkedHashMap<>();

  private boolean isConverted;

  /** The gaps of a group in a second. Times are nanoseconds since 1970 UTC, 0 if not known. */
  private static final class Gaps {
    int number;
    long events;
    String channel = "";
    long fromNanos = Long.MAX_VALUE;
    long toNanos;

    void add(LogGap gap) {
      channel = number == 0 || gap.channel().equals(channel) ? gap.channel() : "";
      number++;
      events += gap.events();
      fromNanos = Math.min(fromNanos, gap.fromNanos());
      toNanos = Math.max(toNanos, gap.toNanos());
    }
  }

  RecordEvents(RunLog log, ChannelSource source, LearntMetadataFiles metadata) {
    this.log = log;
    this.source = source;
    this.metadata = metadata;
  }

  @Override
  public void received(@Nullable Group group, ChannelEvent event) {
    boolean isMetadata =
        event.kind() == EventKind.METADATA || event.kind() == EventKind.DESCRIPTION;
    if (isMetadata && group != null) {
      metadata.take(group, source.name(event.channel()), event);
    } else if (event.kind() == EventKind.DISCONNECTED && group != null) {
      disconnections.add(group, source.name(event.channel()), event);
    }
  }

  @Override
  public void takesOver(Group group, boolean isSeamless, long aliveNanos) {
    roles.merge(isSeamless ? "takes over" : "is the active recorder", 1, Integer::sum);
  }

  @Override
  public void standsBy(Group group) {
    roles.merge("another recorder is active", 1, Integer::sum);
  }

  /** Logs for how many groups this recorder became the active one, or another one did. */
  void logRoles() {
    roles.forEach((role, groups) -> log.info(role, "groups", groups));
    roles.clear();
  }

  @Override
  public void gap(Group group, LogGap gap) {
    gaps.computeIfAbsent(group, key -> new Gaps()).add(gap);
  }

  @Override
  public void notice(Group group, String line) {
    log.warn(line, "group", group);
  }

  @Override
  public void removed(Group group) {
    unconnected.remove(group);
    shown.remove(group);
    before.remove(group);
    log.info("is not recorded any more", "group", group);
  }

  /** Logs the gaps since the last call. */
  void logGaps() {
    gaps.forEach(
        (group, each) ->
            log.warn(
                "events lost",
                "group",
                group,
                "events",
                each.events,
                "channel",
                each.channel.isEmpty() ? "several" : each.channel,
                "from",
                each.fromNanos == 0 ? "the start" : time(each.fromNanos),
                "to",
                time(each.toNanos)));
    gaps.clear();
  }

  /** Logs once that values are recorded otherwise than they were sent. */
  void logConversions() {
    ConversionCounts now = source.conversions();
    if (!isConverted && now.inexactIntegers() + now.cutStrings() > 0) {
      isConverted = true;
      log.warn(
          "values are not recorded as sent, as their metrics count",
          "inexact-integers",
          now.inexactIntegers(),
          "cut-strings",
          now.cutStrings());
    }
  }

  /** Logs the disconnections since the last call. */
  void logDisconnected() {
    disconnections.log(log);
  }

  /** Logs which channels were never connected, if these are others than at the last call. */
  void logNeverConnected(Group group, List<String> names) {
    if (names.equals(unconnected.put(group, names)) || names.isEmpty()) {
      return;
    }
    String some = String.join(" ", names.subList(0, Math.min(MOST_NAMES, names.size())));
    log.warn(
        "channels never connected",
        "group",
        group,
        "channels",
        names.size(),
        "names",
        names.size() > MOST_NAMES ? some + " ..." : some);
  }

  private static Instant time(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }

  /** Logs how many channels are connected, where this has changed and stays for a second. */
  void logConnected(RecordingState state) {
    String now = state.connected() + " of " + state.channels();
    if (now.equals(before.put(state.group(), now)) && !now.equals(shown.put(state.group(), now))) {
      log.info("connected", "group", state.group(), "channels", now);
    }
  }
}
