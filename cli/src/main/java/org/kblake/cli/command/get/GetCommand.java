package org.kblake.cli.command.get;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.cli.argument.TimeArgument;
import org.kblake.cli.argument.TimeArgument.Bound;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.filter.ColumnChoice;
import org.kblake.cli.filter.FilterOptions;
import org.kblake.cli.format.OutputFormat;
import org.kblake.cli.format.time.TimeStyle;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Value;
import org.kblake.cli.frame.Values;
import org.kblake.cli.settings.SettingName;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.UnknownChannelException;

/** {@code kblake get}: writes the events of channels as text or columns. */
public final class GetCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("get", "Write the events of channels.")
          .description(
              "",
              "CHANNEL is a name or a glob: * is any text, ? any character, [abc] one of these,"
                  + " [!abc] none of these. If several groups record a channel, all of them answer"
                  + " unless -g names one. The output then has a column for the group.",
              "",
              "A range includes --from and ends before --to. Without both it is the last hour."
                  + " With --to alone it is everything before. Rows come in log order, and several"
                  + " groups are merged by time. If a part cannot be read, the rest is written,"
                  + " standard error lists what is missing, and the status is 3. With --follow the"
                  + " range has no end.",
              "",
              "Times: "
                  + TimeArgument.FORMS
                  + ". A time that is cut short is its begin, for --to, too: May is --from 2016-05"
                  + " --to 2016-06.")
          .footer(
              "  kblake get --from 2016-05-16 --to 20160517 RF_AnalogData:D02_007:XPOS",
              "  kblake get --from 20160516 -g VA/CCG -o day.parquet 'VA_CCG:*:PRES'",
              "  kblake get --last 3 --time epoch-ns -f json RF_AnalogData:D02_007:XPOS",
              "  kblake get --from 20160516 --where 'value > 1e-6' --columns time,value 'VA*'",
              "  kblake get --from 20160516 --severity major --time seconds 'RF_AnalogData:*'",
              "  kblake get --at 2016-05-16T00:30 'RF_AnalogData:*:TEMP'",
              "  kblake get --from 201605160030 --to 201605160031 --held 'RF_AnalogData:*:TEMP'",
              "  kblake get --from 20160516 --to 2016051601 --wide --every 60s 'RF*:TEMP'",
              "  kblake get --from 20160516 --every 1h --aggregate max 'RF*D02_002:TEMP'",
              "  kblake get --from 20160516 --follow -f ndjson 'RF_AnalogData:*' | head",
              "  kblake channels 'VA*' | kblake get --from 20160516 --channels-from - | head");

  private final Values<String> channels =
      model.arguments(
          String.class, "CHANNEL", "A name or a glob, or several with commas between them.");

  private final OptionalValue<Path> channelsFrom =
      model.value(
          Path.class,
          "FILE",
          "Read more channels from this file, the first word of each line; - is"
              + " standard input.",
          "--channels-from");

  private final GroupOption groups = new GroupOption(model);

  private final OptionalValue<TimeArgument> from =
      model.value(TimeArgument.class, "TIME", "Events at or after this time.", "--from");

  private final OptionalValue<TimeArgument> to =
      model.value(TimeArgument.class, "TIME", "Events before this time.", "--to");

  private final OptionalValue<TimeArgument> at =
      model.value(
          TimeArgument.class,
          "TIME",
          "Instead of a range, write the value that each channel held at this time. The row is"
              + " the event that set the value. Its state is disconnected if the channel was"
              + " disconnected at that time.",
          "--at");

  private final OptionalValue<Long> last =
      model.value(
          Long.class,
          "N",
          "Only the last N events of each channel, however old. Without --from the channels are"
              + " those recorded at the end of the range.",
          "--last");

  private final Flag withHeld =
      model.flag(
          "First write the value that each channel held just before --from, as --at does. Its time"
              + " is the earlier time of the event that set it.",
          "--held");

  private final FilterOptions filters = new FilterOptions(model);

  private final OptionalValue<OutputFormat> format =
      model.value(
          OutputFormat.class,
          "FORMAT",
          "${COMPLETION-CANDIDATES}; default: the ending of -o FILE, else csv.",
          "-f",
          "--format");

  private final OptionalValue<Path> output =
      model.value(
          Path.class,
          "FILE",
          "Write to this file. It appears when it is complete. - is standard output. A text is"
              + " compressed if the name also ends in .gz or .zst, such as day.csv.gz.",
          "-o",
          "--output");

  private final OptionalValue<TimeStyle> timeStyle =
      model.value(
          TimeStyle.class,
          "STYLE",
          "Format of times in text: ${COMPLETION-CANDIDATES}; default: iso.",
          "--time");

  private final Value<Source> source =
      model.preset(
          Source.class,
          "auto",
          "SOURCE",
          "auto: columns, and raw logs where there are no columns; raw: raw logs only; store:"
              + " columns only. Default: auto.",
          "--source");

  private final Flag noAdmit =
      model.flag(
          "Do not record this read. It then does not cause kblake run to put logs into columns, or"
              + " to keep blocks.",
          "--no-admit");

  private final Flag strays =
      model.flag(
          "Include strays: events whose time lies outside of their segment's span. A column"
              + " marks them.",
          "--strays");

  private final OptionalValue<Path> coverage =
      model.value(
          Path.class,
          "FILE",
          "Write the coverage report of the range as JSON, with the periods answered, pending,"
              + " unavailable, damaged, archiver down, not recorded.",
          "--coverage");

  private final Flag wide =
      model.flag(
          "Write a table: a row for each point of a grid, a column for each channel, with the"
              + " values held at that time. Needs --every. The cell is empty before the first"
              + " value.",
          "--wide");

  private final OptionalValue<Duration> every =
      model.value(
          Duration.class,
          "STEP",
          "The step of --wide, such as 60s or 1h. The grid begins at --from. A point at --to is"
              + " included. With --aggregate the width of the bins.",
          "--every");

  private final OptionalValue<String> aggregate =
      model.value(
          String.class,
          "LIST",
          "Write these figures of the events in each bin of --every: count, nan, first, last,"
              + " first-time, last-time, min, max, min-time, max-time, mean, std, time-mean, known,"
              + " severity, with commas. Bins begin at --from; the last one ends at --to. A row for"
              + " each bin and channel; with --wide a row for each bin.",
          "--aggregate");

  private final Flag follow =
      model.flag(
          "Continue with new events as they are written, until Ctrl-C. Writes csv, tsv or ndjson"
              + " to standard output.",
          "--follow");

  private final OptionalValue<Duration> poll =
      model.value(
          Duration.class,
          "DURATION",
          "Interval at which --follow polls the files, 10ms or more; default: 1s.",
          "--poll");

  private final Flag dryRun =
      model.flag("Read no events. Print what would be read, and from where.", "--dry-run");

  public GetCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    try {
      return answer();
    } catch (UnknownChannelException e) {
      if (e.isCertain()) {
        throw e;
      }
      session.report("kblake get: " + e.getMessage());
      return ExitStatus.INCOMPLETE;
    }
  }

  private int answer() throws IOException {
    ColumnChoice chosen = filters.columns(strays.isSet());
    AnswerOutput target =
        AnswerOutput.of(session, output.get(), format.get(), timeStyle.get(), chosen);
    Path coverageFile = coverage.get();
    if (AnswerOutput.isStandardOutput(coverageFile) && target.isStandardOutput()) {
      throw new UsageException(
          "--coverage - and the events cannot both go to standard output; give -o FILE");
    }
    if (coverageFile != null && !AnswerOutput.isStandardOutput(coverageFile)) {
      OutputFile.check(session.settings().archive(), session.path(coverageFile));
    }
    ChannelSelection selection =
        new ChannelSelection(
            groups.named(), ChannelArguments.of(session, channels.get(), channelsFrom.get()));
    if ((wide.isSet() || every.isGiven() || aggregate.isGiven()) && !follow.isSet()) {
      return wide(selection, target);
    }
    if (poll.isGiven() && !follow.isSet()) {
      throw new UsageException("--poll needs --follow");
    }
    FollowQuery followed = follow.isSet() ? followed(selection, target) : null;
    TimeArgument instant = at.get();
    HeldQuery held = instant == null ? null : held(selection, instant);
    EventQuery events = held == null && followed == null ? events(selection) : null;
    try (ArchiveReader archive = open()) {
      if (followed != null) {
        return new FollowedAnswer(session, followed, filters.rows()).write(archive, target);
      }
      if (held != null) {
        return held(archive, held, target);
      }
      EventQuery query = Objects.requireNonNull(events);
      if (dryRun.isSet()) {
        return dryRun(archive, query);
      }
      return report(
          target.format().text()
              ? new LinesAnswer(session, query).write(archive, target)
              : new ColumnsAnswer(session, query).write(archive, target));
    }
  }

  private ArchiveReader open() throws IOException {
    return ReaderOpening.open(session, source.get(), !noAdmit.isSet());
  }

  private int wide(ChannelSelection selection, AnswerOutput target) throws IOException {
    Duration step = every.get();
    String figures = aggregate.get();
    if (step == null || step.isNegative() || step.isZero() || !wide.isSet() && figures == null) {
      throw new UsageException(
          "--wide and --every need each other; write --wide --every 60s"
              + ", or --every 1h --aggregate min,max");
    }
    String table = figures == null ? "--wide" : "--aggregate";
    if (at.isGiven() || last.isGiven() || withHeld.isSet() || strays.isSet() || dryRun.isSet()) {
      throw new UsageException(table + " excludes --at, --last, --held, --strays and --dry-run");
    }
    if (filters.isGiven()) {
      throw new UsageException(table + " excludes --where, --severity and --columns");
    }
    if (!from.isGiven() && to.isGiven()) {
      throw new UsageException(table + " needs --from, or neither --from nor --to: the last hour");
    }
    TimeRange range = range();
    Duration lookBack = session.settings().duration(SettingName.LOOK_BACK);
    if (figures != null) {
      TrendQuery bins = TrendTableAnswer.query(selection, range, step, figures);
      try (ArchiveReader archive = open()) {
        return report(
            new TrendTableAnswer(session, archive, bins.from(source.get()).lookBack(lookBack))
                .write(target, wide.isSet()));
      }
    }
    GridQuery query =
        GridQuery.of(selection, session.now(), session.now(), step)
            .between(range)
            .from(source.get())
            .lookBack(lookBack)
            .allowingIncomplete();
    try (ArchiveReader archive = open();
        BufferAllocator allocator = new RootAllocator()) {
      return report(new WideAnswer(session, archive, query).write(target, allocator));
    }
  }

  private FollowQuery followed(ChannelSelection selection, AnswerOutput target) {
    if (to.isGiven()
        || at.isGiven()
        || last.isGiven()
        || withHeld.isSet()
        || wide.isSet()
        || every.isGiven()
        || aggregate.isGiven()
        || dryRun.isSet()) {
      throw new UsageException(
          "--follow excludes --to, --at, --last, --held, --wide, --every, --aggregate and"
              + " --dry-run");
    }
    if (coverage.isGiven() || !target.isStandardOutput() || !target.format().lines()) {
      throw new UsageException(
          "--follow writes csv, tsv or ndjson to standard output, without --coverage");
    }
    if (source.get() == Source.STORE) {
      throw new UsageException("--follow excludes --source store, which has no new events");
    }
    Duration interval = poll.get();
    try {
      FollowQuery query =
          FollowQuery.of(selection, session.now()).from(range().fromNanos()).from(source.get());
      query = interval == null ? query : query.polling(interval);
      return strays.isSet() ? query.includingStrays() : query;
    } catch (IllegalArgumentException e) {
      throw new UsageException("--poll must be at least 10ms", e);
    }
  }

  private HeldQuery held(ChannelSelection selection, TimeArgument instant) {
    if (from.isGiven()
        || to.isGiven()
        || last.isGiven()
        || withHeld.isSet()
        || strays.isSet()
        || dryRun.isSet()) {
      throw new UsageException(
          "--at excludes --from, --to, --last, --held, --strays and --dry-run");
    }
    return HeldQuery.of(selection, session.now())
        .at(nanos(instant, Bound.TO))
        .from(source.get())
        .lookBack(session.settings().duration(SettingName.LOOK_BACK))
        .allowingIncomplete();
  }

  private EventQuery events(ChannelSelection selection) {
    EventQuery query =
        EventQuery.of(selection).between(range()).from(source.get()).allowIncomplete();
    Long count = last.get();
    if (count != null) {
      if (count < 1) {
        throw new UsageException("--last must be at least 1: " + count);
      }
      query = query.last(count);
    }
    if (withHeld.isSet()) {
      if (count != null || query.range().fromNanos() == Long.MIN_VALUE || dryRun.isSet()) {
        throw new UsageException(
            "--held needs --from, or neither --from nor --to, and excludes --last and --dry-run");
      }
      query = query.withHeld(session.settings().duration(SettingName.LOOK_BACK));
    }
    query = filters.addTo(query);
    return strays.isSet() ? query.withStrays() : query;
  }

  private TimeRange range() {
    TimeArgument begin = from.get();
    TimeArgument end = to.get();
    long toNanos = nanos(end == null ? TimeArgument.parse("now") : end, Bound.TO);
    long fromNanos = Long.MIN_VALUE;
    if (begin != null) {
      fromNanos = nanos(begin, Bound.FROM);
    } else if (end == null && !last.isGiven()) {
      fromNanos = nanos(TimeArgument.parse("-1h"), Bound.FROM);
    }
    if (fromNanos > toNanos) {
      ZoneId zone = session.settings().outZone();
      throw new UsageException(
          "--from %s is later than %s %s"
              .formatted(
                  TimeArgument.text(fromNanos, zone),
                  end == null ? "now," : "--to",
                  TimeArgument.text(toNanos, zone)));
    }
    return new TimeRange(fromNanos, toNanos);
  }

  private long nanos(TimeArgument time, Bound bound) {
    try {
      return time.nanos(session.settings().outZone(), session.now(), bound);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private int held(ArchiveReader archive, HeldQuery query, AnswerOutput target) throws IOException {
    return report(new HeldAnswer(session, archive, query, filters.rows()).write(target));
  }

  private int dryRun(ArchiveReader archive, EventQuery query) throws IOException {
    try (EventCursor cursor = archive.cursor(query)) {
      return new DryRun(session).print(cursor);
    }
  }

  private int report(CoverageReport report) throws IOException {
    Path file = coverage.get();
    if (file != null) {
      new CoverageJson(session.settings().outZone()).write(report, session, file);
    }
    report.notes().forEach(session::note);
    if (report.isComplete()) {
      return ExitStatus.DONE;
    }
    new MissingLines(session).write(report);
    return ExitStatus.INCOMPLETE;
  }
}
