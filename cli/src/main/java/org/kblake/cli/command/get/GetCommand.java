package org.kblake.cli.command.get;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.ChannelArguments;
import org.kblake.cli.command.answer.FormerNameNotes;
import org.kblake.cli.command.answer.MaskQuestion;
import org.kblake.cli.command.answer.MissingLines;
import org.kblake.cli.command.answer.OutputFile;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.filter.ColumnChoice;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.format.argument.TimeArgument;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.RemoteReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.TrendQuery;

/** {@code kblake get}: writes the events of channels as text or columns. */
public final class GetCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("get", "Write the events of channels.")
          .description(
              "",
              "CHANNEL is a name or a glob: * is any text, ? any character, [abc] one of these,"
                  + " [!abc] none of these, {a,b} either, \\ the next character as it is. A text that is"
                  + " the name of a recorded channel is this channel, and no glob. If several groups record a channel, all of them answer"
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
              "  kblake get --from 2024-05-20T09:00 --to 2024-05-20T10:00 BMLDCCT:CURRENT",
              "  kblake get --from 20240520 -g VA/CCG -o day.parquet 'VALCCG:*:PRES'",
              "  kblake get --last 3 --time epoch-ns -f json BMLDCCT:CURRENT",
              "  kblake get --from 20240520 --where 'value < 60' --columns time,value 'BM*LIFE'",
              "  kblake get --from 20240520 --severity major --time seconds 'VALCCG:*'",
              "  kblake get --at 2024-05-20T12:00 'CGRFCAV:*:WATER'",
              "  kblake get --from 202405201200 --to 202405201201 --held 'CGRFCAV:*:VC'",
              "  kblake get --from 20240520 --to 2024052001 --wide --every 60s 'BM*:CURRENT'",
              "  kblake get --from 20240520 --to 20240521 --every 1h --aggregate max 'BM*LIFE'",
              "  kblake get --from 20240520 --when 'BMLDCCT:CURRENT > 1100 for 10m' 'BM*LIFE'",
              "  kblake get --from 20240520 --follow -f ndjson 'BM*' | head",
              "  kblake get 'BM*:CURRENT' --last 10 --follow",
              "  kblake channels 'VAL*' | kblake get --from 20240520 --channels-from - | head");

  private final GetOptions options = new GetOptions(model);
  private final GetQuestions questions;

  public GetCommand(Session session) {
    this.session = session;
    questions = new GetQuestions(session, options);
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    ColumnChoice chosen = options.filters.columns(options.strays.isSet());
    AnswerOutput target =
        AnswerOutput.of(
            session,
            options.output.get(),
            options.format.get(),
            options.timeStyle.get(),
            chosen,
            options.safe.isSet());
    Path coverageFile = options.coverage.get();
    if (OutputFile.isStandardStream(coverageFile) && target.isStandardOutput()) {
      throw new UsageException(
          "--coverage - and the events cannot both go to standard output; give -o FILE");
    }
    if (coverageFile != null && !OutputFile.isStandardStream(coverageFile)) {
      OutputFile.check(session.settings().archiveIfSet(), session.path(coverageFile));
    }
    ChannelSelection selection =
        new ChannelSelection(
            options.groups.named(),
            ChannelArguments.of(session, options.channels.get(), options.channelsFrom.get()));
    questions.checkGaps();
    MaskQuestion when = questions.when();
    if (options.server.isGiven()) {
      return remote(selection, target, when);
    }
    if ((options.wide.isSet() || options.every.isGiven() || options.aggregate.isGiven())
        && !options.follow.isSet()) {
      return table(selection, target, when);
    }
    if (options.poll.isGiven() && !options.follow.isSet()) {
      throw new UsageException("--poll needs --follow");
    }
    FollowQuery followed = options.follow.isSet() ? questions.followed(selection, target) : null;
    HeldQuery before = followed == null ? null : questions.heldBefore(followed);
    TimeArgument instant = options.at.get();
    HeldQuery held = instant == null ? null : questions.held(selection, instant);
    EventQuery events = held == null && followed == null ? questions.events(selection) : null;
    try (ArchiveReader archive = open(selection)) {
      if (followed != null) {
        return new FollowedAnswer(session, followed, before, options.filters.rows())
            .write(archive, target);
      }
      if (held != null) {
        return held(archive, held, target);
      }
      EventQuery query = Objects.requireNonNull(events);
      if (options.dryRun.isSet()) {
        return dryRun(archive, query);
      }
      MaskQuestion.Answer times = times(when, MaskQuestion.shown(session, "get", archive));
      EventQuery within = times == null ? query : questions.within(query, times.met());
      return report(write(within, EventSource.of(archive), target), times);
    }
  }

  private Answered write(EventQuery query, EventSource source, AnswerOutput target)
      throws IOException {
    return target.format().text()
        ? new LinesAnswer(session, query).write(source, target)
        : new ColumnsAnswer(session, query).write(source, target);
  }

  private int remote(ChannelSelection selection, AnswerOutput target, @Nullable MaskQuestion when)
      throws IOException {
    questions.checkServer();
    EventQuery query = questions.events(selection);
    try (RemoteReader server = options.server.open(session)) {
      MaskQuestion.Answer times = times(when, server::intervals);
      EventQuery within = times == null ? query : questions.within(query, times.met());
      return report(write(within, EventSource.of(server), target), times);
    }
  }

  private ArchiveReader open(ChannelSelection selection) throws IOException {
    ArchiveReader archive =
        ReaderOpening.open(session, options.source.get(), !options.noAdmit.isSet());
    FormerNameNotes.write(session, archive, selection);
    return archive;
  }

  private int table(ChannelSelection selection, AnswerOutput target, @Nullable MaskQuestion when)
      throws IOException {
    String figures = options.aggregate.get();
    if (figures != null) {
      TrendQuery bins = questions.bins(selection, figures);
      try (ArchiveReader archive = open(selection)) {
        MaskQuestion.Answer times = times(when, MaskQuestion.shown(session, "get", archive));
        TrendQuery asked = times == null ? bins : bins.within(times.met());
        CoverageReport coverage =
            new TrendTableAnswer(session, archive, asked)
                .write(target, options.wide.isSet(), options.memory.get());
        return report(new Answered(coverage, null), times);
      }
    }
    GridQuery query = questions.grid(selection);
    try (ArchiveReader archive = open(selection);
        BufferAllocator allocator = new RootAllocator()) {
      MaskQuestion.Answer times = times(when, MaskQuestion.shown(session, "get", archive));
      WideAnswer answer =
          new WideAnswer(
              session, archive, query, times == null ? null : times.met(), options.memory.get());
      return report(new Answered(answer.write(target, allocator), null), times);
    }
  }

  private MaskQuestion.@Nullable Answer times(
      @Nullable MaskQuestion when, MaskQuestion.Archive archive) throws IOException {
    return when == null ? null : when.answer(archive, questions.range(), false);
  }

  private int held(ArchiveReader archive, HeldQuery query, AnswerOutput target) throws IOException {
    return report(
        new Answered(
            new HeldAnswer(session, archive, query, options.filters.rows()).write(target), null));
  }

  private int dryRun(ArchiveReader archive, EventQuery query) throws IOException {
    try (EventCursor cursor = archive.cursor(query)) {
      return new DryRun(session).print(cursor);
    }
  }

  private int report(Answered answered, MaskQuestion.@Nullable Answer times) throws IOException {
    int status = report(answered);
    if (times == null) {
      return status;
    }
    times.report(session);
    return times.isComplete() ? status : ExitStatus.INCOMPLETE;
  }

  private int report(Answered answered) throws IOException {
    Path file = options.coverage.get();
    if (file != null) {
      CoverageOutput.of(session, file, options.format.get()).write(answered);
    }
    CoverageReport report = answered.coverage();
    report.notes().forEach(session::note);
    if (report.isComplete()) {
      return ExitStatus.DONE;
    }
    new MissingLines(session).write(report);
    return ExitStatus.INCOMPLETE;
  }
}
