package org.kblake.benchmarks.measure;

import java.io.IOException;
import java.util.List;

/**
 * One row of the comparison. To add a row, implement this interface and add the class to {@link
 * Rows}. Results, table and chart are then made from it.
 */
public interface Row {

  /** Returns the row's number on the command line. */
  int number();

  /** Returns the name in its files, in lower case with hyphens. */
  String name();

  /** Returns the heading of its table. */
  String title();

  /** Returns a description of its data with the seed, for the table. */
  String data(Measurement measurement);

  /** Measures the row. Each line is printed at once if it is passed to {@link Measurement#line}. */
  List<Line> measure(Measurement measurement) throws IOException, InterruptedException;
}
