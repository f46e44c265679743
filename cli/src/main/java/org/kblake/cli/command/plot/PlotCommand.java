package org.kblake.cli.command.plot;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Writer;
import java.nio.file.Path;
import org.kblake.cli.command.answer.ChannelArguments;
import org.kblake.cli.command.answer.FormerNameNotes;
import org.kblake.cli.command.answer.LossLines;
import org.kblake.cli.command.answer.MissingLines;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.RangeOptions;
import org.kblake.cli.command.shared.ReaderOpening;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Values;
import org.kblake.cli.plot.PicturePlot;
import org.kblake.cli.plot.TextPlot;
import org.kblake.cli.process.Window;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Source;

/** {@code kblake plot}: draws channels over time. */
public final class PlotCommand implements Command {

  private static final int MIN_WIDTH = 200;
  private static final int MIN_COLUMNS = 30;
  private static final int MIN_LINES = 10;
  private static final int MAX_PIXELS = 10_000;
  private static final int MAX_CHARACTERS = 1_000_000;

  private final Session session;
  private final CommandModel model =
      CommandModel.of("plot", "Draw channels over time.")
          .description(
              "",
              "CHANNEL, --from and --to are those of kblake get. Each channel has a panel with its"
                  + " own scale, from its least to its greatest value. A column of a panel has the"
                  + " least and the greatest value of its time, so no spike is lost. A value is"
                  + " held until the next one. Numbers and enums can be plotted, strings and"
                  + " waveforms cannot.",
              "",
              "The curve ends where no value is known. There are crosses on the axis while the"
                  + " channel was disconnected, and the panel is hatched where the archiver was"
                  + " down or a log cannot be read. Without -o the plot is made of characters that"
                  + " fit the window: braille in a UTF-8 locale, else ASCII.")
          .footer(
              "  kblake plot --from 20240520 --to 20240521 BMLDCCT:CURRENT",
              "  kblake plot --from 20240520 --to 20240521 -o day.svg 'VALCCG:D0?_L01A:PRES'");

  private final Values<String> channels =
      model.arguments(
          String.class, "CHANNEL", "A name or a glob, or several with commas between them.");

  private final GroupOption groups = new GroupOption(model);
  private final RangeOptions times = new RangeOptions(model);

  private final OptionalValue<Path> output =
      model.value(
          Path.class,
          "FILE",
          "Write a picture to this file: .svg or .png. It appears when it is complete.",
          "-o",
          "--output");

  private final OptionalValue<Long> width =
      model.value(
          Long.class,
          "N",
          "The width in pixels, or in characters without -o; default: 900, or the window.",
          "--width");

  private final OptionalValue<Long> height =
      model.value(
          Long.class,
          "N",
          "The height in pixels, or in lines without -o; default: by the number of channels, or the"
              + " window.",
          "--height");

  public PlotCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    Path file = output.get();
    PictureFile picture = file == null ? null : PictureFile.of(session, file);
    TimeRange range = times.range(session, true);
    if (range.fromNanos() == Long.MIN_VALUE) {
      throw new UsageException("give --from, too, or neither --from nor --to: the last hour");
    }
    long nanos = range.toNanos() - range.fromNanos();
    if (nanos <= 0) {
      throw new UsageException(
          "the range is " + (nanos == 0 ? "empty" : "longer than 292 years") + ": " + range);
    }
    ChannelSelection selection =
        new ChannelSelection(groups.named(), ChannelArguments.of(session, channels.get(), null));
    try (ArchiveReader archive = ReaderOpening.open(session, Source.AUTO)) {
      FormerNameNotes.write(session, archive, selection);
      PlottedChannels plotted = PlottedChannels.of(session, archive, selection, range);
      CoverageReport coverage = picture == null ? print(plotted) : draw(plotted, picture);
      return report(archive.withLosses(coverage));
    }
  }

  private CoverageReport draw(PlottedChannels plotted, PictureFile picture) throws IOException {
    int panels = plotted.count();
    int pixels = size(width, "--width", MIN_WIDTH, PicturePlot.WIDTH);
    int lines =
        size(height, "--height", PicturePlot.leastHeight(panels), PicturePlot.height(panels));
    return picture.write(
        pixels,
        lines,
        drawing -> {
          PlottedChannels.Answer answer = plotted.read(PicturePlot.columns(pixels));
          PicturePlot.draw(answer.plot(), drawing);
          return answer.coverage();
        });
  }

  private CoverageReport print(PlottedChannels plotted) throws IOException {
    int columns = size(width, "--width", MIN_COLUMNS, session.outColumns());
    // The last line of a window is that of the next command.
    int lines = size(height, "--height", MIN_LINES, window().rows() - 1);
    if ((long) columns * lines > MAX_CHARACTERS) {
      throw new UsageException(
          "--width %d x --height %d are %,d characters, and a plot has at most %,d; write a picture with -o"
              .formatted(columns, lines, (long) columns * lines, MAX_CHARACTERS));
    }
    PlottedChannels.Answer answer = plotted.read(TextPlot.columns(columns));
    Writer out = session.text();
    out.write(
        TextPlot.draw(
            answer.plot(), columns, lines, session.localeHasUnicode(), session.outIsColored()));
    out.flush();
    return answer.coverage();
  }

  private Window window() throws InterruptedIOException {
    try {
      return session.outIsTerminal() ? Window.now() : Window.USUAL;
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  private static int size(OptionalValue<Long> option, String name, int least, int usual) {
    Long given = option.get();
    if (given == null) {
      return Math.max(least, usual);
    }
    if (given < least || given > MAX_PIXELS) {
      throw new UsageException(
          "%s must be from %d to %d here: %d".formatted(name, least, MAX_PIXELS, given));
    }
    return given.intValue();
  }

  private int report(CoverageReport coverage) {
    coverage.notes().forEach(session::note);
    LossLines.writeSummary(session, coverage.losses());
    if (coverage.isComplete()) {
      return ExitStatus.DONE;
    }
    new MissingLines(session).write(coverage);
    return ExitStatus.INCOMPLETE;
  }
}
