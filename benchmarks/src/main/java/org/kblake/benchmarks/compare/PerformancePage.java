package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Puts tables of results into docs/PERFORMANCE.md, between two marks; what stands around them is
 * written by hand.
 */
final class PerformancePage {

  private static final String BEGIN = "<!-- tables: written by benchmarks/compare -->\n";
  private static final String END = "<!-- end of tables -->\n";

  private final Path page;

  PerformancePage(Path page) {
    this.page = page;
  }

  /** Replaces all tables. */
  void write(List<RowResult> rows) throws IOException {
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException("no place for tables: file=" + page + ", expected=" + BEGIN.strip());
    }
    StringBuilder tables = new StringBuilder();
    rows.stream()
        .map(row -> row.machine().text())
        .distinct()
        .forEach(machine -> tables.append("\n").append(machine).append(".\n"));
    rows.forEach(row -> tables.append(section(row)));
    Files.writeString(
        page, text.substring(0, begin + BEGIN.length()) + tables + text.substring(end));
  }

  private static String section(RowResult row) {
    String file = String.format(Locale.ROOT, "%02d-%s", row.number(), row.name());
    StringBuilder section = new StringBuilder();
    section.append(String.format(Locale.ROOT, "%n### %d. %s%n%n", row.number(), row.title()));
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
