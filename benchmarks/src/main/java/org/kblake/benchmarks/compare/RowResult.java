package org.kblake.benchmarks.compare;

import java.util.List;
import java.util.Map;

/**
 * A measured row, as it is kept in {@code benchmarks/results}.
 *
 * @param number the row's number
 * @param name what its files are called after
 * @param title its heading
 * @param data which data, and from which seed
 * @param command what measured it
 * @param when the date, UTC
 * @param machine where
 * @param load what else that machine did
 * @param versions of whatever took part besides, by name
 * @param proofs of cold files: what was evicted, and how many of its pages were resident afterwards
 * @param lines what came out
 * @param details what else came out, too much for a table
 */
record RowResult(
    int number,
    String name,
    String title,
    String data,
    String command,
    String when,
    MeasuredMachine machine,
    Load load,
    Map<String, String> versions,
    List<String> proofs,
    List<Line> lines,
    List<ChartDetail> details) {}
