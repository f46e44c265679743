package org.kblake.cli.command.get;

import java.nio.file.Path;
import java.time.Duration;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.RangeOptions;
import org.kblake.cli.command.shared.SafeOption;
import org.kblake.cli.command.shared.ServerOptions;
import org.kblake.cli.command.shared.SourceOption;
import org.kblake.cli.filter.FilterOptions;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Values;
import org.kblake.format.OutputFormat;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.TimeArgument;
import org.kblake.format.table.Gaps;
import org.kblake.format.time.TimeStyle;

/** The options of {@code kblake get}. The help has their order. */
final class GetOptions {

  final Values<String> channels;
  final OptionalValue<Path> channelsFrom;
  final GroupOption groups;
  final RangeOptions times;
  final OptionalValue<TimeArgument> at;
  final OptionalValue<Long> last;
  final Flag withHeld;
  final FilterOptions filters;
  final Values<String> when;
  final OptionalValue<OutputFormat> format;
  final OptionalValue<Path> output;
  final OptionalValue<TimeStyle> timeStyle;
  final Flag safe;
  final SourceOption source;
  final Flag noAdmit;
  final ServerOptions server;
  final Flag strays;
  final OptionalValue<Path> coverage;
  final Flag wide;
  final OptionalValue<Gaps> gaps;
  final OptionalValue<Duration> every;
  final OptionalValue<ByteSize> memory;
  final OptionalValue<String> aggregate;
  final Flag follow;
  final OptionalValue<Duration> poll;
  final Flag dryRun;

  GetOptions(CommandModel model) {
    channels =
        model.arguments(
            String.class, "CHANNEL", "A name or a glob, or several with commas between them.");

    channelsFrom =
        model.value(
            Path.class,
            "FILE",
            "Read more channels from this file, the first word of each line; - is"
                + " standard input.",
            "--channels-from");

    groups = new GroupOption(model);

    times = new RangeOptions(model);

    at =
        model.value(
            TimeArgument.class,
            "TIME",
            "Instead of a range, write the value that each channel held at this time. The row is"
                + " the event that set the value. Its state is disconnected if the channel was"
                + " disconnected at that time.",
            "--at");

    last =
        model.value(
            Long.class,
            "N",
            "Only the last N events of each channel, however old. Without --from the channels are"
                + " those recorded at the end of the range. With --follow these come first, or none"
                + " if N is 0.",
            "--last");

    withHeld =
        model.flag(
            "First write the value that each channel held just before --from, as --at does. Its"
                + " time is the earlier time of the event that set it.",
            "--held");

    filters = new FilterOptions(model);

    when =
        model.values(
            String.class,
            "CONDITION",
            "Only times at which the condition is met: events, points of --wide, and events and"
                + " held values of --aggregate. A condition is 'CHANNEL OP NUMBER [for DURATION]',"
                + " 'not CONDITION', or @FILE with intervals of kblake when. Of several all must be"
                + " met.",
            "--when");

    format =
        model.value(
            OutputFormat.class,
            "FORMAT",
            "${COMPLETION-CANDIDATES}; default: the ending of -o FILE, else csv.",
            "-f",
            "--format");

    output =
        model.value(
            Path.class,
            "FILE",
            "Write to this file. It appears when it is complete. - is standard output. A text is"
                + " compressed if the name also ends in .gz or .zst, such as day.csv.gz.",
            "-o",
            "--output");

    timeStyle =
        model.value(
            TimeStyle.class,
            "STYLE",
            "Format of times in text: ${COMPLETION-CANDIDATES}; default: iso.",
            "--time");

    safe = SafeOption.of(model);

    source = new SourceOption(model);

    noAdmit =
        model.flag(
            "Do not record this read. It then does not cause kblake run to put logs into columns,"
                + " or to keep blocks.",
            "--no-admit");

    server = new ServerOptions(model);

    strays =
        model.flag(
            "Include strays: events whose time lies outside of their segment's span. A column"
                + " marks them.",
            "--strays");

    coverage =
        model.value(
            Path.class,
            "FILE",
            "Write the coverage report: which periods are answered, pending, unavailable, damaged,"
                + " archiver down, not recorded. - prints a table, or JSON with -f json. A file has"
                + " JSON, or the table if its name ends in .txt.",
            "--coverage");

    wide =
        model.flag(
            "Write a table: a row for each point of a grid, a column for each channel, with the"
                + " values held at that time. Needs --every. The cell is empty before the first"
                + " value.",
            "--wide");

    gaps =
        model.value(
            Gaps.class,
            "GAPS",
            "With --wide, what a cell has where the channel was disconnected or not recorded, the"
                + " archiver was down, or the log cannot be read: hold: the value held there; null:"
                + " nothing. Default: hold.",
            "--gaps");

    every =
        model.value(
            Duration.class,
            "STEP",
            "The step of --wide, such as 60s or 1h. The grid begins at --from. A point at --to is"
                + " included. With --aggregate the width of the bins.",
            "--every");

    memory =
        model.value(
            ByteSize.class,
            "SIZE",
            "Refuse a table of --wide or --aggregate of more than SIZE before it is read. It is for"
                + " a program that keeps the table in memory; the command itself needs little. Of"
                + " --wide, only the rows at the times of --when count.",
            "--memory");

    aggregate =
        model.value(
            String.class,
            "LIST",
            "Write these figures of the events in each bin of --every: count, nan, first, last,"
                + " first-time, last-time, min, max, min-time, max-time, mean, std, time-mean,"
                + " known, severity, with commas. Bins begin at --from; the last one ends at --to."
                + " A row for each bin and channel; with --wide a row for each bin.",
            "--aggregate");

    follow =
        model.flag(
            "Continue with new events as they are written, until Ctrl-C. Writes csv, tsv or ndjson"
                + " to standard output.",
            "--follow");

    poll =
        model.value(
            Duration.class,
            "DURATION",
            "Interval at which --follow polls the files, 10ms or more; default: 1s.",
            "--poll");

    dryRun = model.flag("Read no events. Print what would be read, and from where.", "--dry-run");
  }
}
