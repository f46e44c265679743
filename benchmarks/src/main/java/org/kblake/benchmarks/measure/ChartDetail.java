package org.kblake.benchmarks.measure;

/**
 * A figure that is stored with the results and drawn in a chart, but is not in a table.
 *
 * @param panel the name of its panel in the chart
 * @param group the group of bars in the panel
 * @param bar the name of the bar in the group
 * @param figure the figure
 */
public record ChartDetail(String panel, String group, String bar, Figure figure) {}
