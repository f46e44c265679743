package org.kblake.cli.command.analysis;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kblake.cli.command.answer.LossLines;
import org.kblake.cli.command.answer.MissingLines;
import org.kblake.cli.command.shared.RangeOptions;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Values;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.format.argument.TimeArgument;
import org.kblake.query.ArchiveReader;
import org.kblake.query.Differences;
import org.kblake.query.answer.Difference;
import org.kblake.query.question.HeldQuery;

/** {@code kblake diff}: shows what differs between two instants. */
public final class DiffCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("diff", "Show which channels differ between two instants.")
          .description(
              "",
              "Compares the values that channels held at two instants, as kblake get --at finds"
                  + " them: connection, severity, state, number, list. Only channels that differ have"
                  + " a row. Rows are sorted by the kind of the difference in this order, and then by"
                  + " its size: the difference of two numbers divided by the larger one. A channel has"
                  + " a row for the first kind that differs. Without CHANNEL all channels of all groups"
                  + " are compared. csv and json also have the group, and all digits.")
          .footer(
              "  kblake diff --at 2024-05-20T11:00 --and 2024-05-20T12:00 'BM*'",
              "  kblake diff --at 2024-05-20T11:00 --and 2024-05-20T12:00 -g VA/CCG -f csv",
              "  kblake diff --at 20240520 --and 2024-05-20T12:00 -n 10");

  private final Values<String> channels =
      model.arguments(
          String.class,
          "CHANNEL",
          "A name or a glob, or several with commas between them; default: all channels.");

  private final OptionalValue<TimeArgument> at =
      model.value(TimeArgument.class, "TIME", "One instant.", "--at");

  private final OptionalValue<TimeArgument> and =
      model.value(TimeArgument.class, "TIME", "The other instant.", "--and");

  private final RowOptions options = new RowOptions(model, channels);

  public DiffCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    TimeArgument one = at.get();
    TimeArgument other = and.get();
    if (one == null || other == null) {
      throw new UsageException("give --at TIME and --and TIME: the two instants");
    }
    HeldQuery query =
        HeldQuery.of(options.selection(), session.now())
            .at(nanos(one))
            .from(options.source())
            .lookBack(session.settings().get(CommonSetting.LOOK_BACK))
            .allowIncomplete();
    int most = options.most();
    try (ArchiveReader archive = ReaderOpening.open(session, options.source())) {
      Differences differences = Differences.of(archive, query, nanos(other));
      write(differences.all(), most);
      Set<String> notes = new LinkedHashSet<>(differences.before().notes());
      notes.addAll(differences.after().notes());
      notes.forEach(session::note);
      new MissingLines(session).write(differences.before());
      new MissingLines(session).write(differences.after());
      for (TimeArgument each : List.of(one, other)) {
        LossLines.writeBehind(session, archive.losses(options.selection(), nanos(each)));
      }
      return differences.isComplete() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
    }
  }

  private long nanos(TimeArgument time) {
    return RangeOptions.nanos(session, time, TimeArgument.Bound.TO);
  }

  private void write(List<Difference> differences, int most) throws IOException {
    RowTable table =
        new RowTable("kind", "size", "before", "after", "group", "channel")
            .onlyForPrograms("group");
    for (Difference each : differences.subList(0, Math.min(most, differences.size()))) {
      table.add(
          Arrays.asList(
              each.kind().text(),
              Double.isNaN(each.size()) ? null : (Double) each.size(),
              each.before(),
              each.after(),
              each.channel().group().toString(),
              each.channel().name()));
    }
    table.safe(options.isSafe()).write(options.form(), session.text());
    if (differences.size() > most) {
      session.note(differences.size() - most + " more channels differ; -n shows more");
    }
    if (differences.isEmpty()) {
      session.note("no channel differs");
    }
  }
}
