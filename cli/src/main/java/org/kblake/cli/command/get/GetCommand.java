package org.kblake.cli.command.get;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.answer.ChannelArguments;
import org.kblake.cli.command.answer.FormerNameNotes;
import org.kblake.cli.command.answer.MaskQuestion;
import org.kblake.cli.command.answer.OutputFile;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.filter.ColumnChoice;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Session;
import org.kblake.format.argument.TimeArgument;
import org.kblake.query.ArchiveReader;
import org.kblake.query.RemoteReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;

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
    AnswerOutput target = target();
    ChannelSelection selection =
        new ChannelSelection(
            options.groups.named(),
            ChannelArguments.of(session, options.channels.get(), options.channelsFrom.get()));
    questions.checkGaps();
    MaskQuestion when = questions.when();
    if (options.server.isGiven()) {
      return remote(selection, target, when);
    }
    GetAnswer answer = answer(selection, target);
    try (ArchiveReader archive =
        ReaderOpening.open(session, options.source.get(), !options.noAdmit.isSet())) {
      FormerNameNotes.write(session, archive, selection);
      AnswerEnd end =
          end(EventSource.of(archive), when, MaskQuestion.shown(session, "get", archive));
      return answer.write(archive, target, end);
    }
  }

  private AnswerOutput target() throws IOException {
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
    return target;
  }

  /**
   * Returns the kind of answer that the options ask for.
   *
   * @throws UsageException if options contradict each other
   */
  private GetAnswer answer(ChannelSelection selection, AnswerOutput target) {
    if (options.follow.isSet()) {
      FollowQuery followed = questions.followed(selection, target);
      return new FollowedAnswer(
          session, followed, questions.heldBefore(followed), options.filters.rows());
    }
    String figures = options.aggregate.get();
    if (figures != null) {
      return new TrendTableAnswer(
          session, questions.bins(selection, figures), options.wide.isSet(), options.memory.get());
    }
    if (options.wide.isSet() || options.every.isGiven()) {
      return new WideAnswer(session, questions.grid(selection), options.memory.get());
    }
    if (options.poll.isGiven()) {
      throw new UsageException("--poll needs --follow");
    }
    TimeArgument instant = options.at.get();
    if (instant != null) {
      return new HeldAnswer(session, questions.held(selection, instant), options.filters.rows());
    }
    EventQuery events = questions.events(selection);
    return options.dryRun.isSet()
        ? new DryRun(session, events)
        : new EventsAnswer(session, events, options.filters.rows());
  }

  private int remote(ChannelSelection selection, AnswerOutput target, @Nullable MaskQuestion when)
      throws IOException {
    questions.checkServer();
    EventsAnswer answer =
        new EventsAnswer(session, questions.events(selection), options.filters.rows());
    try (RemoteReader server = options.server.open(session)) {
      EventSource source = EventSource.of(server);
      return answer.write(source, target, end(source, when, server::intervals));
    }
  }

  private AnswerEnd end(
      EventSource source, @Nullable MaskQuestion when, MaskQuestion.Archive intervals)
      throws IOException {
    return new AnswerEnd(
        session,
        options,
        source,
        when == null ? null : when.answer(intervals, questions.range(), false));
  }
}
