package org.kblake.cli.command.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.argument.ByteSize;
import org.kblake.cli.argument.DurationArgument;
import org.kblake.cli.run.status.StoreFigures;
import org.kblake.cli.settings.Settings;

/** Prints the status of groups as text or as JSON. */
final class StatusReport {

  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

  private static final String ROW = "%-18s %6s  %-16s  %-16s %8s %10s %8s %10s %7s %12s  %s%n";

  private final String archive;
  private final @Nullable String store;
  private final ZoneId zone;
  private final String zoneName;
  private final List<String> problems;
  private final List<GroupStatus> groups;
  private final ProcessReport process;
  private final @Nullable WhatIf whatIf;
  private final Instant now;

  /**
   * @param problems the problems that do not concern a single group
   * @param process the status of the process that writes the store
   * @param whatIf the hit ratios of other budgets; null to print none
   * @param now the present time
   */
  StatusReport(
      Settings settings,
      List<String> problems,
      List<GroupStatus> groups,
      ProcessReport process,
      @Nullable WhatIf whatIf,
      Instant now) {
    this.archive = settings.archive().toString();
    this.store = settings.hasStore() ? settings.store().toString() : null;
    this.zone = settings.outZone();
    this.zoneName = settings.zoneName();
    this.problems = problems;
    this.groups = groups;
    this.process = process;
    this.whatIf = whatIf;
    this.now = now;
  }

  List<String> allProblems() {
    List<String> all = new ArrayList<>(problems);
    groups.forEach(group -> all.addAll(group.problems()));
    process.problems().stream().filter(problem -> !all.contains(problem)).forEach(all::add);
    return all;
  }

  void writeText(Writer out) throws IOException {
    out.append(String.format("archive  %s (%s)%n", archive, zone));
    out.append(String.format("store    %s%n", store == null ? "none is set" : store));
    out.append(process.text()).append('\n');
    out.append(
        String.format(
            ROW,
            "GROUP",
            "PAIRS",
            "FROM",
            "NEWEST EVENT",
            "AGE",
            "RAW",
            "COLUMNS",
            "STORED",
            "BLOCKS",
            "RAW PER DAY",
            "LAG"));
    for (GroupStatus group : groups) {
      out.append(
          String.format(
              ROW,
              group.group(),
              group.pairs(),
              time(group.firstNanos()),
              time(group.newestNanos()),
              age(group),
              new ByteSize(group.rawBytes()),
              percent(group.coverage()),
              new ByteSize(group.storedBytes()),
              group.blocks(),
              new ByteSize(Math.round(group.rawBytesPerDay())),
              lag(group)));
    }
    if (groups.size() > 1) {
      out.append(
          String.format(
              ROW,
              "total",
              sum(GroupStatus::pairs),
              "",
              "",
              "",
              new ByteSize(sum(GroupStatus::rawBytes)),
              percent(totalCoverage()),
              new ByteSize(sum(GroupStatus::storedBytes)),
              sum(GroupStatus::blocks),
              new ByteSize(Math.round(totalPerDay())),
              ""));
    }
    if (whatIf != null) {
      whatIf.writeText(out, zone);
    }
  }

  private String time(@Nullable Long nanos) {
    return nanos == null ? "-" : MINUTES.format(instant(nanos).atZone(zone));
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }

  /** Formats a share. A share below 1 is never printed as 100%. */
  private static String percent(@Nullable Double share) {
    if (share == null) {
      return "-";
    }
    double percent = share * 100;
    return share < 1 && percent > 99.9
        ? "99.9%"
        : String.format(Locale.ROOT, percent >= 100 ? "%.0f%%" : "%.1f%%", percent);
  }

  private String age(GroupStatus group) {
    Long seconds = group.ageSeconds(now);
    return seconds == null ? "-" : DurationArgument.about(seconds);
  }

  private static String lag(GroupStatus group) {
    if (group.away()) {
      return "away";
    }
    if (group.lagNanos() == null) {
      return group.rawBytes() == 0 ? "-" : "nothing in columns";
    }
    return DurationArgument.about(TimeUnit.NANOSECONDS.toSeconds(group.lagNanos()));
  }

  private long sum(ToLongFunction<GroupStatus> number) {
    return groups.stream().mapToLong(number).sum();
  }

  private double totalPerDay() {
    return groups.stream().mapToDouble(GroupStatus::rawBytesPerDay).sum();
  }

  private @Nullable Double totalCoverage() {
    return groups.stream().anyMatch(GroupStatus::away)
        ? null
        : Double.valueOf(
            StoreFigures.share(sum(GroupStatus::coveredBytes), sum(GroupStatus::rawBytes)));
  }

  /**
   * Writes JSON. Times are in ISO 8601 with the archive's offset, sizes in bytes, age and lag in
   * seconds.
   */
  void writeJson(Writer out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.useDefaultPrettyPrinter();
    json.writeStartObject();
    json.writeStringField("archive", archive);
    json.writeStringField("store", store);
    json.writeStringField("zone", zoneName);
    json.writeArrayFieldStart("groups");
    for (GroupStatus group : groups) {
      writeGroup(json, group);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("total");
    json.writeNumberField("pairs", sum(GroupStatus::pairs));
    json.writeNumberField("rawBytes", sum(GroupStatus::rawBytes));
    json.writeNumberField("coveredBytes", sum(GroupStatus::coveredBytes));
    writeShare(json, totalCoverage());
    json.writeNumberField("blocks", sum(GroupStatus::blocks));
    json.writeNumberField("storedBytes", sum(GroupStatus::storedBytes));
    json.writeNumberField("storedEvents", sum(GroupStatus::storedEvents));
    json.writeNumberField("rawBytesPerDay", Math.round(totalPerDay()));
    json.writeEndObject();
    process.write(json);
    if (whatIf != null) {
      whatIf.writeJson(json, zone);
    }
    writeProblems(json, problems);
    json.writeEndObject();
    json.flush();
    out.append('\n');
  }

  private void writeGroup(JsonGenerator json, GroupStatus group) throws IOException {
    json.writeStartObject();
    json.writeStringField("group", group.group().toString());
    json.writeBooleanField("away", group.away());
    json.writeNumberField("pairs", group.pairs());
    json.writeStringField("from", isoTime(group.firstNanos()));
    json.writeStringField("newestEvent", isoTime(group.newestNanos()));
    Long age = group.ageSeconds(now);
    if (age == null) {
      json.writeNullField("newestEventAgeSeconds");
    } else {
      json.writeNumberField("newestEventAgeSeconds", age);
    }
    json.writeStringField("newestEventInColumns", isoTime(group.columnsNanos()));
    if (group.lagNanos() == null) {
      json.writeNullField("lagSeconds");
    } else {
      json.writeNumberField("lagSeconds", group.lagNanos() / 1e9);
    }
    json.writeNumberField("rawBytes", group.rawBytes());
    json.writeNumberField("coveredBytes", group.coveredBytes());
    json.writeNumberField("onlyInColumnsBytes", group.missingBytes());
    writeShare(json, group.coverage());
    json.writeNumberField("blocks", group.blocks());
    json.writeNumberField("storedBytes", group.storedBytes());
    json.writeNumberField("storedEvents", group.storedEvents());
    json.writeNumberField("rawBytesPerDay", Math.round(group.rawBytesPerDay()));
    json.writeNumberField("storedBytesPerDay", Math.round(group.storedBytesPerDay()));
    writeProblems(json, group.problems());
    json.writeEndObject();
  }

  private static void writeShare(JsonGenerator json, @Nullable Double coverage) throws IOException {
    if (coverage == null) {
      json.writeNullField("coverage");
    } else {
      json.writeNumberField("coverage", coverage);
    }
  }

  private static void writeProblems(JsonGenerator json, List<String> problems) throws IOException {
    json.writeArrayFieldStart("problems");
    for (String problem : problems) {
      json.writeString(problem);
    }
    json.writeEndArray();
  }

  private @Nullable String isoTime(@Nullable Long nanos) {
    return nanos == null
        ? null
        : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(instant(nanos).atZone(zone));
  }
}
