package org.kblake.benchmarks.transfer;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.measure.MeasuredRow;
import org.kblake.benchmarks.measure.Notebook;
import org.kblake.benchmarks.measure.Results;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.RowResult;
import org.kblake.benchmarks.measure.Size;

/** Measures kblake ship and kblake gather. See benchmarks/ship and benchmarks/gather. */
public final class Transfer {

  private Transfer() {}

  /**
   * Begins in the directory benchmarks.
   *
   * @param args {@code ship} or {@code gather}; {@code --quick} for little data, whose figures are
   *     printed but not kept; names of rows
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(args));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    String script = words.remove(0);
    boolean quick = words.remove("--quick");
    Results results = new Results(Path.of("results", script));
    for (Row row : script.equals("ship") ? ship(quick) : List.<Row>of(new GatherRow())) {
      if (words.isEmpty() || words.contains(row.name())) {
        String command = "benchmarks/" + script;
        command += row.name().equals(script) ? "" : " " + row.name();
        RowResult measured = MeasuredRow.of(row, quick ? Size.TINY : Size.SMALL, command, out);
        if (!quick) {
          results.put(measured);
          new Notebook(Path.of("results/notebook.md"), "benchmarks/" + script).write(results.all());
        }
      }
    }
  }

  private static List<Row> ship(boolean quick) {
    return List.of(new ShippedRow(quick), new DisturbedRow(quick));
  }
}
