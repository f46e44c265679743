package org.kblake.cli.command.analysis;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.kblake.cli.command.answer.LossLines;
import org.kblake.cli.command.answer.MissingLines;
import org.kblake.cli.command.answer.ShownReading;
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
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.Movement;
import org.kblake.query.answer.Movements;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.question.MovedQuery;

/** {@code kblake moved}: ranks the channels that left their habit around an instant. */
public final class MovedCommand implements Command {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Session session;
  private final CommandModel model =
      CommandModel.of("moved", "List the channels that left their own habit, earliest first.")
          .description(
              "",
              "Compares the events around an instant with the habit of each channel in the time"
                  + " before: its level, its rate of change, the number of its events, its state,"
                  + " connection and severity. A channel moved if one of them is more than six robust"
                  + " standard deviations off, or changed to what is rare. Without CHANNEL all"
                  + " channels of all groups are compared. The cause of an abort is usually among"
                  + " the first rows.",
              "",
              "Rows have the distance of the onset from --at in seconds, what left its habit, and z:"
                  + " the largest deviation in the window, empty for a change without a number. csv"
                  + " and json also have the onset, the group, and all digits."
                  + " Onsets that the log cannot tell apart are sorted by z. Times when the archiver"
                  + " was down are listed on standard error, and never count as movement."
                  + " docs/design/moved.md has the rules.")
          .footer(
              "  kblake moved --at 2024-05-20T12:00 --baseline 30m",
              "  kblake moved --at 2024-05-20T12:00 --before 60s --after 10s -n 10 'BM*' 'CG*'",
              "  kblake moved --at 2024-05-20T12:00 -g VA/CCG -f csv");

  private final Values<String> channels =
      model.arguments(
          String.class,
          "CHANNEL",
          "A name or a glob, or several with commas between them; default: all channels.");

  private final OptionalValue<TimeArgument> at =
      model.value(TimeArgument.class, "TIME", "The instant, such as that of an abort.", "--at");

  private final OptionalValue<Duration> before =
      model.value(
          Duration.class, "DURATION", "The window before the instant; default: 30s.", "--before");

  private final OptionalValue<Duration> after =
      model.value(
          Duration.class, "DURATION", "The window after the instant; default: 5s.", "--after");

  private final OptionalValue<Duration> baseline =
      model.value(
          Duration.class,
          "DURATION",
          "The time before the window that shows the habit; default: 1h.",
          "--baseline");

  private final RowOptions options = new RowOptions(model, channels);

  public MovedCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    MovedQuery query = query();
    int most = options.most();
    try (ArchiveReader archive = ReaderOpening.open(session, options.source())) {
      Movements movements = moved(archive, query);
      CoverageReport coverage = archive.withLosses(movements.coverage());
      write(query, movements.all(), most);
      coverage.notes().forEach(session::note);
      new GapLines(session).write(gaps(query, movements));
      if (coverage.losses().hasLedger()) {
        LossLines.write(session, coverage.losses());
      }
      if (coverage.isComplete()) {
        return ExitStatus.DONE;
      }
      new MissingLines(session).write(coverage);
      return ExitStatus.INCOMPLETE;
    }
  }

  private Movements moved(ArchiveReader archive, MovedQuery query) throws IOException {
    try (ShownReading reading = new ShownReading(session, "moved")) {
      return archive.moved(query, reading);
    }
  }

  private MovedQuery query() {
    TimeArgument instant = at.get();
    if (instant == null) {
      throw new UsageException("give --at TIME: the instant");
    }
    long nanos = RangeOptions.nanos(session, instant, TimeArgument.Bound.FROM);
    try {
      MovedQuery asked =
          MovedQuery.of(options.selection(), Instant.ofEpochSecond(0, nanos))
              .lookBack(session.settings().get(CommonSetting.LOOK_BACK))
              .from(options.source())
              .allowIncomplete();
      asked = asked.window(given(before, asked.beforeNanos()), given(after, asked.afterNanos()));
      return asked.baseline(given(baseline, asked.baselineNanos()));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Duration given(OptionalValue<Duration> option, long usualNanos) {
    Duration duration = option.get();
    return duration == null ? Duration.ofNanos(usualNanos) : duration;
  }

  private void write(MovedQuery query, List<Movement> movements, int most) throws IOException {
    RowTable table =
        new RowTable("onset", "seconds", "measure", "z", "before", "after", "group", "channel")
            .onlyForPrograms("onset", "group");
    for (Movement each : movements.subList(0, Math.min(most, movements.size()))) {
      table.add(
          Arrays.asList(
              time(each.onsetNanos()),
              (each.onsetNanos() - query.atNanos()) / NANOS_PER_SECOND,
              each.measure().text(),
              Double.isInfinite(each.z()) ? null : (Double) each.z(),
              each.before(),
              each.after(),
              each.channel().group().toString(),
              each.channel().name()));
    }
    table.safe(options.isSafe()).write(options.form(), session.text());
    if (movements.size() > most) {
      session.note(movements.size() - most + " more channels moved later; -n shows more");
    }
    if (movements.isEmpty()) {
      session.note("no channel left its habit");
    }
  }

  /** Returns the gaps, except missing ones, which are reported elsewhere, and the time to come. */
  private static List<CoverageSpan> gaps(MovedQuery query, Movements movements) {
    return movements.gaps().stream()
        .filter(gap -> !gap.missing())
        .filter(gap -> gap.kind() != SpanKind.PENDING || gap.range().fromNanos() <= query.atNanos())
        .toList();
  }

  private String time(long nanos) {
    return TimeArgument.text(nanos, session.settings().outZone());
  }
}
