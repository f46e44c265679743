package org.kblake.benchmarks.measure;

import java.util.List;
import java.util.Map;

/**
 * The result of a row, as it is stored in {@code benchmarks/results}.
 *
 * @param number the row's number
 * @param name the name in its files
 * @param title the heading of its table
 * @param data a description of its data with the seed
 * @param command the command that measured it
 * @param when the date, UTC
 * @param machine the machine
 * @param load the load of the machine by other processes
 * @param versions the versions of peers, by name
 * @param proofs for cold files: the number of evicted files, and of their bytes that were resident
 *     afterwards
 * @param lines the lines of its table
 * @param details further figures for its charts
 */
public record RowResult(
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
