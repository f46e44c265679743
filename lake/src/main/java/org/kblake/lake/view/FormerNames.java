package org.kblake.lake.view;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.data.Record;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.metadata.RecordName;
import org.kblake.core.model.Group;
import org.kblake.lake.facts.FormerName;
import org.kblake.lake.table.LakeTable;
import org.kblake.lake.table.RowFile;

/**
 * The former names of a group's channels, in SQL. Rows of a record get the name of the channel that
 * it was. A condition on {@code channel} still lets the engine skip files: only the rows of former
 * names are read beside those of the name itself.
 */
final class FormerNames {

  private static final String COLUMNS =
      "time, value, state, severity, status, stray, segment, lateness, tie";

  /** A record, and the channel that it was. */
  private record Former(String channel, RecordName record) {

    /** Returns the condition of its events. */
    String condition() {
      String is = "channel = " + text(record.name());
      if (record.isWhole()) {
        return is;
      }
      return "(" + is + " AND NOT stray AND time >= " + from() + " AND time < " + until() + ")";
    }

    /** The least number of SQL cannot be written as one. */
    long from() {
      return Math.max(record.fromNanos(), -Long.MAX_VALUE);
    }

    long until() {
      return record.untilNanos();
    }
  }

  private final List<Former> all = new ArrayList<>();

  private FormerNames() {}

  /**
   * Reads the former names of groups.
   *
   * @param channels the table {@code kblake.channels}
   */
  static Map<Group, FormerNames> read(LakeTable channels) throws IOException {
    Map<Group, FormerNames> byGroup = new TreeMap<>();
    for (DataFile file : channels.liveFiles()) {
      Map<String, List<RecordName>> former = new TreeMap<>();
      for (Record row : RowFile.read(channels, file.location())) {
        List<RecordName> names = new ArrayList<>();
        ((List<?>) row.getField("former"))
            .forEach(each -> names.add(FormerName.parse(each.toString())));
        if (!names.isEmpty()) {
          former.put(row.getField("name").toString(), names);
        }
      }
      FormerNames names = new FormerNames();
      Aliases aliases = new Aliases(former);
      for (String channel : former.keySet()) {
        aliases.formerOf(channel).forEach(each -> names.all.add(new Former(channel, each)));
      }
      byGroup.put(RowFile.groupOf(file), names);
    }
    return byGroup;
  }

  /** Returns the names of a group of which nothing is known. */
  static FormerNames none() {
    return new FormerNames();
  }

  /**
   * Returns the rows of a table of events under present names.
   *
   * @param source the table
   * @param file the column with the path of the data file, which is kept
   */
  String source(String source, String file) {
    if (all.isEmpty()) {
      return source;
    }
    String conditions = all.stream().map(Former::condition).collect(Collectors.joining(" OR "));
    String records =
        all.stream()
            .map(each -> text(each.record().name()))
            .distinct()
            .collect(Collectors.joining(", "));
    String names =
        all.stream()
            .map(each -> "WHEN " + each.condition() + " THEN " + text(each.channel()))
            .collect(Collectors.joining(" "));
    String rest = ", " + COLUMNS + ", " + file + " FROM " + source + " WHERE ";
    return "(SELECT channel"
        + rest
        + "NOT ("
        + conditions
        + ")\n    UNION ALL SELECT CASE "
        + names
        + " END AS channel"
        + rest
        + "channel IN ("
        + records
        + ") AND ("
        + conditions
        + "))";
  }

  /**
   * Returns the spans in which channels were recorded, under the present names, too.
   *
   * @param ofGroup the condition of the group
   */
  String recorded(String ofGroup) {
    StringBuilder spans =
        new StringBuilder("(SELECT name, since_ns, until_ns FROM kblake_channels WHERE " + ofGroup);
    for (Former each : all) {
      spans
          .append("\n      UNION ALL SELECT ")
          .append(text(each.channel()))
          .append(", greatest(since_ns, ")
          .append(each.from())
          .append("), least(coalesce(until_ns, ")
          .append(Long.MAX_VALUE)
          .append("), ")
          .append(each.until())
          .append(") FROM kblake_channels WHERE ")
          .append(ofGroup)
          .append(" AND name = ")
          .append(text(each.record().name()));
    }
    return spans.append(")").toString();
  }

  private static String text(String name) {
    return "'" + name.replace("'", "''") + "'";
  }
}
