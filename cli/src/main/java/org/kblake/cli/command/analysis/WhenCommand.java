package org.kblake.cli.command.analysis;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.kblake.cli.command.answer.LossLines;
import org.kblake.cli.command.answer.MaskQuestion;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.RangeOptions;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.command.shared.ServerOptions;
import org.kblake.cli.command.shared.SourceOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Values;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;
import org.kblake.query.ArchiveReader;
import org.kblake.query.RemoteReader;

/** {@code kblake when}: writes the intervals in which conditions are met. */
public final class WhenCommand implements Command {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Session session;
  private final CommandModel model =
      CommandModel.of("when", "List the intervals in which conditions are met.")
          .description(
              "",
              "CONDITION is 'CHANNEL OP NUMBER', OP one of < <= > >= = == !=. It is met while the"
                  + " channel holds such a value. With 'for DURATION' behind it, it is met in"
                  + " intervals that are at least so long. 'not CONDITION' is met while the value is"
                  + " known and the condition is not met. @FILE is met in the intervals of a CSV file"
                  + " that this command wrote. Of several conditions all must be met.",
              "",
              "A value is not known while the channel was disconnected, the archiver was down, or a"
                  + " log cannot be read. No condition is met then. Intervals include from and end"
                  + " before to. kblake get --when takes the same conditions.")
          .footer(
              "  kblake when 'BMLDCCT:CURRENT > 1100' --from 2024-05-20 --to 2024-05-21",
              "  kblake when 'BMLDCCT:CURRENT > 1100 for 10min' --from 20240520 > high.csv",
              "  kblake when 'not BMLDCCT:CURRENT > 1100' 'BMLDCCT:LIFE < 60' --from 20240520",
              "  kblake when --any 'BMLDCCT:CURRENT < 100' 'BMLDCCT:LIFE < 60' --from 20240520");

  private final Values<String> conditions =
      model.arguments(String.class, "CONDITION", "A condition, or several.");

  private final GroupOption groups = new GroupOption(model);

  private final RangeOptions times = new RangeOptions(model);

  private final Flag any = model.flag("One of the conditions is enough.", "--any");

  private final SourceOption source = new SourceOption(model);

  private final ServerOptions server = new ServerOptions(model);

  private final OptionalValue<RowForm> format =
      model.value(
          RowForm.class, "FORMAT", "${COMPLETION-CANDIDATES}; default: csv.", "-f", "--format");

  public WhenCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    if (conditions.get().isEmpty()) {
      throw new UsageException("give a condition, such as 'CHANNEL > 500 for 10s'");
    }
    MaskQuestion question =
        new MaskQuestion(
            session, "CONDITION", conditions.get(), groups.named(), false, source.get());
    TimeRange range = times.range(session, true);
    if (range.fromNanos() == Long.MIN_VALUE) {
      throw new UsageException("give --from, or neither --from nor --to: the last hour");
    }
    if (server.isGiven()) {
      try (RemoteReader remote = server.open(session)) {
        return write(question.answer(remote::intervals, range, any.isSet()), range);
      }
    }
    try (ArchiveReader archive = ReaderOpening.open(session, source.get())) {
      return write(
          question.answer(MaskQuestion.shown(session, "when", archive), range, any.isSet()), range);
    }
  }

  private int write(MaskQuestion.Answer answer, TimeRange range) throws IOException {
    write(answer.met());
    answer.report(session);
    session.note(
        "%d intervals, %s s of %s s; the values are known for %s s"
            .formatted(
                answer.met().ranges().size(),
                seconds(answer.met()),
                seconds(TimeMask.of(List.of(range))),
                seconds(answer.known())));
    LossLines.writeSummary(session, answer.losses());
    return answer.isComplete() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  private void write(TimeMask met) throws IOException {
    RowForm form = format.get();
    RowForm chosen = form == null ? RowForm.csv : form;
    // A table for people fits 80 columns.
    long unit = chosen == RowForm.text ? 1_000_000 : 1;
    RowTable table = new RowTable("from", "to", "seconds");
    for (TimeRange each : met.ranges()) {
      table.add(
          Arrays.asList(
              time(each.fromNanos() / unit * unit),
              time(each.toNanos() / unit * unit),
              (each.toNanos() - each.fromNanos()) / NANOS_PER_SECOND));
    }
    table.write(chosen, session.text());
  }

  /** Returns the length of all ranges, which may be longer than a long of nanoseconds. */
  private static double seconds(TimeMask mask) {
    double nanos = 0;
    for (TimeRange each : mask.ranges()) {
      nanos += (double) each.toNanos() - (double) each.fromNanos();
    }
    return Math.round(nanos / 1e6) / 1e3;
  }

  private String time(long nanos) {
    return TimeArgument.text(nanos, session.settings().outZone());
  }
}
