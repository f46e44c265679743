package org.kblake.server.internal.api;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.jspecify.annotations.Nullable;
import org.kblake.format.OutputFormat;
import org.kblake.format.arrow.ArrowIpcWriter;
import org.kblake.format.table.WideTable;
import org.kblake.format.text.TextDialect;
import org.kblake.format.text.WideTextWriter;
import org.kblake.format.time.TimeStyle;
import org.kblake.query.GridReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.question.GridQuery;
import org.kblake.server.internal.answer.Answer;
import org.kblake.server.internal.answer.HeaderAnswer;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * The answer to {@code /api/v1/table}: the values that channels held at {@code from}, {@code from}
 * + {@code every}, and so on, up to {@code to}; a row for each instant, a column for each channel.
 */
final class TableAnswer {

  private static final int MAX_ROWS = 4096;
  private static final int MAX_CELLS = 1 << 20;
  private static final long MAX_POINTS = 50_000_000;
  private static final long MAX_KEPT_POINTS = 1 << 14;
  private static final long MAX_KEPT_BYTES = 64L << 20;
  private static final long ROW_BYTES = 64;
  private static final int TOO_LARGE = 413;
  private static final int NOT_FOUND = 404;

  private final ServedArchive archive;
  private final GridQuery query;
  private final ServedConditions.@Nullable Found times;
  private final boolean safe;

  private TableAnswer(
      ServedArchive archive,
      GridQuery query,
      ServedConditions.@Nullable Found times,
      boolean safe) {
    this.archive = archive;
    this.query = query;
    this.times = times;
    this.safe = safe;
  }

  private WideTable table(GridReader grid, BufferAllocator memory) {
    return WideTable.of(grid.infos(), times == null ? null : times.met(), memory);
  }

  private @Nullable String reason(GridReader grid) {
    String missing = JsonCoverage.missing(grid.coverage());
    return times == null ? missing : times.missing(missing);
  }

  /** Answers a request. */
  static void send(Context context, Parameters parameters, ServedArchive archive)
      throws IOException {
    Selected selected = Selected.of(parameters, archive);
    if (selected.isEmpty()) {
      throw new HttpStatusException(NOT_FOUND, "no channel was recorded in the range");
    }
    long step = parameters.duration("every");
    if (step == 0) {
      throw HttpStatusException.wrong("every", "it is missing; write 1s, 1min or 1h");
    }
    long nanos = Math.subtractExact(selected.range().toNanos(), selected.range().fromNanos());
    int channels = selected.channels().patterns().size();
    if (nanos / step >= MAX_POINTS / channels) {
      throw new HttpStatusException(
          TOO_LARGE,
          "too many values: "
              + (nanos / step + 1)
              + " for each of "
              + channels
              + " channels, at most "
              + MAX_POINTS
              + " in all; use a larger step");
    }
    GridQuery query =
        GridQuery.of(
                selected.channels(), selected.range().fromNanos(), selected.range().toNanos(), step)
            .lookBack(archive.lookBack())
            .allowIncomplete()
            .nullInGaps(parameters.oneOf("gaps", List.of("hold", "null")).equals("null"));
    ServedConditions conditions = parameters.conditions();
    if (parameters.isKept(conditions, selected.range(), archive.lookBack().toNanos())) {
      return;
    }
    boolean arrow = parameters.oneOf("format", List.of("csv", "arrow")).equals("arrow");
    String type = arrow ? "application/vnd.apache.arrow.stream" : "text/csv; charset=utf-8";
    if (HeaderAnswer.isWanted(context)) {
      archive.reader().grid(query).close();
      HeaderAnswer.send(context, type);
      return;
    }
    TableAnswer answer =
        new TableAnswer(
            archive,
            query,
            conditions.isEmpty() ? null : conditions.find(archive, selected.range(), false),
            parameters.isSafe());
    archive.answers().with(answer.bytes(), () -> answer.send(context, type, arrow));
  }

  private void send(Context context, String type, boolean arrow) throws IOException {
    if (arrow) {
      Answer.send(context, type, false, this::writeArrow);
    } else {
      Answer.send(context, type, true, this::writeLines);
    }
  }

  /** Returns about the bytes of the events that a reader keeps. */
  private long bytes() {
    long points = Math.min(query.points(), MAX_KEPT_POINTS);
    return Math.min(MAX_KEPT_BYTES, points * query.channels().patterns().size() * ROW_BYTES);
  }

  private @Nullable String writeLines(OutputStream out) throws IOException {
    try (BufferAllocator memory = archive.memory("table");
        GridReader grid = archive.reader().grid(query);
        WideTable table = table(grid, memory);
        WideTextWriter writer =
            new WideTextWriter(
                out,
                table.vectors(),
                TextDialect.of(OutputFormat.CSV, safe),
                TimeStyle.ISO.text(archive.zone()))) {
      int most = Math.max(1, Math.min(MAX_ROWS, MAX_CELLS / table.vectors().size()));
      while (table.fill(grid, most)) {
        writer.write();
      }
      writer.finish();
      String missing = reason(grid);
      out.write(DataAnswer.notes(notes(withLosses(grid))).getBytes(StandardCharsets.UTF_8));
      out.write(DataAnswer.mark(missing).getBytes(StandardCharsets.UTF_8));
      return missing;
    }
  }

  private CoverageReport withLosses(GridReader grid) throws IOException {
    return ServedConditions.withLosses(archive, grid.coverage(), times);
  }

  /** Returns the notes on the held values, the times of the conditions, and losses. */
  private List<String> notes(CoverageReport coverage) {
    Set<String> notes = new LinkedHashSet<>(coverage.lookBackNotes());
    notes.addAll(times == null ? Set.of() : times.notes());
    return List.copyOf(JsonCoverage.withSummary(notes, coverage.losses()));
  }

  private @Nullable String writeArrow(OutputStream out) throws IOException {
    try (BufferAllocator memory = archive.memory("table");
        GridReader grid = archive.reader().grid(query);
        WideTable table = table(grid, memory);
        ArrowIpcWriter writer =
            new ArrowIpcWriter(
                out,
                false,
                table.vectors().stream().map(FieldVector::getField).toList(),
                table.vectors(),
                new DictionaryProvider.MapDictionaryProvider())) {
      int most = Math.max(1, Math.min(MAX_ROWS, MAX_CELLS / table.vectors().size()));
      while (table.fill(grid, most)) {
        writer.write();
      }
      String missing = reason(grid);
      CoverageReport coverage = withLosses(grid);
      writer.writeMark(DataAnswer.mark(coverage.withNotes(notes(coverage)), missing), memory);
      writer.finish();
      return missing;
    }
  }
}
