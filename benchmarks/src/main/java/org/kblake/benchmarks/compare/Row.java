package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.util.List;

/**
 * One row of the comparison. To add one, write this interface once more and name it in {@link
 * Rows}; its results, its table and its chart follow.
 */
interface Row {

  /** What the command line calls it. */
  int number();

  /** What its files are called after: lower case, words joined by hyphens. */
  String name();

  /** A heading. */
  String title();

  /** Which data, and from which seed. */
  String data(Run run);

  /** Measures it; each line is printed as it comes if it is handed to {@link Run#line}. */
  List<Line> measure(Run run) throws IOException, InterruptedException;
}
