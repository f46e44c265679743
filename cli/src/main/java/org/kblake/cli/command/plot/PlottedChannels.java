package org.kblake.cli.command.plot;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.command.answer.EmptyAnswerNote;
import org.kblake.cli.command.answer.RawReadNote;
import org.kblake.cli.command.answer.ReadProgress;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.plot.Plot;
import org.kblake.cli.plot.PlotReader;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/** The channels that a command line selects for a plot. */
final class PlottedChannels {

  private static final int MAX_CHANNELS = 12;
  private static final int MAX_NAMED = 3;
  private static final int MAX_UNIT = 12;

  private final Session session;
  private final ArchiveReader archive;
  private final PlotReader reader;

  private PlottedChannels(Session session, ArchiveReader archive, PlotReader reader) {
    this.session = session;
    this.archive = archive;
    this.reader = reader;
  }

  /** A plot, and the coverage of its events. */
  record Answer(Plot plot, CoverageReport coverage) {}

  /**
   * Returns the channels that a selection matches in a range. Those whose values are texts or lists
   * are left out, and reported.
   *
   * @throws RequestException if no channel is left, or too many are
   */
  static PlottedChannels of(
      Session session, ArchiveReader archive, ChannelSelection selection, TimeRange range)
      throws IOException {
    List<ChannelInfo> plotted = new ArrayList<>();
    List<ChannelInfo> others = new ArrayList<>();
    for (ChannelInfo info : archive.channels(selection, range)) {
      (PlotReader.canPlot(info) ? plotted : others).add(info);
    }
    if (plotted.size() > MAX_CHANNELS) {
      throw new RequestException(
          plotted.size()
              + " channels match, and a plot has at most "
              + MAX_CHANNELS
              + "; list them with kblake channels, and name some");
    }
    if (plotted.isEmpty()) {
      throw new RequestException(reason(others));
    }
    if (!others.isEmpty()) {
      session.note(reason(others));
    }
    return new PlottedChannels(
        session,
        archive,
        new PlotReader(plotted, range, session.settings().get(CommonSetting.LOOK_BACK)));
  }

  private static String reason(List<ChannelInfo> others) {
    StringBuilder line = new StringBuilder("only numbers and enums can be plotted: ");
    for (int i = 0; i < Math.min(MAX_NAMED, others.size()); i++) {
      ChannelInfo info = others.get(i);
      line.append(i == 0 ? "" : ", ").append(info.channel().name());
      line.append(info.waveform() ? " has waveforms" : " has strings");
    }
    if (others.size() > MAX_NAMED) {
      line.append(" and ").append(others.size() - MAX_NAMED).append(" more");
    }
    return line.append("; kblake get writes such values, for example: kblake get ")
        .append(others.get(0).channel().name())
        .toString();
  }

  int count() {
    return reader.channels().size();
  }

  /**
   * Reads the events.
   *
   * @param columns the greatest number of bins
   */
  Answer read(int columns) throws IOException {
    EventQuery query = reader.query();
    try (EventCursor cursor = archive.cursor(query)) {
      Plot plot = read(cursor, columns);
      CoverageReport coverage = cursor.coverage();
      RawReadNote.print(session, query, reader.groups(), cursor.spent());
      if (plot.events() == 0) {
        new EmptyAnswerNote(session, archive, query.source())
            .print("events", query.range(), cursor.channels(), coverage);
      }
      return new Answer(plot, coverage);
    }
  }

  private Plot read(EventCursor cursor, int columns) throws IOException {
    try (ReadProgress progress = ReadProgress.of(session, "plot", ReadProgress.Read.of(cursor))) {
      progress.begin();
      return reader.read(cursor, columns, session.settings().outZone(), this::unit);
    }
  }

  /** Returns a short unit that has one line; empty if none is known. */
  private String unit(Channel channel) {
    String unit = archive.metadata(channel).unit();
    String line = unit == null ? "" : unit.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= MAX_UNIT ? line : line.substring(0, MAX_UNIT - 1) + "…";
  }
}
