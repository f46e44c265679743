package org.kblake.cli.kblogrd;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.kblogrd.format.AnswerFormat;
import org.kblake.cli.kblogrd.format.Column;
import org.kblake.cli.kblogrd.format.CsvFormat;
import org.kblake.cli.kblogrd.format.FreeFormat;
import org.kblake.cli.kblogrd.format.HeldRow;
import org.kblake.cli.kblogrd.format.KaleidaFormat;
import org.kblake.cli.kblogrd.format.LineOutput;
import org.kblake.cli.kblogrd.format.SadFormat;
import org.kblake.cli.kblogrd.request.FormatName;
import org.kblake.cli.kblogrd.request.KblogrdRequest;
import org.kblake.cli.kblogrd.request.RecordArgument;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.GridReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.answer.LatestTime;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.UnknownGroupException;

/** Reads the answer to a request and prints it. */
final class AnswerPrinter {

  /** The most columns of a table. A row is in memory as a whole. */
  private static final int MAX_CELLS = 1_000_000;

  private final ArchiveSelection archive;
  private final ArchiveReader reader;
  private final KblogrdRequest request;
  private final LineOutput out;
  private final Messages messages;

  /** The records of a table that has a column for each. */
  private List<ChannelInfo> infos = List.of();

  /** The reason why a pair could not be read that may have further records or events, or null. */
  private @Nullable String unread;

  AnswerPrinter(
      ArchiveSelection archive, KblogrdRequest request, LineOutput out, Messages messages) {
    this.archive = archive;
    this.reader = archive.reader();
    this.request = request;
    this.out = out;
    this.messages = messages;
  }

  /**
   * Prints the answer.
   *
   * @return the exit status
   */
  int run() throws IOException {
    try {
      Records records = Records.of(reader, request);
      note(records.unread());
      try {
        return completeness(records.unknown().isEmpty() ? print(records) : withUnknown(records));
      } catch (UnknownChannelException e) {
        return withUnknown(records.without(e));
      }
    } catch (UnknownGroupException e) {
      messages.print(String.valueOf(e.getMessage()));
      return ExitStatus.NOT_ANSWERED;
    }
  }

  private void note(List<CoverageSpan> unreadTables) {
    if (unread == null && !unreadTables.isEmpty()) {
      unread = unreadTables.get(0).detail();
    }
  }

  /** Returns the status of an answer: incomplete if records may be missing. */
  private int completeness(int status) {
    if (status != ExitStatus.DONE || unread == null) {
      return status;
    }
    messages.print("incomplete: records or events may be missing: " + unread);
    return ExitStatus.INCOMPLETE;
  }

  private int withUnknown(Records records) throws IOException {
    List<String> unknown = inOrderOfRequest(records.unknown());
    if (records.certain()) {
      messages.printUnknown(unknown);
      return ExitStatus.NOT_ANSWERED;
    }
    for (String record : unknown) {
      messages.print("incomplete: no readable record table has the record: " + record);
    }
    print(records);
    return ExitStatus.INCOMPLETE;
  }

  private List<String> inOrderOfRequest(List<String> records) {
    List<String> ordered = new ArrayList<>();
    for (RecordArgument record : request.records()) {
      if (records.contains(record.text()) && !ordered.contains(record.text())) {
        ordered.add(record.text());
      }
    }
    return ordered;
  }

  private int print(Records records) throws IOException {
    ChannelSelection selection = records.selection(request);
    if (selection.patterns().isEmpty()) {
      return printNothing(records);
    }
    if (request.format() == FormatName.KALEIDA) {
      // Find the widths of columns. Reads before the range use the records found here, too.
      FoundChannels found = reader.find(request.times().events(selection));
      infos = found.channels();
      note(found.unread());
      selection = Records.known(request, namesOf(infos));
    }
    KblogrdRequest.Times times = request.times();
    if (times instanceof KblogrdRequest.Grid grid) {
      return printGrid(records, selection, grid);
    }
    if (times instanceof KblogrdRequest.Instant instant) {
      return printInstant(records, selection, instant.nanos());
    }
    return request.format() == FormatName.KALEIDA
        ? printChanges(records, selection)
        : printEvents(records, selection);
  }

  /** Prints an answer without records, because no record table could be read. */
  private int printNothing(Records records) throws IOException {
    try (AnswerFormat format = format(records, List.of())) {
      format.begin();
      format.end();
    }
    ChannelSelection all = ChannelSelection.all(request.group());
    try (EventCursor cursor = reader.cursor(request.times().events(all))) {
      return status(cursor.coverage());
    } catch (UnknownChannelException e) {
      if (e.isCertain()) {
        throw e;
      }
      messages.print("incomplete: " + Messages.of(e));
      return ExitStatus.INCOMPLETE;
    }
  }

  private int printEvents(Records records, ChannelSelection selection) throws IOException {
    try (EventCursor cursor = reader.cursor(request.times().events(selection));
        AnswerFormat format = format(records, cursor.channels())) {
      boolean more = cursor.next();
      format.begin();
      while (more) {
        print(cursor, format);
        more = cursor.next();
      }
      format.end();
      return status(cursor.coverage());
    }
  }

  private void print(EventCursor cursor, AnswerFormat format) throws IOException {
    EventColumns columns = cursor.columns();
    int channel = cursor.channel();
    int to = cursor.to();
    for (int row = cursor.from(); row < to; row++) {
      format.event(columns, row, channel);
    }
    out.flushIfDue();
  }

  /**
   * Prints a row for each change of a value. First it finds the values held at an instant before
   * the range, earlier by the disorder bound. Then it reads all events from there on. The event
   * that set a held value may itself be late by the bound. So events are read from twice the bound
   * before the range, and those before the held value's event in log order are ignored.
   */
  private int printChanges(Records records, ChannelSelection selection) throws IOException {
    long bound = archive.settings().disorderBoundNanos();
    KblogrdRequest.Times times = request.times();
    long from = Long.MIN_VALUE;
    if (times instanceof KblogrdRequest.Range range) {
      from = EpochNanos.minus(range.fromNanos(), bound);
      times = new KblogrdRequest.Range(EpochNanos.minus(from, bound), range.toNanos());
    }
    try (EventCursor cursor = reader.cursor(times.events(selection));
        AnswerFormat format = format(records, cursor.channels())) {
      format.begin();
      boolean more = cursor.next();
      if (times instanceof KblogrdRequest.NewestPair && more) {
        from = cursor.columns().timeNanos[cursor.from()] - bound;
      }
      CoverageReport before =
          from == Long.MIN_VALUE ? cursor.coverage() : readBefore(selection, from, format);
      while (more) {
        print(cursor, format);
        more = cursor.next();
      }
      format.end();
      return worse(status(before), status(since(from, cursor.coverage())));
    }
  }

  /** Returns the part of a coverage report from an instant on. */
  private static CoverageReport since(long nanos, CoverageReport report) {
    List<CoverageSpan> spans = new ArrayList<>();
    for (CoverageSpan span : report.spans()) {
      if (span.range().toNanos() > nanos) {
        spans.add(span);
      }
    }
    return new CoverageReport(
        report.range(), spans, report.strays(), report.backwardSteps(), report.notes());
  }

  private CoverageReport readBefore(ChannelSelection selection, long nanos, AnswerFormat format)
      throws IOException {
    try (GridReader grid = reader.grid(held(selection, nanos, nanos, 1))) {
      if (grid.next()) {
        format.before(new GridRow(grid));
      }
      return grid.coverage();
    }
  }

  private int printInstant(Records records, ChannelSelection selection, long nanos)
      throws IOException {
    GridQuery query = held(selection, nanos, nanos, 1);
    try (GridReader grid = reader.grid(query);
        AnswerFormat format = format(records, grid.channels())) {
      format.begin();
      if (grid.next()) {
        format.held(nanos, new GridRow(grid));
      }
      format.end();
      return status(grid.coverage());
    }
  }

  private int printGrid(Records records, ChannelSelection selection, KblogrdRequest.Grid times)
      throws IOException {
    long end = times.endNanos();
    if (request.format() == FormatName.KALEIDA) {
      LatestTime latest = reader.findLatest(request.group());
      end = Math.min(end, latest.nanos().orElse(Long.MIN_VALUE));
      unread = unread == null ? latest.unread() : unread;
    }
    boolean empty = end < times.startNanos();
    GridQuery query =
        held(selection, times.startNanos(), empty ? times.startNanos() : end, times.stepNanos());
    if (request.format() == FormatName.FREE) {
      query = query.withConnectionsTo(Instant.ofEpochSecond(0, times.toNanos()));
    }
    try (GridReader grid = reader.grid(query);
        AnswerFormat format = format(records, grid.channels())) {
      format.begin();
      HeldRow row = new GridRow(grid);
      while (!empty && grid.next()) {
        printConnections(grid, format);
        format.held(grid.timeNanos(), row);
        out.flushIfDue();
      }
      printConnections(grid, format);
      format.end();
      return status(grid.coverage());
    }
  }

  private static void printConnections(GridReader grid, AnswerFormat format) throws IOException {
    for (int i = 0; i < grid.connections(); i++) {
      format.connection(
          grid.connectionNanos(i), grid.connectionChannel(i), grid.connectionState(i));
    }
  }

  /** Values are held without a limit of their age. */
  private static GridQuery held(ChannelSelection selection, long start, long end, long step) {
    return GridQuery.of(selection, start, end, step)
        .lookBack(HeldQuery.UNLIMITED_LOOK_BACK)
        .allowIncomplete();
  }

  private AnswerFormat format(Records records, List<Channel> channels) throws IOException {
    KblogrdRequest.Times times = request.times();
    boolean stampEvents = times instanceof KblogrdRequest.Instant;
    List<String> names = new ArrayList<>(channels.size());
    for (Channel channel : channels) {
      names.add(channel.name());
    }
    return switch (request.format()) {
      case FREE -> new FreeFormat(out, names, archive.zone(), stampEvents);
      case SAD -> new SadFormat(out, names, archive.zone(), stampEvents);
      case CSV ->
          new CsvFormat(
              out,
              columns(records, names),
              names,
              archive.zone(),
              times instanceof KblogrdRequest.Grid);
      case KALEIDA ->
          new KaleidaFormat(
              out,
              columns(records, names),
              names.size(),
              archive.zone(),
              times instanceof KblogrdRequest.Range range ? range.fromNanos() : Long.MIN_VALUE,
              archive.settings().disorderBoundNanos());
    };
  }

  private static List<String> namesOf(List<ChannelInfo> infos) {
    List<String> names = new ArrayList<>(infos.size());
    for (ChannelInfo info : infos) {
      names.add(info.channel().name());
    }
    return names;
  }

  private List<Column> columns(Records records, List<String> names) {
    Map<String, Integer> channels = new HashMap<>();
    for (String name : names) {
      channels.put(name, channels.size());
    }
    Map<String, Integer> widths = new HashMap<>();
    for (ChannelInfo info : infos) {
      widths.put(info.channel().name(), info.elementCount());
    }
    List<Column> columns = new ArrayList<>();
    long cells = 0;
    for (String name : records.isAll() ? names : records.names()) {
      Column column =
          new Column(name, channels.getOrDefault(name, -1), widths.getOrDefault(name, 1));
      columns.add(column);
      cells += column.width();
      if (cells > MAX_CELLS) {
        throw new RequestException(
            "a row has more than "
                + MAX_CELLS
                + " columns: a record table says that "
                + name
                + " has up to "
                + column.width()
                + " elements; take -f free, or other records with -r");
      }
    }
    return columns;
  }

  private int status(CoverageReport report) {
    return messages.printCoverage(report, archive.zone()) ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  private static int worse(int first, int second) {
    return Math.max(first, second);
  }

  /** The present point of a grid. */
  private record GridRow(GridReader grid) implements HeldRow {
    @Override
    public boolean isKnown(int channel) {
      return grid.isKnown(channel);
    }

    @Override
    public boolean isNew(int channel) {
      return grid.isNew(channel);
    }

    @Override
    public EventColumns columns(int channel) {
      return grid.columns(channel);
    }

    @Override
    public int row(int channel) {
      return grid.row(channel);
    }
  }
}
