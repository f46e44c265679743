package org.kblake.hbase.export;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.hbase.destination.ExportBatch;
import org.kblake.hbase.layout.EventKey;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;

/**
 * The events that are exported.
 *
 * @param range the range of time
 * @param source the source of the events
 * @param names the channels of each group
 * @param unread times whose channels are unknown
 */
public record ExportQuestion(
    TimeRange range, Source source, Map<Group, List<String>> names, List<CoverageSpan> unread) {

  public ExportQuestion {
    names = new TreeMap<>(names);
    unread = List.copyOf(unread);
  }

  /**
   * Finds the channels of a selection in a range.
   *
   * @throws IOException if the name of one of them is too long for HBase
   */
  public static ExportQuestion of(
      ArchiveReader archive, ChannelSelection selection, TimeRange range, Source source)
      throws IOException {
    FoundChannels found = archive.find(EventQuery.of(selection).between(range).from(source));
    Map<Group, TreeSet<String>> names = new TreeMap<>();
    for (ChannelInfo each : found.channels()) {
      var unused = EventKey.channelPrefix(each.channel());
      names
          .computeIfAbsent(each.channel().group(), group -> new TreeSet<>())
          .add(each.channel().name());
    }
    Map<Group, List<String>> lists = new TreeMap<>();
    names.forEach((group, set) -> lists.put(group, List.copyOf(set)));
    return new ExportQuestion(range, source, lists, found.unread());
  }

  /** Returns all channels. */
  public List<Channel> channels() {
    List<Channel> channels = new ArrayList<>();
    names.forEach((group, list) -> list.forEach(name -> channels.add(new Channel(group, name))));
    return channels;
  }

  /**
   * Returns the batches of a group, which divide the range at multiples of a length since 1970 UTC.
   * So other ranges have the same batches.
   */
  public List<ExportBatch> batches(Group group, Duration length) {
    long step = EpochNanos.of(length);
    List<ExportBatch> batches = new ArrayList<>();
    long from = range.fromNanos();
    while (from < range.toNanos()) {
      long next = EpochNanos.plus(Math.floorDiv(from, step) * step, step);
      long to = Math.min(next, range.toNanos());
      batches.add(
          new ExportBatch(group, names.getOrDefault(group, List.of()), new TimeRange(from, to)));
      from = to;
    }
    return batches;
  }

  /** Returns the question about the events of a batch. */
  public EventQuery events(ExportBatch batch) {
    ChannelSelection selection =
        ChannelSelection.of(batch.names().stream().map(ChannelPattern::knownName).toList())
            .in(batch.group());
    return EventQuery.of(selection)
        .between(batch.range())
        .from(source)
        .withStrays()
        .withLogOrder()
        .allowIncomplete();
  }

  /** Returns the question about all events of a group. */
  public EventQuery all(Group group) {
    return events(new ExportBatch(group, names.getOrDefault(group, List.of()), range));
  }
}
