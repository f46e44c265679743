package org.kblake.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Writes the tables of results into benchmarks/results/notebook.md, between two marks. The text
 * around the tables is written by hand.
 */
public final class Notebook {

  private final Path page;
  private final String begin;
  private final String end;

  /**
   * @param program the script that writes the tables
   */
  public Notebook(Path page, String program) {
    this.page = page;
    begin = "<!-- tables: written by " + program + " -->\n";
    end = "<!-- end of tables of " + program + " -->\n";
  }

  /** Replaces all tables. */
  public void write(List<RowResult> rows) throws IOException {
    write(rows, row -> "");
  }

  /**
   * Replaces all tables.
   *
   * @param more returns what follows a row's table
   */
  public void write(List<RowResult> rows, Function<RowResult, String> more) throws IOException {
    String text = Files.readString(page);
    int from = text.indexOf(begin);
    int to = text.indexOf(end);
    if (from < 0 || to < from) {
      throw new IOException("no place for tables: file=" + page + ", expected=" + begin.strip());
    }
    StringBuilder tables = new StringBuilder();
    rows.stream()
        .map(row -> row.machine().text())
        .distinct()
        .forEach(machine -> tables.append("\n").append(machine).append(".\n"));
    rows.forEach(row -> tables.append(section(row)).append(more.apply(row)));
    Files.writeString(page, text.substring(0, from + begin.length()) + tables + text.substring(to));
  }

  private static String section(RowResult row) {
    String file = String.format(Locale.ROOT, "%02d-%s", row.number(), row.name());
    StringBuilder section = new StringBuilder();
    section.append(
        String.format(Locale.ROOT, "%n### %s%n%n", MeasuredRow.heading(row.number(), row.title())));
    section.append(
        String.format(
            Locale.ROOT,
            "%s. `%s`, %s, %s%s. [Chart](charts/%s.svg)%s%n%n",
            row.data(),
            row.command(),
            row.when(),
            row.load().text(),
            versions(row),
            file,
            row.details().isEmpty() ? "" : ", [more](charts/" + file + "-details.svg)"));
    section.append(
        "| what | figure | beside | | ratio | aim | |\n|---|---:|---|---:|---:|---:|---|\n");
    row.lines().forEach(line -> section.append(tableLine(line)));
    return section.toString();
  }

  private static String versions(RowResult row) {
    StringBuilder text = new StringBuilder();
    row.versions()
        .forEach((name, version) -> text.append("; ").append(name).append(' ').append(version));
    return text.toString();
  }

  private static String tableLine(Line line) {
    Figure beside = line.beside();
    return "| "
        + String.join(
            " | ",
            line.what(),
            cell(line.ours()),
            beside == null ? "" : beside.of(),
            beside == null ? "" : cell(beside),
            ratio(line),
            line.aim().text(line.ours().unit()),
            line.aim().outcome(line))
        + " |\n";
  }

  private static String cell(Figure figure) {
    return figure.measured() ? Numbers.spread(figure) : "not measured: " + figure.because();
  }

  private static String ratio(Line line) {
    if (Double.isNaN(line.ratio())) {
      return "";
    }
    String median = Numbers.plain(line.ratio()) + " x";
    boolean several = line.leastRatio() < line.mostRatio();
    return several
        ? median
            + " ("
            + Numbers.plain(line.leastRatio())
            + " - "
            + Numbers.plain(line.mostRatio())
            + ")"
        : median;
  }
}
