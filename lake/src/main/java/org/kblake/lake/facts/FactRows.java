package org.kblake.lake.facts;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.PairName;
import org.kblake.core.metadata.GroupMetadata;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.Group;
import org.kblake.lake.table.SiteTable;
import org.kblake.lake.table.TableKind;
import org.kblake.lake.table.TableNames;

/** The rows of a group in the tables {@code coverage} and {@code channels}, from its facts. */
public final class FactRows {

  private FactRows() {}

  /** Returns the rows of the coverage, by time. */
  public static List<Record> coverage(GroupFacts facts) {
    List<Record> rows = new ArrayList<>();
    for (TimeCover.Found<CoverageSpans.Kind> span : CoverageSpans.of(facts.parts(), facts.next())) {
      Record row = GenericRecord.create(SiteTable.COVERAGE.schema());
      row.setField("group", facts.group());
      row.setField("from", span.from());
      row.setField("to", span.to());
      row.setField("kind", span.kind().text());
      rows.add(row);
    }
    return rows;
  }

  /** A channel as pairs that follow each other record it. */
  private static final class Recording {
    private final GroupFacts.Recorded channel;
    private final String first;
    private final long sinceNanos;
    private String last;
    private long untilNanos = Long.MAX_VALUE;

    Recording(GroupFacts.Recorded channel, String first, long sinceNanos) {
      this.channel = channel;
      this.first = first;
      this.sinceNanos = sinceNanos;
      last = first;
    }
  }

  /**
   * Returns the rows of the channels, by name and time.
   *
   * @param zone the archive's zone
   * @param metadata what a file says of the channels
   */
  public static List<Record> channels(GroupFacts facts, ZoneId zone, GroupMetadata metadata) {
    Group group = Group.parse(facts.group());
    List<Recording> recordings = new ArrayList<>();
    Map<GroupFacts.Recorded, Recording> open = new TreeMap<>(BY_NAME);
    String before = null;
    String last = "";
    for (Map.Entry<String, String> pair : facts.tables().entrySet()) {
      if (!pair.getValue().equals(before)) {
        long begin = begin(facts, group, pair.getKey(), zone);
        Map<GroupFacts.Recorded, Recording> present = new TreeMap<>(BY_NAME);
        for (GroupFacts.Recorded channel :
            facts.records().getOrDefault(pair.getValue(), List.of())) {
          Recording recording = open.remove(channel);
          if (recording == null && present.containsKey(channel)) {
            continue;
          }
          if (recording == null) {
            recording = new Recording(channel, pair.getKey(), begin);
            recordings.add(recording);
          }
          present.put(channel, recording);
        }
        for (Recording recording : open.values()) {
          recording.last = last;
          recording.untilNanos = begin;
        }
        open = present;
        before = pair.getValue();
      }
      last = pair.getKey();
    }
    for (Recording recording : open.values()) {
      recording.last = last;
    }
    recordings.sort(
        Comparator.comparing((Recording recording) -> recording.channel, BY_NAME)
            .thenComparingLong(recording -> recording.sinceNanos));
    RecordedTimes times = new RecordedTimes(facts.parts());
    List<Record> rows = new ArrayList<>();
    for (Recording recording : recordings) {
      PublishedSpan.Times least =
          new PublishedSpan.Times(recording.sinceNanos, recording.untilNanos);
      for (PublishedSpan.Times span : times.of(recording.first, recording.last, least)) {
        rows.add(row(group, recording.channel, span, metadata));
      }
    }
    return rows;
  }

  private static final Comparator<GroupFacts.Recorded> BY_NAME =
      Comparator.comparing(GroupFacts.Recorded::name)
          .thenComparing(GroupFacts.Recorded::type)
          .thenComparingInt(GroupFacts.Recorded::elements);

  /** Returns the time of a pair's first milestone, or that of its name, which is in seconds. */
  private static long begin(GroupFacts facts, Group group, String pair, ZoneId zone) {
    for (PublishedSpan published : facts.parts()) {
      if (published.pair().equals(pair) && published.from() == 0) {
        return published.begin();
      }
    }
    return new PairName(group.name(), pair).beginNanos(zone);
  }

  private static Record row(
      Group group, GroupFacts.Recorded channel, PublishedSpan.Times span, GroupMetadata file) {
    ChannelMetadata metadata = file.of(channel.name());
    TableKind kind = new TableKind(channel.type(), channel.elements() > 1);
    Record row = GenericRecord.create(SiteTable.CHANNELS.schema());
    row.setField("group", group.toString());
    row.setField("name", channel.name());
    row.setField(
        "former", file.aliases().formerOf(channel.name()).stream().map(FormerName::text).toList());
    row.setField("type", channel.type().text());
    row.setField("elements", channel.elements());
    row.setField("table", TableNames.of(group, kind).toString());
    row.setField("unit", metadata.unit());
    row.setField(
        "precision", metadata.precision().isPresent() ? metadata.precision().getAsInt() : null);
    row.setField("low", number(metadata.low()));
    row.setField("high", number(metadata.high()));
    row.setField("lolo", number(metadata.lolo()));
    row.setField("lo", number(metadata.lo()));
    row.setField("hi", number(metadata.hi()));
    row.setField("hihi", number(metadata.hihi()));
    row.setField("labels", metadata.labels());
    row.setField("description", metadata.description());
    row.setField("since", span.from());
    row.setField("until", span.to() == Long.MAX_VALUE ? null : span.to());
    return row;
  }

  private static @Nullable Double number(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
