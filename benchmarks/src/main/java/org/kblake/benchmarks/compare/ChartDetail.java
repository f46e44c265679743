package org.kblake.benchmarks.compare;

/**
 * A figure that is too many for a table: it is kept with the results and drawn in a chart.
 *
 * @param panel which of the charts side by side
 * @param group which group of bars there
 * @param bar which bar of the group
 * @param figure what was measured
 */
record ChartDetail(String panel, String group, String bar, Figure figure) {}
