package org.kblake.cli.command.get;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.argument.TimeArgument;
import org.kblake.cli.argument.TimeArgument.Bound;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.format.OutputFormat;
import org.kblake.cli.format.time.TimeStyle;
import org.kblake.cli.frame.Session;
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
import org.kblake.query.question.UnknownChannelException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kblake get}: writes the events of channels as text or columns. */
@Command(
    name = "get",
    header = "Write the events of channels.",
    description = {
      "",
      "CHANNEL is a name or a glob: * is any text, ? any character, [abc] one of these, [!abc]"
          + " none of these. If several groups record a channel, all of them answer unless -g"
          + " names one. The output then has a column for the group.",
      "",
      "A range includes --from and ends before --to. Without both it is the last hour. With --to"
          + " alone it is everything before. Rows come in log order, and several groups are"
          + " merged by time. If a part cannot be read, the rest is written, standard error lists"
          + " what is missing, and the status is 3. With --follow the range has no end.",
      "",
      "Times: " + TimeArgument.FORMS + "."
    },
    footer = {
      "  kblake get --from 2016-05-16 --to 20160517 RF_AnalogData:D02_007:XPOS",
      "  kblake get --from 20160516 -g VA/CCG -o day.parquet 'VA_CCG:*:PRES'",
      "  kblake get --last 3 --time epoch-ns -f json RF_AnalogData:D02_007:XPOS",
      "  kblake get --at 2016-05-16T00:30 'RF_AnalogData:*:TEMP'",
      "  kblake get --from 20160516 --to 2016051601 --wide --every 60s 'RF*:TEMP'",
      "  kblake get --from 20160516 --follow -f ndjson 'RF_AnalogData:*' | head",
      "  kblake channels 'VA*' | kblake get --from 20160516 --channels-from - | head"
    })
public final class GetCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(arity = "0..*", paramLabel = "CHANNEL", description = "A name or a glob.")
  private List<String> channels = new ArrayList<>();

  @Option(
      names = "--channels-from",
      paramLabel = "FILE",
      description =
          "Read more channels from this file, the first word of each line; - is"
              + " standard input.")
  private @Nullable Path channelsFrom;

  @Mixin private final GroupOption groups = new GroupOption();

  @Option(names = "--from", paramLabel = "TIME", description = "Events at or after this time.")
  private @Nullable TimeArgument from;

  @Option(names = "--to", paramLabel = "TIME", description = "Events before this time.")
  private @Nullable TimeArgument to;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "Instead of a range, write the value that each channel held at this time. The row is"
              + " the event that set the value. Its state is disconnected if the channel was"
              + " disconnected at that time.")
  private @Nullable TimeArgument at;

  @Option(
      names = "--last",
      paramLabel = "N",
      description =
          "Only the last N events of each channel, however old. Without --from the channels are"
              + " those recorded at the end of the range.")
  private @Nullable Long last;

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}; default: the ending of -o FILE, else csv.")
  private @Nullable OutputFormat format;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to this file. It appears when it is complete. - is standard output.")
  private @Nullable Path output;

  @Option(
      names = "--time",
      paramLabel = "STYLE",
      description = "Format of times in text: ${COMPLETION-CANDIDATES}; default: iso.")
  private @Nullable TimeStyle timeStyle;

  @Option(
      names = "--source",
      paramLabel = "SOURCE",
      description =
          "auto: columns, and raw logs where there are no columns; raw: raw logs only; store:"
              + " columns only. Default: auto.")
  private Source source = Source.AUTO;

  @Option(
      names = "--no-admit",
      description =
          "Do not record this read. It then does not cause kblake run to put logs into columns, or"
              + " to keep blocks.")
  private boolean noAdmit;

  @Option(
      names = "--strays",
      description =
          "Include strays: events whose time lies outside of their segment's span. A column"
              + " marks them.")
  private boolean strays;

  @Option(
      names = "--coverage",
      paramLabel = "FILE",
      description =
          "Write the coverage report of the range as JSON, with the periods answered, pending,"
              + " unavailable, damaged, archiver down, not recorded.")
  private @Nullable Path coverage;

  @Option(
      names = "--wide",
      description =
          "Write a table: a row for each point of a grid, a column for each channel, with the"
              + " values held at that time. Needs --every. The cell is empty before the first"
              + " value.")
  private boolean wide;

  @Option(
      names = "--every",
      paramLabel = "STEP",
      description =
          "The step of --wide, such as 60s or 1h. The grid begins at --from. A point at --to is"
              + " included.")
  private @Nullable Duration every;

  @Option(
      names = "--follow",
      description =
          "Continue with new events as they are written, until Ctrl-C. Writes csv, tsv or ndjson"
              + " to standard output.")
  private boolean follow;

  @Option(
      names = "--poll",
      paramLabel = "DURATION",
      description = "Interval at which --follow looks at the files, 10ms or more; default: 1s.")
  private @Nullable Duration poll;

  @Option(
      names = "--dry-run",
      description = "Read no events. Print what would be read, and from where.")
  private boolean dryRun;

  public GetCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    try {
      return answer();
    } catch (UnknownChannelException e) {
      if (e.isCertain()) {
        throw e;
      }
      session.complain("kblake get: " + e.getMessage());
      return ExitStatus.INCOMPLETE;
    }
  }

  private int answer() throws IOException {
    AnswerOutput target = AnswerOutput.of(session, output, format, timeStyle);
    if (AnswerOutput.isStandardOutput(coverage) && target.isStandardOutput()) {
      throw new UsageException(
          "--coverage - and the events cannot both go to standard output; give -o FILE");
    }
    if (coverage != null && !AnswerOutput.isStandardOutput(coverage)) {
      OutputFile.check(session.settings().archive(), session.path(coverage));
    }
    ChannelSelection selection =
        new ChannelSelection(groups.named(), ChannelArguments.of(session, channels, channelsFrom));
    if ((wide || every != null) && !follow) {
      return wide(selection, target);
    }
    if (poll != null && !follow) {
      throw new UsageException("--poll needs --follow");
    }
    FollowQuery followed = follow ? followed(selection, target) : null;
    TimeArgument instant = at;
    HeldQuery held = instant == null ? null : held(selection, instant);
    EventQuery events = held == null && followed == null ? events(selection) : null;
    try (ArchiveReader archive = ReaderOpening.open(session, source, !noAdmit)) {
      if (followed != null) {
        return new FollowedAnswer(session, followed).write(archive, target);
      }
      if (held != null) {
        return held(archive, held, target);
      }
      EventQuery query = Objects.requireNonNull(events);
      if (dryRun) {
        return dryRun(archive, query);
      }
      return report(
          target.format().text()
              ? new LinesAnswer(session, query).write(archive, target)
              : new ColumnsAnswer(session, query).write(archive, target));
    }
  }

  private int wide(ChannelSelection selection, AnswerOutput target) throws IOException {
    if (!wide || every == null || every.isNegative() || every.isZero()) {
      throw new UsageException("--wide and --every need each other; write --wide --every 60s");
    }
    if (at != null || last != null || strays || dryRun) {
      throw new UsageException("--wide excludes --at, --last, --strays and --dry-run");
    }
    if (from == null && to != null) {
      throw new UsageException("--wide needs --from, or neither --from nor --to: the last hour");
    }
    TimeRange range = range();
    GridQuery query =
        GridQuery.of(selection, session.now(), session.now(), every)
            .between(range)
            .from(source)
            .lookBack(session.settings().duration(SettingName.LOOK_BACK))
            .allowingIncomplete();
    try (ArchiveReader archive = ReaderOpening.open(session, source, !noAdmit);
        BufferAllocator allocator = new RootAllocator()) {
      return report(new WideAnswer(session, archive, query).write(target, allocator));
    }
  }

  private FollowQuery followed(ChannelSelection selection, AnswerOutput target) {
    if (to != null || at != null || last != null || wide || every != null || dryRun) {
      throw new UsageException(
          "--follow excludes --to, --at, --last, --wide, --every and --dry-run");
    }
    if (coverage != null || !target.isStandardOutput() || !target.format().lines()) {
      throw new UsageException(
          "--follow writes csv, tsv or ndjson to standard output, without --coverage");
    }
    if (source == Source.STORE) {
      throw new UsageException("--follow excludes --source store, which has no new events");
    }
    try {
      FollowQuery query =
          FollowQuery.of(selection, session.now()).from(range().fromNanos()).from(source);
      query = poll == null ? query : query.polling(poll);
      return strays ? query.includingStrays() : query;
    } catch (IllegalArgumentException e) {
      throw new UsageException("--poll must be at least 10ms", e);
    }
  }

  private HeldQuery held(ChannelSelection selection, TimeArgument instant) {
    if (from != null || to != null || last != null || strays || dryRun) {
      throw new UsageException("--at excludes --from, --to, --last, --strays and --dry-run");
    }
    return HeldQuery.of(selection, session.now())
        .at(nanos(instant, Bound.TO))
        .from(source)
        .lookBack(session.settings().duration(SettingName.LOOK_BACK))
        .allowingIncomplete();
  }

  private EventQuery events(ChannelSelection selection) {
    EventQuery query = EventQuery.of(selection).between(range()).from(source).allowIncomplete();
    if (last != null) {
      if (last < 1) {
        throw new UsageException("--last must be at least 1: " + last);
      }
      query = query.last(last);
    }
    return strays ? query.withStrays() : query;
  }

  private TimeRange range() {
    long toNanos = nanos(to == null ? TimeArgument.parse("now") : to, Bound.TO);
    long fromNanos = Long.MIN_VALUE;
    if (from != null) {
      fromNanos = nanos(from, Bound.FROM);
    } else if (to == null && last == null) {
      fromNanos = nanos(TimeArgument.parse("-1h"), Bound.FROM);
    }
    if (fromNanos > toNanos) {
      throw new UsageException("--from is later than --to");
    }
    return new TimeRange(fromNanos, toNanos);
  }

  private long nanos(TimeArgument time, Bound bound) {
    try {
      return time.nanos(session.settings().zone(), session.now(), bound);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private int held(ArchiveReader archive, HeldQuery query, AnswerOutput target) throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      return report(new HeldAnswer(session, archive.held(query)).write(target, allocator));
    }
  }

  private int dryRun(ArchiveReader archive, EventQuery query) throws IOException {
    try (EventCursor cursor = archive.cursor(query)) {
      return new DryRun(session).print(cursor);
    }
  }

  private int report(CoverageReport report) throws IOException {
    if (coverage != null) {
      new CoverageJson(session.settings().zone()).write(report, session, coverage);
    }
    report.notes().forEach(session::note);
    if (report.isComplete()) {
      return ExitStatus.DONE;
    }
    new MissingLines(session).write(report);
    return ExitStatus.INCOMPLETE;
  }
}
